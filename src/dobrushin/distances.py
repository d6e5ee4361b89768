"""κ and the pairwise total-variation distances of a map, for callers who want the numbers alone."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient import ExactPairs, solve
from dobrushin.coefficient.screen import pairs_at, screen_pairs
from dobrushin.condition import as_matrix
from dobrushin.exact import nearest_float
from dobrushin.matrix import Precision
from dobrushin.tokens import Restriction, restricted_rows


@overload
def kappa(
    A: Any,
    *,
    exact: Literal[False] = False,
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
) -> float: ...
@overload
def kappa(
    A: Any,
    *,
    exact: Literal[True],
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
) -> Fraction: ...
def kappa(
    A: Any,
    *,
    exact: bool = False,
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
) -> float | Fraction:
    """The Dobrushin coefficient κ(A) = max over i ≠ j of ½ Σ_k |A_ik − A_jk|.

    Args:
        A: one attention map, shape (n, n); see :func:`dobrushin.check`.
        exact: return the rational instead of the float64 nearest to it.
        keep: content tokens; see :func:`dobrushin.check`.
        restrict: the reading of the restriction; see :func:`dobrushin.check`.
        precision: the format in which the rows were computed, if coarser than the dtype of A.
        any_real: lift the checks for negative entries and row sums.

    Raises:
        InputError: A is not an attention map, or has fewer than two tokens to compare.

    >>> kappa(np.array([[0.75, 0.25], [0.5, 0.5]]))
    0.25
    """
    matrix = as_matrix(A, precision=precision, any_real=any_real)
    rows, _ = restricted_rows(matrix, keep=keep, restrict=restrict)
    value = solve(rows).kappa
    return value if exact else nearest_float(value)


def pair_distances(
    A: Any,
    *,
    exact: bool = False,
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
) -> npt.NDArray[Any]:
    """d(i, j) = ½ Σ_k |A_ik − A_jk| for all pairs of kept tokens.

    Args:
        A: one attention map, shape (n, n); see :func:`dobrushin.check`.
        exact: return rationals (dtype object), for small maps; otherwise float64.
        keep: content tokens; see :func:`dobrushin.check`.
        restrict: the reading of the restriction; see :func:`dobrushin.check`.
        precision: the format in which the rows were computed, if coarser than the dtype of A.
        any_real: lift the checks for negative entries and row sums.

    Returns:
        Shape (m, m), symmetric, zero on the diagonal.  In float64 the relative error is at most
        1.01·(n+8)·2**-53, plus 4.1·2**-53 absolutely when (non-negative) rows are renormalised, plus whatever
        underflows, at most 2**-1000 of the largest entry.

    Raises:
        InputError: A is not an attention map, or has fewer than two tokens to compare.

    >>> pair_distances(np.array([[0.75, 0.25], [0.5, 0.5]]))
    array([[0.  , 0.25],
           [0.25, 0.  ]])
    """
    matrix = as_matrix(A, precision=precision, any_real=any_real)
    rows, _ = restricted_rows(matrix, keep=keep, restrict=restrict)
    m = len(rows)
    pairs = pairs_at(np.arange(m * (m - 1) // 2), m)
    if exact:
        result = np.full((m, m), Fraction(0), dtype=object)
        distances: Any = np.array(ExactPairs.of(rows, pairs).distances(), dtype=object)
    else:
        result = np.zeros((m, m))
        screen = screen_pairs(rows)
        if np.isfinite(screen.absolute):
            distances = np.ldexp(screen.distances, screen.exponent)
        else:  # a row's sum has all but cancelled: only integers are safe
            distances = [nearest_float(distance) for distance in ExactPairs.of(rows, pairs).distances()]
    result[pairs[:, 0], pairs[:, 1]] = distances
    result += result.T
    return result
