"""One Lean for all tests of this folder, and one compiled tiny development."""

from pathlib import Path

import pytest

from dobrushin.lean.build import Build
from dobrushin.lean.declarations import Environment
from dobrushin.lean.gates import compile_fresh
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean, find

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def lean() -> Lean:
    return find("wheel")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A development with a few declarations of each kind."""
    root = tmp_path_factory.mktemp("tiny")
    (root / "lean").mkdir()
    (root / "lean" / "Dobrushin").mkdir()
    (root / "lean" / "Dobrushin.lean").write_text("import Dobrushin.Statement\n")
    (root / "lean" / "Dobrushin" / "Statement.lean").write_text(
        """universe u
namespace Dobrushin
class Weighted (R : Type u) where
  weight : R → Nat
def double (n : Nat) : Nat := n + n
def helper : Nat → Nat
  | 0 => 0
  | n + 1 => double (helper n)
inductive Colour where
  | red
  | green
theorem lemma_used : double 0 = 0 := rfl
namespace Statement
/-- A docstring. -/
theorem first {R : Type u} [Weighted R] (x y : R) (h : Weighted.weight x = helper 3) (_ : y = x) :
    Weighted.weight x = helper 3 := h
theorem second : double 0 = 0 := lemma_used
end Statement
end Dobrushin
"""
    )
    return Project(root, REPOSITORY / "lean" / "bootstrap")


@pytest.fixture(scope="session")
def compiled(tiny: Project, lean: Lean, tmp_path_factory: pytest.TempPathFactory) -> tuple[Build, Environment]:
    return compile_fresh(tiny, lean, tmp_path_factory.mktemp("compiled"))
