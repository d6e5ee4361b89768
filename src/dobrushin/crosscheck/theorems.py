"""T1–T6 as statements about integers, for many matrices at once.

A = W/q with W integer and α = a/b.  Everything is multiplied by its denominator, so int64 arithmetic is exact:
distances are D = Σ_k |W_ik − W_jk| = 2q·d, and the lazy factor is (a·q·I + (b−a)·W)/(b·q).  The largest number that
occurs is below 8·b·q·n² (T1–T4, T6) or 8·q⁴·n² (T5), far inside an int64 for the small q used here.

Every function returns, for each matrix (or pair), whether the statement is TRUE.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from dobrushin.crosscheck.orbits import Matrices

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PairTable:
    """What the theorems speak of, for every matrix and every pair i < j in lexicographic order.

    Attributes:
        matrices: shape (count, n, n), W.
        q: all rows sum to q.
        distances: shape (count, pairs), 2q·d(i, j).
        u: shape (count, pairs), W_ii − W_ji.
        v: shape (count, pairs), W_jj − W_ij.
    """

    matrices: Matrices
    q: int
    distances: Integers
    u: Integers
    v: Integers

    @classmethod
    def of(cls, matrices: Matrices, q: int) -> "PairTable":
        """Compute the table; shape (count, n, n) with n ≥ 2."""
        i, j = pair_indices(matrices.shape[1])
        return cls(
            matrices,
            q,
            doubled_distances(matrices),
            matrices[:, i, i] - matrices[:, j, i],
            matrices[:, j, j] - matrices[:, i, j],
        )

    @property
    def largest(self) -> Integers:
        """2q·κ, shape (count,)."""
        top: Integers = self.distances.max(axis=1)
        return top

    @property
    def attaining(self) -> Truths:
        """Which pairs attain κ, shape (count, pairs)."""
        return np.asarray(self.distances == self.largest[:, None])

    @property
    def dominant(self) -> Truths:
        """Which pairs are mutually self-dominant, shape (count, pairs)."""
        return np.asarray((self.u >= 0) & (self.v >= 0))


@dataclass(frozen=True, eq=False)
class LazyTable:
    """The lazy factor for one residual weight a/b, beside the table of the matrices themselves.

    Attributes:
        distances: shape (count, pairs), 2bq·d of the lazy factor, from its entries.
        deficits: shape (count, pairs), bq·(min(α, (1−α)u⁻) + min(α, (1−α)v⁻)).
        slack: shape (count,), 2bq·(α + (1−α)κ(A) − κ(B)), by its definition.
    """

    table: PairTable
    alpha: Fraction
    distances: Integers
    deficits: Integers
    slack: Integers

    @classmethod
    def of(cls, table: PairTable, alpha: Fraction) -> "LazyTable":
        """Build every lazy factor and measure its distances."""
        a, rest = alpha.numerator, alpha.denominator - alpha.numerator
        factors = rest * table.matrices + a * table.q * np.eye(table.matrices.shape[1], dtype=np.int64)
        distances = doubled_distances(factors)
        deficits = sum(np.minimum(a * table.q, rest * np.maximum(-x, 0)) for x in (table.u, table.v))
        slack = 2 * a * table.q + rest * table.largest - distances.max(axis=1)
        return cls(table, alpha, distances, np.asarray(deficits), slack)


def pair_indices(n: int) -> tuple[Integers, Integers]:
    """All pairs i < j in lexicographic order."""
    pairs = np.array(list(combinations(range(n), 2)), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def doubled_distances(matrices: Matrices) -> Integers:
    """Σ_k |W_ik − W_jk| for all pairs i < j, shape (count, pairs)."""
    i, j = pair_indices(matrices.shape[1])
    distances: Integers = np.abs(matrices[:, i] - matrices[:, j]).sum(axis=2)
    return distances


def exact_defect(lazy: LazyTable) -> Truths:
    """T1: d_B = α + (1−α)d_A − min(α, (1−α)u⁻) − min(α, (1−α)v⁻) for every pair."""
    a, rest = lazy.alpha.numerator, lazy.alpha.denominator - lazy.alpha.numerator
    claimed = 2 * a * lazy.table.q + rest * lazy.table.distances - 2 * lazy.deficits
    return np.asarray((claimed == lazy.distances).all(axis=1))


def layerwise_inequality(lazy: LazyTable) -> Truths:
    """T2: κ(B) ≤ α + (1−α)κ(A)."""
    return np.asarray(lazy.slack >= 0)


def equality_condition(lazy: LazyTable) -> Truths:
    """T3: equality in T2 if and only if some pair attaining κ(A) is mutually self-dominant."""
    condition = (lazy.table.attaining & lazy.table.dominant).any(axis=1)
    return np.asarray(condition == (lazy.slack == 0))


def exact_slack(lazy: LazyTable) -> Truths:
    """T4: the slack is the smallest shortfall of a pair."""
    rest = lazy.alpha.denominator - lazy.alpha.numerator
    shortfalls = rest * (lazy.table.largest[:, None] - lazy.table.distances) + 2 * lazy.deficits
    return np.asarray(shortfalls.min(axis=1) == lazy.slack)


def floor(lazy: LazyTable) -> Truths:
    """T6: d(i, j) ≥ max(u⁻, v⁻), and κ(B) ≥ α − min(α, (1−α)·min(u⁻, v⁻)) for every pair."""
    table, a = lazy.table, lazy.alpha.numerator
    rest = lazy.alpha.denominator - a
    minus_u, minus_v = np.maximum(-table.u, 0), np.maximum(-table.v, 0)
    below = table.distances >= 2 * np.maximum(minus_u, minus_v)
    lower = 2 * (a * table.q - np.minimum(a * table.q, rest * np.minimum(minus_u, minus_v)))
    return np.asarray(below.all(axis=1) & (lazy.distances.max(axis=1) >= lower.max(axis=1)))


def overlap(table: PairTable) -> Truths:
    """T5, first half: κ = 1 − min over pairs of Σ_k min(A_ik, A_jk)."""
    i, j = pair_indices(table.matrices.shape[1])
    shared = np.minimum(table.matrices[:, i], table.matrices[:, j]).sum(axis=2)
    return np.asarray(table.largest == 2 * (table.q - shared.min(axis=1)))


def contraction(left: PairTable, right: PairTable) -> Truths:
    """T5: d(p·B, p'·B) ≤ d(p, p')·κ(B) for all rows p, p' of A, hence κ(AB) ≤ κ(A)κ(B); arrays broadcast by index."""
    products = doubled_distances(left.matrices @ right.matrices)
    return np.asarray((2 * products <= left.distances * right.largest[:, None]).all(axis=1))


