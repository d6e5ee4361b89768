"""The figure: share tight by size, by temperature, by number of heads, and for maps with structure."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from dobrushin.experiments.results import OKABE_ITO

Row = dict[str, Any]


def draw(rows: Sequence[Row]) -> Figure:
    """Six panels; the band is the 24–30% of the paper."""
    figure = Figure(figsize=(13, 6.4), layout="constrained")
    panels = figure.subplots(2, 3)
    _by_size(panels[0][0], _family(rows, "dirichlet"))
    _by_parameter(panels[0][1], _family(rows, "gaussian softmax"), "temperature of Gaussian logits", log=True)
    _by_parameter(panels[0][2], _family(rows, "head-averaged"), "heads averaged")
    _by_parameter(panels[1][0], _family(rows, "diagonal raised"), "diagonal logits raised by")
    _by_parameter(panels[1][1], _family(rows, "sink"), "logits of one column raised by")
    _structured(panels[1][2], rows)
    for axes in panels.flat:
        axes.axhspan(0.24, 0.30, color="0.88", zorder=0)
        axes.set_ylabel("share tight")
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _family(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row["family"] == name]


def _points(axes: Any, x: Sequence[float], rows: Sequence[Row], **style: Any) -> None:
    shares = [row["share"] for row in rows]
    below = [max(row["share"] - row["low"], 0.0) for row in rows]
    above = [max(row["high"] - row["share"], 0.0) for row in rows]
    axes.errorbar(x, shares, yerr=[below, above], fmt="o-", markersize=4, linewidth=1, capsize=2, **style)


def _by_size(axes: Any, rows: Sequence[Row]) -> None:
    sizes = [row["n"] for row in rows]
    axes.plot(
        sizes, [(n**2 // 4) / (n * (n - 1)) for n in sizes], ":", color="0.4", label="upper bound ⌊n²/4⌋/(n(n−1))"
    )
    axes.plot(sizes, [row["conditional_share"] for row in rows], "-", color=OKABE_ITO[1], label="columns permuted")
    _points(axes, sizes, rows, color=OKABE_ITO[0], label="uniform rows, 95% intervals")
    axes.axhline(0.25, color="0.4", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("n")
    axes.legend(frameon=False, fontsize=8)


def _by_parameter(axes: Any, rows: Sequence[Row], label: str, *, log: bool = False) -> None:
    for colour, n in zip(OKABE_ITO, sorted({row["n"] for row in rows}), strict=False):
        chosen = [row for row in rows if row["n"] == n]
        _points(axes, [row["parameter"] for row in chosen], chosen, color=colour, label=f"n = {n}")
    if log:
        axes.set_xscale("log")
    axes.set_xlabel(label)
    axes.legend(frameon=False, fontsize=8)


def _structured(axes: Any, rows: Sequence[Row]) -> None:
    causal = _family(rows, "causal")
    banded = _family(rows, "banded")
    _points(axes, [row["n"] for row in causal], causal, color=OKABE_ITO[2], label="causal, by n")
    name = f"banded, n = {banded[0]['n']}, by band" if banded else ""
    _points(axes, [row["parameter"] for row in banded], banded, color=OKABE_ITO[3], label=name)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("n, or half-width of the band")
    axes.set_ylim(0, 1.03)
    axes.legend(frameon=False, fontsize=8)
