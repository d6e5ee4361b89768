"""The figure: relative residual by depth, bounds on pure attention, products of maps, and paths by length."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dobrushin.collapse.results import Collapse
from dobrushin.collapse.study import Row
from dobrushin.collapse.summary import HEADER, curve, findings, variant_rows, variants_of
from dobrushin.report.drawing import drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Distinguishable without colour vision (Okabe & Ito), and on light and dark grounds.
_COLOURS = ("#0072b2", "#c2500a", "#00795c", "#cc79a7", "#b07d00", "#56b4e9", "#888888")
_LINEAR = 20  # decades shown linearly; further down the axis is logarithmic in decades


def report_part(found: Collapse) -> tuple["Figure", tuple[str, ...], list[tuple[str, ...]], list[str]]:
    """What a report shows of one model: the figure, the table's header and rows, and the findings in sentences.

    The figure has the colours of :data:`dobrushin.report.drawing.LIGHT`, so that ``svg_element`` makes it follow the
    page's scheme.
    """
    return collapse_figure(found), HEADER, variant_rows(found), findings(found)


def collapse_figure(found: Collapse) -> "Figure":
    """Draw the six panels, for a light ground."""
    from matplotlib.figure import Figure

    with drawing():
        figure = Figure(figsize=(11, 6.6), layout="constrained")
        panels = figure.subplots(2, 3)
        drawers: tuple[Callable[[Any, Collapse], None], ...] = (_linear, _decades, _bounds, _chains, _sizes, _deletions)
        for axes, draw in zip(panels.flat, drawers, strict=True):
            draw(axes, found)
            axes.patch.set_alpha(0)
            if axes.get_legend_handles_labels()[0]:
                axes.legend(fontsize=7)
        figure.suptitle(f"{found.title}, {found.manifest['inputs']['count']} inputs", fontsize=10)
    return figure


def _linear(axes: Any, found: Collapse) -> None:
    """As in the paper's figure: mean and standard deviation over inputs."""
    for colour, variant in zip(_COLOURS, variants_of(found), strict=False):
        over = curve(found, variant)
        mean, deviation = np.array(over.mean), np.array(over.deviation)
        axes.plot(over.depths, mean, color=colour, marker="o", markersize=3, linewidth=1.2, label=variant)
        axes.fill_between(over.depths, mean - deviation, mean + deviation, color=colour, alpha=0.2, linewidth=0)
    axes.set(xlabel="layers", ylabel="relative residual", ylim=(-0.02, 1.02))


def _decades(axes: Any, found: Collapse) -> None:
    for colour, variant in zip(_COLOURS, variants_of(found), strict=False):
        over = curve(found, variant)
        axes.plot(over.depths, over.log_mean, color=colour, linewidth=1.2)
        solid = [
            (x, y) for x, y, rounding in zip(over.depths, over.log_mean, over.floored, strict=True) if not rounding
        ]
        if solid:
            axes.plot(*zip(*solid, strict=True), color=colour, marker="o", markersize=3, linestyle="none")
    axes.set_yscale("symlog", linthresh=_LINEAR)
    axes.set(xlabel="layers", ylabel="log₁₀ relative residual (no marker: rounding)")


_BOUNDS = (("kappa", "Σ κ(P_h) ρ(XW_h)"), ("logits", "tanh(osc/4) for κ(P_h)"), ("weights", "weights only"),
           ("paper", "the paper's"))  # fmt: skip


def _bounds(axes: Any, found: Collapse) -> None:
    """Decades between a bound and what it bounds."""
    rows = [row for row in found.tables["layers"] if row["next_diameter"] is not None]
    for colour, (key, label) in zip(_COLOURS, _BOUNDS, strict=False):
        measured = "next_residual" if key == "paper" else "next_diameter"
        margins = [{"layer": row["layer"], "margin": row[key] - row[measured]} for row in rows]
        _line(axes, margins, "layer", "margin", label=label, color=colour)
    axes.set(xlabel="layer", ylabel="log₁₀ of bound / measured, pure attention")
    axes.set_ylim(bottom=0)


def _chains(axes: Any, found: Collapse) -> None:
    rows = found.tables["chains"]
    for colour, product in zip(_COLOURS, dict.fromkeys(row["product"] for row in rows), strict=False):
        own = [row for row in rows if row["product"] == product]
        _line(axes, own, "depth", "measured", label=product, color=colour)
        _line(axes, own, "depth", "bound", color=colour, linestyle=":")
        _line(axes, own, "depth", "floor", color=colour, linestyle="--")
    axes.set_yscale("symlog", linthresh=2)
    axes.set(xlabel="layers", ylabel="log₁₀ κ of the product (dotted Π κ, dashed floor)")


def _sizes(axes: Any, found: Collapse) -> None:
    rows = [row for row in found.tables["paths"] if row["kept"] == "only"]
    for colour, network in zip(_COLOURS, dict.fromkeys(row["network"] for row in rows), strict=False):
        _line(axes, [row for row in rows if row["network"] == network], "length", "size", label=network, color=colour)
    if rows:
        axes.set_yscale("log")
    axes.set(xlabel="path length", ylabel="size of the sum of paths / output")


def _deletions(axes: Any, found: Collapse) -> None:
    rows = [row for row in found.tables["paths"] if row["network"] == "all" and row["kept"] != "only"]
    for colour, kept in zip(_COLOURS, dict.fromkeys(row["kept"] for row in rows), strict=False):
        _line(axes, [row for row in rows if row["kept"] == kept], "length", "cosine", label=f"{kept} k", color=colour)
    axes.set(xlabel="k: paths kept", ylabel="cosine to the model's output", ylim=(-1.02, 1.02))


def _line(axes: Any, rows: Sequence[Row], x: str, y: str, **style: Any) -> None:
    """The median over inputs of the finite values."""
    values: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        if row[y] is not None and np.isfinite(row[y]):
            values[row[x]].append(row[y])
    if values:
        places = sorted(values)
        axes.plot(
            places, [np.median(values[place]) for place in places], markersize=2.5, marker="o", linewidth=1.1, **style
        )
