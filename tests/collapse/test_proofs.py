"""What ``proofs/collapse.md`` names is there: theorems of the locked Lean statements, functions, and tests."""

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "proofs" / "collapse.md").read_text(encoding="utf-8")


def test_the_lean_theorems_exist() -> None:
    names = set(re.findall(r"Dobrushin\.Statement\.(\w+)", TEXT))
    assert {"T7_doubly_exponential", "T7_pure_attention", "T5_rollout_chain", "T6_floor"} <= names
    statement = (ROOT / "lean" / "Dobrushin" / "Statement.lean").read_text(encoding="utf-8")
    for name in names:
        assert f"theorem {name} " in statement, name


def test_the_functions_and_tests_exist() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("|") and "tests/collapse" in line]
    assert len(rows) == 11
    for line in rows:
        module, _, name = re.findall(r"`(dobrushin\.[\w.]+)`", line)[0].rpartition(".")
        assert callable(getattr(import_module(module), name))
        path, first = re.findall(r"`(tests/[\w/.]+)::(\w+)`", line)[0]
        source = (ROOT / path).read_text(encoding="utf-8")
        for test in [first, *re.findall(r", `(test_\w+)`", line)]:
            assert f"def {test}(" in source, test
