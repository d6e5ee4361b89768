"""Heads one by one against their mean."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from dobrushin.experiments import markdown_table, share_of
from dobrushin.experiments.surveys import Surveyed

Row = dict[str, Any]


def head_rows(model: str, mean: Surveyed, each: Surveyed) -> list[Row]:
    """For each layer (content tokens): share of single heads, of means, and of means when few or many heads are."""
    rows = []
    for layer in mean.layers:
        tight_heads = defaultdict(list)
        for row in each.decided(tokens="content", layer=layer):
            tight_heads[row["input"]].append(row["tight"])
        means = {row["input"]: row["tight"] for row in mean.decided(tokens="content", layer=layer)}
        verdicts = [tight for heads in tight_heads.values() for tight in heads]
        minority = [means[i] for i, heads in tight_heads.items() if i in means and 2 * sum(heads) < len(heads)]
        rows.append({"model": model, "layer": layer, "heads": max((len(h) for h in tight_heads.values()), default=0),
                     "single": len(verdicts), "single_tight": sum(verdicts), "means": len(means),
                     "means_tight": sum(means.values()), "minority": len(minority),
                     "minority_mean_tight": sum(minority)})  # fmt: skip
    return rows


def head_table(rows: Sequence[Row]) -> str:
    """All layers of a model in a line."""
    lines = []
    for model in dict.fromkeys(row["model"] for row in rows):
        own = [row for row in rows if row["model"] == model]
        pairs = (("single_tight", "single"), ("means_tight", "means"), ("minority_mean_tight", "minority"))
        shares = [share_of(sum(r[count] for r in own), sum(r[total] for r in own)) for count, total in pairs]
        lines.append((model, own[0]["heads"], *shares[:2], shares[2].total, shares[2]))
    header = (
        "model",
        "heads",
        "single heads tight",
        "means tight",
        "maps with a minority of heads tight",
        "their means tight",
    )
    return markdown_table(header, lines)
