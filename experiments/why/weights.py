"""Residual weights other than ½: tightness does not depend on them (T3), the slack does (T4)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import Any

from dobrushin.errors import GateError
from dobrushin.experiments import markdown_table
from dobrushin.experiments.surveys import Surveyed

Row = dict[str, Any]


def weight_rows(model: str, surveys: Mapping[str, Surveyed]) -> list[Row]:
    """For each token rule and residual weight: the share tight, and the slack of the maps that are not.

    Raises:
        GateError: a map is tight under one residual weight and not under another, against T3.
    """
    rows = []
    for tokens in ("content", "all"):
        before: dict[Any, bool] | None = None
        for alpha, surveyed in sorted(surveys.items(), key=lambda item: Fraction(item[0])):
            decided = surveyed.decided(tokens=tokens)
            tight = {(row["input_id"], row["layer"]): row["tight"] for row in decided}
            _refuse_change(model, before, tight)
            before = tight
            rows.append({"model": model, "tokens": tokens, "alpha": alpha, "maps": len(decided),
                         "tight": sum(tight.values()), **_slack(decided, float(Fraction(alpha)))})  # fmt: skip
    return rows


def _refuse_change(model: str, before: Mapping[Any, bool] | None, now: Mapping[Any, bool]) -> None:
    changed = [] if before is None else [place for place in {**before, **now} if before.get(place) != now.get(place)]
    if changed:
        name, layer = changed[0]
        raise GateError(f"{model}, input {name}, layer {layer}: tightness changes with the residual weight, against T3")


def _slack(decided: Sequence[Row], alpha: float) -> Row:
    loose = [row for row in decided if not row["tight"]]
    relative = [row["slack"] / (alpha + (1 - alpha) * row["kappa"]) for row in loose]
    return {"slack": median(row["slack"] for row in loose) if loose else 0.0,
            "relative_slack": median(relative) if loose else 0.0}  # fmt: skip


def weight_table(rows: Sequence[Row]) -> str:
    """One line for each model and residual weight."""
    header = ("model", "tokens", "residual weight", "maps", "share tight", "median slack, not tight", "of the bound")
    lines = [
        (row["model"], row["tokens"], row["alpha"], row["maps"], f"{row['tight'] / row['maps']:.4f}",
         f"{row['slack']:.1e}", f"{row['relative_slack']:.1e}")
        for row in rows
    ]  # fmt: skip
    return markdown_table(header, lines)
