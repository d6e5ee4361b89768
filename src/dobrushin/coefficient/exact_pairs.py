"""Distances and dominance of chosen pairs of rows as exact integers over a common denominator."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.exact import Integers, integers, power_of_two

_CHUNK_ENTRIES = 1 << 18  # entries of the difference array held at one time


@dataclass(frozen=True, eq=False)
class ExactPairs:
    """Some pairs of rows, with the integers of just the rows that they use.

    With X the integers and s their row sums, an entry of the map is X_ik·unit, or X_ik/s_i when the rows are
    normalised; quantities of pair (i, j) are then integers over ``2·s_i·s_j`` (or ``2/unit``), which keeps the
    comparisons free of divisions.
    """

    rows: Rows
    pairs: Pairs
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    numbers: Integers
    sums: Integers
    unit: Fraction

    @classmethod
    def of(cls, rows: Rows, pairs: Pairs) -> "ExactPairs":
        """Convert the rows that occur in ``pairs`` (shape (count, 2), count ≥ 1) to integers."""
        used, index = np.unique(pairs, return_inverse=True)
        index = index.reshape(pairs.shape)
        sum_bits = rows.width.bit_length() + 2
        numbers, exponent = integers(rows.values[used], headroom=sum_bits)
        if rows.normalised and numbers.dtype != object:
            largest = int(np.abs(numbers).max())
            if 2 * (largest.bit_length() + sum_bits) > 62:  # products with row sums would overflow an int64
                numbers = numbers.astype(object)
        sums = numbers.sum(axis=1)
        return cls(rows, pairs, index[:, 0], index[:, 1], numbers, sums, power_of_two(exponent))

    def distance_numerators(self) -> Integers:
        """Σ_k |X_ik − X_jk|, or Σ_k |X_ik·s_j − X_jk·s_i| for normalised rows; shape (count,)."""
        chunk = max(1, _CHUNK_ENTRIES // self.rows.width)
        parts = [self._chunk(slice(at, at + chunk)) for at in range(0, len(self.pairs), chunk)]
        return np.concatenate(parts)

    def _chunk(self, part: slice) -> Any:
        i, j = self.first[part], self.second[part]
        left, right = self.numbers[i], self.numbers[j]
        if self.rows.normalised:
            left, right = left * self.sums[j][:, None], right * self.sums[i][:, None]
        return np.abs(left - right).sum(axis=1)

    def advantages(self) -> tuple[Integers, Integers]:
        """Integers with the signs of u = A_ii − A_ji and v = A_jj − A_ij, over s_i·s_j (or 1/unit)."""
        i, j = self.first, self.second
        own_i, own_j = self.rows.own_column[self.pairs[:, 0]], self.rows.own_column[self.pairs[:, 1]]
        a_ii, a_ji = self.numbers[i, own_i], self.numbers[j, own_i]
        a_jj, a_ij = self.numbers[j, own_j], self.numbers[i, own_j]
        if self.rows.normalised:
            s_i, s_j = self.sums[i], self.sums[j]
            return a_ii * s_j - a_ji * s_i, a_jj * s_i - a_ij * s_j
        return a_ii - a_ji, a_jj - a_ij

    def value(self, numerator: int, position: int) -> Fraction:
        """The rational that an integer of :meth:`advantages` stands for, for the pair at ``position``."""
        if not self.rows.normalised:
            return int(numerator) * self.unit
        i, j = self.first[position], self.second[position]
        return Fraction(int(numerator), int(self.sums[i]) * int(self.sums[j]))

    def largest(self) -> tuple[Fraction, npt.NDArray[np.bool_]]:
        """The largest distance among the pairs, exactly, and which pairs attain it (shape (count,))."""
        numerators = self.distance_numerators()
        if not self.rows.normalised:
            top = numerators.max()
            return self.value(int(top), 0) / 2, np.asarray(numerators == top, dtype=bool)
        weights = [int(self.sums[i]) * int(self.sums[j]) for i, j in zip(self.first, self.second, strict=True)]
        values = [int(number) for number in numerators]
        best = 0
        for k in range(1, len(values)):
            if values[k] * weights[best] > values[best] * weights[k]:
                best = k
        mask = [x * weights[best] == values[best] * w for x, w in zip(values, weights, strict=True)]
        return Fraction(values[best], 2 * weights[best]), np.array(mask, dtype=bool)

    def distances(self) -> list[Fraction]:
        """d(i, j) of every pair, exactly."""
        return [self.value(int(x), k) / 2 for k, x in enumerate(self.distance_numerators())]
