"""The figure: share tight by depth after training, and its way through training."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from dobrushin.experiments.results import OKABE_ITO

Row = dict[str, Any]
_COLOURS = {"supervised": OKABE_ITO[1], "dino": OKABE_ITO[0]}
_LABELS = {"supervised": "supervised", "dino": "self-supervised"}


def draw(rows: Sequence[Row]) -> Figure:
    """Share and slack by layer at the end, share and κ by step; content tokens, seeds apart."""
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    panels = figure.subplots(2, 2)
    for kind, colour in _COLOURS.items():
        content = [row for row in rows if row["training"] == kind and row["tokens"] == "content"]
        for seed in sorted({row["seed"] for row in content}):
            style = {"color": colour, "marker": "o", "markersize": 4, "linewidth": 1, "alpha": 0.8,
                     "label": _LABELS[kind] if seed == content[0]["seed"] else None}  # fmt: skip
            own = [row for row in content if row["seed"] == seed]
            end = [row for row in own if row["last"]]
            panels[0][0].plot([row["layer"] for row in end], [row["share"] for row in end], **style)
            panels[0][1].plot([row["layer"] for row in end], [row["slack"] for row in end], **style)
            _by_step(panels[1][0], own, "share", style)
            _by_step(panels[1][1], own, "kappa", style)
    _finish(panels)
    return figure


def _by_step(axes: Any, rows: Sequence[Row], field: str, style: dict[str, Any]) -> None:
    """The mean over layers at each snapshot."""
    values = defaultdict(list)
    for row in rows:
        values[row["step"]].append(row[field])
    axes.plot(list(values), [sum(v) / len(v) for v in values.values()], **style)


def _finish(panels: Any) -> None:
    titles = (("share tight, trained", "layer"), ("median slack of maps not tight", "layer"),
              ("share tight, mean over layers", "step"), ("median κ, mean over layers", "step"))  # fmt: skip
    for axes, (label, x) in zip(panels.flat, titles, strict=True):
        axes.set_ylabel(label)
        axes.set_xlabel(x)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in panels[1]:
        axes.set_xscale("symlog", linthresh=10)
    for axes in (panels[0][0], panels[1][0]):
        axes.set_ylim(-0.03, 1.03)
    panels[0][0].legend(frameon=False, fontsize=8)
