"""Every way to cheat must turn the gates red, each for its own reason, and the unmodified base must be green."""

from pathlib import Path
from typing import Any

import pytest
from tiny_projects import CASES, assemble, cheat, expected, table

from dobrushin.lean.build import Build
from dobrushin.lean.gates import ALL, run_gates
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

GATES = tuple(gate for gate in ALL if gate != "symbolic")  # the tiny projects have no symbolic proofs


def refusal(project: Project, lean: Lean, compiled: Build | None, gates: tuple[str, ...] = GATES) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        run_gates(project, lean, gates=gates, compiled_bootstrap=compiled)
    return caught.value


def shared(case: Path, compiled: Build) -> Build | None:
    """The compiled bootstrap, unless the case changes the bootstrap itself."""
    return None if (case / "lean" / "bootstrap").exists() else compiled


def test_base_is_green(lean: Lean, base_locks: dict[str, str], compiled_bootstrap: Build, tmp_path: Path) -> None:
    report = run_gates(assemble(None, tmp_path, base_locks), lean, gates=GATES, compiled_bootstrap=compiled_bootstrap)
    assert [headline.axioms for headline in report.headlines] == [(), (), ()]
    assert [gate.gate for gate in report.gates] == list(GATES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cheat_is_refused_for_its_reason(
    case: Path, lean: Lean, base_locks: dict[str, str], compiled_bootstrap: Build, tmp_path: Path
) -> None:
    how: dict[str, Any] = expected(case)
    project = assemble(case, tmp_path, base_locks)
    cheat(project, lean, how)
    failure = refusal(project, lean, shared(case, compiled_bootstrap))
    assert (failure.gate, failure.reason) == (how["gate"], how["reason"]), str(failure)
    assert failure.where == how.get("where", failure.where)


@pytest.mark.parametrize("case", [case for case in CASES if "without_scan" in expected(case)], ids=lambda c: c.name)
def test_scan_is_only_the_belt(
    case: Path, lean: Lean, base_locks: dict[str, str], compiled_bootstrap: Build, tmp_path: Path
) -> None:
    behind = expected(case)["without_scan"]
    gates = tuple(gate for gate in GATES if gate != "scan")
    failure = refusal(assemble(case, tmp_path, base_locks), lean, compiled_bootstrap, gates)
    assert (failure.gate, failure.reason) == (behind["gate"], behind["reason"]), str(failure)


def test_every_case_changes_something() -> None:
    for case in CASES:
        how = expected(case)
        files = [path for path in case.rglob("*") if path.is_file() and path.name != "expected.json"]
        assert files or {"edit_lock", "delete"} & how.keys(), case.name


def test_readme_lists_every_case() -> None:
    text = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    assert text.endswith(table())
