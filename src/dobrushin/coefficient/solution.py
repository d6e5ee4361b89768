"""Which pairs attain κ, decided exactly: a float filter first, integers only for the pairs that survive it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from dobrushin.coefficient.exact_pairs import ExactPairs
from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.coefficient.screen import Screen, pairs_at, screen_pairs
from dobrushin.exact import Floats, nearest_float, power_of_two

Stage = Literal["float", "exact"]
"""What decided: the float filter left one pair, or several were compared in exact arithmetic."""

_LARGEST_FLOAT = float(np.finfo(np.float64).max)


@dataclass(frozen=True, eq=False)
class Solution:
    """κ of some rows and everything that the equality condition asks about their distances.

    Attributes:
        kappa: the largest distance, exactly.
        attaining: all pairs with that distance, lexicographic, shape (count, 2), as row positions.
        stage: what decided which pairs attain κ.
        screen: the float64 distances of all pairs, with their error bound.
    """

    rows: Rows
    kappa: Fraction
    attaining: Pairs
    stage: Stage
    screen: Screen
    _positions: np.ndarray

    @cached_property
    def runner_up(self) -> Fraction | None:
        """The largest distance below κ, exactly; None when every pair attains κ."""
        others = np.ones(len(self.screen.distances), dtype=bool)
        others[self._positions] = False
        candidates = np.flatnonzero(others)
        if not candidates.size:
            return None
        survivors = candidates[_may_be_largest(self.screen.lower[candidates], self.screen.upper[candidates])]
        return ExactPairs.of(self.rows, pairs_at(survivors, len(self.rows))).largest()[0]

    def pairs_at_least(self, threshold: Fraction) -> Pairs:
        """Every pair with d(i, j) ≥ threshold, and possibly a few with a slightly smaller distance."""
        bound = nearest_float(threshold / power_of_two(self.screen.exponent))
        bound = min(bound, _LARGEST_FLOAT)
        bound -= abs(bound) * 2.0**-50  # the conversion above rounds
        return pairs_at(np.flatnonzero(self.screen.upper >= bound), len(self.rows))


def solve(rows: Rows) -> Solution:
    """Find κ and the pairs that attain it, exactly.

    Args:
        rows: at least two rows.

    Returns:
        The :class:`Solution`; ties are all found, in lexicographic order.
    """
    assert len(rows) >= 2, "callers refuse maps without a pair"
    distances = screen_pairs(rows)
    survivors = np.flatnonzero(_may_be_largest(distances.lower, distances.upper))
    candidates = pairs_at(survivors, len(rows))
    kappa, attains = ExactPairs.of(rows, candidates).largest()
    stage: Stage = "float" if len(survivors) == 1 else "exact"
    return Solution(rows, kappa, candidates[attains], stage, distances, survivors[attains])


def _may_be_largest(lower: Floats, upper: Floats) -> np.ndarray:
    """Mask of the distances that, for all that the bounds say, may be the largest."""
    mask: np.ndarray = upper >= lower.max()
    return mask
