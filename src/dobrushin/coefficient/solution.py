"""κ of some rows and which pairs attain it, decided exactly: filters first, integers only for what they leave."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient import compiled
from dobrushin.coefficient.exact_pairs import ExactPairs
from dobrushin.coefficient.pair_values import PairValues
from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.coefficient.screened import ScreenedSearch
from dobrushin.exact import order_keys, power_of_two

Stage = Literal["float", "exact"]
"""What it takes to tell the attaining pair from the others: float64 with its error bound, or exact arithmetic."""

Kernel = Literal["auto", "dense", "tree", "narrow", "numpy"]
"""How pairs are searched; the answers are the same."""

_FEW = 16  # pairs that are cheaper one by one


class Search(Protocol):
    """Finds pairs among all pairs of some rows."""

    @property
    def path(self) -> str:
        """How the pairs were searched."""

    @property
    def attaining(self) -> Pairs:
        """All pairs at the largest distance, lexicographic."""

    def next_pair(self) -> tuple[int, int] | None:
        """A pair at the largest distance below κ; None when every pair attains κ."""

    def shortfall_candidates(self, ratio: Fraction) -> Pairs:
        """A superset of the pairs with the smallest shortfall (T4), for ratio = α/(1−α)."""


@dataclass(eq=False)
class Solution:
    """κ of some rows and everything that the equality condition asks about their distances.

    Attributes:
        rows: the rows.
        search: what found the attaining pairs, and can find more.
    """

    rows: Rows
    search: Search

    @cached_property
    def exact(self) -> PairValues:
        """Exact values of single pairs."""
        return PairValues(self.rows, compiled=self.search.path != "numpy")

    @property
    def attaining(self) -> Pairs:
        """All pairs with the largest distance, lexicographic, shape (count, 2), as row positions."""
        return self.search.attaining

    @cached_property
    def kappa(self) -> Fraction:
        """The largest distance, exactly."""
        i, j = self.attaining[0]
        return self.exact.distance(int(i), int(j))

    @cached_property
    def runner_up(self) -> Fraction | None:
        """The largest distance below κ, exactly; None when every pair attains κ."""
        pair = self.search.next_pair()
        return None if pair is None else self.exact.distance(*pair)

    @cached_property
    def stage(self) -> Stage:
        """``float`` when one pair attains κ by more than what float64 arithmetic can err.

        Two distances of w columns in float64, with a division by the row's sum if rows are normalised, are off by
        less than κ·(w+8)·2**-51 (+ 2**-49) in all; see :mod:`dobrushin.coefficient.screen`.  The stage depends on
        the numbers alone, and not on which kernel ran.  For normalised rows with negative entries no bound is claimed.
        """
        if len(self.attaining) > 1:
            return "exact"
        if self.runner_up is None:
            return "float"
        if self.rows.normalised and self.search.path == "numpy" and (order_keys(self.rows.values) < 0).any():
            return "exact"
        kappa, gap = float(self.kappa), self.kappa - self.runner_up
        rough = kappa * (self.rows.width + 8) * 2.0**-51 + (2.0**-49 if self.rows.normalised else 0.0)
        if 0 < kappa < 4 and not 0.5 * rough < gap < 2 * rough:
            return "float" if gap > rough else "exact"
        error = self.kappa * (self.rows.width + 8) * power_of_two(-51)
        if self.rows.normalised:
            error += power_of_two(-49)
        return "float" if gap > error else "exact"

    def first_self_dominant(self) -> int | None:
        """Position among the attaining pairs of the first that is mutually self-dominant; None when none is."""
        if not self.rows.normalised:
            dominant = self._plainly_dominant()
        elif len(self.attaining) <= _FEW:
            return next((at for at, (i, j) in enumerate(self.attaining.tolist()) if self.exact.is_dominant(i, j)), None)
        else:
            u, v = ExactPairs.of(self.rows, self.attaining).advantages()
            dominant = np.asarray((u >= 0) & (v >= 0), dtype=bool)
        at = int(dominant.argmax())
        return at if dominant[at] else None

    def _plainly_dominant(self) -> npt.NDArray[np.bool_]:
        """Which attaining pairs are mutually self-dominant, for plain rows: a comparison of stored numbers."""
        i, j = self.attaining[:, 0], self.attaining[:, 1]
        own, values = self.rows.own_column, self.rows.values
        first = order_keys(values[i, own[i]]) >= order_keys(values[j, own[i]])
        second = order_keys(values[j, own[j]]) >= order_keys(values[i, own[j]])
        return first & second


def solve(rows: Rows, *, kernel: Kernel = "auto") -> Solution:
    """Find κ and the pairs that attain it, exactly.

    Args:
        rows: at least two rows.
        kernel: ``auto`` takes the compiled kernels where numba is installed and the rows suit them, and ``numpy``
            otherwise; ``dense``, ``tree`` and ``narrow`` force one way of the compiled search.

    Returns:
        The :class:`Solution`; ties are all found, in lexicographic order.
    """
    assert rows.values.shape[0] >= 2, "callers refuse maps without a pair"
    if kernel != "numpy" and compiled.available():
        search = compiled.CompiledSearch.of(rows, kernel)
        if search is not None:
            return Solution(rows, search)
    return Solution(rows, ScreenedSearch(rows))
