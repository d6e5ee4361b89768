"""The symbolic gate runs what is locked, as it is locked, and nothing that lies about."""

import py_compile
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from dobrushin.lean.lockfile import render
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project
from dobrushin.lean.symbolic import current, lock_path, run_symbolic

SCRIPT = """import sys
from _lines import line

line("short", "proved", long=False)
if "--quick" not in sys.argv:
    line("long", "unsat, all 2 cases", long=True)
"""
LINES = """import json

def line(claim, verdict, long):
    print(json.dumps({"claim": claim, "verdict": verdict, "seconds": 0.0, "long": long}))
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "proofs" / "symbolic"
    folder.mkdir(parents=True)
    (folder / "proof.py").write_text(SCRIPT)
    (folder / "_lines.py").write_text(LINES)
    project = Project.at(tmp_path)
    lock_path(project).write_text(render(current(project)))
    return project


def said(project: Project, *, quick: bool) -> list[str]:
    return [passed.detail for passed in run_symbolic(project, quick=quick)]


def test_quick_leaves_the_long_claims_out_and_nothing_else(project: Project) -> None:
    assert said(project, quick=False) == ["short: proved", "long: unsat, all 2 cases"]
    assert said(project, quick=True) == ["short: proved"]


def test_a_module_of_the_environment_does_not_take_part(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('another json')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert len(said(project, quick=False)) == 2


def test_a_forged_compiled_file_does_not_take_part(project: Project, tmp_path: Path) -> None:
    forged, target = tmp_path / "forged.py", project.proofs / "symbolic" / "_lines.py"
    forged.write_text("raise SystemExit('another helper')\n")
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH  # Python would take it without a look at the source
    py_compile.compile(str(forged), cfile=cache_from_source(str(target)), invalidation_mode=unchecked)
    assert len(said(project, quick=False)) == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("print('proved')", "symbolic-output"),
        ("print('{}')", "symbolic-output"),
        ("pass", "symbolic-claims"),
        ("line('short', 'sat', long=False)", "symbolic-refuted"),
        ("raise ValueError('1 is not 2')", "symbolic-refuted"),
    ],
)
def test_what_is_no_proof_can_not_be_locked(project: Project, line: str, reason: str) -> None:
    (project.proofs / "symbolic" / "proof.py").write_text(f"from _lines import line\n{line}\n")
    with pytest.raises(RefusedError) as caught:
        current(project)
    assert caught.value.reason == reason
