"""Exact values of single pairs: their distance and advantages, as fractions."""

from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient.exact_pairs import ExactPairs
from dobrushin.coefficient.rows import Rows

_FRACTION_BITS = 52
_UNIT_BITS = 1074  # every finite float64 is an integer multiple of 2**-1074


class PairValues:
    """Exact values of pairs of some rows, one pair at a time.

    Args:
        rows: the rows.
        compiled: whether the kernels may be used; they want rows without negative or large entries.
    """

    def __init__(self, rows: Rows, *, compiled: bool) -> None:
        self._rows = rows
        self._compiled = compiled
        self._distances: dict[tuple[int, int], Fraction] = {}

    def distance(self, i: int, j: int) -> Fraction:
        """d(i, j); worked out once for each pair."""
        if (i, j) not in self._distances:
            self._distances[i, j] = self._distance(i, j)
        return self._distances[i, j]

    def advantages(self, i: int, j: int) -> tuple[Fraction, Fraction]:
        """U = A_ii − A_ji and v = A_jj − A_ij."""
        own_i, own_j = int(self._rows.own_column[i]), int(self._rows.own_column[j])
        return self._difference(i, j, own_i), self._difference(j, i, own_j)

    def is_dominant(self, i: int, j: int) -> bool:
        """Whether the pair is mutually self-dominant."""
        return all(advantage >= 0 for advantage in self.advantages(i, j))

    def _difference(self, i: int, j: int, column: int) -> Fraction:
        """A_i,column − A_j,column."""
        own, other = self._number(i, column), self._number(j, column)
        if self._rows.normalised:
            return _ratio(own * self._sum(j) - other * self._sum(i), self._sum(i) * self._sum(j))
        return _ratio(own - other, 1 << _UNIT_BITS)

    def _distance(self, i: int, j: int) -> Fraction:
        if not self._compiled:
            return ExactPairs.of(self._rows, np.array([[i, j]])).distances()[0]
        if not self._rows.normalised:
            self._kernels.pair.plain_distance(self._rows.values, i, j, self._limbs[0])
            return _ratio(_from_limbs(self._limbs[0]), 1 << (_UNIT_BITS + 1))
        return self._normalised_distance(i, j)

    def _normalised_distance(self, i: int, j: int) -> Fraction:
        """X/s_i − Y/s_j, in the words of ``kernels.normalised``."""
        s_i, s_j = self._sum(i), self._sum(j)
        undecided = np.empty(self._rows.width, np.int64)
        count = self._kernels.normalised.positive_part(self._rows.values, i, j, s_i == s_j, self._limbs, undecided)
        numerator = _from_limbs(self._limbs[0]) * s_j - _from_limbs(self._limbs[1]) * s_i
        for k in undecided[:count].tolist():
            numerator += max(0, self._number(i, k) * s_j - self._number(j, k) * s_i)
        return _ratio(numerator, s_i * s_j)

    def _number(self, row: int, column: int) -> int:
        """The entry in units of 2**-1074, from its bits."""
        bits = int(self._bits[row, column])
        exponent = bits >> _FRACTION_BITS & 0x7FF
        significand = bits & ((1 << _FRACTION_BITS) - 1)
        if exponent:
            significand = (significand | 1 << _FRACTION_BITS) << (exponent - 1)
        return -significand if bits < 0 else significand

    @cached_property
    def _sum(self) -> Any:
        """The sum of one row in units of 2**-1074."""
        return cache(self._row_sum)

    def _row_sum(self, row: int) -> int:
        if not self._compiled:
            return sum(self._number(row, k) for k in range(self._rows.width))
        self._kernels.normalised.exact_sum(self._rows.values, row, self._limbs[0])
        return _from_limbs(self._limbs[0])

    @cached_property
    def _bits(self) -> npt.NDArray[np.int64]:
        return self._rows.values.view(np.int64)

    @cached_property
    def _kernels(self) -> Any:
        from dobrushin.coefficient.compiled import kernels

        return kernels()

    @cached_property
    def _limbs(self) -> npt.NDArray[np.int64]:
        from dobrushin.coefficient.kernels.limbs import LIMBS

        return np.empty((2, LIMBS), np.int64)


def _from_limbs(limbs: npt.NDArray[np.int64]) -> int:
    """The integer that carried 32-bit limbs spell."""
    return int.from_bytes(limbs.astype("<u4").tobytes(), "little")


def _ratio(numerator: int, denominator: int) -> Fraction:
    """The fraction; common powers of two go first, which makes the greatest common divisor cheap."""
    if numerator == 0:
        return Fraction(0)
    both = numerator | denominator
    zeros = (both & -both).bit_length() - 1
    return Fraction(numerator >> zeros, denominator >> zeros)
