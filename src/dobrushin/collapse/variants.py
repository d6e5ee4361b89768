"""The residual by depth of one network with parts switched off, as in the figure of the rank-collapse paper."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dobrushin.collapse.logarithm import log10
from dobrushin.collapse.network import FULL, PURE, Network, Switches
from dobrushin.collapse.norms import Floats, as_tokens, composite_norm, diameter
from dobrushin.collapse.residual import residual
from dobrushin.collapse.scaled import ScaledRun, ScaledTokens, scaled_run
from dobrushin.collapse.trace import run
from dobrushin.errors import InputError

VARIANTS: dict[str, Switches] = {
    "pure": PURE,
    "skip": Switches(skip=True, mlp=False, mlp_skip=False),
    "mlp": Switches(skip=False, mlp=True, mlp_skip=False),
    "norm": Switches(skip=False, mlp=False, mlp_skip=False, norm="on"),
    "paper's san": Switches(skip=False, mlp=True, mlp_skip=True, norm="on"),
    "all": FULL,
}
"""Attention alone; with its skip; with MLPs (no skip at all); with LayerNorm; what the paper's public code calls SAN
(only the attention's skip is left out: MLPs keep their skip, and LayerNorm stays); and the model itself."""

FLOAT_FLOOR = 1e-13
"""Relative residuals below this are rounding in a float64 run."""


@dataclass(frozen=True)
class Depth:
    """The tokens after ``depth`` layers; logarithms are to base 10, −inf for equal tokens.

    Attributes:
        depth: 0 for the tokens that the first layer gets.
        relative: log₁₀ of ‖res X‖_{1,∞}/‖X‖_{1,∞}, at the x that minimises the composite norm.
        lower: log₁₀ of a certified lower bound on that quotient for any x.
        median, mean: the same quotient at the column medians, and at the token mean as in the paper's public code.
        without_root: at the token mean, with the public code's other composite norm ‖·‖₁‖·‖_∞ (no square root).
        diameter: log₁₀ ρ(X).
        floored: whether the numbers are only rounding.
    """

    depth: int
    relative: float
    lower: float
    median: float
    mean: float
    without_root: float
    diameter: float
    floored: bool


def by_depth(
    network: Network,
    X: Any,
    variant: str,
    *,
    pure: ScaledRun | None = None,
    tolerance: float = 0.03,
    effort: int = 4_000_000,
) -> list[Depth]:
    """Measure one variant of a network on n tokens, before the first layer and after each.

    Pure attention without relative positions is followed far below the floats.

    Args:
        network: the weights.
        X: tokens (n, d).
        variant: a key of :data:`VARIANTS`.
        pure: for the variant of that name: the run, if there is one already.
        tolerance: of the minimisation over x; the certified bound says what was reached.
        effort: that minimisation takes so many steps times tokens times width, but at least 64 steps and at most 2000.

    Raises:
        InputError: an unknown variant; the choices are listed.
    """
    if variant not in VARIANTS:
        raise InputError(f"there is no variant {variant}; choose one of {', '.join(VARIANTS)}")
    X = as_tokens(X)
    iterations = max(64, min(2000, effort // X.size))
    relative_positions = any(layer.attention.relative is not None for layer in network.layers)
    if variant == "pure" and not relative_positions:
        tokens = (pure or scaled_run(network, X)).tokens
        return [_of_scaled(depth, state, tolerance, iterations) for depth, state in enumerate(tokens)]
    states = run(network, X, VARIANTS[variant]).states
    return [_of_floats(depth, state, tolerance, iterations) for depth, state in enumerate(states)]


def _of_floats(depth: int, X: Floats, tolerance: float, iterations: int) -> Depth:
    return _depth(depth, X, 0, composite_norm(X), tolerance, iterations, FLOAT_FLOOR)


def _of_scaled(depth: int, tokens: ScaledTokens, tolerance: float, iterations: int) -> Depth:
    return _depth(depth, tokens.deviations, tokens.exponent, tokens.size(), tolerance, iterations, 0.0)


def _depth(
    depth: int, R: Floats, exponent: int, size: float, tolerance: float, iterations: int, floor: float
) -> Depth:  # fmt: skip
    """``size`` is ‖X‖_{1,∞}; R differs from 2^-exponent X by the same row for all tokens."""
    best = residual(R, tolerance=tolerance, iterations=iterations)
    median, mean = (residual(R, centre=centre).norm for centre in ("median", "mean"))
    whole = log10(size)
    relative = log10(best.norm, exponent) - whole if size else -math.inf
    at_mean = log10(mean, exponent) - whole
    return Depth(
        depth=depth,
        relative=relative,
        lower=log10(best.lower, exponent) - whole,
        median=log10(median, exponent) - whole,
        mean=at_mean,
        without_root=2 * at_mean,
        diameter=log10(diameter(R), exponent),
        floored=bool(relative < np.log10(floor)) if floor else False,
    )
