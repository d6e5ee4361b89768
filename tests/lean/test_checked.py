"""``lean/bootstrap/CHECKED.md`` lists every declaration of the three trusted files, and nothing else."""

import re
from pathlib import Path

import pytest

from dobrushin.lean.build import Build
from dobrushin.lean.declarations import Environment

CHECKED = Path(__file__).parents[2] / "lean" / "bootstrap" / "CHECKED.md"
GIVEN_BY_LEAN = {
    "instance Trans Eq r r": "instTransEq",
    "instance Trans r Eq r": "instTransEq_1",
    "instance DecidableEq Nat": "instDecidableEqNat",
    "instance DecidableEq Bool": "instDecidableEqBool",
    "instance Decidable True": "instDecidableTrue",
    "instance Decidable False": "instDecidableFalse",
    "instance Decidable (And p q)": "instDecidableAnd",
    "instance Decidable (Or p q)": "instDecidableOr",
    "instance Decidable (Not p)": "instDecidableNot",
    "instance Decidable (p → q)": "instDecidableForall",
    "instance Decidable (p ↔ q)": "instDecidableIff",
    "noConfusion_of_Nat.aux (private)": "_private.Init.Nat.0.noConfusion_of_Nat.aux",
}
"""The names of what the sources leave unnamed or private."""


def listed(module: str) -> tuple[int, list[str]]:
    """How many names the heading announces, and those in the first column of the table below it."""
    found = re.search(
        rf"^## `Init/{module}\.lean` \((\d+) names\)$(.*?)(?=^## |\Z)", CHECKED.read_text("utf-8"), re.M | re.S
    )
    assert found is not None
    cells = [line.split("|")[1] for line in found.group(2).splitlines() if line.startswith("| `")]
    names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    return int(found.group(1)), [GIVEN_BY_LEAN.get(name, name) for name in names]


@pytest.mark.parametrize("module", ["Logic", "Nat", "Lemmas"])
def test_names_are_those_declared(module: str, compiled: tuple[Build, Environment]) -> None:
    count, names = listed(module)
    declared = [
        declaration.name
        for declaration in compiled[1].of_module(f"Init.{module}")
        if declaration.line is not None
        and declaration.kind not in {"constructor", "recursor"}
        and not declaration.projection
    ]
    assert sorted(names) == sorted(declared)
    assert count == len(declared)
