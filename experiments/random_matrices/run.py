"""How often random stochastic matrices attain the bound, by size and family."""

from typing import Any

from families import Family, banded, causal, diagonal, dirichlet, gaussian_softmax, head_averaged, sink
from figure import draw
from measure import counts

from dobrushin.experiments import Experiment, markdown_table, run_main, share_of, write_figure, write_table
from dobrushin.files import write_atomically


def main(experiment: Experiment) -> None:
    """Measure every family and write the results."""
    rows = [_measure(experiment, family, matrices) for family, matrices in plan(experiment.config)]
    write_table(experiment.out / "results.parquet", rows)
    write_atomically(experiment.out / "results.md", _markdown(rows, experiment))
    write_figure(experiment.out / "figure.png", draw(rows))


def plan(config: dict[str, Any]) -> list[tuple[Family, int]]:
    """Every family and how many matrices of it."""
    others = config["others"]
    found = [(dirichlet(int(n)), matrices) for n, matrices in config["dirichlet"].items()]
    more = [gaussian_softmax(n, t) for n in others["temperature_n"] for t in others["temperatures"]]
    more += [biased(n, boost) for biased in (diagonal, sink) for n in others["biased_n"] for boost in others["boosts"]]
    more += [causal(n) for n in others["causal_n"]]
    more += [banded(others["banded_n"], band) for band in others["bands"]]
    more += [head_averaged(n, heads) for n in others["averaged_n"] for heads in others["heads"]]
    return found + [(family, others["matrices"]) for family in more]


def _measure(experiment: Experiment, family: Family, matrices: int) -> dict[str, Any]:
    config = experiment.config
    found = experiment.pieces.get(
        family.key,
        lambda: counts(family, matrices, seed=config["seed"], chunk=config["chunk"], threads=experiment.threads),
    )
    share = share_of(found["tight"], found["matrices"])
    experiment.say(f"{family.key}: {share} of {matrices}")
    error = None if found["conditional"] is None else found["conditional_sd"] / found["matrices"] ** 0.5
    return {"family": family.name, "n": family.n, "parameter": family.parameter, "matrices": matrices,
            "tight": found["tight"], "share": share.value, "low": share.low, "high": share.high,
            "conditional_share": found["conditional"], "conditional_standard_error": error,
            "one_side_fails": found["one_side"], "both_sides_fail": found["no_side"], "mean_kappa": found["kappa"],
            "seed": config["seed"]}  # fmt: skip


def _markdown(rows: list[dict[str, Any]], experiment: Experiment) -> str:
    header = ("family", "n", "parameter", "matrices", "share tight [95%]", "by permuting columns", "mean κ")
    body = [
        (
            row["family"],
            row["n"],
            "" if row["parameter"] is None else f"{row['parameter']:g}",
            f"{row['matrices']:,}",
            share_of(row["tight"], row["matrices"]),
            _conditional(row),
            f"{row['mean_kappa']:.3f}",
        )
        for row in rows
    ]
    form = "quick form" if experiment.quick else "full form"
    return f"Seed {experiment.config['seed']}, {form}.\n\n" + markdown_table(header, body)


def _conditional(row: dict[str, Any]) -> str:
    if row["conditional_share"] is None:
        return "–"
    return f"{row['conditional_share']:.5f} ± {row['conditional_standard_error']:.5f}"


if __name__ == "__main__":
    run_main(__file__, main)
