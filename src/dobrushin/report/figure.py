"""The figure: share tight, κ and slack by layer, one row of panels for each model."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dobrushin.report.findings import Findings
from dobrushin.survey import TokenRule

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Distinguishable without colour vision (Okabe & Ito), and on light and dark grounds.
_STYLE: dict[TokenRule, dict[str, Any]] = {
    "content": {"color": "#0072B2", "marker": "o", "label": "content tokens"},
    "all": {"color": "#D55E00", "marker": "s", "label": "all tokens"},
}


def layer_figure(found: Sequence[Findings], *, ink: str = "black") -> "Figure":
    """Draw the panels; ``ink`` colours text and axes, and the background is left transparent."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    colours: dict[Any, Any] = {
        "text.color": ink,
        "axes.labelcolor": ink,
        "axes.edgecolor": ink,
        "xtick.color": ink,
        "ytick.color": ink,
    }
    with rc_context({**colours, "font.size": 9}):
        figure = Figure(figsize=(10, 2.9 * len(found)), layout="constrained")
        panels = figure.subplots(len(found), 3, squeeze=False)
        for row, part in zip(panels, found, strict=True):
            _share_panel(row[0], part)
            _kappa_panel(row[1], part)
            _slack_panel(row[2], part)
            row[1].set_title(part.model, fontsize=9)
        panels[0][0].legend(frameon=False, fontsize=8, labelcolor=ink)
    return figure


def _share_panel(axes: Any, part: Findings) -> None:
    for rule, style in _STYLE.items():
        points = [(layer.layer, layer.rules[rule].share) for layer in part.layers if rule in layer.rules]
        shown = [(x, y) for x, y in points if y is not None]
        if shown:
            axes.plot(*zip(*shown, strict=True), **style, markersize=4, linewidth=1.2)
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel("share tight")
    _layer_axis(axes)


def _kappa_panel(axes: Any, part: Findings) -> None:
    for rule, style in _STYLE.items():
        layers = [layer for layer in part.layers if rule in layer.rules and layer.rules[rule].maps]
        if not layers:
            continue
        low, middle, high = np.transpose([np.quantile(layer.rules[rule].kappas, [0.25, 0.5, 0.75]) for layer in layers])
        x = [layer.layer for layer in layers]
        axes.plot(x, middle, **style, markersize=4, linewidth=1.2)
        axes.fill_between(x, low, high, color=style["color"], alpha=0.2, linewidth=0)
    axes.set_ylim(0, 1.03)
    axes.set_ylabel("κ (median, quartiles)")
    _layer_axis(axes)


def _slack_panel(axes: Any, part: Findings) -> None:
    """One point for each map that is not tight: medians would hide them, being zero nearly always."""
    for rule, style in _STYLE.items():
        points = [
            (layer.layer, slack)
            for layer in part.layers
            if rule in layer.rules
            for slack in layer.rules[rule].slacks
            if slack
        ]
        if points:
            axes.plot(*zip(*points, strict=True), **style, linestyle="none", markersize=3, alpha=0.6)
    if axes.lines:
        axes.set_ylim(bottom=0)
    else:
        axes.set_yticks([0])
        axes.text(0.5, 0.5, "all are tight", transform=axes.transAxes, ha="center")
    layers = [layer.layer for layer in part.layers if layer.layer is not None]
    axes.set_xlim(min(layers) - 0.5, max(layers) + 0.5)
    axes.set_ylabel("slack of maps not tight")
    _layer_axis(axes)


def _layer_axis(axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel("layer")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.patch.set_alpha(0)


def png(figure: "Figure") -> bytes:
    """The figure on white, 150 dots per inch."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=150, facecolor="white", metadata={"Software": None})
    return buffer.getvalue()


def svg(figure: "Figure") -> str:
    """The figure as an SVG element for an HTML page, with a transparent background."""
    from matplotlib import rc_context

    buffer = io.StringIO()
    # Letters as outlines, so that no font is needed; ids from the content, so that the page is always the same.
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "dobrushin"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
