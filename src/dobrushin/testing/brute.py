"""The definitions, word for word, in rational arithmetic: slow and obviously right."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = Sequence[Sequence[Fraction]]
"""A square matrix of rationals, by rows."""

Pair = tuple[int, int]


def to_rationals(values: Sequence[Sequence[float]] | npt.NDArray[np.floating[Any]]) -> list[list[Fraction]]:
    """Every float as the rational that it is (``Fraction(float)`` is exact)."""
    return [[Fraction(float(x)) for x in row] for row in values]


def distance(A: Matrix, i: int, j: int) -> Fraction:
    """d(i, j) = ½ Σ_k |A_ik − A_jk|."""
    return sum((abs(x - y) for x, y in zip(A[i], A[j], strict=True)), start=Fraction(0)) / 2


def pairs_of(tokens: Sequence[int]) -> list[Pair]:
    """All pairs i < j of the given tokens, lexicographic."""
    return list(combinations(tokens, 2))


def kappa(A: Matrix, pairs: Sequence[Pair]) -> Fraction:
    """The largest distance over the pairs."""
    return max(distance(A, i, j) for i, j in pairs)


def lazy(A: Matrix, alpha: Fraction) -> list[list[Fraction]]:
    """αI + (1−α)A."""
    return [[(1 - alpha) * x + (alpha if i == k else 0) for k, x in enumerate(row)] for i, row in enumerate(A)]


def attaining(A: Matrix, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs at distance κ."""
    largest = kappa(A, pairs)
    return [(i, j) for i, j in pairs if distance(A, i, j) == largest]


def slack(A: Matrix, pairs: Sequence[Pair], alpha: Fraction) -> Fraction:
    """α + (1−α)κ(A) − κ(αI + (1−α)A), by its definition and not by T4."""
    return alpha + (1 - alpha) * kappa(A, pairs) - kappa(lazy(A, alpha), pairs)


def self_dominant(A: Matrix, i: int, j: int) -> bool:
    """Whether the pair is mutually self-dominant."""
    return A[i][i] >= A[j][i] and A[j][j] >= A[i][j]


def restricted(A: Matrix, tokens: Sequence[int], *, renormalise: bool) -> list[list[Fraction]]:
    """Rows and columns of the tokens, each row divided by its sum when asked."""
    rows = [[A[i][k] for k in tokens] for i in tokens]
    return [[x / sum(row) for x in row] for row in rows] if renormalise else rows


def product(A: Matrix, B: Matrix) -> list[list[Fraction]]:
    """The matrix product AB."""
    columns = list(zip(*B, strict=True))
    return [[sum((x * y for x, y in zip(row, column, strict=True)), start=Fraction(0)) for column in columns]
            for row in A]  # fmt: skip
