"""The statement that the lock shows is the source up to the proof."""

import pytest

from dobrushin.lean.statements import statement_in


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("theorem t (a : Nat) : a = a := rfl", ["theorem t (a : Nat) : a = a"]),
        ("theorem t (a : Nat := 1) : a = a :=\n  rfl", ["theorem t (a : Nat := 1) : a = a"]),
        (
            "theorem t :\n    let a := 1\n    a = 1 ∧ a ≤ 2 := by\n  skip",
            ["theorem t :", "    let a := 1", "    a = 1 ∧ a ≤ 2"],
        ),
        ("theorem t : p /- := -/ → q := fun h => h", ["theorem t : p          → q"]),
        ("theorem t : Nat → Nat\n  | n => n", ["theorem t : Nat → Nat"]),
    ],
)
def test_statement_in(source: str, statement: list[str]) -> None:
    assert statement_in(f"/-- doc := -/\n{source}\n\ntheorem other : q := h\n", 2) == statement
