"""Every gate on this repository itself, and what it should leave behind."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dobrushin.lean.prove import app

REPOSITORY = Path(__file__).parents[2]
FOLDERS = ("lean", "proofs")


@pytest.mark.slow
def test_every_gate_is_green_and_leaves_the_tree_as_it_was(tmp_path: Path) -> None:
    for name in FOLDERS:
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=shutil.ignore_patterns(".lake", "__pycache__"))
    before = contents(tmp_path)
    done = CliRunner().invoke(app, ["prove", "--project", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "axioms.json" not in done.stderr
    assert contents(tmp_path) == before


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
