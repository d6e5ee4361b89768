"""A supervised and a self-supervised ViT from scratch: do the layers attain the bound, and when in training."""

from typing import Any

import evaluate
import torch
from figure import draw
from model import adapter, open_folder
from objectives import OBJECTIVES
from pictures import items, load
from training import train

from dobrushin.experiments import Experiment, markdown_table, run_main, share_of, write_figure, write_table
from dobrushin.experiments.measure import as_rows, verdicts_of
from dobrushin.files import write_atomically

TITLES = {"supervised": "supervised", "dino": "self-supervised"}


def main(experiment: Experiment) -> None:
    """Train, check every snapshot, and write the results."""
    torch.set_num_threads(experiment.threads)
    config = experiment.config
    train_pictures, train_labels = load("train", config["train_pictures"])
    rows: list[dict[str, Any]] = []
    for seed in config["seeds"]:
        for kind, make in OBJECTIVES.items():
            for step, folder in train(experiment, kind, seed, make, train_pictures, train_labels):
                last = step == config["steps"][kind]
                key = f"{kind}, seed {seed}, step {step}"
                rows += experiment.pieces.get(key, lambda: _snapshot(experiment, key, kind, seed, step, folder, last))  # noqa: B023
    write_table(experiment.out / "results.parquet", rows)
    write_atomically(experiment.out / "results.md", _markdown(rows, experiment))
    write_figure(experiment.out / "figure.png", draw(rows))


def _snapshot(experiment, key, kind, seed, step, folder, last) -> list[dict[str, Any]]:
    """The figures by layer of one snapshot, with the accuracies of the last one."""
    config = experiment.config
    model = open_folder(folder)
    accuracies = _accuracies(model, config) if last else {"neighbours": None, "linear": None}
    found = verdicts_of(adapter(model, key), items(config["surveyed"], config["model"]["image_size"]))
    share = share_of(
        *(sum(x) for x in zip(*((one.verdict.tight, 1) for one in found if one.tokens == "content"), strict=True))
    )
    experiment.say(f"{key}: content tokens tight {share}" + (f", {accuracies}" if last else ""))
    return as_rows(found, training=kind, seed=seed, step=step, last=last, **accuracies)


def _accuracies(model: Any, config: dict[str, Any]) -> dict[str, float]:
    train_pictures, train_labels = load("train", config["train_pictures"])
    test_pictures, test_labels = load("test", config["test_pictures"])
    with_labels = (evaluate.class_tokens(model, train_pictures), train_labels,
                   evaluate.class_tokens(model, test_pictures), test_labels)  # fmt: skip
    # Features made without gradients can not be trained upon.
    with_labels = tuple(tensor.clone() for tensor in with_labels)
    return {"neighbours": evaluate.nearest_neighbours(*with_labels), "linear": evaluate.linear_probe(*with_labels)}


def _markdown(rows: list[dict[str, Any]], experiment: Experiment) -> str:
    """Accuracies, then the share by layer at the end of training and at initialisation."""
    config = experiment.config
    seeds = config["seeds"]
    quality = [
        (TITLES[kind], seed, f"{row['linear']:.3f}", f"{row['neighbours']:.3f}")
        for kind in OBJECTIVES
        for seed in seeds
        for row in rows
        if (row["training"], row["seed"], row["last"], row["layer"], row["tokens"]) == (kind, seed, True, 0, "content")
    ]
    text = f"Seeds {seeds}, {'quick' if experiment.quick else 'full'} form, {config['surveyed']} test pictures.\n\n"
    text += markdown_table(("training", "seed", "test accuracy, linear", "20 neighbours"), quality) + "\n"
    header = (
        "training",
        "tokens",
        "when",
        *(f"layer {layer}" for layer in range(config["model"]["num_hidden_layers"])),
        "all layers",
    )
    body = []
    for kind in OBJECTIVES:
        for tokens in ("content", "all"):
            for when, step in (("initialisation", 0), ("trained", config["steps"][kind])):
                chosen = [r for r in rows if (r["training"], r["tokens"], r["step"]) == (kind, tokens, step)]
                body.append((TITLES[kind], tokens, when, *_shares(chosen)))
    return text + markdown_table(header, body)


def _shares(rows: list[dict[str, Any]]) -> list[str]:
    layers = sorted({row["layer"] for row in rows})
    groups = [[row for row in rows if row["layer"] == layer] for layer in layers]
    shares = [share_of(sum(r["tight"] for r in group), sum(r["maps"] for r in group)) for group in (*groups, rows)]
    return [f"{share.value:.3f}" for share in shares[:-1]] + [str(shares[-1])]


if __name__ == "__main__":
    run_main(__file__, main)
