"""Trained text encoders on real sentences: content words against all tokens, in every layer."""

from typing import Any

from dobrushin.experiments import Experiment, run_main, write_figure, write_table
from dobrushin.experiments.trained import layer_table, overall_table, rows_by_layer, survey_readings, trained_figure
from dobrushin.files import write_atomically


def main(experiment: Experiment) -> None:
    """Survey every model under every reading and write the results."""
    config = experiment.config
    rows: list[dict[str, Any]] = []
    for model in config["models"]:
        surveys = survey_readings(experiment, model, limit=config["limit"], other_limit=config["other_limit"],
                                  inputs=config["inputs"], batch_size=config["batch_size"])  # fmt: skip
        rows += rows_by_layer(model, surveys)
    write_table(experiment.out / "results.parquet", rows)
    form = "Quick" if experiment.quick else "Full"
    sample = f"the first {config['limit']:,} sentences of the packaged reviews, which come in the order of seed 0"
    text = f"{form} form, {sample}.\n\n{overall_table(rows)}\n{layer_table(rows)}"
    write_atomically(experiment.out / "results.md", text)
    write_figure(experiment.out / "figure.png", trained_figure(rows))


if __name__ == "__main__":
    run_main(__file__, main)
