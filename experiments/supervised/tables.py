"""The results in words: how good the models are, and the share of tight maps by layer, half of depth and step."""

from collections.abc import Callable, Sequence
from statistics import mean, stdev
from typing import Any

from dobrushin.experiments import Experiment, markdown_table, share_of
from dobrushin.tokens import DEFAULT_RESTRICTION

Row = dict[str, Any]


def markdown(rows: Sequence[Row], experiment: Experiment, pictures: dict[str, str]) -> str:
    """All tables, with the seeds and the data they come from."""
    config = experiment.config
    seconds = sorted({(row["objective"], row["seed"], row["training_cpu_seconds"]) for row in rows})
    times = ", ".join(f"{name} seed {seed} {taken / 60:.1f}" for name, seed, taken in seconds)
    form = "quick" if experiment.quick else "full"
    return "\n".join(
        [
            f"Seeds {config['seeds']}, {form} form: {config['steps']} steps of {config['optimiser']['batch']} "
            f"pictures, maps of {config['surveyed']} test pictures. CPU minutes of training: {times}. "
            f"SHA-256 of the test pictures and labels: {pictures['test'][:16]}….\n",
            "## Accuracy on test pictures\n",
            _quality(rows),
            "## Share tight by layer\n",
            _by_layer(rows, config["model"]["num_hidden_layers"]),
            "## Early and late layers, before and after training\n",
            _by_half(rows, config["model"]["num_hidden_layers"]),
            "## Self-supervised minus supervised, trained, paired by seed\n",
            _differences(rows, config["model"]["num_hidden_layers"]),
            "## Other readings of content tokens, trained\n",
            _by_reading(rows),
            "## Through training, content tokens\n",
            _by_step(rows),
        ]
    )


def _objectives(rows: Sequence[Row]) -> list[str]:
    return sorted({row["objective"] for row in rows}, reverse=True)


def _seeds(rows: Sequence[Row]) -> list[int]:
    return sorted({row["seed"] for row in rows})


def _chosen(rows: Sequence[Row], keep: Callable[[Row], bool] | None = None, **values: Any) -> list[Row]:
    """The rows with these values, under the default reading unless another is named."""
    values = {"restrict": DEFAULT_RESTRICTION, **values}
    found = [row for row in rows if all(row[key] == value for key, value in values.items())]
    return found if keep is None else [row for row in found if keep(row)]


def _share(rows: Sequence[Row]) -> str:
    return str(share_of(sum(row["tight"] for row in rows), sum(row["maps"] for row in rows)))


def _number(rows: Sequence[Row]) -> float:
    return float(sum(row["tight"] for row in rows) / sum(row["maps"] for row in rows))


def _value(rows: Sequence[Row]) -> str:
    """The share without its interval."""
    return f"{_number(rows):.3f}"


def _quality(rows: Sequence[Row]) -> str:
    body = []
    for objective in _objectives(rows):
        for seed in _seeds(rows):
            for when, step in (("initialisation", 0), ("trained", max(row["step"] for row in rows))):
                row = _chosen(rows, objective=objective, seed=seed, step=step)[0]
                numbers = [row[key] for key in ("classifier", "linear", "neighbours")]
                body.append((objective, seed, when, *("–" if x is None else f"{x:.3f}" for x in numbers)))
    return markdown_table(("objective", "seed", "when", "own classifier", "linear probe", "20 neighbours"), body)


def _by_layer(rows: Sequence[Row], layers: int) -> str:
    """Seeds pooled; layers counted from 1, as the paper's figures are read."""
    body = []
    for objective in _objectives(rows):
        for tokens in ("content", "all"):
            for when, step in (("initialisation", 0), ("trained", max(row["step"] for row in rows))):
                chosen = _chosen(rows, objective=objective, tokens=tokens, step=step)
                shares = [_value([row for row in chosen if row["layer"] == layer]) for layer in range(layers)]
                body.append((objective, tokens, when, *shares, _share(chosen)))
    numbers = [str(layer + 1) for layer in range(layers)]
    return markdown_table(("objective", "tokens", "when", *numbers, "all layers [95%]"), body)


