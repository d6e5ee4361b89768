"""The panels about rank collapse: each draws one thing on one pair of axes."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from dobrushin.collapse.results import Collapse
from dobrushin.collapse.study import Row
from dobrushin.collapse.summary import curve, variants_of
from dobrushin.report.drawing import LIGHT, Role

_STYLES: tuple[tuple[Role, str, Any], ...] = (
    ("content", "o", "-"), ("all", "s", (0, (5, 1.5))), ("third", "^", (0, (1, 1.2))),
    ("fourth", "v", (0, (3, 1, 1, 1))), ("fifth", "D", (0, (6, 2, 1, 2))), ("ink", "P", "-"),
)  # fmt: skip
"""Colour, mark and dashes, so that what the colour says is said twice more."""

_LINEAR = 20.0
"""So many decades are shown linearly; further down the axis is logarithmic in decades."""

BOUNDS = {"kappa": "Σ κ(P_h) ρ(XW_h)", "logits": "with tanh(osc/4) for κ", "weights": "norms of weights only",
          "paper": "the paper's, on ‖res‖"}  # fmt: skip
"""Columns of the table ``layers`` that are bounds, and their labels."""


def residual_panel(axes: Any, found: Collapse) -> None:
    """The relative residual by depth, as in the paper's figure: mean and standard deviation over inputs."""
    for style, variant in zip(_styles(), variants_of(found), strict=False):
        over = curve(found, variant)
        mean, deviation = np.array(over.mean), np.array(over.deviation)
        axes.plot(over.depths, mean, **style, label=variant)
        axes.fill_between(
            over.depths, mean - deviation, mean + deviation, color=style["color"], alpha=0.15, linewidth=0
        )
    axes.set(ylim=(-0.03, max(1.03, axes.get_ylim()[1])), title="Relative residual, mean ± sd")
    _depths(axes, "layers passed")
    axes.legend(fontsize=7.5, ncols=2, handlelength=2.6, columnspacing=1)


def decades_panel(axes: Any, found: Collapse) -> None:
    """Its logarithm; what is down to float64 rounding is a line without marks."""
    for style, variant in zip(_styles(), variants_of(found), strict=False):
        over = curve(found, variant)
        logs = [value if np.isfinite(value) else np.nan for value in over.log_mean]
        axes.plot(over.depths, logs, **style | {"marker": ""})
        solid = [(x, y) for x, y, rounding in zip(over.depths, logs, over.floored, strict=True)
                 if not rounding and np.isfinite(y)]  # fmt: skip
        if solid:
            axes.plot(*zip(*solid, strict=True), **style | {"linestyle": "none"})
    _decades(axes)
    axes.set(title="Its log₁₀ (no mark: rounding)")
    _depths(axes, "layers passed")


def margins_panel(axes: Any, found: Collapse) -> None:
    """Decades from what is measured in pure attention up to each bound on it."""
    rows = [row for row in found.tables["layers"] if row["next_diameter"] is not None]
    for style, (key, label) in zip(_styles(), BOUNDS.items(), strict=False):
        measured = "next_residual" if key == "paper" else "next_diameter"
        margins = [{"layer": row["layer"], "margin": row[key] - row[measured]} for row in rows]
        _median_line(axes, margins, "layer", "margin", **style, label=label)
    axes.set(title="log₁₀ of bound / measured")
    _depths(axes, "layer")
    if axes.lines:
        axes.set_ylim(0, 1.45 * axes.get_ylim()[1])  # room for the legend
        axes.legend(fontsize=7.5, ncols=2, handlelength=2.6, loc="upper center", columnspacing=1)
    else:
        _say(axes, "no bound: attention by position, or one token")


