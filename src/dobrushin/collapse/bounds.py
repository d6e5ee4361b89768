"""Bounds on one layer of pure attention next to what was measured, for any depth of collapse.

All about ρ(X) = max ‖X_i − X_{i'}‖₁ (proofs in ``proofs/collapse.md``; w_h = max|W_QK|, v_h = ‖W_h‖_∞, s = 1/√k):

- *kappa*: ρ' ≤ Σ_h κ(P_h) ρ(X W_h), the contraction of theorem T5;
- *logits*: κ(P_h) ≤ tanh(osc_h/4), where osc_h is the largest oscillation of a difference of two rows of logits;
- *weights*: osc_h ≤ s w_h ρ², so that ρ' ≤ Σ_h tanh(s w_h ρ²/4) v_h ρ ≤ c ρ³ with c = Σ_h s w_h v_h / 4.

With c the largest over layers, Lean's ``T7_doubly_exponential`` gives ρ_L ≤ c^((3^L − 1)/2) ρ_0^(3^L).

And the paper's, in its composite norm: ‖res'‖ ≤ (4γβH/√k) ‖res‖³ with β = max_h ‖W_QK‖₁ ‖W_h‖_{1,∞}, under the
assumption that each row of E = res W_QK resᵀ/√k oscillates by at most 1.256.  Here γ = max_h √(n max_j q_j), which
makes the single-head proof right; that this is the γ of the paper's second version is recalled, not read.
"""

import math
from dataclasses import dataclass

import numpy as np

from dobrushin.collapse.logarithm import log10, log10_sum, log10_tanh
from dobrushin.collapse.network import Attention, Network
from dobrushin.collapse.norms import Floats, column_norm, composite_norm, diameter, row_norm
from dobrushin.collapse.scaled import HeadStep, ScaledRun, ScaledTokens

LARGEST_OSCILLATION = 1.2564312086261697
"""The positive root of e^x = 1 + 2x: up to there the paper's lemma e^x ≤ 1 + 2x holds."""


@dataclass(frozen=True)
class LayerBounds:
    """One layer on one input; all but ``assumption`` and ``gamma`` are log₁₀, and −inf stands for 0.

    Attributes:
        layer: from 0.
        diameter, next_diameter: ρ before and after the layer.
        kappa, logits, weights, cubic: the four bounds on ``next_diameter``, each above the one before.
        residual, next_residual: ‖res‖_{1,∞} before and after.
        paper: the paper's bound on ``next_residual``, for all heads.
        single_head: the largest ratio, over heads, of one head's residual to the paper's single-head bound on it.
        oscillation: the largest oscillation of a row of E.
        assumption: whether that is at most :data:`LARGEST_OSCILLATION`, as the paper's lemma assumes.
        gamma: γ as above.
    """

    layer: int
    diameter: float
    next_diameter: float
    kappa: float
    logits: float
    weights: float
    cubic: float
    residual: float
    next_residual: float
    paper: float
    single_head: float
    oscillation: float
    assumption: bool
    gamma: float


def layer_bounds(run: ScaledRun) -> list[LayerBounds]:
    """Evaluate every bound on every layer of a run of pure attention."""
    sizes = {id(layer.attention): _sizes(layer.attention) for layer in run.network.layers}
    return [
        _layer(number, layer.attention, sizes[id(layer.attention)], run.tokens[number], run.tokens[number + 1], heads)
        for number, (layer, heads) in enumerate(zip(run.network.layers, run.heads, strict=True))
    ]


def cubic_constant(network: Network) -> float:
    """The largest over layers of c = Σ_h max|W_QK| ‖W_h‖_∞ / (4√k): ρ' ≤ c ρ³ in every layer."""
    distinct = {id(layer.attention): layer.attention for layer in network.layers}
    return max(_sizes(attention).cubic for attention in distinct.values())


def log10_after(log10_c: float, log10_start: float, layers: int) -> float:
    """log₁₀ of c^((3^L − 1)/2) r^(3^L), the bound of Lean's theorem ``T7_doubly_exponential``.

    >>> log10_after(0.0, -1.0, 3)
    -27.0
    """
    power = float(3**layers)
    return (power - 1) / 2 * log10_c + power * log10_start


@dataclass(frozen=True, eq=False)
class _Sizes:
    """Norms of the weights of one layer's heads, each (heads,)."""

    query_key_largest: Floats
    query_key_columns: Floats
    value_rows: Floats
    value_composite: Floats
    scale: float

    @property
    def cubic(self) -> float:
        return self.scale / 4 * float((self.query_key_largest * self.value_rows).sum())

    @property
    def beta(self) -> float:
        return float((self.query_key_columns * self.value_composite).max())


def _sizes(attention: Attention) -> _Sizes:
    largest, columns, rows, composite = [], [], [], []
    for head in range(attention.heads):
        query_key, value = attention.query_key(head), attention.value_output(head)
        largest.append(float(np.abs(query_key).max()))
        columns.append(column_norm(query_key))
        rows.append(row_norm(value))
        composite.append(composite_norm(value))
    return _Sizes(np.array(largest), np.array(columns), np.array(rows), np.array(composite), attention.scale)


def _layer(
    number: int, attention: Attention, sizes: _Sizes, before: ScaledTokens, after: ScaledTokens,
    heads: tuple[HeadStep, ...],
) -> LayerBounds:  # fmt: skip
    R, e = before.deviations, before.exponent
    rho = diameter(R)
    kappa, logits, single, oscillations = [], [], [], []
    gamma = max(math.sqrt(len(R) * float(step.q.max())) for step in heads)
    size = composite_norm(R)
    for head, step in enumerate(heads):
        moved = (R @ attention.value[head]) @ attention.output[head]
        spread = log10(diameter(moved), e)
        kappa.append(log10(diameter(step.D) / 2, 2 * e) + spread)
        logits.append(log10_tanh(_oscillation_of_differences(step.E) / 4, 2 * e) + spread)
        oscillations.append(float(np.ptp(step.E, axis=1).max()))
        own = composite_norm(step.D @ moved)
        beta = sizes.query_key_columns[head] * sizes.value_composite[head]
        bound = 4 * math.sqrt(len(R) * float(step.q.max())) * beta * attention.scale * size**3
        single.append(log10(own) - log10(bound) if own > 0 else -math.inf)
    weights = [
        log10_tanh(attention.scale * w * rho**2 / 4, 2 * e) + log10(v * rho, e)
        for w, v in zip(sizes.query_key_largest, sizes.value_rows, strict=True)
    ]
    oscillation = log10(max(oscillations), 2 * e)
    paper = log10(4 * gamma * sizes.beta * len(heads) * attention.scale) + 3 * log10(size, e)
    return LayerBounds(
        layer=number,
        diameter=log10(rho, e),
        next_diameter=after.log10_diameter,
        kappa=log10_sum(kappa),
        logits=log10_sum(logits),
        weights=log10_sum(weights),
        cubic=log10(sizes.cubic) + 3 * log10(rho, e),
        residual=log10(size, e),
        next_residual=after.log10(composite_norm(after.deviations)),
        paper=paper,
        single_head=max(single),
        oscillation=oscillation,
        assumption=oscillation <= math.log10(LARGEST_OSCILLATION),
        gamma=gamma,
    )


def _oscillation_of_differences(E: Floats) -> float:
    """Max over i, i' of max_j (E_ij − E_i'j) − min_j (E_ij − E_i'j)."""
    return max((float(np.ptp(E[i + 1 :] - E[i], axis=1).max()) for i in range(len(E) - 1)), default=0.0)
