"""How much is done: the quick form, the full run, and long stress runs."""

from dataclasses import dataclass
from typing import Literal

from dobrushin.crosscheck.orbits import Family

ProfileName = Literal["quick", "full", "stress"]
"""The sizes to choose from."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The size of every part.

    Attributes:
        thorough: (n, largest q) whose matrices go to production under every reading and residual weight.
        broad: (n, smallest q, largest q) whose matrices go to production under one of these each, in turn.
        products: (n, largest q): all products of two matrices with denominators up to it.
        theorem_examples: hypothesis examples per seed for the theorems.
        production_examples: per seed and probe for the production code.
        searches: number of seeds.
        fault_examples: at most so many examples to find a seeded fault or refute a variant.
        shrink: whether witnesses of faults and variants are shrunk.
        bound_repeats: draws of each kind of input for the error bounds.
        softmax_repeats: matrices of each kind and size in the softmax experiment.
    """

    thorough: tuple[tuple[int, int], ...]
    broad: tuple[tuple[int, int, int], ...]
    products: tuple[tuple[int, int], ...]
    theorem_examples: int
    production_examples: int
    searches: int
    fault_examples: int
    shrink: bool
    bound_repeats: int
    softmax_repeats: int

    def families(self) -> list[tuple[str, bool, list[Family]]]:
        """Label, thorough or not, and families of each line of the table."""
        lines = [(f"n = {n}, q ≤ {top}", True, 1, n, top) for n, top in self.thorough]
        lines += [
            (f"n = {n}, q = {low}" + (f" … {top}" if top > low else ""), False, low, n, top)
            for n, low, top in self.broad
        ]
        return [(label, full, [Family(n, q) for q in range(low, top + 1)]) for label, full, low, n, top in lines]


PROFILES: dict[ProfileName, Profile] = {
    "quick": Profile(
        thorough=((2, 8), (3, 2)),
        broad=((2, 9, 24), (3, 3, 4), (4, 1, 2)),
        products=((2, 5), (3, 2)),
        theorem_examples=200,
        production_examples=150,
        searches=1,
        fault_examples=10_000,
        shrink=False,
        bound_repeats=1,
        softmax_repeats=3,
    ),
    "full": Profile(
        thorough=((2, 40), (3, 6), (4, 3)),
        broad=((3, 7, 11), (4, 4, 5), (5, 1, 3)),
        products=((2, 12), (3, 4), (4, 2)),
        theorem_examples=3000,
        production_examples=2000,
        searches=2,
        fault_examples=10_000,
        shrink=True,
        bound_repeats=10,
        softmax_repeats=40,
    ),
    "stress": Profile(
        thorough=((2, 60), (3, 8), (4, 4)),
        broad=((3, 9, 16), (4, 5, 6), (5, 1, 3), (6, 1, 2)),
        products=((2, 24), (3, 6), (4, 3)),
        theorem_examples=100_000,
        production_examples=100_000,
        searches=8,
        fault_examples=50_000,
        shrink=True,
        bound_repeats=200,
        softmax_repeats=1000,
    ),
}
