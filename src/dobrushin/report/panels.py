"""The panels of figures: each draws one thing on one pair of axes."""

from collections.abc import Sequence
from textwrap import shorten
from typing import Any

import numpy as np

from dobrushin.report.chain import Link
from dobrushin.report.drawing import LIGHT, MARKS, Role
from dobrushin.report.layers import Group, Layers
from dobrushin.report.pairs import BINS, PairFindings
from dobrushin.report.run import Run
from dobrushin.report.verdicts import RULES, Rule

_NAME = 58
"""At most so many characters of a run's name are written in a figure."""


def share_panel(axes: Any, layers: Layers) -> None:
    """Share tight by layer, with 95% intervals."""
    for rule, groups in _with_verdicts(layers):
        x = _shifted(groups, rule)
        shares = np.array([group.share.value for group in groups])
        below = shares - [group.share.low for group in groups]
        above = [group.share.high for group in groups] - shares
        axes.errorbar(x, shares, yerr=(below.clip(0), above.clip(0)), **_style(rule), elinewidth=1, capsize=2)
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_title("Share tight")
    _layer_axis(axes, layers)
    _legend(axes, "no verdict", loc="lower left")


def kappa_panel(axes: Any, layers: Layers) -> None:
    """Median κ and quartiles by layer."""
    for rule, groups in _with_verdicts(layers):
        x = [group.layer for group in groups]
        spreads = [group.kappa for group in groups if group.kappa is not None]
        axes.plot(x, [spread.median for spread in spreads], **_style(rule))
        quartiles = [[spread.quarter for spread in spreads], [spread.three_quarters for spread in spreads]]
        axes.fill_between(x, *quartiles, color=LIGHT[rule], alpha=0.2, linewidth=0)
    axes.set_ylim(0, 1.03)
    axes.set_title("κ(A): median and quartiles")
    _layer_axis(axes, layers)
    if not axes.lines:
        _say(axes, "no verdict")


def slack_panel(axes: Any, layers: Layers) -> None:
    """One point for each map that is not tight: medians would hide them, being zero nearly always."""
    drawn = False
    for rule, groups in _with_verdicts(layers):
        x = np.repeat(_shifted(groups, rule), [len(group.loose) for group in groups])
        if len(x):
            drawn = True
            style = _style(rule) | {"linestyle": "none", "markersize": 3, "alpha": 0.7}
            axes.plot(x, [slack for group in groups for slack in group.loose], **style)
    axes.set_title("Slack of the maps that are not tight")
    _layer_axis(axes, layers)
    if drawn:
        axes.set_ylim(bottom=0)
    else:
        _say(axes, "all maps are tight" if _with_verdicts(layers) else "no verdict")


def chain_panel(axes: Any, links: Sequence[Link], rule: Rule) -> None:
    """Medians and quartiles of the three numbers of the chain by depth, on a logarithmic scale."""
    mine = [link for link in links if link.rule == rule]
    depth = [link.depth for link in mine]
    curves: tuple[tuple[str, str, Role, str, Any], ...] = (
        ("layers", "Π (α + (1−α)κ(A_l))", "all", "s", (0, (4, 2))),
        ("factors", "Π κ(B_l)", "third", "^", (0, (1, 1.5))),
        ("rollout_high", "κ(R)", "content", "o", "-"),
    )
    for name, label, role, marker, dashes in curves:
        spreads = [getattr(link, name) for link in mine]
        colour = LIGHT[role]
        axes.plot(depth, [spread.median for spread in spreads], color=colour, marker=marker, linestyle=dashes,
                  label=label)  # fmt: skip
        low, high = [spread.quarter for spread in spreads], [spread.three_quarters for spread in spreads]
        axes.fill_between(depth, low, high, color=colour, alpha=0.15, linewidth=0)
    _logarithmic(axes)
    axes.set_title(f"Chain, {rule} tokens")
    _whole_numbers(axes, "depth (layers multiplied)")
    axes.legend(loc="lower left")


def position_panel(axes: Any, pairs: PairFindings, rule: Rule) -> None:
    """Where the tokens of the reported pairs lie in the input."""
    places = pairs.positions[rule]
    middle = (np.arange(BINS) + 0.5) / BINS
    if places.tight is not None:
        axes.bar(middle, places.tight, width=0.9 / BINS, color=LIGHT["grid"], label="pairs of tight maps")
    if places.fails is not None:
        axes.plot(middle, places.fails, color=LIGHT[rule], marker=MARKS[rule]["marker"], linestyle="none",
                  markersize=6, label="tokens where dominance fails")  # fmt: skip
    axes.set_ylim(0, 1.35 * axes.get_ylim()[1])  # room for the legend
    axes.set_xlim(0, 1)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_title(f"Position of the pair, {rule} tokens")
    axes.set_xlabel("position in the input (0 first, 1 last)")
    axes.legend(loc="upper center")