def chain_panel(axes: Any, found: Collapse, product: str) -> None:
    """κ of a product of maps between its floor and Π κ, and the relative residual of the network of these maps."""
    rows = [row for row in found.tables["chains"] if row["product"] == product]
    lines = (("bound", "Π κ", 1), ("measured", "κ of the product", 0), ("floor", "floor (T6)", 2))
    styles = _styles()
    styles[1] |= {"markerfacecolor": "none", "markersize": 6}  # seen round the other mark where both meet
    for key, label, style in lines:
        _median_line(axes, rows, "depth", key, **styles[style], label=label)
    variant = product.rpartition(", ")[2]
    starts = {row["input"]: row["relative"] for row in found.tables["collapse"]
              if row["variant"] == variant and row["depth"] == 0}  # fmt: skip
    falls = [{"depth": row["depth"], "fall": row["relative"] - starts[row["input"]]} for row in found.tables["collapse"]
             if row["variant"] == variant and not row["floored"] and np.isfinite(starts[row["input"]])]  # fmt: skip
    _median_line(axes, falls, "depth", "fall", **styles[5], label="relative residual")
    _decades(axes)
    axes.set(title=f"log₁₀, {product}")
    _depths(axes, "layers multiplied")
    axes.legend(fontsize=7.5, handlelength=2.6, loc="lower left")


def sizes_panel(axes: Any, found: Collapse) -> None:
    """How large the sum of the paths of each length is."""
    rows = [row for row in found.tables["paths"] if row["kept"] == "only"]
    for style, network in zip(_styles(), dict.fromkeys(row["network"] for row in rows), strict=False):
        own = [row for row in rows if row["network"] == network and row["size"] > 0]
        _median_line(axes, own, "length", "size", **style, label=network)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(_power_of_ten)
    axes.set(title="Size of the sum of paths / output")
    _depths(axes, "path length (heads)")
    axes.legend(fontsize=7.5, handlelength=2.6)


def deletions_panel(axes: Any, found: Collapse) -> None:
    """What is left of the whole model's output when short or long paths are deleted."""
    rows = [row for row in found.tables["paths"] if row["network"] == "all" and row["kept"] != "only"]
    for style, kept in zip(_styles(), dict.fromkeys(row["kept"] for row in rows), strict=False):
        own = [row for row in rows if row["kept"] == kept]
        _median_line(axes, own, "length", "cosine", **style, label=f"paths {kept} k kept")
    axes.set(ylim=(-1.03, 1.03), title="Cosine to the model's output")
    _depths(axes, "k")
    axes.legend(fontsize=7.5, handlelength=2.6)


def _styles() -> list[dict[str, Any]]:
    return [
        {"color": LIGHT[role], "marker": marker, "linestyle": dashes, "markersize": 3.2, "linewidth": 1.2}
        for role, marker, dashes in _STYLES
    ]


def _median_line(axes: Any, rows: Sequence[Row], x: str, y: str, **style: Any) -> None:
    """The median over inputs of the finite values."""
    values: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        if row[y] is not None and np.isfinite(row[y]):
            values[row[x]].append(row[y])
    if values:
        places = sorted(values)
        axes.plot(places, [float(np.median(values[place])) for place in places], **style)


def _decades(axes: Any) -> None:
    """An axis for logarithms: linear near 0; logarithmic in decades further down, when anything is there."""
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = axes.dataLim.intervaly
    if not np.isfinite([low, high]).all():
        _say(axes, "all tokens are equal")
    elif low < -_LINEAR:
        axes.set_yscale("symlog", linthresh=_LINEAR)
        axes.set_ylim(1.3 * low, max(high, 0.0) + 0.4 * _LINEAR)
        powers = [-(10.0**power) for power in range(1, int(np.log10(-1.3 * low)) + 1)]
        axes.yaxis.set_major_locator(FixedLocator([0.0, *powers]))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(_power_of_ten)
    elif high - low < 0.2:
        axes.set_ylim(low - 0.1, high + 0.1)


def _power_of_ten(value: float, _: Any) -> str:
    """−10⁶ and the like, as plain text: labels are not parsed as mathematics."""
    if value == 0 or 0.001 < abs(value) < 1000:
        return f"{value:g}".replace("-", "−")
    digits = str(round(np.log10(abs(value)))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{'−' if value < 0 else ''}10{digits}"


def _depths(axes: Any, label: str) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _say(axes: Any, sentence: str) -> None:
    axes.set_yticks([])
    axes.text(0.5, 0.5, sentence, transform=axes.transAxes, ha="center", color=LIGHT["soft"])
