"""Surveys as parts of an experiment: run (or finished earlier), then read back by columns."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dobrushin.experiments.command import Experiment
from dobrushin.experiments.intervals import Share, share_of
from dobrushin.experiments.results import read_table

if TYPE_CHECKING:
    from dobrushin.survey.events import Event

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
    from dobrushin.survey import run

    folder = experiment.work / name
    experiment.say(f"survey {name}: {options['model']} on {options['inputs']}")
    # Processes, because results do not depend on how many there are, as they would on a model's threads.
    run(out=folder, workers=experiment.threads, threads=1, on_event=_Telling(experiment), **options)
    chain = folder / "chain.parquet"
    return Surveyed(folder, read_table(folder / "verdicts.parquet"), read_table(chain) if chain.exists() else [])


class _Telling:
    """Passes a survey's progress on, at most every 20 seconds."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._last = time.monotonic()

    def __call__(self, event: "Event") -> None:
        """Say how far it is."""
        if time.monotonic() - self._last > 20:
            self._last = time.monotonic()
            self._experiment.say(event.line())


def count_by(rows: Sequence[Row], key: Callable[[Row], Any]) -> dict[Any, int]:
    """How many rows have each key, most first."""
    counts: dict[Any, int] = {}
    for row in rows:
        counts[key(row)] = counts.get(key(row), 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))))


def _fits(row: Row, where: dict[str, Any]) -> bool:
    return all(row[column] == value for column, value in where.items())
