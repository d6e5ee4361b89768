"""Products of attention maps: κ(A_L ⋯ A_1) against Π κ(A_l), with and without skips.

Float rows sum to 1 only up to rounding; so each map is rounded to a row-stochastic one whose entries are multiples of
2^-60 (changing no entry by more than n·2^-60), and everything after that is exact in :func:`chain`:
``T7_pure_attention`` for maps alone, ``T5_rollout_chain`` and ``T6_floor`` for factors α_l I + (1 − α_l) A_l, as in
attention rollout (α = ½).  :func:`float_chain` is the same in float64 with a rigorous error, for many tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.collapse.logarithm import log10
from dobrushin.collapse.norms import Floats, diameter
from dobrushin.collapse.scaled import ScaledRun
from dobrushin.errors import GateError, InputError

BITS = 60
WEIGHT_BITS = 10
Integers = NDArray[Any]


@dataclass(frozen=True)
class Chain:
    """Depth by depth, for factors α_l I + (1 − α_l) A_l; exact rationals.

    Attributes:
        kappas: κ of each factor.
        products: Π of the first l of them.
        measured: κ of the product of the first l factors, at most that.
        floors: the largest floor max(a, u, v) − min(a, u, v) of a pair in the whole product (theorem T6 with the
            weight a = Π α, since a rollout is lazy itself); 0 when some α is 0.
    """

    kappas: tuple[Fraction, ...]
    products: tuple[Fraction, ...]
    measured: tuple[Fraction, ...]
    floors: tuple[Fraction, ...]


def chain(maps: Sequence[Floats], *, weights: Sequence[float]) -> Chain:
    """Multiply lazy factors of row-stochastic maps exactly.

    Args:
        maps: one per layer, first layer first, each (n, n) with n ≥ 2.
        weights: residual weights α_l in [0, 1], rounded to multiples of 2^-10: 0 for attention alone, ½ as in attention
            rollout.

    Raises:
        InputError: no maps, not as many weights, a weight outside [0, 1], a map that is no row-stochastic one up to
            1e-6, or n < 2.
        GateError: a product above its bound or below its floor, which contradicts the theorems.
    """
    _check(maps, weights)
    result: Integers | None = None
    kappas, products, measured, floors = [], [], [], []
    product, unit, alpha = Fraction(1), 1, 1
    for values, weight in zip(maps, weights, strict=True):
        share = round(weight * (1 << WEIGHT_BITS))
        factor = ((1 << WEIGHT_BITS) - share) * _stochastic(values)
        factor[np.diag_indices(len(factor))] += share << BITS
        result = factor if result is None else factor.dot(result)
        one = 1 << (BITS + WEIGHT_BITS)
        unit, alpha = unit * one, alpha * (share << BITS)
        kappas.append(_kappa(factor, one))
        product *= kappas[-1]
        products.append(product)
        measured.append(_kappa(result, unit))
        floors.append(Fraction(int(_floor(result, alpha)), unit))
        if not floors[-1] <= measured[-1] <= products[-1]:
            raise GateError("κ of a product leaves the range that T5 and T6 allow: please report these maps")
    return Chain(tuple(kappas), tuple(products), tuple(measured), tuple(floors))


@dataclass(frozen=True)
class FloatChain:
    """As :class:`Chain`, in float64; each number of ``measured`` and ``floors`` is off by at most ``error``."""

    kappas: tuple[float, ...]
    products: tuple[float, ...]
    measured: tuple[float, ...]
    floors: tuple[float, ...]
    error: float


def float_chain(maps: Sequence[Floats], *, weights: Sequence[float]) -> FloatChain:
    """The same for many tokens: all entries are non-negative, so that errors stay relative and small.

    Raises:
        InputError, GateError: as :func:`chain`.
    """
    _check(maps, weights)
    n, depth = len(maps[0]), len(maps)
    error = 2 * 2.0**-53 * (8 * depth + n * (depth + 1) + 16)
    result: Floats | None = None
    kappas, products, measured, floors = [], [], [], []
    product = alpha = 1.0
    for values, weight in zip(maps, weights, strict=True):
        share = round(weight * (1 << WEIGHT_BITS)) / (1 << WEIGHT_BITS)
        factor = (1 - share) * (values / values.sum(axis=1, keepdims=True))
        factor[np.diag_indices(n)] += share
        result = factor if result is None else factor @ result
        alpha *= share
        kappas.append(_largest_distance(factor) / 2)
        product *= kappas[-1]
        products.append(product)
        measured.append(_largest_distance(result) / 2)
        floors.append(float(_floor(result, alpha)))
        if not floors[-1] - 2 * error <= measured[-1] <= products[-1] + 2 * error:
            raise GateError("κ of a product leaves the range that T5 and T6 allow: please report these maps")
    return FloatChain(tuple(kappas), tuple(products), tuple(measured), tuple(floors), error)


def _check(maps: Sequence[Floats], weights: Sequence[float]) -> None:
    if not maps:
        raise InputError("there are no maps to multiply")
    if len(weights) != len(maps) or not all(0 <= weight <= 1 for weight in weights):
        raise InputError(f"{len(maps)} maps need as many residual weights between 0 and 1")
    for values in maps:
        if values.ndim != 2 or values.shape[0] != values.shape[1] or len(values) < 2:
            raise InputError(f"a map of shape {values.shape} is not square with at least two tokens")
        if values.min() < 0 or np.abs(values.sum(axis=1) - 1).max() > 1e-6:
            raise InputError("a map has a negative entry or a row that does not sum to 1: it is not row-stochastic")


def _stochastic(values: Floats) -> Integers:
    """The map in units of 2^-BITS with rows that sum to 1 exactly."""
    scaled = np.floor(np.ldexp(values, BITS)).astype(np.int64).astype(object)
    for row in scaled:
        row[int(np.argmax(row))] += (1 << BITS) - int(row.sum())
    return np.asarray(scaled)


def _kappa(matrix: Integers, unit: int) -> Fraction:
    return Fraction(int(_largest_distance(matrix)), 2 * unit)


def _largest_distance(matrix: Any) -> Any:
    return max(np.abs(matrix[i + 1 :] - matrix[i]).sum(axis=1).max() for i in range(len(matrix) - 1))


def _floor(matrix: Any, alpha: Any) -> Any:
    """T6 for R = αI + T: with u = (T_ii − T_ji)⁻ and v = (T_jj − T_ij)⁻, the largest spread of α, u, v; 0 for α = 0."""
    if not alpha:
        return 0
    below = np.maximum(matrix - (np.diagonal(matrix) - alpha)[None, :], 0)  # [j, i] = u of the pair (i, j), for j ≠ i
    best = 0
    for i in range(len(matrix) - 1):
        u, v = below[i + 1 :, i], below[i, i + 1 :]
        spread = np.maximum(np.maximum(u, v), alpha) - np.minimum(np.minimum(u, v), alpha)
        best = max(best, spread.max())
    return best


@dataclass(frozen=True)
class ScaledChain:
    """The same for pure attention far below the floats; log₁₀ by depth.

    Attributes:
        kappas: of κ(A_l).
        products: of Π κ(A_l).
        measured: of κ(A_l ⋯ A_1), in float64 with an exponent: right to about 10 digits.
    """

    kappas: tuple[float, ...]
    products: tuple[float, ...]
    measured: tuple[float, ...]


def scaled_chain(run: ScaledRun) -> ScaledChain:
    """The head-averaged maps of a run of pure attention, A_l = 1q_lᵀ + ε_l D_l with D_l 1 = 0.

    Since D_l annihilates equal rows, the product is 1·(some row) + (Π ε_l) D_L ⋯ D_1: no cancellation.
    """
    product: Floats | None = None
    exponent, total = 0, 0.0
    kappas, products, measured = [], [], []
    for tokens, heads in zip(run.tokens, run.heads, strict=False):
        D = np.mean([step.D for step in heads], axis=0)
        kappas.append(log10(diameter(D) / 2, 2 * tokens.exponent))
        total += kappas[-1]
        products.append(total)
        exponent += 2 * tokens.exponent
        product = D if product is None else D @ product
        shift = int(np.frexp(np.abs(product).max())[1])
        product, exponent = np.ldexp(product, -shift), exponent + shift
        measured.append(log10(diameter(product) / 2, exponent))
    return ScaledChain(tuple(kappas), tuple(products), tuple(measured))
