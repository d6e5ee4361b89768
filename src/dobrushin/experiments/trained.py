"""Trained models under several readings: shares by layer as a table and a figure."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from dobrushin.experiments.command import Experiment
from dobrushin.experiments.results import OKABE_ITO, markdown_table
from dobrushin.experiments.surveys import Surveyed, survey_into

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = dict[str, Any]

READINGS = ("renormalised", "submatrix", "pairs")
"""Of the restriction to content tokens; the first is the default."""


def survey_readings(
    experiment: Experiment, model: str, *, limit: int | None, other_limit: int, **options: Any
) -> dict[str, Surveyed]:
    """One survey for each reading; all tokens go with the first, and the others take at most ``other_limit`` inputs."""
    return {
        reading: survey_into(
            experiment,
            f"{model.replace('/', '_').replace(':', '_')}-{reading}",
            model=model,
            restrict=reading,
            tokens=("content", "all") if reading == READINGS[0] else ("content",),
            chain=False,
            limit=limit if reading == READINGS[0] else other_limit,
            **options,
        )
        for reading in READINGS
    }


def rows_by_layer(model: str, surveys: Mapping[str, Surveyed]) -> list[Row]:
    """For each reading (and all tokens) and layer: share, interval, κ, slack, and how the loose maps fail."""
    rows = []
    for reading, surveyed in surveys.items():
        for tokens in ("content", "all"):
            for layer in surveyed.layers:
                chosen = surveyed.decided(tokens=tokens, layer=layer)
                if chosen:
                    rows.append({"model": model, "reading": reading if tokens == "content" else "all tokens",
                                 "layer": layer, **_figures(chosen)})  # fmt: skip
    return rows


def _figures(rows: Sequence[Row]) -> Row:
    from dobrushin.experiments.intervals import share_of

    share = share_of(sum(row["tight"] for row in rows), len(rows))
    loose = [row for row in rows if not row["tight"]]
    failing = [(row["first_advantage"] < 0) + (row["second_advantage"] < 0) for row in loose]
    return {"maps": share.total, "tight": share.count, "share": share.value, "low": share.low, "high": share.high,
            "kappa": median(row["kappa"] for row in rows), "one_side_fails": failing.count(1),
            "both_sides_fail": failing.count(2), "slack": median([row["slack"] for row in loose]) if loose else 0.0,
            "largest_slack": max((row["slack"] for row in loose), default=0.0)}  # fmt: skip


def overall_table(rows: Sequence[Row]) -> str:
    """All layers together, a line for each model and reading."""
    from dobrushin.experiments.intervals import share_of

    lines = []
    for model, reading in dict.fromkeys((row["model"], row["reading"]) for row in rows):
        chosen = [row for row in rows if (row["model"], row["reading"]) == (model, reading)]
        share = share_of(sum(row["tight"] for row in chosen), sum(row["maps"] for row in chosen))
        lowest = min(chosen, key=lambda row: row["share"])
        lines.append((model, reading, f"{share.total:,}", share, f"{lowest['share']:.3f} (layer {lowest['layer']})",
                      f"{max(row['largest_slack'] for row in chosen):.2g}"))  # fmt: skip
    header = ("model", "tokens", "input-layer pairs", "share tight [95%]", "lowest layer", "largest slack")
    return markdown_table(header, lines)


def layer_table(rows: Sequence[Row]) -> str:
    """The share in each layer."""
    layers = sorted({row["layer"] for row in rows})
    lines = []
    for model, reading in dict.fromkeys((row["model"], row["reading"]) for row in rows):
        by_layer = {row["layer"]: row["share"] for row in rows if (row["model"], row["reading"]) == (model, reading)}
        shown = (f"{by_layer[layer]:.3f}" if layer in by_layer else "" for layer in layers)
        lines.append((model, reading, *shown))
    return markdown_table(("model", "tokens", *(f"layer {layer}" for layer in layers)), lines)


def trained_figure(rows: Sequence[Row]) -> "Figure":
    """Share tight and κ by layer, one row of panels for each model."""
    from matplotlib.figure import Figure

    models = list(dict.fromkeys(row["model"] for row in rows))
    figure = Figure(figsize=(11, 3.1 * len(models)), layout="constrained")
    panels = figure.subplots(len(models), 2, squeeze=False)
    for (shares, kappas), model in zip(panels, models, strict=True):
        own = [row for row in rows if row["model"] == model]
        for colour, reading in zip(OKABE_ITO, dict.fromkeys(row["reading"] for row in own), strict=False):
            line = [row for row in own if row["reading"] == reading]
            layers = [row["layer"] for row in line]
            style = {"color": colour, "label": reading, "linewidth": 1.2}
            shares.plot(layers, [row["share"] for row in line], marker="o", markersize=4, **style)
            shares.fill_between(layers, [r["low"] for r in line], [r["high"] for r in line], color=colour, alpha=0.15)
            kappas.plot(layers, [row["kappa"] for row in line], marker="o", markersize=4, **style)
        shares.set_ylim(-0.03, 1.03)
        shares.set_ylabel("share tight")
        kappas.set_ylabel("median κ")
        shares.set_title(model, fontsize=9)
        for axes in (shares, kappas):
            axes.set_xlabel("layer")
            axes.spines[["top", "right"]].set_visible(False)
    panels[0][0].legend(frameon=False, fontsize=8)
    return figure
