"""A supervised and a self-supervised ViT from scratch: which layers attain the bound, and when in training."""

from pathlib import Path
from typing import Any

import torch
from accuracy import classifier_accuracy, probe_accuracies
from data import fingerprint, items
from figure import draw
from model import adapter, open_backbone, open_classifier
from tables import markdown
from training import OBJECTIVES, Run, seconds_taken, snapshots, train

from dobrushin.experiments import Experiment, run_main, share_of, write_figure, write_table
from dobrushin.experiments.measure import as_rows, verdicts_of
from dobrushin.experiments.parallel import run_all
from dobrushin.files import write_atomically
from dobrushin.tokens import DEFAULT_RESTRICTION

OTHER_READINGS = ("submatrix", "pairs")
_NO_ACCURACIES = {"classifier": None, "neighbours": None, "linear": None}


def main(experiment: Experiment) -> None:
    """Train, check every snapshot, and write the results."""
    torch.set_num_threads(experiment.threads)
    pictures = experiment.pieces.get("pictures", fingerprint)
    if pictures != fingerprint():
        experiment.say("the pictures changed since the first part of this run")
    # The long trainings first, so that the processes end at about the same time.
    runs = [Run(name, seed) for name in reversed(OBJECTIVES) for seed in experiment.config["seeds"]]
    run_all(experiment, train, [(run,) for run in runs])
    rows = [row for run in runs for row in _rows_of(experiment, run)]
    write_table(experiment.out / "results.parquet", rows)
    write_atomically(experiment.out / "results.md", markdown(rows, experiment, pictures))
    write_figure(experiment.out / "figure.png", draw(rows))


def _rows_of(experiment: Experiment, run: Run) -> list[dict[str, Any]]:
    """The figures by layer of every snapshot of a run."""
    rows: list[dict[str, Any]] = []
    for step, folder in snapshots(experiment, run).items():
        key = f"{run.name}, step {step}"
        rows += experiment.pieces.get(key, lambda: _snapshot(experiment, run, step, folder))  # noqa: B023
    seconds = seconds_taken(experiment, run)
    return [{**row, "training_cpu_seconds": seconds} for row in rows]


def _snapshot(experiment: Experiment, run: Run, step: int, folder: Path) -> list[dict[str, Any]]:
    """The figures by layer of one snapshot; accuracies and the other readings for the first and the last one."""
    config = experiment.config
    last = step == config["steps"]
    labels = {"objective": run.objective, "seed": run.seed, "step": step, "last": last, **_NO_ACCURACIES}
    if last or step == 0:
        labels |= probe_accuracies(
            open_backbone(folder), reference=config["reference_pictures"], count=config["test_pictures"]
        )
    if last and run.objective == "supervised":
        labels["classifier"] = classifier_accuracy(open_classifier(folder), config["test_pictures"])
    observed = adapter(open_backbone(folder), run.name)
    pictures = items(config["surveyed"])
    found = verdicts_of(observed, pictures)
    rows = as_rows(found, **labels, restrict=DEFAULT_RESTRICTION)
    for restrict in OTHER_READINGS if last else ():
        rows += as_rows(
            verdicts_of(observed, pictures, tokens=("content",), restrict=restrict), **labels, restrict=restrict
        )
    tight = [one.verdict.tight for one in found if one.tokens == "content"]
    experiment.say(f"{run.name}, step {step}: content tokens tight {share_of(sum(tight), len(tight))}")
    return rows


if __name__ == "__main__":
    run_main(__file__, main)
