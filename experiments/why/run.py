"""Why layers attain the bound or not: sides, tokens, slack, the chain, residual weights, heads, and a decoder."""

from typing import Any

from chain import chain_rows, chain_table
from failing import failing_rows, failing_table, slack_table
from figure import draw
from heads import head_rows, head_table
from weights import weight_rows, weight_table

from dobrushin.experiments import Experiment, run_main, write_figure, write_table
from dobrushin.experiments.surveys import Surveyed, survey_into
from dobrushin.files import write_atomically


def main(experiment: Experiment) -> None:
    """Survey every model in every way and write one table for each question."""
    failing, weights, chain, heads = [], [], [], []
    means: dict[str, Surveyed] = {}
    for options in experiment.config["models"]:
        model = options["model"]
        means[model] = survey_into(experiment, f"{model}-mean", tokens=("content", "all"), **options)
        others = {alpha: _with_weight(experiment, options, alpha) for alpha in experiment.config["alphas"]}
        each = survey_into(experiment, f"{model}-heads", tokens=("content",), heads="each", **options)
        failing += failing_rows(model, means[model])
        weights += weight_rows(model, {"1/2": means[model], **others})
        chain += chain_rows(model, means[model])
        heads += head_rows(model, means[model], each)
    tables = {"failing": failing, "weights": weights, "chain": chain, "heads": heads}
    for name, rows in tables.items():
        write_table(experiment.out / f"{name}.parquet", rows)
    write_atomically(experiment.out / "results.md", _markdown(experiment, tables, means))
    write_figure(experiment.out / "figure.png", draw(chain, heads, means))


def _with_weight(experiment: Experiment, options: dict[str, Any], alpha: str) -> Surveyed:
    name = f"{options['model']}-alpha-{alpha.replace('/', '-')}"
    return survey_into(experiment, name, tokens=("content", "all"), alpha=alpha, chain=False, **options)


def _markdown(experiment: Experiment, tables: dict[str, list[dict[str, Any]]], means: dict[str, Surveyed]) -> str:
    inputs = ", ".join(f"{m['model']} on {m['limit']} of {m['inputs']}" for m in experiment.config["models"])
    parts = [
        f"{'Quick' if experiment.quick else 'Full'} form: {inputs}.",
        f"## Which comparison fails\n\n{failing_table(tables['failing'])}",
        f"## Slack, relative to the bound\n\n{slack_table(means)}",
        f"## The chain of bounds, whole model (medians)\n\n{chain_table(tables['chain'])}",
        f"## Residual weights\n\n{weight_table(tables['weights'])}",
        f"## Heads one by one (content tokens)\n\n{head_table(tables['heads'])}",
    ]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


if __name__ == "__main__":
    run_main(__file__, main)