def patch_panel(axes: Any, pairs: PairFindings, rule: Rule) -> None:
    """How often each patch is in the reported pair."""
    from matplotlib.colors import LinearSegmentedColormap

    counts = pairs.patches[rule].pairs
    shades = LinearSegmentedColormap.from_list("counts", ["#f7fbff", "#6baed6", "#08306b"])
    _heat(axes, counts, shades, "pairs")
    rows, columns = np.nonzero(pairs.patches[rule].fails)
    if len(rows):
        axes.plot(columns, rows, "x", color=LIGHT["all"], markersize=4, label="dominance fails")
        axes.figure.legend(loc="outside lower center")
    axes.set_aspect("equal")
    axes.set_title(f"Patches of the pair, {rule} tokens")
    axes.set_xlabel("column")
    axes.set_ylabel("row")


def head_panel(axes: Any, run: Run, rule: Rule) -> None:
    """Share tight of each head in each layer."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("shares", ["#7f2704", "#fdae6b", "#f7fbff"])
    _heat(axes, run.head_shares[rule].T, shades, "share tight", highest=1)
    axes.set_title(f"Share tight by head, {rule} tokens")
    axes.set_xlabel("layer")
    axes.set_ylabel("head")


def comparison_panel(axes: Any, runs: Sequence[Run], names: Sequence[str]) -> None:
    """The share tight of every run, with its interval: one line for each run, one mark for each token rule."""
    for rule in RULES:
        shift = -0.08 if rule == "content" else 0.16
        found = [(place, run.layers.groups[None, rule].share) for place, run in enumerate(runs)
                 if (None, rule) in run.layers.groups]  # fmt: skip
        shown = [(place + shift, share, share.value) for place, share in found if share.value is not None]
        if not shown:
            continue
        y, shares, values = zip(*shown, strict=True)
        error = [[max(value - share.low, 0) for share, value in zip(shares, values, strict=True)],
                 [max(share.high - value, 0) for share, value in zip(shares, values, strict=True)]]  # fmt: skip
        style = _style(rule) | {"linestyle": "none", "markersize": 5}
        axes.errorbar(values, y, xerr=error, **style, elinewidth=1.2, capsize=2.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    low = axes.get_xlim()[0]
    for place, name in enumerate(names):  # above its marks, so that long names take no width from them
        axes.text(low, place - 0.3, shorten(name, _NAME, placeholder=" …"), va="bottom")
    axes.set_xlim(low, 1 + 0.02 * (1 - low))
    axes.set_ylim(len(runs) - 0.6, -0.75)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel("share tight, all layers")
    if axes.get_legend_handles_labels()[1]:
        axes.figure.legend(loc="outside lower center", ncols=2)


def _with_verdicts(layers: Layers) -> list[tuple[Rule, list[Group]]]:
    found = [(rule, [layers.groups[layer, rule] for layer in layers.numbers if (layer, rule) in layers.groups])
             for rule in layers.rules]  # fmt: skip
    return [(rule, kept) for rule, groups in found if (kept := [group for group in groups if group.share.maps])]


def _shifted(groups: Sequence[Group], rule: Rule) -> list[float]:
    """The layers, a little apart for the two rules, so that neither hides the other."""
    shift = -0.1 if rule == "content" else 0.1
    return [(group.layer or 0) + shift for group in groups]


def _style(rule: str) -> dict[str, Any]:
    role: Role = "content" if rule == "content" else "all"
    return {"color": LIGHT[role], **MARKS[rule]}


def _layer_axis(axes: Any, layers: Layers) -> None:
    axes.set_xlim(min(layers.numbers) - 0.5, max(layers.numbers) + 0.5)
    _whole_numbers(axes, "layer")


def _whole_numbers(axes: Any, label: str) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _heat(axes: Any, values: Any, shades: Any, label: str, highest: float | None = None) -> None:
    """Cells centred on whole numbers, row 0 at the top."""
    from matplotlib.ticker import MaxNLocator

    rows, columns = values.shape
    edges = np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5
    cells = axes.pcolormesh(*edges, values, cmap=shades, vmin=0, vmax=highest, edgecolors="face", linewidth=0.2)
    axes.invert_yaxis()
    axes.grid(visible=False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.figure.colorbar(cells, ax=axes, shrink=0.8, label=label)


def _logarithmic(axes: Any) -> None:
    """A logarithmic scale whose labels are enough for less than a decade, and not too many for a hundred."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_yscale("log")
    low, high = axes.get_ylim()
    decades = np.log10(high / low)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5) if decades < 2 else (1,), numticks=8))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())


def _legend(axes: Any, otherwise: str, **place: Any) -> None:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(**place)
    else:
        _say(axes, otherwise)


def _say(axes: Any, sentence: str) -> None:
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.text(0.5, 0.5, sentence, transform=axes.transAxes, ha="center", color=LIGHT["soft"])
