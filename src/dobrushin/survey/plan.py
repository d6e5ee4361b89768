"""Units of work: runs of consecutive inputs, each of which becomes one part, and the shards that share them."""

import re
from dataclasses import dataclass

from dobrushin.errors import InputError


@dataclass(frozen=True)
class Shard:
    """Shard ``index`` of ``count``, from 1; it has the units that are ``index − 1`` modulo ``count``."""

    index: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise InputError(f"there is no shard {self.index}/{self.count}: the first of N is 1/N, the last N/N")

    def __str__(self) -> str:
        """As ``--shard`` takes it."""
        return f"{self.index}/{self.count}"


def parse_shard(text: str) -> Shard:
    """The shard that ``i/N`` names.

    >>> parse_shard("2/7")
    Shard(index=2, count=7)
    """
    match = re.fullmatch(r"(\d+)/(\d+)", text.strip())
    if match is None:
        raise InputError(f"{text!r} is no shard: write i/N, e.g. 2/7 for the second of seven")
    return Shard(int(match[1]), int(match[2]))


@dataclass(frozen=True)
class Plan:
    """All units of a survey of ``inputs`` inputs, ``part_size`` in each but perhaps the last."""

    inputs: int
    part_size: int

    @property
    def units(self) -> int:
        """How many units there are."""
        return -(-self.inputs // self.part_size)

    def positions(self, unit: int) -> range:
        """The inputs of a unit.

        >>> Plan(10, 4).positions(2)
        range(8, 10)
        """
        return range(unit * self.part_size, min(self.inputs, (unit + 1) * self.part_size))

    def of_shard(self, shard: Shard) -> range:
        """The units of a shard.

        >>> list(Plan(10, 2).of_shard(Shard(2, 3)))
        [1, 4]
        """
        return range(shard.index - 1, self.units, shard.count)
