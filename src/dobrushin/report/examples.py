"""The maps that are furthest from tight, one line each."""

from dataclasses import dataclass

import numpy as np

from dobrushin.report.source import SurveyFolder
from dobrushin.report.verdicts import numbers, texts

_COLUMNS = ("input_id", "layer", "head", "tokens", "tight", "kappa", "slack", "first", "second", "first_label",
            "second_label", "first_advantage", "second_advantage", "margin")  # fmt: skip


@dataclass(frozen=True)
class LooseMap:
    """A map that is not tight: where it is, its pair, and the pair's advantages A_ii − A_ji and A_jj − A_ij."""

    input_id: str
    layer: int
    head: str
    rule: str
    kappa: float
    slack: float
    margin: float | None
    labels: tuple[str, str]
    advantages: tuple[float, float]


def loosest_maps(survey: SurveyFolder, heads: tuple[str, ...], *, count: int) -> tuple[LooseMap, ...]:
    """At most ``count`` maps with the largest slack, largest first."""
    table = survey.read_verdicts(_COLUMNS)
    loose = numbers(table.column("tight").is_valid()) & ~numbers(table.column("tight").fill_null(True))
    head = texts(table.column("head"))
    rows = np.flatnonzero(loose & np.any([head.equals(name) for name in heads], axis=0))
    slack = numbers(table.column("slack"))[rows]
    chosen = rows[np.argsort(-slack, kind="stable")[:count]]
    return tuple(
        LooseMap(
            input_id=row["input_id"],
            layer=row["layer"],
            head=row["head"],
            rule=row["tokens"],
            kappa=row["kappa"],
            slack=row["slack"],
            margin=row["margin"],
            labels=(_label(row, "first"), _label(row, "second")),
            advantages=(row["first_advantage"], row["second_advantage"]),
        )
        for row in table.take(chosen).to_pylist()
    )


def _label(row: dict[str, object], side: str) -> str:
    return str(row[side] if row[f"{side}_label"] is None else row[f"{side}_label"])
