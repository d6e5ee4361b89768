"""All distances in float64, with a bound on their error that is proved, not estimated.

Let u = 2**-53 and w the number of columns.  The values are first scaled by an exact power of two so that their
largest magnitude lies in [1, 2) (per row when the rows are normalised), so nothing overflows, and whatever is
lost to underflow or to flush-to-zero is at most 2**-1022 per number.

* Plain rows.  fl(a−b) = (a−b)(1+δ), |δ| ≤ u, and a sum of w non-negative terms in any order has relative error
  at most (1+u)^(w−1) − 1 (Higham, Accuracy and Stability, §4.2).  So the half-L1 distance is right to the
  relative error (1+u)^w − 1 ≤ 1.01·w·u for w < 2**40.
* Normalised rows.  math.fsum rounds the row sum correctly and the division adds one rounding: an entry is right
  to the relative error ρ ≤ 2.01·u, which moves a distance by at most ρ·(T_i+T_j)/2 with T_i = Σ_k |y_ik| the
  row's absolute mass (1 for non-negative rows); then the plain bound applies.  When entries of both signs nearly
  cancel in a row sum, no bound is claimed: it is infinite, and all pairs are compared as integers.

The constants below are larger than these, to cover the roundings made while the bounds are computed.
"""

import math
from dataclasses import dataclass

import numpy as np

from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.exact import Floats, scaled, top_exponent

_UNIT_ROUNDOFF = 2.0**-53
_CANCELLED = 2.0**-20
_UNDERFLOW = 2.0**-1000  # far above width * 2**-1021, far below anything that could matter


@dataclass(frozen=True)
class Screen:
    """Approximate half-L1 distances of all pairs i < j, lexicographic, in units of ``2**exponent``.

    Attributes:
        values: the float64 rows that were compared (scaled, and divided by their sums if normalised).
        distances: float64, shape (m(m−1)/2,).
        relative: bound on the relative error of a distance.
        absolute: bound on the absolute error that comes on top of it.
        exponent: the power of two taken out (0 for normalised rows).
    """

    values: Floats
    distances: Floats
    relative: float
    absolute: float
    exponent: int

    @property
    def lower(self) -> Floats:
        """No true distance is smaller."""
        return self.distances * (1 - self.relative) - self.absolute

    @property
    def upper(self) -> Floats:
        """No true distance is larger."""
        return self.distances * (1 + self.relative) + self.absolute


def screen_pairs(rows: Rows) -> Screen:
    """Compute the distances of all pairs of rows in float64, with rigorous error bounds.

    Time O(m²·width); extra memory O(m·width + m²).
    """
    relative = 1.01 * (rows.width + 8) * _UNIT_ROUNDOFF
    if not rows.normalised:
        exponent = int(top_exponent(rows.values))
        values = scaled(rows.values, -exponent)
        return Screen(values, half_l1_distances(values), relative, _UNDERFLOW, exponent)
    quotients = divided_by_sums(rows.values)
    if quotients is None:
        blank = np.zeros(rows.values.shape)
        return Screen(blank, half_l1_distances(blank), relative, np.inf, 0)
    mass = float(np.abs(quotients).sum(axis=1).max())
    absolute = 4 * _UNIT_ROUNDOFF * mass * (1 + relative) + _UNDERFLOW
    return Screen(quotients, half_l1_distances(quotients), relative, absolute, 0)


def divided_by_sums(values: Floats) -> Floats | None:
    """Every row divided by its positive sum, in float64: each entry is right to the relative error 2.01·2**-53.

    Whatever underflows on the way is below 2**-1000.  None when entries of both signs cancel to a sum below 2**-20
    of the row's largest entry: then only integers are safe.
    """
    values = scaled(values, -top_exponent(values, axis=1)[:, None])
    sums = np.array([math.fsum(row) for row in values])
    if sums.min() < _CANCELLED:
        return None
    quotients: Floats = values / sums[:, None]
    return quotients


def half_l1_distances(values: Floats) -> Floats:
    """½ Σ_k |x_ik − x_jk| for all i < j in lexicographic order, float64, shape (m(m−1)/2,)."""
    count = len(values)
    distances = np.empty(count * (count - 1) // 2)
    buffer = np.empty_like(values)
    start = 0
    for i in range(count - 1):
        difference = buffer[: count - 1 - i]
        np.subtract(values[i + 1 :], values[i], out=difference)
        np.abs(difference, out=difference)
        stop = start + len(difference)
        difference.sum(axis=1, out=distances[start:stop])
        start = stop
    distances *= 0.5
    return distances


def pairs_at(positions: np.ndarray, count: int) -> Pairs:
    """The pairs (i, j), i < j < count, at the given positions of the lexicographic order.

    >>> pairs_at(np.array([0, 2, 3]), 4).tolist()
    [[0, 1], [0, 3], [1, 2]]
    """
    starts = np.concatenate([[0], np.cumsum(np.arange(count - 1, 0, -1))])
    first = np.searchsorted(starts, positions, side="right") - 1
    second = positions - starts[first] + first + 1
    return np.stack([first, second], axis=-1).astype(np.int64)
