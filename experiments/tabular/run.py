"""FT-Transformer trained on California housing and Adult: its test error, and which layers attain the bound, when."""

from pathlib import Path
from typing import Any

import torch
from data import Task
from figure import draw
from tables import PUBLISHED, markdown
from training import snapshots, task_of, train

from dobrushin.capture.ft_transformer_files import open_ft_transformer, read_ft_transformer_config
from dobrushin.experiments import Experiment, run_main, share_of, write_figure, write_table
from dobrushin.experiments.measure import as_rows, verdicts_of
from dobrushin.experiments.parallel import run_all
from dobrushin.files import write_atomically


def main(experiment: Experiment) -> None:
    """Train every seed on both tables, check every snapshot, and write the results."""
    torch.set_num_threads(1)  # as in training: the maps' last bits depend on it
    seeds = experiment.config["seeds"]
    run_all(experiment, train, [(key, seed) for key in PUBLISHED for seed in seeds])
    rows: list[dict[str, Any]] = []
    for key in PUBLISHED:
        task = task_of(experiment, key)
        for seed in seeds:
            for name, folder in snapshots(experiment, key, seed).items():
                label = f"{key}, seed {seed}, {name}"
                rows += experiment.pieces.get(label, lambda: _snapshot(experiment, task, seed, name, folder))  # noqa: B023
    write_table(experiment.out / "results.parquet", rows)
    write_atomically(experiment.out / "results.md", markdown(rows, experiment))
    write_figure(experiment.out / "figure.png", draw(rows))


def _snapshot(experiment: Experiment, task: Task, seed: int, name: str, folder: Path) -> list[dict[str, Any]]:
    found = verdicts_of(open_ft_transformer(folder), task.surveyed, batch_size=64)
    about = read_ft_transformer_config(folder)
    epoch = about["best_epoch"] if name == "best" else int(name.split()[1])
    tight = [one.verdict.tight for one in found if one.tokens == "content"]
    experiment.say(f"{task.key}, seed {seed}, {name}: features tight {share_of(sum(tight), len(tight))}")
    return as_rows(found, data=task.key, seed=seed, snapshot=name.split()[0], epoch=epoch,
                   test=abs(about["test"]) if name == "best" else None)  # fmt: skip


if __name__ == "__main__":
    run_main(__file__, main)
