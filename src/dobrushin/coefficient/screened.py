"""The search without compiled kernels: distances in float64 with a bound, long integers for what they leave.

It takes any finite rows, negative and large entries included.
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient.exact_pairs import ExactPairs
from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.coefficient.screen import pairs_at, screen_pairs
from dobrushin.exact import nearest_float, power_of_two

_UNIT_ROUNDOFF = 2.0**-53


class ScreenedSearch:
    """What numpy finds for some rows.

    Attributes:
        attaining: all pairs at the largest distance, lexicographic.
        path: ``numpy``.
    """

    path = "numpy"

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._screen = screen_pairs(rows)
        every = np.ones(len(self._screen.distances), dtype=bool)
        self._positions = self._largest_among(every)
        self.attaining: Pairs = pairs_at(self._positions, len(rows))

    def _largest_among(self, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Positions, in the lexicographic order, of the pairs with the largest distance of those in the mask."""
        among = np.flatnonzero(mask)
        lower, upper = self._screen.lower[among], self._screen.upper[among]
        survivors: npt.NDArray[np.int64] = among[upper >= lower.max()]
        if len(survivors) == 1:
            return survivors
        _, attains = ExactPairs.of(self._rows, pairs_at(survivors, len(self._rows))).largest()
        largest: npt.NDArray[np.int64] = survivors[attains]
        return largest

    def next_pair(self) -> tuple[int, int] | None:
        """A pair at the largest distance below κ; None when every pair attains κ."""
        others = np.ones(len(self._screen.distances), dtype=bool)
        others[self._positions] = False
        if not others.any():
            return None
        i, j = pairs_at(self._largest_among(others)[:1], len(self._rows))[0]
        return int(i), int(j)

    def shortfall_candidates(self, ratio: Fraction) -> Pairs:
        """Every pair whose shortfall (T4) may be the smallest, for ratio = α/(1−α).

        Up to a factor and a constant the shortfall is −(d − min(ratio, u⁻) − min(ratio, v⁻)).  Every float below is
        a difference or a sum of a few quantities of size at most ``size``, each right to the screen's bounds, so
        ``error`` covers all roundings several times over.  Where no bound is claimed it is infinite, and every pair is
        kept.
        """
        screen, own, count = self._screen, self._rows.own_column, len(self._rows)
        values = screen.values
        cap = nearest_float(ratio * power_of_two(-screen.exponent))
        size = 1 + min(cap, 4.0) + float(np.abs(values).sum(axis=1).max())
        error = 4 * (screen.relative + 16 * _UNIT_ROUNDOFF) * size + 8 * screen.absolute
        if not np.isfinite(error):
            return pairs_at(np.arange(len(screen.distances)), count)
        own_entries = values[np.arange(count), own]
        deficits = np.minimum(cap, np.maximum(values[:, own] - own_entries, 0.0))  # [j, i]: min(ratio, (A_ji − A_ii)⁺)
        i, j = np.triu_indices(count, 1)
        scores = screen.distances - deficits[j, i] - deficits[i, j]
        return pairs_at(np.flatnonzero(scores + error >= scores.max() - error), count)
