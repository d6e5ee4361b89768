"""The figure: share tight and κ of each block along training, for both tables."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from dobrushin.experiments.results import OKABE_ITO

Row = dict[str, Any]

CHANCE = {8: 0.273, 14: 0.262}
"""Share tight of rows uniform on the simplex at the tables' n, from ../random_matrices."""


def draw(rows: Sequence[Row]) -> Figure:
    """One column for each table; feature tokens; a line for each seed; the last block dashed (counterfactual)."""
    keys = sorted({row["data"] for row in rows}, reverse=True)
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    panels = figure.subplots(2, len(keys), squeeze=False)
    for column, key in enumerate(keys):
        content = [row for row in rows if row["data"] == key and row["tokens"] == "content"]
        for layer in sorted({row["layer"] for row in content}):
            for seed in sorted({row["seed"] for row in content}):
                own = [row for row in content if (row["layer"], row["seed"]) == (layer, seed)]
                _lines(panels[:, column], sorted(own, key=lambda row: row["epoch"]), layer)
        panels[0][column].set_title(f"{key}, n = {content[0]['n']} features", fontsize=10)
        _finish(panels[:, column], CHANCE.get(content[0]["n"]), _snapshots(content))
    panels[0][0].legend(frameon=False, fontsize=8)
    return figure


def _snapshots(rows: Sequence[Row]) -> list[int]:
    """The epochs that every seed has; the best ones are between and after them."""
    return sorted({row["epoch"] for row in rows if row["snapshot"] == "epoch"})


def _lines(panels: Any, rows: Sequence[Row], layer: int) -> None:
    dashed = rows[0]["counterfactual"]
    label = f"block {layer}" + (" (counterfactual)" if dashed else "") if rows[0]["seed"] == 0 else None
    style = {"color": OKABE_ITO[layer], "linestyle": "--" if dashed else "-", "marker": "o", "markersize": 4,
             "linewidth": 1, "alpha": 0.8, "label": label}  # fmt: skip
    for axes, field in zip(panels, ("share", "kappa"), strict=True):
        axes.plot([row["epoch"] for row in rows], [row[field] for row in rows], **style)


def _finish(panels: Any, chance: float | None, epochs: Sequence[int]) -> None:
    if chance is not None:
        panels[0].axhline(chance, color="0.4", linestyle=":", linewidth=1, label="chance (uniform rows)")
    panels[0].axhspan(0.11, 0.44, color="0.88", zorder=0)
    panels[0].set_ylim(-0.03, 1.03)
    panels[0].set_ylabel("share tight")
    panels[1].set_yscale("log")
    panels[1].set_ylabel("median κ")
    for axes in panels:
        axes.set_xscale("symlog", linthresh=1, linscale=0.5)
        axes.set_xticks(epochs, [str(epoch) for epoch in epochs])
        axes.minorticks_off()
        axes.set_xlabel("epoch")
        axes.spines[["top", "right"]].set_visible(False)
