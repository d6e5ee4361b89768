"""Engines run the units of a plan and hand their tables back as they are ready, in any order."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from dobrushin.survey.store import PartTables


class Engine(Protocol):
    """Runs units; leaving the iterator, also by an exception, stops all that is running."""

    def tables(self, units: Sequence[int]) -> Iterator[tuple[int, PartTables]]:
        """The tables of each unit, once, as they are ready."""
