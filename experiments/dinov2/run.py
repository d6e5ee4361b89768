"""DINOv2 on real photographs: content tokens against all tokens, in every layer."""

import shutil
from typing import Any

from architectures import HUB, save_random

from dobrushin.errors import GateError
from dobrushin.experiments import Experiment, markdown_table, run_main, write_figure, write_table
from dobrushin.experiments.surveys import survey_into
from dobrushin.experiments.trained import layer_table, overall_table, rows_by_layer, survey_readings, trained_figure
from dobrushin.files import write_atomically


def main(experiment: Experiment) -> None:
    """Survey the packaged weights, prove the path of the others, and write the results."""
    config = experiment.config
    surveys = survey_readings(experiment, config["model"], limit=config["limit"] or None,
                              other_limit=config["other_limit"], inputs=config["inputs"],
                              batch_size=config["batch_size"])  # fmt: skip
    rows = rows_by_layer(config["model"], surveys)
    paths = [experiment.pieces.get(f"architecture {name}", lambda: _architecture(experiment, name))  # noqa: B023
             for name in config["architectures"]]  # fmt: skip
    write_table(experiment.out / "results.parquet", rows)
    count = max(row["maps"] for row in rows)
    form = "Quick" if experiment.quick else "Full"
    text = f"{form} form, {count} photographs (nothing is drawn, so there is no seed).\n\n"
    text += f"{overall_table(rows)}\n{layer_table(rows)}\n"
    text += "Random weights of the published architectures, to prove the path that a hub id takes:\n\n"
    text += markdown_table(("hub id", "layers", "patches", "tokens", "verdicts"), paths)
    write_atomically(experiment.out / "results.md", text)
    write_figure(experiment.out / "figure.png", trained_figure(rows))


def _architecture(experiment: Experiment, name: str) -> list[Any]:
    """Survey random weights; every layer of every photograph has to have its verdicts."""
    folder = experiment.work / "architectures" / name
    layers = save_random(name, folder)
    config = experiment.config
    count = config["architecture_photographs"]
    surveyed = survey_into(experiment, f"architecture-{name}", model=str(folder), inputs=config["inputs"], limit=count,
                           batch_size=1)  # fmt: skip
    shutil.rmtree(folder)
    verdicts = surveyed.decided()
    if len(verdicts) != 2 * layers * count:
        raise GateError(f"{name}: {len(verdicts)} verdicts, but {2 * layers * count} are needed")
    patches = {row["n"] for row in verdicts if row["tokens"] == "content"}
    tokens = {row["n"] for row in verdicts if row["tokens"] == "all"}
    return [HUB[name], layers, *patches, *tokens, len(verdicts)]


if __name__ == "__main__":
    run_main(__file__, main)
