"""The symbolic proofs run, and what they would say about a false claim."""

import importlib
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "proofs" / "symbolic"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch):
    """Import a script of proofs/symbolic."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module


@pytest.mark.parametrize("script", ["exact_defect", "equality_condition"])
def test_script_proves_its_claims(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{script}.py"), "--quick"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    checks = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(checks) >= 6
    assert all(check["verdict"] and check["seconds"] >= 0 for check in checks)


def test_false_scalar_lemma_is_refuted(load, capsys: pytest.CaptureFixture[str]) -> None:
    exact_defect: ModuleType = load("exact_defect")
    with pytest.raises(SystemExit) as left:
        exact_defect.prove_zero(exact_defect.P - exact_defect.Q, "a false case")
    assert left.value.code == 1
    assert "the two sides differ" in capsys.readouterr().err


def test_false_equivalence_is_refuted(load, monkeypatch: pytest.MonkeyPatch) -> None:
    equality: ModuleType = load("equality_condition")
    strict = equality.Problem.dominant
    monkeypatch.setattr(equality.Problem, "dominant", lambda self, i, j: strict(self, i, j, strict=True))
    with pytest.raises(SystemExit) as left:
        equality.prove(2, equality.z3.Real("alpha"), Fraction(1))
    assert left.value.code == 1
