"""Checks beside the main tables: many digits, sampled paths, and the paper's bound on random layers."""

from typing import Any

import numpy as np

from dobrushin.collapse import gaps
from dobrushin.collapse.bounds import layer_bounds
from dobrushin.collapse.network import Attention, Layer, LayerNorm, Mlp, Network
from dobrushin.collapse.norms import Floats
from dobrushin.collapse.paths import by_length, number_of_paths, sample
from dobrushin.collapse.precise import precise_run
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.trace import run
from dobrushin.collapse.variants import VARIANTS

Row = dict[str, Any]


def many_digits(network: Network, X: Floats, digits: int) -> list[Row]:
    """log₁₀ ρ by depth: scaled floats against fixed-point numbers of so many digits."""
    scaled, precise = scaled_run(network, X).tokens, precise_run(network, X, digits=digits)
    return [
        {"depth": depth, "scaled": one.log10_diameter, "digits": None if other.equal else other.log10_diameter}
        for depth, (one, other) in enumerate(zip(scaled, precise, strict=True))
    ]


def sampled_paths(network: Network, X: Floats, samples: int, seed: int) -> list[Row]:
    """For each length: the estimate of the sum of its paths against the exact sum, in attention with skips."""
    trace = run(network, X, VARIANTS["skip"])
    exact = by_length(trace).lengths
    rows = []
    for length in range(1, len(exact)):
        found = sample(trace, length=length, samples=samples, seed=seed + length)
        size = float(np.linalg.norm(exact[length]))
        scores = (found.value - exact[length]) / np.where(found.standard_error > 0, found.standard_error, 1)
        rows.append({
            "length": length, "paths": str(number_of_paths(trace, length)), "samples": samples,
            "relative_error": float(np.linalg.norm(found.value - exact[length])) / size,
            "claimed_error": float(np.linalg.norm(found.standard_error)) / size,
            "score_deviation": float(scores.std()),
        })  # fmt: skip
    return rows


def gap_table() -> list[Row]:
    """The three gaps as witnesses."""
    witnesses = {
        "(i) entrywise bound times signs": gaps.entrywise_bound_times_signs(),
        "(ii) the composite norm is no norm": gaps.composite_norm_is_no_norm(),
        "(iii) beyond an oscillation of 1.256": gaps.without_the_assumption(),
    }
    return [
        {
            "gap": name,
            "claim": witness.claim,
            "left": witness.left,
            "right": witness.right,
            "confirmed": witness.refuted,
        }
        for name, witness in witnesses.items()
    ]


def search(layers: int, seed: int) -> Row:
    """Random single layers of many sizes: how close the paper's bounds come to what was measured, and whether below."""
    draw = np.random.default_rng(seed)
    found: Row = {"layers": layers, "met": 0, "violated_met": 0, "violated_unmet": 0,
                  "closest_met": -np.inf, "closest_unmet": -np.inf, "closest_ours": -np.inf}  # fmt: skip
    for _ in range(layers):
        network, X = _random_layer(draw)
        row = layer_bounds(scaled_run(network, X, iterations=64))[0]
        margin = max(row.single_head, row.next_residual - row.paper)
        kind = "met" if row.assumption else "unmet"
        found["met"] += row.assumption
        found[f"violated_{kind}"] += margin > 1e-9
        found[f"closest_{kind}"] = max(found[f"closest_{kind}"], margin)
        found["closest_ours"] = max(found["closest_ours"], row.next_diameter - row.weights)
    return found


def _random_layer(draw: np.random.Generator) -> tuple[Network, Floats]:
    """Heavy-tailed and sparse weights and tokens, so that norms differ as much as they can."""
    n, d, heads, k = (int(draw.integers(low, high)) for low, high in ((2, 12), (1, 9), (1, 4), (1, 4)))

    def of(*shape: int) -> Floats:
        values = draw.standard_normal(shape) * np.exp(draw.normal(0, 2))
        return np.asarray(values * (draw.random(shape) < draw.choice([0.3, 1.0])))

    attention = Attention(of(heads, d, k), of(heads, k), of(heads, d, k), of(heads, k), of(heads, d, k), of(heads, k),
                          of(heads, k, d), of(d), k**-0.5)  # fmt: skip
    norm = LayerNorm(np.ones(d), np.zeros(d), 1e-6)
    mlp = Mlp(np.zeros((d, 1)), np.zeros(1), np.zeros((1, d)), np.zeros(d), "relu")
    X = of(n, d) + draw.standard_normal(d)
    X[0] += 0.01 * draw.standard_normal(d)  # never all equal
    return Network("random layer", (Layer(attention, norm, mlp, norm),), pre_norm=False), X
