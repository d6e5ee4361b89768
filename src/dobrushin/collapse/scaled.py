"""Pure attention far below the smallest difference of floats: X = 1cᵀ + 2^e R with R of size 1.

Pure attention loses rank doubly exponentially, so after a few layers the tokens of a float64 network are equal to the
last bit.  Their differences can be followed all the same: with ε = 4^e, a head's logits are, up to a constant for each
row, 2^e a_j + ε E_ij with a_j = s(cW_Q + b_Q)·(R_j W_K) and E_ij = s(R_i W_Q)·(R_j W_K), s = 1/√k.  With
q = softmax(2^e a) and g_ij = (exp(εE_ij) − 1)/ε,

    P_ij − q_j = ε D_ij,   D_ij = q_j (g_ij − Σ_k q_k g_ik) / (1 + ε Σ_k q_k g_ik),

and the next layer is c' = Σ_h (c + 2^e qᵀR) W_h + b, 2^e' R' = 8^e Σ_h D_h R W_h: no cancellation anywhere, whatever e
is.  :mod:`dobrushin.collapse.precise` computes the same with hundreds of digits, to check this against.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dobrushin.collapse.network import Attention, Network, softmax
from dobrushin.collapse.norms import Floats, as_tokens, diameter
from dobrushin.collapse.residual import residual
from dobrushin.errors import InputError

_LARGE = 0.5  # above this ε·max|E|, P − 1qᵀ is formed by subtraction, which then loses nothing


@dataclass(frozen=True, eq=False)
class ScaledTokens:
    """n tokens X = 1cᵀ + 2^exponent R.

    Attributes:
        centre: c, (d,).
        deviations: R, (n, d), with largest entry between ½ and 1, or all 0.
        exponent: an integer, however negative.
    """

    centre: Floats
    deviations: Floats
    exponent: int

    @property
    def equal(self) -> bool:
        """Whether all tokens are the same."""
        return not self.deviations.any()

    def log10(self, value: float) -> float:
        """log₁₀ of 2^exponent · value; −inf for 0."""
        return math.log10(value) + self.exponent * math.log10(2) if value > 0 else -math.inf

    @property
    def log10_diameter(self) -> float:
        """log₁₀ ρ(X)."""
        return self.log10(diameter(self.deviations))

    def size(self) -> float:
        """‖X‖_{1,∞}."""
        with np.errstate(under="ignore"):
            X = self.centre + np.ldexp(self.deviations, self.exponent)
        return float(np.sqrt(np.abs(X).sum(axis=0).max() * np.abs(X).sum(axis=1).max()))


@dataclass(frozen=True, eq=False)
class HeadStep:
    """What one head did in one layer; with ε = 4^exponent of the tokens that came in.

    Attributes:
        q: the row that all rows of P are near, (n,).
        D: (P − 1qᵀ)/ε, (n, n).
        E: the part of the logits that differs between rows, over ε, (n, n); defined up to constants of each row.
    """

    q: Floats
    D: Floats
    E: Floats


@dataclass(frozen=True, eq=False)
class ScaledRun:
    """A run of pure attention: the tokens before and after each layer, and what each head did."""

    network: Network
    tokens: tuple[ScaledTokens, ...]
    heads: tuple[tuple[HeadStep, ...], ...]


def scaled_run(network: Network, X: Any, *, tolerance: float = 0.01, iterations: int = 300) -> ScaledRun:
    """Run the pure attention of a network (no skips, no MLPs, no LayerNorm) without losing the tokens' differences.

    Args:
        network: the weights; MLPs and LayerNorms are not used.
        X: tokens (n, d).
        tolerance: of :func:`dobrushin.collapse.residual.residual`, at whose centre the tokens are kept.
        iterations: likewise.

    Raises:
        InputError: relative positions, with which attention depends on more than the tokens.
    """
    if any(layer.attention.relative is not None for layer in network.layers):
        raise InputError(f"{network.name} has relative positions: equal tokens then attend unequally")
    values = as_tokens(X)
    tokens = [_rescaled(np.zeros(values.shape[1]), values, 0, tolerance, iterations)]
    steps = []
    for layer in network.layers:
        found = tuple(_head(layer.attention, number, tokens[-1]) for number in range(layer.attention.heads))
        steps.append(found)
        tokens.append(_next(layer.attention, tokens[-1], found, tolerance, iterations))
    return ScaledRun(network, tuple(tokens), tuple(steps))


def _head(attention: Attention, head: int, tokens: ScaledTokens) -> HeadStep:
    query = tokens.deviations @ attention.query[head]
    key = tokens.deviations @ attention.key[head]
    centre = tokens.centre @ attention.query[head] + attention.query_bias[head]
    E = attention.scale * query @ key.T
    shift = _power(tokens.exponent) * attention.scale * (key @ centre)
    epsilon = _power(2 * tokens.exponent)
    if epsilon * float(np.abs(E).max(initial=0.0)) > _LARGE:
        P = softmax(shift + epsilon * E)
        q = P.mean(axis=0)
        return HeadStep(q, (P - q) / epsilon, E)
    q = softmax(shift)
    g = _growth(E, epsilon)
    mean = (g @ q)[:, None]
    return HeadStep(q, q * (g - mean) / (1 + epsilon * mean), E)


def _next(
    attention: Attention, tokens: ScaledTokens, heads: tuple[HeadStep, ...], tolerance: float, iterations: int
) -> ScaledTokens:
    R = tokens.deviations
    centre, moved = attention.bias.copy(), np.zeros_like(R)
    for head, step in enumerate(heads):
        mean = tokens.centre + _power(tokens.exponent) * (step.q @ R)
        centre += (mean @ attention.value[head]) @ attention.output[head]
        moved += ((step.D @ R) @ attention.value[head]) @ attention.output[head]
    return _rescaled(centre, moved, 3 * tokens.exponent, tolerance, iterations)


def _rescaled(centre: Floats, R: Floats, exponent: int, tolerance: float, iterations: int) -> ScaledTokens:
    """Move R to the centre of the composite norm, and its size into the exponent."""
    largest = float(np.abs(R).max())
    if largest == 0:
        return ScaledTokens(centre, R, exponent)
    shift = math.frexp(largest)[1]
    R = np.ldexp(R, -shift)
    exponent += shift
    middle = residual(R, tolerance=tolerance, iterations=iterations).centre
    centre = centre + _power(exponent) * middle
    R = R - middle
    largest = float(np.abs(R).max())
    shift = math.frexp(largest)[1] if largest else 0
    return ScaledTokens(centre, np.ldexp(R, -shift), exponent + shift)


def _power(exponent: int) -> float:
    """2^exponent; 0 when it is too small for a float."""
    return math.ldexp(1.0, max(exponent, -2000))


def _growth(E: Floats, epsilon: float) -> Floats:
    """(exp(εE) − 1)/ε, which is E for ε = 0."""
    x = epsilon * E
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(x) > 1e-300, E * (np.expm1(x) / x), E)