def contraction_equality(left: PairTable, right: PairTable) -> Truths:
    """T5′: for positive factors, κ(AB) = κ(A)κ(B) iff an attaining pair of A and one sign vector align with B.

    The condition: for some pair (i, j) attaining κ(A) and some s ∈ {−1, 1}^n, ½ s·(B_k − B_l) = κ(B) for all k
    with A_ik > A_jk and all l with A_ik < A_jk.
    """
    n = left.matrices.shape[1]
    i, j = pair_indices(n)
    differences = left.matrices[:, i] - left.matrices[:, j]
    signs = np.array(list(product((-1, 1), repeat=n)), dtype=np.int64)
    heights = np.einsum("bkm,sm->bsk", right.matrices, signs)[:, None]
    infinity = np.iinfo(np.int64).max // 4
    lowest = np.where(differences[:, :, None, :] > 0, heights, infinity).min(axis=3)
    highest = np.where(differences[:, :, None, :] < 0, heights, -infinity).max(axis=3)
    aligned = (lowest - highest == right.largest[:, None, None]).any(axis=2)
    condition = (aligned & left.attaining).any(axis=1)
    equal = 2 * doubled_distances(left.matrices @ right.matrices).max(axis=1) == left.largest * right.largest
    trivial = (left.largest == 0) | (right.largest == 0)
    return np.asarray(trivial | (condition == equal))