def _parts(layers: int) -> dict[str, range]:
    """The early half, the late half and the last layer by their titles."""
    half = layers // 2
    return {f"layers 1–{half}": range(half), f"layers {half + 1}–{layers}": range(half, layers),
            f"layer {layers}": range(layers - 1, layers)}  # fmt: skip


def _by_half(rows: Sequence[Row], layers: int) -> str:
    """The paper's question, seed by seed: shares before and after training."""
    parts = _parts(layers)
    steps = {"initial": 0, "trained": max(row["step"] for row in rows)}
    body = []
    for objective in _objectives(rows):
        for tokens in ("content", "all"):
            for seed in _seeds(rows):
                own = _chosen(rows, objective=objective, tokens=tokens, seed=seed)
                shares = [
                    _value([row for row in own if row["step"] == step and row["layer"] in numbers])
                    for numbers in parts.values()
                    for step in steps.values()
                ]
                body.append((objective, tokens, seed, *shares))
    return markdown_table(
        ("objective", "tokens", "seed", *(f"{part}, {when}" for part in parts for when in steps)), body
    )


def _differences(rows: Sequence[Row], layers: int) -> str:
    """Both start from the same weights for a seed: the mean difference, its standard error, and its sign by seed."""
    body = []
    for tokens in ("content", "all"):
        for part, numbers in {"all layers": range(layers), **_parts(layers)}.items():
            trained = _chosen(rows, lambda row: row["layer"] in numbers, tokens=tokens, last=True)  # noqa: B023
            differences = [
                _number(_chosen(trained, seed=seed, objective="self-supervised"))
                - _number(_chosen(trained, seed=seed, objective="supervised"))
                for seed in _seeds(rows)
            ]
            error = f"{stdev(differences) / len(differences) ** 0.5:.3f}" if len(differences) > 1 else "–"
            larger = f"{sum(difference > 0 for difference in differences)} of {len(differences)}"
            body.append((tokens, part, f"{mean(differences):+.3f}", error, larger))
    return markdown_table(("tokens", "where", "mean difference", "standard error", "self-supervised larger"), body)


def _by_reading(rows: Sequence[Row]) -> str:
    readings = sorted({row["restrict"] for row in rows})
    body = [
        (objective, *(_share(_chosen(rows, objective=objective, tokens="content", last=True, restrict=reading))
                      for reading in readings))
        for objective in _objectives(rows)
    ]  # fmt: skip
    return markdown_table(("objective", *readings), body)


def _by_step(rows: Sequence[Row]) -> str:
    """Shares seed by seed; κ and slack are the mean over layers and seeds of the medians over maps."""
    body = []
    seeds = _seeds(rows)
    for objective in _objectives(rows):
        for step in sorted({row["step"] for row in rows}):
            chosen = _chosen(rows, objective=objective, tokens="content", step=step)
            shares = [_value([row for row in chosen if row["seed"] == seed]) for seed in seeds]
            kappa = mean(row["kappa"] for row in chosen)
            loose = [row for row in chosen if row["tight"] < row["maps"]]
            slack = f"{mean(row['slack'] for row in loose):.2e}" if loose else "–"
            relative = f"{mean(row['slack'] / row['kappa'] for row in loose):.2e}" if loose else "–"
            one, both = (sum(row[key] for row in chosen) for key in ("one_side", "both_sides"))
            body.append((objective, step, *shares, f"{kappa:.3f}", slack, relative, one, both))
    header = ("objective", "step", *(f"share, seed {seed}" for seed in seeds), "median κ", "median slack, not tight",
              "slack / κ", "one side fails", "both fail")  # fmt: skip
    return markdown_table(header, body)
