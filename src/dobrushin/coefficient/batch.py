"""κ for a whole batch of maps of one size, where the call for each map would cost more than its arithmetic."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient import compiled
from dobrushin.coefficient.pair_values import PairValues
from dobrushin.coefficient.rows import Rows
from dobrushin.coefficient.solution import Solution, solve
from dobrushin.exact import Floats, order_keys
from dobrushin.threads import map_in_threads, usable_threads

_CHUNKS_EACH = 4  # pieces of work for each thread, so that none waits long for the last


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """Which pairs attain κ in each map of a batch; exact, as :func:`dobrushin.coefficient.solve` is.

    Attributes:
        values: the maps, float64, shape (B, n, n).
        normalised: whether rows stand for themselves divided by their sums.
        first: shape (B, 2): the first attaining pair.
        count: shape (B,): how many pairs attain κ.
    """

    values: Floats
    normalised: bool
    first: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]

    def kappa(self, index: int) -> Fraction:
        """κ of one map, exactly."""
        i, j = self.first[index].tolist()
        rows = self._rows(index)
        return PairValues(rows, compiled=False).distance(i, j)

    def solution(self, index: int) -> Solution:
        """Everything about one map."""
        return solve(self._rows(index))

    @cached_property
    def self_dominant(self) -> npt.NDArray[np.bool_]:
        """Shape (B,): whether some attaining pair is mutually self-dominant, which decides tightness (T3)."""
        which = np.arange(len(self.values))
        i, j = self.first.T
        result = np.zeros(len(which), dtype=bool)
        plain = (self.count == 1) & (not self.normalised)
        keys = [order_keys(self.values[which, a, b]) for a, b in ((i, i), (j, i), (j, j), (i, j))]
        result[plain] = ((keys[0] >= keys[1]) & (keys[2] >= keys[3]))[plain]
        for index in np.flatnonzero(~plain):
            result[index] = self.solution(int(index)).first_self_dominant() is not None
        return result

    def _rows(self, index: int) -> Rows:
        n = self.values.shape[1]
        return Rows(self.values[index], np.arange(n), self.normalised, list(range(n)))


def solve_batch(values: Floats, *, normalised: bool = False, threads: int | None = None) -> BatchSolution:
    """Find the pairs that attain κ in each map.

    Args:
        values: float64, shape (B, n, n), finite, n at least 2.
        normalised: divide each row by its sum, exactly.
        threads: how many; None for the cores that this process may use.  Each has one set of buffers.
    """
    values = np.ascontiguousarray(values, dtype=np.float64)
    first = np.zeros((len(values), 2), np.int64)
    count = np.zeros(len(values), np.int64)

    def part(bounds: tuple[int, int]) -> None:
        start, stop = bounds
        done = compiled.solve_each(values[start:stop], normalised, first[start:stop], count[start:stop])
        for index in () if done.all() else (start + np.flatnonzero(~done)).tolist():
            n = values.shape[1]
            solution = solve(Rows(values[index], np.arange(n), normalised, list(range(n))))
            first[index], count[index] = solution.attaining[0], len(solution.attaining)

    threads = usable_threads(threads)
    if threads == 1 or len(values) == 1:
        part((0, len(values)))
    else:
        edges = np.linspace(0, len(values), min(len(values), _CHUNKS_EACH * threads) + 1).astype(int)
        map_in_threads(part, pairwise(edges.tolist()), threads)
    return BatchSolution(values, normalised, first, count)
