"""The figure: share tight by layer and step, and how κ and the slack move."""

from collections.abc import Sequence
from statistics import mean
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dobrushin.experiments.results import OKABE_ITO
from dobrushin.tokens import DEFAULT_RESTRICTION

Row = dict[str, Any]
_COLOURS = {"supervised": OKABE_ITO[1], "self-supervised": OKABE_ITO[0]}


def draw(rows: Sequence[Row]) -> Figure:
    """Above: share by layer when trained, and by layer and step; below: share, κ and slack by step."""
    rows = [row for row in rows if row["restrict"] == DEFAULT_RESTRICTION]
    figure = Figure(figsize=(13, 7), layout="constrained")
    panels = figure.subplots(2, 3)
    _by_layer(panels[0][0], [row for row in rows if row["last"]])
    content = [row for row in rows if row["tokens"] == "content"]
    for axes, objective in zip(panels[0][1:], _COLOURS, strict=True):
        image = _map(axes, [row for row in content if row["objective"] == objective])
        axes.set_title(f"{objective}, content tokens", fontsize=10)
    figure.colorbar(image, ax=panels[0][2], label="share tight")
    for axes, (field, label) in zip(panels[1], (("share", "share tight, mean over layers"),
                                                ("kappa", "median κ, mean over layers"),
                                                ("slack", "median slack of maps not tight")), strict=True):  # fmt: skip
        _by_step(axes, content, field)
        axes.set_ylabel(label)
    panels[1][0].set_ylim(-0.03, 1.03)
    return figure


def _by_layer(axes: Any, rows: Sequence[Row]) -> None:
    """Content tokens: a thin line for each seed and a thick one for their mean; all tokens: the mean, dotted."""
    layers = sorted({row["layer"] for row in rows})
    numbers = [layer + 1 for layer in layers]
    for objective, colour in _COLOURS.items():
        for tokens, line in (("content", "-"), ("all", ":")):
            own = [row for row in rows if (row["objective"], row["tokens"]) == (objective, tokens)]
            shares = {layer: [row["share"] for row in own if row["layer"] == layer] for layer in layers}
            for seed in zip(*shares.values(), strict=True) if tokens == "content" else ():
                axes.plot(numbers, seed, line, color=colour, linewidth=0.6, alpha=0.6)
            axes.plot(numbers, [mean(shares[layer]) for layer in layers], line, color=colour, marker="o", markersize=4,
                      linewidth=2, label=f"{objective}, {tokens} tokens")  # fmt: skip
    axes.set_xlabel("layer")
    axes.set_ylabel("share tight, trained")
    axes.set_ylim(-0.03, 1.03)
    axes.legend(frameon=False, fontsize=8, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    axes.spines[["top", "right"]].set_visible(False)


def _map(axes: Any, rows: Sequence[Row]) -> Any:
    """Layers from bottom to top, steps from left to right; the mean over seeds."""
    steps, layers = (sorted({row[key] for row in rows}) for key in ("step", "layer"))
    shares = np.array(
        [[mean(r["share"] for r in rows if (r["layer"], r["step"]) == (layer, step)) for step in steps]
         for layer in layers]
    )  # fmt: skip
    image = axes.imshow(shares, origin="lower", aspect="auto", vmin=0, vmax=1, cmap="cividis")
    axes.set_xticks(range(len(steps)), [str(step) for step in steps], fontsize=8)
    axes.set_yticks(range(len(layers)), [str(layer + 1) for layer in layers], fontsize=8)
    axes.set_xlabel("step")
    axes.set_ylabel("layer")
    return image


def _by_step(axes: Any, rows: Sequence[Row], field: str) -> None:
    """The mean over layers, one line for each seed."""
    steps = sorted({row["step"] for row in rows})
    for objective, colour in _COLOURS.items():
        for seed in sorted({row["seed"] for row in rows}):
            own = [row for row in rows if (row["objective"], row["seed"]) == (objective, seed)]
            values = [mean(row[field] for row in own if row["step"] == step) for step in steps]
            axes.plot(range(len(steps)), values, color=colour, marker="o", markersize=4, linewidth=1.2)
    axes.set_xticks(range(len(steps)), [str(step) for step in steps], fontsize=8)
    axes.set_xlabel("step")
    axes.spines[["top", "right"]].set_visible(False)
