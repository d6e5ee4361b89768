"""What experiments share: pieces that are kept, intervals, tables, and the state of a training run."""

import json
from pathlib import Path

import pytest
import torch

from dobrushin.errors import InputError
from dobrushin.experiments import markdown_table, open_experiment, read_table, share_of, write_table
from dobrushin.experiments.pieces import Pieces
from dobrushin.experiments.state import load_state, save_state, seeded, snapshot_steps


def test_a_finished_piece_is_not_computed_again(tmp_path: Path) -> None:
    first = Pieces(tmp_path / "work", {"seed": 0})
    assert first.get("n=3", lambda: {"tight": 7}) == {"tight": 7}
    again = Pieces(tmp_path / "work", {"seed": 0})
    assert again.get("n=3", lambda: pytest.fail("it was computed again")) == {"tight": 7}
    assert again.get("n=3!", lambda: 8) == 8, "names that differ in a sign are different pieces"


def test_a_failed_piece_is_not_kept(tmp_path: Path) -> None:
    pieces = Pieces(tmp_path, {})
    with pytest.raises(ZeroDivisionError):
        pieces.get("a", lambda: 1 / 0)
    assert pieces.get("a", lambda: 2) == 2


def test_pieces_of_another_configuration_are_refused(tmp_path: Path) -> None:
    Pieces(tmp_path, {"seed": 0, "n": [2, 3]}).get("a", lambda: 1)
    with pytest.raises(InputError, match=r"another configuration \(seed was 0, is 1\): remove it or name another"):
        Pieces(tmp_path, {"seed": 1, "n": [2, 3]})
    Pieces(tmp_path, {"seed": 0, "n": (2, 3)})


def test_a_damaged_piece_is_one_sentence(tmp_path: Path) -> None:
    Pieces(tmp_path, {}).get("a", lambda: 1)
    (path,) = (tmp_path / "pieces").iterdir()
    path.write_text("{")
    with pytest.raises(InputError, match=r"is damaged .*: remove it, and it is computed again"):
        Pieces(tmp_path, {}).get("a", lambda: 1)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(10, 100, 0.05522914, 0.17436566), (1, 2, 0.09453121, 0.90546879), (0, 5, 0.0, 0.43448246)],
)
def test_wilson_intervals(count: int, total: int, low: float, high: float) -> None:
    share = share_of(count, total)
    assert share.low == pytest.approx(low, abs=1e-6)
    assert share.high == pytest.approx(high, abs=1e-6)
    assert share.low <= share.value <= share.high
    opposite = share_of(total - count, total)
    assert opposite.low == pytest.approx(1 - high, abs=1e-6)


def test_shares_of_nothing_and_impossible_shares() -> None:
    assert str(share_of(0, 0)) == "–"
    with pytest.raises(ValueError, match="3 of 2 is no share"):
        share_of(3, 2)


def test_tables(tmp_path: Path) -> None:
    rows = [{"n": 2, "share": 0.5}, {"n": 3, "share": None}]
    write_table(tmp_path / "a.parquet", rows)
    write_table(tmp_path / "b.parquet", rows)
    assert read_table(tmp_path / "a.parquet") == rows
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert markdown_table(("a", "b"), [("x", 1)]) == "| a | b |\n| --- | ---: |\n| x | 1 |\n"


def test_the_state_of_a_training_run(tmp_path: Path) -> None:
    assert load_state(tmp_path / "state.pt") is None
    save_state(tmp_path / "state.pt", {"step": 3, "weights": torch.ones(2)})
    state = load_state(tmp_path / "state.pt")
    assert state is not None
    assert state["step"] == 3
    (tmp_path / "state.pt").write_bytes(b"damaged")
    with pytest.raises(InputError, match="is damaged: remove it, and the training starts again"):
        load_state(tmp_path / "state.pt")


def test_random_numbers_depend_on_seed_and_step_only() -> None:
    assert seeded(1, 2).integers(1 << 60) == seeded(1, 2).integers(1 << 60) != seeded(1, 3).integers(1 << 60)
    assert snapshot_steps(3, 8) == [0, 1, 3]


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[common]\nseed = 1\n[full]\nn = 100\n[quick]\nn = 2\nseed = 3\n")
    script = str(tmp_path / "run.py")
    full = open_experiment(script, [])
    quick = open_experiment(script, ["--quick", "--work", str(tmp_path / "w"), "--threads", "1"])
    assert (full.config, full.out, full.work) == ({"seed": 1, "n": 100}, tmp_path, tmp_path / "work" / "full")
    assert (quick.config, quick.out, quick.threads) == ({"seed": 3, "n": 2}, tmp_path / "quick", 1)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "config.json").write_text(json.dumps({"seed": 3, "n": 3}))
    with pytest.raises(InputError, match="n was 3, is 2"):
        open_experiment(script, ["--quick", "--work", str(tmp_path / "w")])
    with pytest.raises(InputError, match="--threads is 0"):
        open_experiment(script, ["--threads", "0"])
