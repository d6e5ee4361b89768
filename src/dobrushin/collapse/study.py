"""Everything that is measured on one input of one network, as plain rows for tables and files."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from dobrushin.collapse.bounds import layer_bounds
from dobrushin.collapse.bridge import head_bridge
from dobrushin.collapse.deletion import PLANS, changes, pooled, shortened
from dobrushin.collapse.network import FULL, Network, Switches
from dobrushin.collapse.norms import Floats
from dobrushin.collapse.paths import by_length, number_of_paths
from dobrushin.collapse.products import Chain, FloatChain, chain, float_chain, scaled_chain
from dobrushin.collapse.rates import local_order
from dobrushin.collapse.scaled import ScaledRun, scaled_run
from dobrushin.collapse.trace import Trace, run
from dobrushin.collapse.variants import VARIANTS, by_depth
from dobrushin.errors import GateError, InputError

Row = dict[str, Any]

PATH_NETWORKS: dict[str, Switches] = {
    "pure": VARIANTS["pure"],
    "scales held": Switches(skip=False, mlp=False, mlp_skip=False, norm="fixed"),
    "skip": VARIANTS["skip"],
    "skip, scales held": Switches(skip=True, mlp=False, mlp_skip=False, norm="fixed"),
    "all": FULL,
}
"""Networks whose output is taken apart into paths: attention with and without skips, with no LayerNorm or with one
whose scales are held fixed at the full model's; and the full model with scales and MLP gates held fixed."""

AGREEMENT = 1e-4
"""Largest difference from the model, relative to its largest entry, that counts as float32 rounding."""

EXACT_TOKENS = 64
"""Products of maps of more tokens than this are taken in float64 with a rigorous error: integers would take minutes."""


@dataclass(frozen=True)
class Study:
    """The rows of one input, by table (all JSON-able), and what is compared across inputs.

    Attributes:
        depth: one row for each variant and depth.
        layers: one row for each layer: the bounds, and the bridge.
        paths: one row for each network and plan of deletion.
        sums: one row for each network: the error of the path sum.
        orders: one row for each variant and layer: the local order.
        chains: one row for each kind of product and depth.
        vectors: pooled outputs of the full model by plan and length, and with all paths.
        agreement: largest difference from the model's states over their largest entry.
    """

    depth: list[Row]
    layers: list[Row]
    paths: list[Row]
    sums: list[Row]
    orders: list[Row]
    chains: list[Row]
    vectors: Mapping[str, list[float]]
    agreement: float


def study(
    network: Network,
    states: Sequence[Floats],
    *,
    pooling: Literal["mean", "first"],
    variants: Sequence[str] = tuple(VARIANTS),
    paths: bool = True,
) -> Study:
    """Measure one input.

    Args:
        network: the copied weights.
        states: what the model itself has before the first layer and after each, (n, d) each.
        pooling: how an input becomes one vector, to compare inputs.
        variants: keys of :data:`dobrushin.collapse.variants.VARIANTS`.
        paths: whether to take outputs apart into paths (most of the time for long inputs).

    Raises:
        InputError: an unknown variant.
        GateError: the copied network differs from the model by more than rounding, or a theorem is violated.
    """
    X = states[0]
    full = run(network, X, FULL)
    agreement = _agreement(network, states, full)
    relative = any(layer.attention.relative is not None for layer in network.layers)
    pure = None if relative else scaled_run(network, X)
    found = _paths(network, X, full, pooling) if paths else ([], [], {})
    return Study(
        depth=[
            {"variant": variant, **asdict(row)}
            for variant in variants
            for row in by_depth(network, X, variant, pure=pure)
        ],
        layers=_layers(full, pure),
        paths=found[0],
        sums=found[1],
        orders=_orders(network, full, variants),
        chains=_chains(network, X, pure),
        vectors=found[2],
        agreement=agreement,
    )


def _agreement(network: Network, states: Sequence[Floats], full: Trace) -> float:
    scale = max(float(np.abs(state).max()) for state in states)
    pairs = zip(states, full.states, strict=True)
    difference = max(float(np.abs(one - other).max()) for one, other in pairs) / scale
    if not difference <= AGREEMENT:
        raise GateError(
            f"the matrices copied from {network.name} do not compute what the model does: its states differ by "
            f"{difference:.2g} of their largest entry, where at most {AGREEMENT} is rounding"
        )
    return difference


def _layers(full: Trace, pure: ScaledRun | None) -> list[Row]:
    """The bounds of pure attention, and the bridge on the logits of the full model."""
    bounds: list[Row] = [{} for _ in full.layers]
    if pure is not None:
        bounds = [asdict(row) for row in layer_bounds(pure)]
    rows = []
    for number, (state, frozen, bound) in enumerate(zip(full.states, full.layers, bounds, strict=False)):
        inner = state
        if frozen.pre_norm:
            norm = frozen.layer.attention_norm
            inner = norm.linear(state, norm.scale(state)) + norm.bias
        heads = [head_bridge(logits) for logits in frozen.layer.attention.logits(inner)] if len(inner) > 1 else []
        rows.append({
            "layer": number,
            **{name: bound.get(name) for name in _BOUNDS},
            "kappa_mean": _mean([head.kappa for head in heads]),
            "bridge_mean": _mean([head.bound for head in heads]),
            "bridge_ratio": _mean([head.kappa / head.bound for head in heads if head.bound]),
            "bridge_certain": sum(head.certain for head in heads),
            "heads": len(heads),
        })  # fmt: skip
    return rows


