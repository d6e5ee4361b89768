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
    """For each residual weight: the share tight and the slack of content tokens.

    Raises:
        GateError: a map is tight under one residual weight and not under another, against T3.
    """
    rows, before = [], None
    for alpha, surveyed in sorted(surveys.items(), key=lambda item: Fraction(item[0])):
        decided = surveyed.decided(tokens="content")
        tight = {(row["input"], row["layer"]): row["tight"] for row in decided}
        if before is not None and tight != before:
            place = next(place for place in tight if tight[place] != before.get(place))
            raise GateError(f"{model}, input {place[0]}, layer {place[1]}: tightness changes with the residual weight")
        before = tight
        loose = [row for row in decided if not row["tight"]]
        bounds = [float(Fraction(alpha)) + (1 - float(Fraction(alpha))) * row["kappa"] for row in loose]
        relative = [row["slack"] / bound for row, bound in zip(loose, bounds, strict=True)]
        rows.append({"model": model, "alpha": alpha, "maps": len(decided), "tight": sum(tight.values()),
                     "slack": median(row["slack"] for row in loose) if loose else 0.0,
                     "relative_slack": median(relative) if relative else 0.0})  # fmt: skip
    return rows


def weight_table(rows: Sequence[Row]) -> str:
    """One line for each model and residual weight."""
    header = ("model", "residual weight", "maps", "share tight", "median slack, not tight", "relative to the bound")
    return markdown_table(header, [
        (row["model"], row["alpha"], row["maps"], f"{row['tight'] / row['maps']:.4f}", f"{row['slack']:.1e}",
         f"{row['relative_slack']:.1e}")
        for row in rows
    ])  # fmt: skip
