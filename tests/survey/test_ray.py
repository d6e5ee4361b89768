"""A real Ray cluster of two nodes on this machine, one of which is killed in the middle of a survey."""

from pathlib import Path

import pytest

from dobrushin.errors import InputError
from dobrushin.survey import Event, run
from dobrushin.testing.surveys import OPTIONS, merged_bytes

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own, and its sockets'


def test_a_killed_node_is_survived(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray import cluster_utils

    memory = 100 * 2**20
    cluster = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": memory, "include_dashboard": False}
    )
    try:
        other = cluster.add_node(num_cpus=1, object_store_memory=memory)
        cluster.wait_for_nodes()
        killed: list[int] = []

        def kill_after_the_first_part(event: Event) -> None:
            if event.event == "part" and not killed:
                killed.append(event.parts_done)
                cluster.remove_node(other, allow_graceful=False)

        manifest = run(
            out=tmp_path / "ray", engine="ray", address=cluster.address, on_event=kill_after_the_first_part, **OPTIONS
        )
    finally:
        cluster.shutdown()
    assert killed == [1]
    assert manifest["status"] == "complete"
    assert merged_bytes(tmp_path / "ray") == merged_bytes(whole)


def test_no_cluster_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no Ray cluster to be reached at 127.0.0.1:1 "):
        run(out=tmp_path, engine="ray", address="127.0.0.1:1", **OPTIONS)
