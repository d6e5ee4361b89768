"""Row-stochastic matrices with common denominator q, one of each orbit under relabelling of the tokens.

A matrix is W/q with W a non-negative integer matrix whose rows sum to q.  A relabelling π of the tokens permutes
rows and columns together, (πW)[π(i), π(j)] = W[i, j].  It carries the pair (i, j) to (π(i), π(j)) with the same
distance and the same A_ii − A_ji and A_jj − A_ij, and it fixes the identity matrix, so κ_P, κ_P(αI + (1−α)A), tight,
slack and every statement of T1–T4 and T6 hold for W if and only if they hold for πW.  For T5,
(πA)(πB) = π(AB), so it is enough that *one* factor is a representative while the other ranges over all matrices.
Therefore one matrix of each orbit is enough.

With the m = C(q+n−1, n−1) compositions of q in lexicographic order, W is the number with the base-m digits
"rank of row 0, …, rank of row n−1"; the representative of an orbit is its smallest number.  How many there are is
counted independently, by Burnside's lemma (:func:`number_of_orbits`).
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb, factorial

import numpy as np
import numpy.typing as npt

Matrices = npt.NDArray[np.int64]
"""Integer matrices, shape (count, n, n)."""


@dataclass(frozen=True)
class Family:
    """All n×n row-stochastic matrices with entries in {0, 1/q, …, 1}.

    Attributes:
        n: number of tokens.
        q: common denominator.
    """

    n: int
    q: int

    @property
    def size(self) -> int:
        """Number of matrices."""
        rows = comb(self.q + self.n - 1, self.n - 1)
        return int(rows**self.n)

    @cached_property
    def compositions(self) -> npt.NDArray[np.int64]:
        """The possible rows, lexicographic, shape (m, n)."""
        grid = np.indices((self.q + 1,) * self.n).reshape(self.n, -1).T
        rows: npt.NDArray[np.int64] = grid[grid.sum(axis=1) == self.q].astype(np.int64)
        return rows

    @cached_property
    def relabelled_ranks(self) -> list[tuple[tuple[int, ...], npt.NDArray[np.int64]]]:
        """For every relabelling but the identity: its inverse, and the rank of every composition permuted by it."""
        rank = {tuple(row): index for index, row in enumerate(self.compositions.tolist())}
        table = []
        for inverse in list(permutations(range(self.n)))[1:]:
            moved = self.compositions[:, inverse].tolist()  # entry π(j) of the new row is entry j of the old one
            table.append((inverse, np.array([rank[tuple(row)] for row in moved], dtype=np.int64)))
        return table

    def digits(self, codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The ranks of the rows of the matrices with the given numbers, shape (count, n)."""
        base, digits = len(self.compositions), []
        for _ in range(self.n):
            codes, digit = np.divmod(codes, base)
            digits.append(digit)
        return np.stack(digits[::-1], axis=-1)

    def matrices(self, codes: npt.NDArray[np.int64]) -> Matrices:
        """The matrices with the given numbers, times q."""
        return self.compositions[self.digits(codes)]

    def representatives(self, start: int, stop: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The numbers of the representatives in [start, stop), and the sizes of their orbits.

        By orbit and stabiliser, the sizes of all orbits add up to the size of the family.
        """
        codes = np.arange(start, stop, dtype=np.int64)
        digits = self.digits(codes)
        stabilisers = np.ones(len(codes), dtype=np.int64)
        weights = len(self.compositions) ** np.arange(self.n - 1, -1, -1, dtype=np.int64)
        for inverse, ranks in self.relabelled_ranks:
            images = ranks[digits[:, inverse]] @ weights
            smallest = images >= codes
            stabilisers += images == codes
            codes, digits, stabilisers = codes[smallest], digits[smallest], stabilisers[smallest]
        return codes, factorial(self.n) // stabilisers


def number_of_orbits(family: Family) -> int:
    """Burnside: the mean over all relabellings of the number of matrices that they fix.

    π fixes W when W[π(i), π(j)] = W[i, j].  On a cycle of π of length L, one row determines the others, and it must
    itself be fixed by π^L; a row is fixed by a permutation when it is constant on the cycles.
    """
    total = 0
    for permutation in permutations(range(family.n)):
        fixed = 1
        for cycle in _cycles(permutation):
            power = tuple(range(family.n))
            for _ in cycle:
                power = tuple(permutation[k] for k in power)
            fixed *= _constant_on_cycles(family.q, [len(c) for c in _cycles(power)])
        total += fixed
    return total // factorial(family.n)


def _cycles(permutation: tuple[int, ...]) -> list[list[int]]:
    left, cycles = set(range(len(permutation))), []
    while left:
        cycle = [min(left)]
        while (following := permutation[cycle[-1]]) != cycle[0]:
            cycle.append(following)
        left -= set(cycle)
        cycles.append(cycle)
    return cycles


def _constant_on_cycles(q: int, lengths: list[int]) -> int:
    """The number of ways to write q as Σ length·x, x ≥ 0."""
    ways = [1] + [0] * q
    for length in lengths:
        for total in range(length, q + 1):
            ways[total] += ways[total - length]
    return ways[q]
