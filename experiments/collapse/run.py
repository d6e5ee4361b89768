"""Rank collapse: residuals by depth with parts switched off, path sums, bounds, and the bridge to κ."""

from dataclasses import asdict
from typing import Any

import tables
from checks import gap_table, many_digits, sampled_paths, search
from networks import Studied, open_network

from dobrushin.collapse.bounds import cubic_constant
from dobrushin.collapse.results import Collapse, collect, write
from dobrushin.collapse.study import Study, study
from dobrushin.experiments import Experiment, run_main, write_figure, write_table
from dobrushin.files import write_atomically
from dobrushin.report.collapse.figures import collapse_figure

RELATIVE = "xlnet-random"
"""Attends by position too, so that the theorems do not apply."""


def main(experiment: Experiment) -> None:
    """Study every network on every input, run the checks, and write the results."""
    _limit_threads(experiment.threads)
    found = {key: _network(experiment, key) for key in experiment.config["networks"]}
    constants = {key: _constant(experiment, key) for key in found if key != RELATIVE}
    checks = _checks(experiment)
    for key, collapse in found.items():
        write(experiment.out / "results" / key, collapse)
        write_figure(experiment.out / f"figure-{key}.png", collapse_figure(collapse))
    for name, rows in checks.items():
        write_table(experiment.out / "results" / f"{name}.parquet", rows)
    write_atomically(experiment.out / "results.md", _markdown(experiment, found, constants, checks))


def _open(experiment: Experiment, key: str) -> Studied:
    config = experiment.config
    return open_network(key, inputs=config["inputs"][key], tokens=config["tokens"], shape=config["shape"],
                        seed=config["seed"])  # fmt: skip


def _network(experiment: Experiment, key: str) -> Collapse:
    """The studies of one network, each input a piece that is kept."""
    opened: list[Studied] = []

    def one(index: int) -> dict[str, Any]:
        if not opened:
            opened.append(_open(experiment, key))
        item = opened[0].items[index]
        states = opened[0].states(item)
        result = study(opened[0].network, states, pooling=opened[0].pooling)
        return {"title": opened[0].title, "id": item.id, "n": len(states[0]), "study": asdict(result)}

    pieces = []
    count = experiment.config["inputs"][key]
    for index in range(count):
        pieces.append(experiment.pieces.get(f"{key} {index}", lambda: one(index)))  # noqa: B023
        experiment.say(f"{key}: {index + 1} of {count}")
    studies = [(piece["id"], piece["n"], Study(**piece["study"])) for piece in pieces]
    kind = "image" if key == "dinov2" else "text"
    return collect(
        studies,
        model={"title": pieces[0]["title"], "spec": key, "kind": kind, "provenance": {}},
        inputs={"title": "packaged inputs", "where": key},
        configuration={**experiment.config, "threads": experiment.threads},
    )


def _constant(experiment: Experiment, key: str) -> float:
    return float(experiment.pieces.get(f"{key} c", lambda: cubic_constant(_open(experiment, key).network)))


def _checks(experiment: Experiment) -> dict[str, list[dict[str, Any]]]:
    config, get = experiment.config, experiment.pieces.get

    def digits() -> Any:
        opened = _open(experiment, "minilm")
        X = opened.states(opened.items[0])[0][: config["precise"]["tokens"]]
        return many_digits(opened.network, X, config["precise"]["digits"])

    def sampled() -> Any:
        opened = _open(experiment, "minilm")
        return sampled_paths(opened.network, opened.states(opened.items[0])[0], config["sampled"], config["seed"])

    found = {
        "digits": get("digits", digits),
        "sampled": get("sampled", sampled),
        "gaps": gap_table(),
        "search": [get("search", lambda: search(config["searched"], config["seed"]))],
    }
    experiment.say("checks done")
    return found


def _markdown(
    experiment: Experiment, found: dict[str, Collapse], constants: dict[str, float], checks: dict[str, Any]
) -> str:  # fmt: skip
    parts = [f"{'Quick' if experiment.quick else 'Full'} form, seed {experiment.config['seed']}. Logarithms are to "
             "base 10; ≤ marks what is down to float64 rounding.\n"]  # fmt: skip
    parts += ["## Path sums\n", tables.sums_table(found)]
    for collapse in found.values():
        parts += [f"## Variants: {collapse.title}\n", tables.variants_table(collapse)]
    parts += ["## Definitions of the residual: last layer\n", tables.centres_table(found)]
    parts += ["## Where the cubic theorem (Lean: T7_doubly_exponential) guarantees collapse\n"]
    parts += [tables.guarantee_table(found, constants)]
    for key, collapse in found.items():
        if key in constants:
            parts += [f"## Bounds on pure attention: {collapse.title}\n", tables.bounds_table(collapse)]
    parts += ["## The bounds compounded from the embeddings on\n", tables.compounded_table(found)]
    parts += ["## The bridge on the heads of the full models\n", tables.bridge_table(found)]
    for collapse in found.values():
        parts += [f"## Products of head-averaged maps: {collapse.title}\n", tables.chains_table(collapse)]
    parts += ["## Which of Π κ and the floor explains it\n", tables.explanation_table(found), tables.conclusion(found)]
    for collapse in found.values():
        parts += [f"## Paths by length, full model: {collapse.title}\n", tables.deletions_table(collapse)]
    titles = {
        "digits": "Many digits: log10 ρ of pure attention, MiniLM",
        "sampled": "Sampled paths: attention with skips, MiniLM",
        "gaps": "Gaps of the published argument",
        "search": "The paper's bounds on random layers (log10 measured / bound)",
    }
    for name, title in titles.items():
        parts += [f"## {title}\n", tables.plain_table(checks[name])]
    return "\n".join(parts)


def _limit_threads(threads: int) -> None:
    import torch

    torch.set_num_threads(threads)


if __name__ == "__main__":
    run_main(__file__, main)
