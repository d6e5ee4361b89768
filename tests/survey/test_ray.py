"""A real Ray cluster of two nodes on this machine, one of which is killed in the middle of a survey."""

import json
from pathlib import Path

import pytest

from dobrushin.errors import InputError
from dobrushin.survey import run
from dobrushin.testing.surveys import LONGER, OPTIONS, merged_bytes, started, wait_for_part

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own, and its sockets'


def test_a_killed_node_is_survived(longer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what Ray says of it does not get among the events on standard output."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray import cluster_utils

    out = tmp_path / "ray"
    memory = 100 * 2**20
    cluster = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": memory, "include_dashboard": False}
    )
    try:
        other = cluster.add_node(num_cpus=1, object_store_memory=memory)
        cluster.wait_for_nodes()
        with started(out, "--engine=ray", f"--address={cluster.address}", survey=LONGER) as process:
            assert wait_for_part(process)["parts_done"] == 1
            cluster.remove_node(other, allow_graceful=False)
            stdout, stderr = process.communicate(timeout=120)
    finally:
        cluster.shutdown()
    assert process.returncode == 0, stderr
    events = [json.loads(line)["event"] for line in stdout.splitlines()]
    assert events == ["part"] * 11 + ["finished"]
    assert merged_bytes(out) == merged_bytes(longer)


def test_no_cluster_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no Ray cluster to be reached at 127.0.0.1:1 "):
        run(out=tmp_path, engine="ray", address="127.0.0.1:1", **OPTIONS)
