"""The figure: the chain of bounds by depth, heads against means by layer, and the slack that is there."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from dobrushin.experiments.results import OKABE_ITO
from dobrushin.experiments.surveys import Surveyed

Row = dict[str, Any]


def draw(chain: Sequence[Row], heads: Sequence[Row], means: Mapping[str, Surveyed]) -> Figure:
    """One row of panels for each model."""
    figure = Figure(figsize=(12, 2.9 * len(means)), layout="constrained")
    for row, (model, surveyed) in zip(figure.subplots(len(means), 3, squeeze=False), means.items(), strict=True):
        _chain(row[0], [r for r in chain if (r["model"], r["tokens"]) == (model, "content")])
        _heads(row[1], [r for r in heads if r["model"] == model])
        _slack(row[2], surveyed)
        row[0].set_title(model, fontsize=9)
        for axes in row:
            axes.spines[["top", "right"]].set_visible(False)
    return figure


def _chain(axes: Any, rows: Sequence[Row]) -> None:
    depth = [row["depth"] for row in rows]
    names = {"kappa_rollout": "κ(R)", "product_of_factors": "Π κ(B)", "product_of_layers": "Π ½(1+κ(A))"}
    for colour, style, (field, label) in zip(OKABE_ITO, ("o-", "s-", "x:"), names.items(), strict=False):
        axes.plot(depth, [row[field] for row in rows], style, color=colour, label=label, markersize=4, linewidth=1)
    axes.set_yscale("log")
    axes.set_xlabel("layers multiplied")
    axes.set_ylabel("median over inputs")
    axes.legend(frameon=False, fontsize=7)


def _heads(axes: Any, rows: Sequence[Row]) -> None:
    layers = [row["layer"] for row in rows]
    for colour, count, total, label in ((OKABE_ITO[0], "means_tight", "means", "mean over heads"),
                                        (OKABE_ITO[1], "single_tight", "single", "single heads")):  # fmt: skip
        shares = [row[count] / row[total] if row[total] else float("nan") for row in rows]
        axes.plot(layers, shares, "o-", color=colour, label=label, markersize=4, linewidth=1)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("layer")
    axes.set_ylabel("share tight, content")
    axes.legend(frameon=False, fontsize=7)


def _slack(axes: Any, surveyed: Surveyed) -> None:
    for colour, tokens in zip(OKABE_ITO, ("content", "all"), strict=False):
        loose = [row for row in surveyed.decided(tokens=tokens) if not row["tight"]]
        if loose:
            axes.plot(
                [r["layer"] for r in loose], [r["slack"] for r in loose], ".", color=colour, label=tokens, alpha=0.4
            )
    if axes.lines:
        axes.set_yscale("log")
        axes.legend(frameon=False, fontsize=7)
    else:
        axes.text(0.5, 0.5, "all are tight", transform=axes.transAxes, ha="center")
    axes.set_xlim(min(surveyed.layers) - 0.5, max(surveyed.layers) + 0.5)
    axes.set_xlabel("layer")
    axes.set_ylabel("slack of maps not tight")
