"""The toy tasks of the rank-collapse paper: trained with and without skips and MLPs, then taken apart by paths."""

from typing import Any

import torch
from ablation import Network, ablate, circle
from figure import draw_circle, draw_tasks

from dobrushin.collapse.toys import Task, accuracy, convex_hull, memorisation, sorting, train
from dobrushin.experiments import Experiment, markdown_table, run_main, write_figure, write_table
from dobrushin.experiments.parallel import run_all
from dobrushin.files import write_atomically
from dobrushin.packaged import sentences

VARIANTS = ((False, False), (False, True), (True, False), (True, True))
"""(skip, MLP)."""

TASKS = ("sorting", "convex hull", "memorisation")
LONGEST_FIRST = ("convex hull", "memorisation", "sorting")


def main(experiment: Experiment) -> None:
    """Train, take apart, and write the results."""
    config = experiment.config
    tasks = [(name, seed, skip, mlp) for name in TASKS for seed in config["seeds"] for skip, mlp in VARIANTS]
    turns = [
        (noise, seed, skip, mlp)
        for noise in config["circle"]["noises"]
        for skip, mlp in VARIANTS
        for seed in config["circle_seeds"]
    ]
    # The long trainings first, so that the processes end at about the same time.
    run_all(experiment, task_rows, [run for name in LONGEST_FIRST for run in tasks if run[0] == name])
    run_all(experiment, turned, turns)
    rows = [row for run in tasks for row in task_rows(experiment, *run)]
    circles = [turned(experiment, *run) for run in turns]
    write_table(experiment.out / "results.parquet", rows)
    write_table(experiment.out / "circle.parquet", circles)
    write_atomically(experiment.out / "results.md", _markdown(rows, circles, experiment))
    write_figure(experiment.out / "figure.png", draw_tasks(rows))
    write_figure(experiment.out / "circle.png", draw_circle(circles))


def task_rows(experiment: Experiment, name: str, seed: int, skip: bool, mlp: bool) -> list[dict[str, Any]]:
    """Train one network on a task and take it apart; kept as a piece."""
    rows: list[dict[str, Any]] = experiment.pieces.get(
        f"{name} seed={seed} skip={skip} mlp={mlp}", lambda: _task_rows(experiment, name, seed, skip, mlp)
    )
    return rows


def turned(experiment: Experiment, noise: float, seed: int, skip: bool, mlp: bool) -> dict[str, Any]:
    """Train one layer on the circle and let it turn; kept as a piece."""
    epochs = experiment.config["circle_epochs"]

    def compute() -> dict[str, Any]:
        torch.set_num_threads(1)
        return circle(skip, mlp, noise, seed, epochs=epochs)

    found: dict[str, Any] = experiment.pieces.get(f"circle noise={noise} seed={seed} skip={skip} mlp={mlp}", compute)
    return found


def make_task(name: str, examples: int, seed: int) -> Task:
    """A task of the given size; the words to memorise are those of real sentences."""
    if name == "sorting":
        return sorting(train=examples, seed=seed)
    if name == "convex hull":
        return convex_hull(train=examples, seed=seed)
    return memorisation([item.text for item in sentences(8 * examples)], count=examples, seed=seed)


def _task_rows(experiment: Experiment, name: str, seed: int, skip: bool, mlp: bool) -> list[dict[str, Any]]:
    torch.set_num_threads(1)
    config = experiment.config
    task = make_task(name, config["train"][name], seed)
    options = config[task.name]
    network = train(task, skip=skip, mlp=mlp, seed=seed, epochs=config["epochs"][task.name], **options)
    inputs = torch.from_numpy(task.test_inputs[: config["examples"]])
    targets = torch.from_numpy(task.test_targets[: config["examples"]])
    whole = accuracy(network(torch.from_numpy(task.test_inputs)), torch.from_numpy(task.test_targets))
    experiment.say(f"{task.name}, seed {seed}, skip {skip}, MLP {mlp}: accuracy {whole:.3f}")
    place = {"task": task.name, "seed": seed, "skip": skip, "mlp": mlp}
    common = {"accuracy": whole, "majority": task.majority}
    found = ablate(
        Network(network, inputs, targets), paths=config["lengths_of_paths"], repeats=config["repeats"], seed=seed
    )
    return [place | common | row for row in found]


def _markdown(rows: list[dict[str, Any]], turns: list[dict[str, Any]], experiment: Experiment) -> str:
    depth = max(row["length"] for row in rows)
    header = ("task", "skip", "MLP", "accuracy by seed", "majority",
              *(f"≤ {k}" for k in range(depth + 1)), "largest error of the path sum")  # fmt: skip
    body = []
    for place in dict.fromkeys((row["task"], row["skip"], row["mlp"]) for row in rows):
        chosen = [row for row in rows if (row["task"], row["skip"], row["mlp"]) == place]
        zero = [row for row in chosen if row["length"] == 0]
        upto = [sum(row["up_to"] for row in chosen if row["length"] == k) / len(zero) for k in range(depth + 1)]
        body.append(
            (
                place[0],
                _yes(place[1]),
                _yes(place[2]),
                ", ".join(f"{row['accuracy']:.3f}" for row in zero),
                f"{zero[0]['majority']:.3f}",
                *(f"{value:.2f}" for value in upto),
                f"{max(row['path_sum_error'] for row in chosen):.1e}",
            )
        )
    seeds = ", ".join(map(str, experiment.config["seeds"]))
    text = (
        f"{'Quick' if experiment.quick else 'Full'} form. Accuracy on test tokens (training tokens for memorisation), "
        f"and with paths of length ≤ k only; seeds {seeds}.\n\n"
    )
    text += markdown_table(header, body)
    header = ("circle: noise", "skip", "MLP", "seeds", "steps followed", "loss of one step", "separation at the end",
              "radial error at the end")  # fmt: skip
    body = []
    for place in dict.fromkeys((turn["noise"], turn["skip"], turn["mlp"]) for turn in turns):
        chosen = [turn for turn in turns if (turn["noise"], turn["skip"], turn["mlp"]) == place]
        body.append(
            (
                f"{place[0]:g}",
                _yes(place[1]),
                _yes(place[2]),
                ", ".join(str(turn["seed"]) for turn in chosen),
                ", ".join(str(len(turn["separation"]) - 1) for turn in chosen),
                ", ".join(f"{turn['loss']:.0e}" for turn in chosen),
                ", ".join(f"{turn['separation'][-1]:.2g}" for turn in chosen),
                ", ".join(f"{turn['radial_error'][-1]:.2g}" for turn in chosen),
            )
        )
    return text + "\n" + markdown_table(header, body)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


if __name__ == "__main__":
    run_main(__file__, main)
