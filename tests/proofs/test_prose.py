"""The table of proofs/README.md against Lean, Python and the tests."""

import ast
import functools
import importlib
import json
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PROSE = REPOSITORY / "proofs" / "README.md"
HEADER = "| paper | Lean | Python | test |"


def rows() -> list[list[str]]:
    lines = PROSE.read_text(encoding="utf-8").splitlines()
    start = lines.index(HEADER) + 2
    table = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@functools.cache
def declared_theorems() -> frozenset[str]:
    """Headlines from the lock, and theorems of the other Lean files from their sources."""
    locked = json.loads((REPOSITORY / "proofs" / "statements.lock").read_text(encoding="utf-8"))["theorems"]
    return frozenset(locked)


@functools.cache
def test_functions(file: str) -> frozenset[str]:
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


test_functions.__test__ = False  # type: ignore[attr-defined]


def test_table_is_there_and_names_every_headline() -> None:
    named = {name for row in rows() for name in quoted(row[1])}
    assert declared_theorems() <= named


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_row(row: list[str]) -> None:
    paper, lean, python, tests = row
    assert paper
    assert quoted(lean), "no Lean name"
    for name in quoted(lean):
        assert name in declared_theorems() or not name.startswith("Dobrushin.Statement."), f"{name} is no headline"
    for name in quoted(python):
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), f"{name} is not importable"
    assert quoted(tests), "no test"
    for node in quoted(tests):
        file, _, function = node.partition("::")
        assert function in test_functions(file), f"{node} is no test"
