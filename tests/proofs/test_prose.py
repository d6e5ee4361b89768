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
def functions_in(file: str) -> dict[str, ast.FunctionDef]:
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


@functools.cache
def imported_in(file: str) -> dict[str, str]:
    """What each name of a test file stands for, from its imports."""
    names = {}
    for node in ast.parse((REPOSITORY / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def called_by(file: str, function: str) -> set[str]:
    """The full names of what a test calls, itself or through helpers of the same file."""
    called, seen, stack = set(), set(), [function]
    while stack:
        here = stack.pop()
        if here in seen or here not in functions_in(file):
            continue
        seen.add(here)
        for node in ast.walk(functions_in(file)[here]):
            if isinstance(node, ast.Call):
                first, _, rest = ast.unparse(node.func).partition(".")
                full = imported_in(file).get(first, first)
                called.add(f"{full}.{rest}" if rest else full)
                stack.append(first)
    return called


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
    assert quoted(python) or python == "—", "neither a name nor a dash"
    for name in quoted(python):
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), f"{name} is not importable"
    assert quoted(tests), "no test"
    for node in quoted(tests):
        file, _, function = node.partition("::")
        assert function.startswith("test_"), f"{node} is no test"
        assert function in functions_in(file), f"{node} does not exist"
        for name in quoted(python):
            assert name in called_by(file, function), f"{node} does not call {name}"
