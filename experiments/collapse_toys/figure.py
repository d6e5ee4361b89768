"""Two figures: accuracy by path length for the three tasks, and the trajectories on the circle."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dobrushin.collapse.toys.circle import RADIUS
from dobrushin.experiments.results import OKABE_ITO

Row = dict[str, Any]

_LINES = (("up_to", "all paths of length ≤ k"), ("from", "all paths of length ≥ k"), ("only", "all paths of length k"))


def draw_tasks(rows: Sequence[Row]) -> Figure:
    """One row of panels for each task with skips, without and with MLPs; points are seeds, lines their means."""
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    figure = Figure(figsize=(9, 2.9 * len(tasks)), layout="constrained")
    panels = figure.subplots(len(tasks), 2, squeeze=False, sharey="row")
    for line, task in zip(panels, tasks, strict=True):
        for axes, mlp in zip(line, (False, True), strict=True):
            chosen = [row for row in rows if row["task"] == task and row["skip"] and row["mlp"] == mlp]
            _task_panel(axes, chosen)
            axes.set_title(f"{task}, skips {'and MLPs' if mlp else 'only'}", fontsize=9)
        line[0].set_ylabel("accuracy")
    panels[0][0].legend(frameon=False, fontsize=7)
    return figure


def _task_panel(axes: Any, rows: Sequence[Row]) -> None:
    lengths = sorted({row["length"] for row in rows})
    for colour, (key, label) in zip(OKABE_ITO, _LINES, strict=False):
        axes.plot(lengths, [_mean(rows, length, key) for length in lengths], color=colour, label=label)
        axes.plot([row["length"] for row in rows], [row[key] for row in rows], ".", color=colour, markersize=4)
    for colour, count in zip(OKABE_ITO[3:], (5, 20), strict=False):
        axes.errorbar(
            np.array(lengths) + (0.08 if count == 20 else -0.08),
            [_mean(rows, length, f"sampled_{count}_mean") for length in lengths],
            yerr=[_mean(rows, length, f"sampled_{count}_sd") for length in lengths],
            fmt="x", color=colour, markersize=4, linewidth=1, label=f"{count} random paths of length k",
        )  # fmt: skip
    axes.axhline(np.mean([row["accuracy"] for row in rows]), color="0.3", linewidth=0.8)
    axes.axhline(rows[0]["majority"], color="0.3", linewidth=0.8, linestyle=":")
    axes.set_xlabel("path length k (lines: whole network, and majority label, dotted)", fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _mean(rows: Sequence[Row], length: int, key: str) -> float:
    return float(np.mean([row[key] for row in rows if row["length"] == length]))


def draw_circle(turns: Sequence[Row]) -> Figure:
    """The first seed's trajectories, a row for each noise; then the separation of the two points, all seeds."""
    noises = list(dict.fromkeys(turn["noise"] for turn in turns))
    variants = list(dict.fromkeys((turn["skip"], turn["mlp"]) for turn in turns))
    figure = Figure(figsize=(2.6 * (len(variants) + 1), 2.8 * len(noises)), layout="constrained")
    panels = figure.subplots(len(noises), len(variants) + 1, squeeze=False)
    for line, noise in zip(panels, noises, strict=True):
        for axes, colour, variant in zip(line, OKABE_ITO, variants, strict=False):
            chosen = [turn for turn in turns if turn["noise"] == noise and (turn["skip"], turn["mlp"]) == variant]
            _orbit(axes, chosen[0])
            name = f"{'skip' if variant[0] else 'no skip'}, {'MLP' if variant[1] else 'no MLP'}"
            axes.set_title(name, fontsize=8)
            for turn in chosen:
                apart = np.maximum(turn["separation"], 1e-9)
                line[-1].semilogy(apart, color=colour, linewidth=0.9, label=name if turn is chosen[0] else None)
        line[0].set_ylabel(f"noise {noise:g} in training", fontsize=8)
        line[-1].set_xlabel("step", fontsize=8)
        line[-1].set_title("separation (1 at the start)", fontsize=8)
        line[-1].set_ylim(1e-9, 1e3)
    panels[0][-1].legend(frameon=False, fontsize=6)
    return figure


def _orbit(axes: Any, turn: Row) -> None:
    angle = np.linspace(0, 2 * np.pi, 200)
    axes.plot(RADIUS * np.cos(angle), RADIUS * np.sin(angle), color="0.8", linewidth=0.8)
    x, y = np.array(turn["x"]), np.array(turn["y"])
    for token, colour in enumerate(OKABE_ITO[:2]):
        axes.plot(x[:, token], y[:, token], ".-", color=colour, markersize=2, linewidth=0.6)
    axes.set_xlim(-2 * RADIUS, 2 * RADIUS)
    axes.set_ylim(-2 * RADIUS, 2 * RADIUS)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
