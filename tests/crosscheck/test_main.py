"""The command: its table and summary line, and that it turns red for the right reasons."""

import json
from pathlib import Path

import pytest

from dobrushin.crosscheck import bounds, fault_table, plan, softmax
from dobrushin.crosscheck.__main__ import main
from dobrushin.crosscheck.fault_table import FAULTS
from dobrushin.crosscheck.faults import Piece, fault
from dobrushin.crosscheck.orbits import Family, number_of_orbits
from dobrushin.crosscheck.plan import Profile

TINY = Profile(
    thorough=((2, 2),),
    broad=((3, 1, 2),),
    products=((2, 2),),
    theorem_examples=10,
    production_examples=10,
    searches=1,
    fault_examples=60,
    shrink=False,
    bound_repeats=1,
    softmax_repeats=1,
)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick profile made tiny, and two faults that are found at once."""
    monkeypatch.setitem(plan.PROFILES, "quick", TINY)
    monkeypatch.setattr(fault_table, "FAULTS", FAULTS[:2])
    monkeypatch.setattr(bounds, "_SIZES", (3,))
    monkeypatch.setattr(softmax, "_SIZES", (3,))


def run(folder: Path, *arguments: str) -> int:
    return main(["--quick", "--workers", "1", "--out", str(folder), *arguments])


@pytest.mark.usefixtures("tiny")
def test_passes_with_one_summary_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 0
    output = capsys.readouterr().out
    summary = output.strip().splitlines()[-1]
    count = sum(number_of_orbits(Family(n, q)) for n, q in ((2, 1), (2, 2), (3, 1), (3, 2)))
    assert summary.startswith(f"check-exact: passed: {count} representatives checked, 0 disagreements; 10 of 10 false")
    assert "2 of 2 seeded faults found" in summary
    assert "strict self-dominance" in output
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("tiny")
def test_a_disagreement_fails_the_run_and_is_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--fault", "one-sided dominance") == 1
    output = capsys.readouterr().out
    assert "check-exact: FAILED" in output.strip().splitlines()[-1]
    assert "DISAGREEMENTS" in output
    saved = sorted(tmp_path.glob("*.json"))
    assert saved
    assert not list(tmp_path.glob("*.part"))
    witness = json.loads(saved[0].read_text())
    assert witness["matrices"]
    assert witness["expected"] != witness["found"]


@pytest.mark.usefixtures("tiny")
def test_a_surviving_fault_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    harmless = fault(
        "harmless", "nothing", Piece("condition:verdict_of", "dominant is not None", "not dominant is None")
    )
    monkeypatch.setattr(fault_table, "FAULTS", (FAULTS[0], harmless))
    assert run(tmp_path) == 1
    output = capsys.readouterr().out
    assert "SURVIVED" in output
    assert "10 of 10 false variants refuted, 1 of 2 seeded faults found" in output.strip().splitlines()[-1]
    assert json.loads((tmp_path / "harmless-nothing.json").read_text())["expected"] == "a disagreement"


def test_a_stale_table_of_faults_fails_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = fault("stale", "nothing", Piece("condition:check", "no such text", ""))
    monkeypatch.setattr(fault_table, "FAULTS", (stale,))
    assert run(tmp_path) == 1
    assert "error: the fault 'stale' replaces 'no such text'" in capsys.readouterr().err


def test_unknown_fault_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--fault", "nothing") == 2
    assert capsys.readouterr().err.startswith("error: unknown fault 'nothing'; choose one of")
