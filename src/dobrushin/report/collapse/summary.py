"""Rank collapse as one JSON object: what ``dobrushin show --json`` and ``dobrushin collapse --json`` print."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from dobrushin.collapse.compounded import compounded
from dobrushin.collapse.rates import Slope
from dobrushin.collapse.summary import curve, factor_per_layer, local_orders, order_along_depth, variants_of
from dobrushin.report.collapse.run import CollapseRun


def collapse_summary(run: CollapseRun) -> dict[str, Any]:
    """Everything that the tables show; numbers that are not finite are None, and logarithms are to base 10."""
    found = run.found
    sums = found.tables["sums"]
    return {
        "path": str(run.path),
        "model": run.title,
        "inputs": run.inputs,
        "layers": run.layers,
        "variants": [_variant(run, variant) for variant in variants_of(found)],
        "path_sums": [
            {"network": network, "paths": own[0]["paths"], "error": max(row["error"] for row in own)}
            for network in dict.fromkeys(row["network"] for row in sums)
            if (own := [row for row in sums if row["network"] == network])
        ],
        "bounds": [
            {"name": entry.name, "measured": _slope(entry.measured), "bound": _slope(entry.bound),
             "guarantees": entry.guarantees}
            for entry in compounded(found)
        ],
        "explanations": [
            {"product": entry.product, "residual": _slope(entry.residual), "kappa": _slope(entry.kappa),
             "bound": _slope(entry.bound), "floor": _slope(entry.floor), "collapsed": entry.collapsed,
             "explained_by": entry.answer}
            for entry in run.explanations
        ],
        "findings": run.findings,
        "manifest": dict(run.made),
    }  # fmt: skip


def _variant(run: CollapseRun, variant: str) -> dict[str, Any]:
    over = curve(run.found, variant)
    return {
        "variant": variant,
        "relative": [_finite(value) for value in over.mean],
        "relative_sd": [_finite(value) for value in over.deviation],
        "log10_relative": [_finite(value) for value in over.log_mean],
        "log10_relative_sd": [_finite(value) for value in over.log_deviation],
        "rounding": list(over.floored),
        "log10_factor_per_layer": _slope(factor_per_layer(run.found, variant)),
        "local_order": _slope(local_orders(run.found, variant)),
        "order_along_depth": _slope(order_along_depth(run.found, variant)),
    }


def _slope(slope: Slope | None) -> dict[str, Any] | None:
    if slope is None:
        return None
    return {key: _finite(value) if isinstance(value, float) else value for key, value in asdict(slope).items()}


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