_BOUNDS = ("diameter", "next_diameter", "kappa", "logits", "weights", "cubic", "residual", "next_residual", "paper",
           "single_head", "oscillation", "assumption", "gamma")  # fmt: skip


def _paths(network: Network, X: Floats, full: Trace, pooling: Literal["mean", "first"]) -> tuple[Any, Any, Any]:
    rows, sums, vectors = [], [], {}
    for name, switches in PATH_NETWORKS.items():
        trace = full if name == "all" else run(network, X, switches, scales=_scales(switches, full))
        parts, output = by_length(trace), trace.states[-1]
        error = float(np.abs(parts.total - output).max() / np.abs(output).max())
        sums.append({"network": name, "paths": str(number_of_paths(trace)), "error": error})
        if not switches.skip:
            continue
        total = float(np.linalg.norm(output))
        for change in changes(parts):
            own = float(np.linalg.norm(parts.lengths[change.length]) / total)
            count = str(number_of_paths(trace, change.length))
            rows.append({"network": name, **asdict(change), "size": own, "paths": count})
        if name == "all":
            vectors["whole"] = pooled(parts.total, pooling).tolist()
            for kept in PLANS:
                for length in range(len(parts.lengths)):
                    vectors[f"{kept} {length}"] = pooled(shortened(parts, kept, length), pooling).tolist()
    return rows, sums, vectors


def _scales(switches: Switches, full: Trace) -> Any:
    return full.scales if switches.norm == "fixed" else None


def _orders(network: Network, full: Trace, variants: Sequence[str]) -> list[Row]:
    """The local order of the first and the middle layer, at the tokens that the full model gives them."""
    rows: list[Row] = []
    for layer in sorted({0, len(network.layers) // 2}):
        state = full.states[layer]
        if (state == state[0]).all():
            continue
        for variant in variants:
            try:
                slope = local_order(network, state, layer, VARIANTS[variant])
            except InputError:  # the tokens are so near each other that what comes out is lost in rounding
                continue
            rows.append({"variant": variant, "layer": layer, "order": slope.value, "error": _known(slope.error)})
    return rows


def _chains(network: Network, X: Floats, pure: ScaledRun | None) -> list[Row]:
    """κ of products of head-averaged maps: pure attention far below the floats, and rollouts with skips."""
    rows: list[Row] = []
    if len(X) < 2:
        return rows
    if pure is not None:
        scaled = scaled_chain(pure)
        for depth, (kappa, bound, measured) in enumerate(
            zip(scaled.kappas, scaled.products, scaled.measured, strict=True), start=1
        ):
            rows.append({"product": "pure", "depth": depth, "kappa": kappa, "bound": bound, "measured": measured,
                         "floor": None, "exact": False})  # fmt: skip
    for name, switches in (("skip", VARIANTS["skip"]), ("all", FULL)):
        trace = run(network, X, switches)
        half, own = [0.5] * len(trace.layers), skip_weights(trace)
        rows += _rollout(f"rollout, {name}", trace, half) + _rollout(f"own weights, {name}", trace, own)
    return rows


def skip_weights(trace: Trace) -> list[float]:
    """The share of the skip in each layer's sum X + attention: ‖X‖_F/(‖X‖_F + ‖attention‖_F).

    For LayerNorm before attention, the attention is that of the normalised tokens, biases included.
    """
    found = []
    for state, layer in zip(trace.states, trace.layers, strict=False):
        norm, scale = layer.layer.attention_norm, layer.scales[0]
        normed = layer.pre_norm and scale is not None
        inner = norm.linear(state, scale) + norm.bias if normed and scale is not None else state
        added = layer.layer.attention.apply(layer.P, inner) + layer.layer.attention.bias
        kept, new = float(np.linalg.norm(state)), float(np.linalg.norm(added))
        found.append(kept / (kept + new) if kept + new else 0.5)
    return found


def _rollout(name: str, trace: Trace, weights: list[float]) -> list[Row]:
    """The rollout of head-averaged maps, exactly where the number of tokens allows it."""
    maps = [layer.P.mean(axis=0) for layer in trace.layers]
    exact = len(maps[0]) <= EXACT_TOKENS
    found: Chain | FloatChain = chain(maps, weights=weights) if exact else float_chain(maps, weights=weights)
    return [
        {
            "product": name,
            "depth": number + 1,
            "kappa": _log(found.kappas[number]),
            "bound": _log(found.products[number]),
            "measured": _log(found.measured[number]),
            "floor": _log(found.floors[number]),
            "exact": exact,
        }
        for number in range(len(maps))
    ]


def _log(value: Fraction | float) -> float:
    """log₁₀, also of a quotient of integers too long for floats."""
    if not value:
        return -math.inf
    if isinstance(value, float):
        return math.log10(value)
    return math.log10(value.numerator) - math.log10(value.denominator)


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
