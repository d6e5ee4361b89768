"""What a running survey says of itself: events for machines, and lines with rate and time left for people."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened.

    Attributes:
        event: ``started``, ``part`` (one is finished), ``finished`` or ``interrupted``.
        out: the survey's folder.
        parts: of this shard, all together.
        parts_done: those that are finished, in earlier runs too.
        inputs: of this shard, all together.
        inputs_done: those in finished parts.
        unit: the part that was finished.
        rows: verdicts in it; in all parts of the merged file for ``finished``.
        seconds: since this run started.
        inputs_per_second: of this run.
        seconds_left: at this rate; None before the first part.
    """

    event: Literal["started", "part", "finished", "interrupted"]
    out: str
    parts: int
    parts_done: int
    inputs: int
    inputs_done: int
    unit: int | None = None
    rows: int | None = None
    seconds: float = 0.0
    inputs_per_second: float | None = None
    seconds_left: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields that are known."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    def line(self) -> str:
        """One line for people."""
        done = f"{self.inputs_done}/{self.inputs} inputs, {self.parts_done}/{self.parts} parts"
        if self.event == "part" and self.inputs_per_second and self.seconds_left is not None:
            return f"{done}; {_rate(self.inputs_per_second)} inputs/s, {_duration(self.seconds_left)} left"
        if self.event == "finished":
            return f"{done} in {_duration(self.seconds)}"
        return done


OnEvent = Callable[[Event], None]


class Meter:
    """Counts finished parts of a run and makes events of them."""

    def __init__(self, out: str, sizes: dict[int, int], finished: list[int]) -> None:
        self._out = out
        self._sizes = sizes
        self._before = sum(sizes[unit] for unit in finished)
        self._done = set(finished)
        self._started = time.monotonic()

    def event(self, name: Literal["started", "part", "finished", "interrupted"], **more: Any) -> Event:
        """An event of now."""
        if name == "part":
            self._done.add(more["unit"])
        seconds = time.monotonic() - self._started
        total = sum(self._sizes.values())
        done = sum(self._sizes[unit] for unit in self._done)
        rate = (done - self._before) / seconds if done > self._before and seconds > 0 else None
        return Event(
            event=name,
            out=self._out,
            parts=len(self._sizes),
            parts_done=len(self._done),
            inputs=total,
            inputs_done=done,
            seconds=round(seconds, 3),
            inputs_per_second=rate,
            seconds_left=None if rate is None else round((total - done) / rate, 1),
            **more,
        )


def _rate(value: float) -> str:
    """Two digits, or all before the point.

    >>> _rate(0.1234), _rate(57.4), _rate(1234.5)
    ('0.12', '57', '1234')
    """
    return f"{value:.2g}" if value < 99 else f"{value:.0f}"


def _duration(seconds: float) -> str:
    """As minutes and seconds.

    >>> _duration(61.4), _duration(3.2), _duration(7322)
    ('1 min 01 s', '3 s', '2 h 02 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
