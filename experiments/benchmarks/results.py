"""The benchmark's result as files: JSON and CSV of all numbers, a Markdown table of ratios with the goals, a plot."""

import csv
import io
import json
import os
import platform
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numba
import numpy as np
import scipy
import sklearn
import torch

from dobrushin.files import write_atomically

Row = dict[str, Any]
HERE = Path(__file__).parent
OTHERS = ("cdist32", "cdist64", "pdist", "sklearn", "numpy")

GOALS = {16: 3.0, 64: 10.0, 128: 20.0, 197: 35.0, 257: 35.0, 512: 60.0, 1370: 70.0}
"""Ratio against torch.cdist float32 on one thread, for random maps; tie-heavy maps of 256 tokens have 5."""

BAND_GOAL, BAND_SIZE = 400.0, 1370
HEAD_GOAL, HEAD_SIZE = 150.0, 512  # of single heads of a trained model


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    names = [line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "torch": torch.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "load": os.getloadavg()[0],
    }


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def goal(row: Row) -> float | None:
    """The ratio against cdist32 that a row should reach, if there is a goal for it."""
    if row["kind"] == "ties":
        return 5.0 if row["n"] == 256 else None
    if row["kind"] == "real":
        return HEAD_GOAL if row["n"] == HEAD_SIZE and ", head" in row["map"] else None
    if row["map"] == "band" and row["n"] == BAND_SIZE:
        return BAND_GOAL
    if row["kind"] == "batch":
        return 1.5 if row["n"] == 16 and row["threads"] == 1 and row["map"].endswith("256") else None
    return GOALS.get(row["n"]) if row["threads"] == 1 and row["map"] == "random" else None


def write(result: dict[str, Any], name: str) -> None:
    """Write ``name.json``, ``name.csv``, ``name.md`` and ``name.png`` beside this file."""
    rows = result["rows"]
    write_atomically(HERE / f"{name}.json", json.dumps(result, indent=1) + "\n")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(HERE / f"{name}.csv", stream.getvalue())
    write_atomically(HERE / f"{name}.md", markdown(result))
    _plot(rows, HERE / f"{name}.png")


def markdown(result: dict[str, Any]) -> str:
    """The table."""
    described = ", ".join(f"{name} {value}" for name, value in result["machine"].items())
    lines = ["# Benchmark of the exact coefficient", "", f"Machine: {described}.", ""]
    lines += ["`make bench` writes this file. Medians of interleaved runs; ms for one map (or one map of a batch);",
              "× is how many times longer the other method takes than the exact solve.", ""]  # fmt: skip
    names = ("map", "n", "threads", "path", "pairs", "ms", *(f"{other} ×" for other in OTHERS), "goal", "met")
    lines += ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    for row in result["rows"]:
        target = goal(row)
        ratios = [f"{row[o] / row['solve']:.1f}" if o in row else "" for o in OTHERS]
        met = "" if target is None else ("yes" if row["cdist32"] / row["solve"] >= target else "**no**")
        cells = [row["map"], row["n"], row["threads"], row["path"], row["pairs"], f"{row['solve'] * 1e3:.4g}", *ratios,
                 target or "", met]  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    for title in ("slope", "dense", "memory", "compile", "overhead"):
        if title in result:
            lines += ["", f"## {title.capitalize()}", "", "| quantity | value |", "|---|---|"]
            lines += [f"| {name} | {value:.4g} |" for name, value in result[title].items()]
    return "\n".join(lines) + "\n"


def _plot(rows: list[Row], path: Path) -> None:
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    chosen = [row for row in rows if row["kind"] == "one" and row["threads"] == 1]
    for other in OTHERS:
        points = [(row["n"], row[other] * 1e3) for row in chosen if row["map"] == "random" and other in row]
        axes.loglog(*zip(*points, strict=True), marker=".", linestyle="--", label=other)
    for kind in ("random", "band", "causal"):
        points = [(row["n"], row["solve"] * 1e3) for row in chosen if row["map"] == kind]
        axes.loglog(*zip(*points, strict=True), marker="o", label=f"exact solve, {kind}")
    axes.set(xlabel="tokens n", ylabel="ms, one thread", title="Exact κ and its pairs, or distances alone")
    axes.legend()
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    plt.close(figure)
    write_atomically(path, stream.getvalue())
