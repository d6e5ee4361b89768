"""Surveys as parts of an experiment: run (or finished earlier), then read back by columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from dobrushin.experiments.command import Experiment
from dobrushin.experiments.intervals import Share, share_of
from dobrushin.experiments.results import read_table

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Surveyed:
    """What a survey found: rows of ``verdicts.parquet`` and of ``chain.parquet``."""

    folder: Path
    verdicts: list[Row]
    chain: list[Row]

    def decided(self, **where: Any) -> list[Row]:
        """The rows with a verdict in which the given columns have the given values."""
        return [row for row in self.verdicts if row["tight"] is not None and _fits(row, where)]

    def share(self, **where: Any) -> Share:
        """The share tight among them."""
        rows = self.decided(**where)
        return share_of(sum(row["tight"] for row in rows), len(rows))

    @property
    def layers(self) -> list[int]:
        """The layers that have verdicts."""
        return sorted({row["layer"] for row in self.decided()})


def survey_into(experiment: Experiment, name: str, **options: Any) -> Surveyed:
    """Run the survey with these options into ``work/NAME``, or go on with it, and read it back."""
    run: Any = import_module("dobrushin.survey").run  # imported late: a survey brings torch
    folder = experiment.work / name
    experiment.say(f"survey {name}: {options['model']} on {options['inputs']}")
    run(out=folder, threads=experiment.threads, **options)
    return Surveyed(folder, read_table(folder / "verdicts.parquet"), read_table(folder / "chain.parquet"))


def count_by(rows: Sequence[Row], key: Callable[[Row], Any]) -> dict[Any, int]:
    """How many rows have each key, most first."""
    counts: dict[Any, int] = {}
    for row in rows:
        counts[key(row)] = counts.get(key(row), 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))))


def _fits(row: Row, where: dict[str, Any]) -> bool:
    return all(row[column] == value for column, value in where.items())
