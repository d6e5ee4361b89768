"""Means over inputs, fitted rates, and the table of variants."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dobrushin.collapse.rates import Slope, depth_order, mean_of
from dobrushin.collapse.results import Collapse
from dobrushin.collapse.study import Row

SMALL = math.log10(0.05)
"""Relative residuals below 5% count for the order along depth."""

HEADER = ("variant", "relative residual at the end", "log10 at the end", "factor per layer", "local order",
          "order along depth")  # fmt: skip


@dataclass(frozen=True)
class Curve:
    """One variant over depth, mean and standard deviation over inputs.

    Attributes:
        depths: 0 to L.
        mean, deviation: of the relative residual itself, as in the paper's figure.
        log_mean, log_deviation: of its log₁₀, without equal tokens (log −inf), which have none.
        floored: depths at which at least one input is down to rounding, so that the mean is an upper bound.
    """

    depths: tuple[int, ...]
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    log_mean: tuple[float, ...]
    log_deviation: tuple[float, ...]
    floored: tuple[bool, ...]


def curve(found: Collapse, variant: str, *, column: str = "relative") -> Curve:
    """The curve of a variant; ``column`` is ``relative``, ``median``, ``mean`` or ``without_root``."""
    by_depth: dict[int, list[Row]] = defaultdict(list)
    for row in found.tables["collapse"]:
        if row["variant"] == variant:
            by_depth[row["depth"]].append(row)
    depths = tuple(sorted(by_depth))
    logs = [np.array([row[column] for row in by_depth[depth]]) for depth in depths]
    plain = [10.0**values for values in logs]
    finite = [values[np.isfinite(values)] for values in logs]
    return Curve(
        depths,
        tuple(float(values.mean()) for values in plain),
        tuple(_deviation(values) for values in plain),
        tuple(float(values.mean()) if len(values) else -math.inf for values in finite),
        tuple(_deviation(values) for values in finite),
        tuple(any(row["floored"] for row in by_depth[depth]) for depth in depths),
    )


def variants_of(found: Collapse) -> list[str]:
    """The variants that were measured, in order."""
    return list(dict.fromkeys(row["variant"] for row in found.tables["collapse"]))


def local_orders(found: Collapse, variant: str) -> Slope | None:
    """The local order, mean and standard error over inputs and layers; None when there is none."""
    rows = [row for row in found.tables["orders"] if row["variant"] == variant]
    return mean_of([row["order"] for row in rows]) if rows else None


def order_along_depth(found: Collapse, variant: str) -> Slope | None:
    """The slope of log ρ_{l+1} on log ρ_l where the residual is small; None when it spans less than a decade."""
    pairs = []
    for rows in _by_input(row for row in found.tables["collapse"] if row["variant"] == variant):
        rows.sort(key=lambda row: row["depth"])
        usable = [
            (one["diameter"], other["diameter"])
            for one, other in pairwise(rows)
            if one["relative"] < SMALL and not other["floored"] and math.isfinite(other["diameter"])
        ]
        pairs.append(usable)
    x = [point[0] for points in pairs for point in points]
    if len(x) < 3 or max(x) - min(x) < 1:
        return None
    return depth_order(pairs)


def factor_per_layer(found: Collapse, variant: str) -> Slope | None:
    """By what the relative residual is multiplied in a layer: geometric mean, its log₁₀ with a standard error.

    None for what falls to rounding or faster than by a constant factor.
    """
    changes = []
    for rows in _by_input(row for row in found.tables["collapse"] if row["variant"] == variant):
        rows.sort(key=lambda row: row["depth"])
        last = rows[-1]
        if last["floored"] or last["relative"] < -6:
            return None
        changes.append((last["relative"] - rows[0]["relative"]) / max(1, last["depth"]))
    return mean_of(changes) if changes else None


def variant_rows(found: Collapse) -> list[tuple[str, ...]]:
    """The table of variants, with columns :data:`HEADER`."""
    rows: list[tuple[str, ...]] = []
    for variant in variants_of(found):
        over_depth = curve(found, variant)
        floored = "≤ " if over_depth.floored[-1] else ""
        factor = factor_per_layer(found, variant)
        rows.append((
            variant,
            floored + plain(over_depth, -1),
            floored + logarithm(over_depth, -1),
            "–" if factor is None else _factor(factor),
            _said(local_orders(found, variant)),
            _said(order_along_depth(found, variant)),
        ))  # fmt: skip
    return rows


def plain(over: Curve, place: int) -> str:
    """Mean and standard deviation of the relative residual at one depth; a power of ten where floats end."""
    if over.log_mean[place] == -math.inf:
        return "0"
    if over.mean[place] < 1e-300:
        return f"10^{over.log_mean[place]:.0f}"
    return f"{over.mean[place]:.2g} ± {over.deviation[place]:.1g}"


def logarithm(over: Curve, place: int) -> str:
    """Mean and standard deviation of log₁₀ of the relative residual at one depth."""
    if over.log_mean[place] == -math.inf:
        return "−∞"
    return f"{over.log_mean[place]:.2f} ± {over.log_deviation[place]:.2f}"


def findings(found: Collapse) -> list[str]:
    """What was found, in sentences."""
    sums = [row["error"] for row in found.tables["sums"]]
    layers = [row for row in found.tables["layers"] if row["next_diameter"] is not None]
    sentences = [
        f"The copied matrices compute what the model does up to {found.manifest['agreement']:.1e} of its largest entry."
    ]
    if sums:
        sentences.append(
            f"The sum over all paths differs from the output by at most {max(sums):.1e} of its largest entry."
        )
    certain, heads = (sum(row[key] for row in found.tables["layers"]) for key in ("bridge_certain", "heads"))
    if heads:
        sentences.append(f"κ(P) ≤ max tanh(osc/4) was confirmed with intervals on {certain} of {heads} attention maps.")
    if layers:
        met = sum(bool(row["assumption"]) for row in layers)
        sentences.append(
            f"Pure attention: the paper's assumption (oscillation ≤ 1.256) holds in {met} of {len(layers)} layers; "
            f"median log10 of bound/measured: {_margin(layers, 'kappa')} by κ, {_margin(layers, 'logits')} by the "
            f"logits, {_margin(layers, 'weights')} by the weights, and the paper's {_paper_margin(layers)}."
        )
    return sentences


def _margin(rows: Sequence[Row], bound: str) -> str:
    known = [row[bound] - row["next_diameter"] for row in rows if math.isfinite(row["next_diameter"])]
    return f"{np.median(known):.1f}" if known else "–"


def _paper_margin(rows: Sequence[Row]) -> str:
    known = [row["paper"] - row["next_residual"] for row in rows if math.isfinite(row["next_residual"])]
    return f"{np.median(known):.1f}" if known else "–"


def _by_input(rows: Iterable[Row]) -> list[list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["input"]].append(row)
    return list(found.values())


def _deviation(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _factor(factor: Slope) -> str:
    """The geometric mean, and the standard error that its logarithm's amounts to."""
    value = 10**factor.value
    return f"{value:.3f}" if math.isnan(factor.error) else f"{value:.3f} ± {value * math.log(10) * factor.error:.3f}"


def _said(slope: Slope | None) -> str:
    if slope is None:
        return "–"
    if math.isnan(slope.error):
        return f"{slope.value:.3f}"
    return f"{slope.value:.3f} ± {slope.error:.3f}" if slope.error >= 5e-4 else f"{slope.value:.3f} ± {slope.error:.0e}"
