"""FT-Transformer trained on California housing and Adult: its test error, and which layers attain the bound, when."""

from pathlib import Path
from typing import Any

import torch
from data import Task, load
from figure import draw
from training import Training

from dobrushin.capture.ft_transformer_files import open_ft_transformer, read_ft_transformer_config
from dobrushin.experiments import Experiment, markdown_table, run_main, share_of, write_figure, write_table
from dobrushin.experiments.measure import as_rows, verdicts_of
from dobrushin.files import write_atomically

PUBLISHED = {"california": "0.459 (RMSE)", "adult": "0.859 (accuracy)"}
"""Gorishniy et al. 2021, Table 2, FT-Transformer with tuned hyper-parameters, mean over 15 seeds."""


def main(experiment: Experiment) -> None:
    """Train every seed on both tables, check every snapshot, and write the results."""
    torch.set_num_threads(experiment.threads)
    config = experiment.config
    rows: list[dict[str, Any]] = []
    for key in PUBLISHED:
        task = load(key, **{name: config[name] for name in ("train_rows", "evaluated", "surveyed")})
        for seed in config["seeds"]:
            for name, folder in Training(experiment, task, seed).run().items():
                label = f"{key}, seed {seed}, {name}"
                rows += experiment.pieces.get(label, lambda: _snapshot(experiment, task, seed, name, folder))  # noqa: B023
    write_table(experiment.out / "results.parquet", rows)
    write_atomically(experiment.out / "results.md", _markdown(rows, experiment))
    write_figure(experiment.out / "figure.png", draw(rows))


def _snapshot(experiment: Experiment, task: Task, seed: int, name: str, folder: Path) -> list[dict[str, Any]]:
    found = verdicts_of(open_ft_transformer(folder), task.surveyed, batch_size=64)
    about = read_ft_transformer_config(folder)
    epoch = about["best_epoch"] if name == "best" else int(name.split()[1])
    tight = [one.verdict.tight for one in found if one.tokens == "content"]
    experiment.say(f"{task.key}, seed {seed}, {name}: features tight {share_of(sum(tight), len(tight))}")
    return as_rows(found, data=task.key, seed=seed, snapshot=name.split()[0], epoch=epoch,
                   test=abs(about["test"]) if name == "best" else None)  # fmt: skip


def _markdown(rows: list[dict[str, Any]], experiment: Experiment) -> str:
    """Test errors beside the published ones, then the share by layer."""
    config = experiment.config
    quality = []
    for key, published in PUBLISHED.items():
        best = {r["seed"]: r for r in rows if (r["data"], r["snapshot"]) == (key, "best")}
        scores = ", ".join(f"{row['test']:.4f}" for row in best.values())
        quality.append((key, scores, ", ".join(str(row["epoch"]) for row in best.values()), published))
    text = (
        f"Seeds {config['seeds']}, {'quick' if experiment.quick else 'full'} form, {config['surveyed']} test rows.\n\n"
    )
    text += markdown_table(("data", "test, by seed", "best epoch", "published"), quality) + "\n"
    body = []
    for key in PUBLISHED:
        for snapshot, when in (("epoch", "initialisation"), ("best", "trained")):
            for tokens in ("content", "all"):
                chosen = [r for r in rows if (r["data"], r["snapshot"], r["tokens"]) == (key, snapshot, tokens)
                          and (snapshot == "best" or r["epoch"] == 0)]  # fmt: skip
                body += _layer_rows(key, when, tokens, chosen)
    header = (
        "data",
        "when",
        "tokens",
        "n",
        "block",
        "share tight [95%]",
        "by seed",
        "median κ",
        "median slack, not tight",
    )
    text += markdown_table(header, body)
    return (
        text
        + "\n* the rows of the features are counterfactual in the last block: the output does not depend on them.\n"
    )


def _layer_rows(key: str, when: str, tokens: str, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """One line for each block, then those that the model uses together, then all together."""
    lines = []
    layers = sorted({row["layer"] for row in rows})
    used = [row for row in rows if not row["counterfactual"]]
    groups = [(f"{layer}", [row for row in rows if row["layer"] == layer]) for layer in layers]
    groups += [("used blocks", used), ("all blocks*", rows)]
    for name, group in ((name, group) for name, group in groups if group):
        star = "*" if len({row["layer"] for row in group}) == 1 and group[0]["counterfactual"] else ""
        by_seed = [[r for r in group if r["seed"] == seed] for seed in sorted({r["seed"] for r in group})]
        lines.append((key, when, "features" if tokens == "content" else "all", rows[0]["n"], name + star, _share(group),
                      ", ".join(f"{sum(r['tight'] for r in s) / sum(r['maps'] for r in s):.3f}" for s in by_seed),
                      f"{_mean(group, 'kappa'):.2e}", f"{_mean(group, 'slack'):.2e}"))  # fmt: skip
    return lines


def _share(rows: list[dict[str, Any]]) -> str:
    return str(share_of(sum(row["tight"] for row in rows), sum(row["maps"] for row in rows)))


def _mean(rows: list[dict[str, Any]], field: str) -> float:
    return sum(row[field] for row in rows) / len(rows)


if __name__ == "__main__":
    run_main(__file__, main)
