"""A run as one JSON object: what ``dobrushin show --json`` prints."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from dobrushin.report.layers import Group
from dobrushin.report.run import Run


def run_summary(run: Run) -> dict[str, Any]:
    """Everything that the tables show; numbers that are not finite are None."""
    groups = run.layers.groups
    summary = {
        "path": str(run.path),
        "model": run.title,
        "kind": run.kind or None,
        "complete": run.complete,
        "inputs": run.inputs,
        "inputs_title": run.inputs_title,
        "heads": list(run.heads),
        "restrict": run.restrict,
        "alpha": run.alpha,
        "labels": run.labels,
        "reasons": run.reasons,
        "counterfactual": run.counterfactual,
        "total": [_group(groups[None, rule]) for rule in run.layers.rules],
        "layers": [_group(group) for (layer, _), group in sorted(groups.items(), key=_place) if layer is not None],
        "pairs": [asdict(kind) for kind in run.pairs.kinds],
        "tokens": [asdict(token) for token in run.pairs.tokens],
        "chain": [asdict(link) for link in run.chain],
        "manifest": dict(run.manifest),
    }
    finite: dict[str, Any] = _finite(summary)
    return finite


def _place(entry: tuple[tuple[int | None, str], Group]) -> tuple[int, str]:
    layer, rule = entry[0]
    return (-1 if layer is None else layer, rule)


def _group(group: Group) -> dict[str, Any]:
    share = group.share
    return {
        "layer": group.layer,
        "tokens": group.rule,
        "verdicts": share.maps,
        "skipped": group.skipped,
        "tight": share.tight,
        "share": share.value,
        "share_low": share.low if share.maps else None,
        "share_high": share.high if share.maps else None,
        "effective_maps": share.effective if share.maps else None,
        "kappa": asdict(group.kappa) if group.kappa else None,
        "slack": asdict(group.slack) if group.slack else None,
        "exact_stage": group.exact_stage,
    }


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value
