"""Products of attention maps in exact integers: κ(A_L ⋯ A_1) against Π κ(A_l), with and without skips.

Float rows sum to 1 only up to rounding, and deep products underflow; so each map is rounded to a row-stochastic one
whose entries are multiples of 2^-60 (changing no entry by more than n·2^-60), and everything after that is exact:
``T7_pure_attention`` for maps alone, and ``T5_rollout_chain`` and ``T6_floor`` for ½(I + A) as in attention rollout.
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
Integers = NDArray[Any]


@dataclass(frozen=True)
class Chain:
    """Depth by depth, for maps A_1, …, A_L; exact rationals.

    Attributes:
        kappas: κ(A_l).
        products: Π of the first l of them.
        measured: κ(A_l ⋯ A_1), at most the product.
        floors: with skips, the largest floor max(α, a, b) − min(α, a, b) of a pair of the whole product (theorem T6
            with α = 2^-l, since the rollout is lazy itself); without, 0.
    """

    kappas: tuple[Fraction, ...]
    products: tuple[Fraction, ...]
    measured: tuple[Fraction, ...]
    floors: tuple[Fraction, ...]


def chain(maps: Sequence[Floats], *, skip: bool) -> Chain:
    """Multiply row-stochastic maps exactly.

    Args:
        maps: one per layer, first layer first, each (n, n) with n ≥ 2.
        skip: take ½(I + A_l) as the factors, as attention rollout does.

    Raises:
        InputError: no maps, a map that is no row-stochastic one up to 1e-6, or n < 2.
        GateError: a product above its bound or below its floor, which contradicts the theorems.
    """
    if not maps:
        raise InputError("there are no maps to multiply")
    result: Integers | None = None
    kappas, products, measured, floors = [], [], [], []
    product = Fraction(1)
    for depth, values in enumerate(maps, start=1):
        factor = _factor(values, skip)
        one = 1 << (BITS + skip)
        result = factor if result is None else factor.dot(result)
        unit = one**depth
        kappas.append(_kappa(factor, one))
        product *= kappas[-1]
        products.append(product)
        measured.append(_kappa(result, unit))
        floors.append(_floor(result, unit, depth) if skip else Fraction(0))
        if not floors[-1] <= measured[-1] <= products[-1]:
            raise GateError("κ of a product leaves the range that T5 and T6 allow: please report these maps")
    return Chain(tuple(kappas), tuple(products), tuple(measured), tuple(floors))


def _factor(values: Floats, skip: bool) -> Integers:
    """The map in units of 2^-BITS with rows that sum to 1 exactly; with a skip, I + A in units of 2^-(BITS+1)."""
    if values.ndim != 2 or values.shape[0] != values.shape[1] or len(values) < 2:
        raise InputError(f"a map of shape {values.shape} is not square with at least two tokens")
    if values.min() < 0 or np.abs(values.sum(axis=1) - 1).max() > 1e-6:
        raise InputError("a map has a negative entry or a row that does not sum to 1: it is not row-stochastic")
    scaled = np.floor(np.ldexp(values, BITS)).astype(np.int64).astype(object)
    for row in scaled:
        row[int(np.argmax(row))] += (1 << BITS) - int(row.sum())
    if skip:
        scaled[np.diag_indices(len(scaled))] += 1 << BITS
    return np.asarray(scaled)


def _kappa(matrix: Integers, unit: int) -> Fraction:
    largest = 0
    for i in range(len(matrix) - 1):
        largest = max(largest, int(np.abs(matrix[i + 1 :] - matrix[i]).sum(axis=1).max()))
    return Fraction(largest, 2 * unit)


def _floor(matrix: Integers, unit: int, depth: int) -> Fraction:
    """T6 for R = αI + T, α = 2^-depth: with a = (T_ii − T_ji)⁻, b = (T_jj − T_ij)⁻, the spread of α, a, b."""
    alpha = unit >> depth
    diagonal = np.diagonal(matrix) - alpha
    below = np.maximum(matrix - diagonal[None, :], 0)  # [j, i] = (T_ii − T_ji)⁻ for j ≠ i
    best = 0
    for i in range(len(matrix) - 1):
        a, b = below[i + 1 :, i], below[i, i + 1 :]
        spread = np.maximum(np.maximum(a, b), alpha) - np.minimum(np.minimum(a, b), alpha)
        best = max(best, int(spread.max()))
    return Fraction(best, unit)


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
