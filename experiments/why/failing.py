"""Which comparison fails, whose tokens make the attaining pair, and how large the slack is."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dobrushin.experiments import markdown_table
from dobrushin.experiments.surveys import Surveyed, count_by

Row = dict[str, Any]

QUANTILES = (0.1, 0.5, 0.9, 1.0)


def failing_rows(model: str, surveyed: Surveyed) -> list[Row]:
    """For each layer and token rule: how the reported pair of the loose maps fails, and where its tokens are."""
    rows = []
    for tokens in ("content", "all"):
        for layer in surveyed.layers:
            decided = surveyed.decided(tokens=tokens, layer=layer)
            if decided:
                rows.append({"model": model, "tokens": tokens, "layer": layer, **_failures(decided)})
    return rows


def _failures(decided: Sequence[Row]) -> Row:
    loose = [row for row in decided if not row["tight"]]
    sides = [(row["first_advantage"] < 0, row["second_advantage"] < 0) for row in loose]
    special = [2 - row["first_content"] - row["second_content"] for row in loose]
    relative = [row["slack"] / ((1 + row["kappa"]) / 2) for row in loose]
    labels = count_by(decided, pair_label)
    common, times = next(iter(labels.items()))
    return {"maps": len(decided), "loose": len(loose), "first_only": sides.count((True, False)),
            "second_only": sides.count((False, True)), "both": sides.count((True, True)),
            "special_in_pair": sum(count > 0 for count in special), "most_common_pair": common,
            "most_common_share": times / len(decided),
            **{f"relative_slack_q{round(100 * q)}": float(np.quantile(relative, q)) if relative else None
               for q in QUANTILES}}  # fmt: skip


def pair_label(row: Row) -> str:
    """The two tokens of the reported pair by their labels; patches and words by what they are."""
    return f"{row['first_label']} – {row['second_label']}"


def failing_table(rows: Sequence[Row]) -> str:
    """All layers of a model and token rule in a line."""
    lines = []
    for model, tokens in dict.fromkeys((row["model"], row["tokens"]) for row in rows):
        own = [row for row in rows if (row["model"], row["tokens"]) == (model, tokens)]
        total = {name: sum(row[name] for row in own)
                 for name in ("maps", "loose", "first_only", "second_only", "both", "special_in_pair")}  # fmt: skip
        lines.append((model, tokens, *total.values()))
    header = (
        "model",
        "tokens",
        "maps",
        "not tight",
        "only i fails",
        "only j fails",
        "both fail",
        "special token in pair",
    )
    return markdown_table(header, lines)


def slack_table(rows_by_model: dict[str, Surveyed]) -> str:
    """Quantiles of the slack, relative to the bound ½(1+κ), over the maps that are not tight."""
    lines = []
    for model, surveyed in rows_by_model.items():
        for tokens in ("content", "all"):
            relative = [row["slack"] / ((1 + row["kappa"]) / 2)
                        for row in surveyed.decided(tokens=tokens) if not row["tight"]]  # fmt: skip
            shown = [f"{np.quantile(relative, q):.1e}" for q in QUANTILES] if relative else ["–"] * len(QUANTILES)
            lines.append((model, tokens, len(relative), *shown))
    return markdown_table(("model", "tokens", "not tight", *(f"{round(100 * q)}%" for q in QUANTILES)), lines)
