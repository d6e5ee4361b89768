"""Attention rollout: lazy factors, their product, and the chain of bounds that T5 gives for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from dobrushin.coefficient import Rows, solve
from dobrushin.coefficient.screen import divided_by_sums
from dobrushin.condition import Verdict, as_matrix, check
from dobrushin.errors import GateError, InputError
from dobrushin.exact import Floats, as_fraction, nearest_float
from dobrushin.matrix import AttentionMatrix, Precision, refuse_negative
from dobrushin.residual import ROLLOUT_WEIGHT, ResidualWeight, residual_weight
from dobrushin.tokens import restricted_rows

_UNIT_ROUNDOFF = 2.0**-53


def lazy(A: Any, *, alpha: ResidualWeight = ROLLOUT_WEIGHT, precision: Precision | None = None) -> Floats:
    """The lazy factor B = αI + (1−α)A.

    Args:
        A: one attention map, shape (n, n); see :func:`dobrushin.check`.
        alpha: the residual weight, strictly between 0 and 1.
        precision: the format in which the rows were computed, if coarser than the dtype of A.

    Returns:
        float64, shape (n, n); each entry has a relative error of at most 2**-51 unless it is subnormal.  For κ(B)
        without rounding, see :attr:`dobrushin.Verdict.lazy_kappa_exact`.

    Raises:
        InputError: A is not an attention map, or alpha is not in (0, 1).

    >>> lazy(np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    weight = residual_weight(alpha)
    return _lazy(as_matrix(A, precision=precision, any_real=False).values, weight)


def _lazy(values: Floats, alpha: Fraction) -> Floats:
    factor = values * nearest_float(1 - alpha)
    factor[np.diag_indices_from(factor)] += nearest_float(alpha)
    return factor


def rollout(
    layers: Sequence[Any] | Any, *, alpha: ResidualWeight = ROLLOUT_WEIGHT, precision: Precision | None = None
) -> Floats:
    """Attention rollout R = B_L ⋯ B_1 of one map per layer (Abnar & Zuidema 2020).

    Args:
        layers: the maps of layers 1 to L, first layer first: an array (L, n, n) or a sequence of (n, n) maps, one
            per layer (for several heads, their :func:`dobrushin.head_mean`).
        alpha: the residual weight; ½ is Abnar and Zuidema's.
        precision: the format in which the rows were computed, if coarser than the dtype of the maps.

    Returns:
        float64, shape (n, n), computed in float64.

    Raises:
        InputError: no layers, a layer that is no attention map, or layers of different sizes.

    >>> rollout([np.eye(2), np.eye(2)])
    array([[1., 0.],
           [0., 1.]])
    """
    weight = residual_weight(alpha)
    result: Floats | None = None
    for matrix in _layers(layers, precision):
        result = _next_product(_lazy(matrix.values, weight), result)
    assert result is not None, "_layers refuses an empty sequence"
    return result


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The chain κ(R) ≤ Π κ(B_l) ≤ Π (α + (1−α)κ(A_l)) of T5 and T2 for one rollout.

    The maps are read with each row divided by its sum, exactly: submultiplicativity needs rows that sum to 1, and
    float rows do so only up to rounding.

    Attributes:
        n: number of tokens.
        alpha: the residual weight.
        kappa_rollout: a closed interval of float64 numbers that contains κ(R).
        kappa_rollout_exact: κ(R), when it was asked for.
        product_of_factors: Π κ(B_l), exactly.
        product_of_layers: Π (α + (1−α)κ(A_l)), exactly; equal to the former when all layers are tight.
        verdicts: one per layer.
    """

    n: int
    alpha: Fraction
    kappa_rollout: tuple[float, float]
    kappa_rollout_exact: Fraction | None
    product_of_factors: Fraction
    product_of_layers: Fraction
    verdicts: tuple[Verdict, ...]


def bounds(
    layers: Sequence[Any] | Any,
    *,
    alpha: ResidualWeight = ROLLOUT_WEIGHT,
    keep: Iterable[int] | None = None,
    precision: Precision | None = None,
    exact: bool = False,
) -> Bounds:
    """Measure the chain of bounds for the rollout of the given layers, rows divided by their sums exactly.

    Args:
        layers: one map per layer, first layer first, as in :func:`rollout`.
        alpha: the residual weight.
        keep: content tokens; rows and columns are restricted to them before the division.
        precision: the format in which the rows were computed, if coarser than the dtype of the maps.
        exact: also compute κ(R) as a rational.  O(L·n³) operations on long rationals: for small maps.

    Raises:
        InputError: as :func:`rollout`, or a kept token without mass on the kept tokens.
        GateError: the numbers contradict the theorem, so this software has a fault.

    >>> chain = bounds([np.array([[0.75, 0.25], [0.5, 0.5]])] * 2, exact=True)
    >>> chain.kappa_rollout_exact, chain.product_of_factors, chain.product_of_layers
    (Fraction(25, 64), Fraction(25, 64), Fraction(25, 64))
    """
    weight = residual_weight(alpha)
    tokens = None if keep is None else list(keep)
    matrices = _layers(layers, precision)
    rows = [restricted_rows(matrix, keep=tokens, restrict="renormalised")[0] for matrix in matrices]
    verdicts = tuple(check(matrix, alpha=weight, keep=tokens, restrict="renormalised") for matrix in matrices)
    interval = _rollout_interval(rows, weight)
    by_factors = prod((verdict.lazy_kappa_exact for verdict in verdicts), start=Fraction(1))
    by_layers = prod((weight + (1 - weight) * verdict.kappa_exact for verdict in verdicts), start=Fraction(1))
    value = _exact_rollout_kappa(rows, weight) if exact else None
    low, high = (as_fraction(end) for end in interval)
    if low > by_factors or by_factors > by_layers or not (value is None or low <= value <= min(high, by_factors)):
        raise GateError("the chain of bounds is violated, which contradicts theorems T2 and T5: please report this map")
    return Bounds(
        n=len(rows[0]),
        alpha=weight,
        kappa_rollout=interval,
        kappa_rollout_exact=value,
        product_of_factors=by_factors,
        product_of_layers=by_layers,
        verdicts=verdicts,
    )


def _rollout_interval(rows: list[Rows], alpha: Fraction) -> tuple[float, float]:
    """An interval that contains κ(R) for the exactly normalised rows."""
    running = RunningRollout(alpha)
    for layer in rows:
        running.multiply(layer)
    return running.kappa()


class RunningRollout:
    """R = B_l ⋯ B_1 layer by layer, rows divided by their sums, with a rigorous interval for κ(R).

    All entries are non-negative, so errors stay relative: 8u for an entry of a lazy factor (u = 2**-53) and
    (1+u)^n − 1 for a product of n×n matrices, in any order of summation.  R's rows sum to 1, so an error θ relative
    to each entry moves a distance by at most θ.

    Args:
        alpha: the residual weight.
    """

    def __init__(self, alpha: Fraction) -> None:
        self._alpha = alpha
        self._product: Floats | None = None
        self.depth = 0

    def multiply(self, layer: Rows) -> None:
        """Take one more layer: non-negative rows, each with mass."""
        values = divided_by_sums(layer.values)
        assert values is not None, "only entries of both signs can cancel, and negative ones were refused"
        self._product = _next_product(_lazy(values, self._alpha), self._product)
        self.depth += 1

    def kappa(self) -> tuple[float, float]:
        """A closed interval of float64 numbers that contains κ(R); R has at least one layer."""
        assert self._product is not None, "there is at least one layer"
        n = len(self._product)
        error = _rounding(self.depth, n)
        value = 0.0
        if n > 1:
            value = nearest_float(solve(Rows(self._product, np.arange(n), False, range(n))).kappa)
        return max(0.0, value - error), value + error


def _next_product(factor: Floats, product: Floats | None) -> Floats:
    """B_l times the product of the layers before it."""
    return factor if product is None else factor @ product


def _rounding(depth: int, n: int) -> float:
    """How far κ of the computed product can be from κ(R); see :class:`RunningRollout`."""
    return 1.01 * _UNIT_ROUNDOFF * (8 * depth + n * (depth + 1) + 16)


def _exact_rollout_kappa(rows: list[Rows], alpha: Fraction) -> Fraction:
    """κ(R) with every entry a rational."""
    product: np.ndarray | None = None
    for layer in rows:
        fractions = np.array([[as_fraction(x) for x in row] for row in layer.values], dtype=object)
        factor = (1 - alpha) * fractions / fractions.sum(axis=1)[:, None]
        factor[np.diag_indices_from(factor)] += alpha
        product = factor if product is None else factor.dot(product)
    assert product is not None
    pairs = ((i, j) for i in range(len(product)) for j in range(i))
    return max((Fraction(abs(product[i] - product[j]).sum()) / 2 for i, j in pairs), default=Fraction(0))


def _layers(layers: Sequence[Any] | Any, precision: Precision | None) -> list[AttentionMatrix]:
    """Validate every layer; all must have the same number of tokens."""
    if isinstance(layers, AttentionMatrix) or not hasattr(layers, "__iter__"):
        raise InputError("a rollout takes one map per layer: a sequence of them, or an array (layers, n, n)")
    shape = getattr(layers, "shape", None)
    if shape is not None and len(shape) != 3:
        raise InputError(
            f"the layers have shape {tuple(shape)}; a rollout takes (layers, n, n), one map per layer "
            "(average the heads first with head_mean)"
        )
    matrices = [
        as_matrix(layer, precision=precision, any_real=False, name=f"layer {index}")
        for index, layer in enumerate(layers)
    ]
    for matrix in matrices:
        refuse_negative(matrix)
    if not matrices:
        raise InputError("there are no layers; a rollout needs at least one")
    sizes = {matrix.n for matrix in matrices}
    if len(sizes) > 1:
        raise InputError(f"the layers have different numbers of tokens ({sorted(sizes)}); a rollout needs one size")
    return matrices
