"""Interleaved timing: the methods take turns, and the median counts, so that a busy moment hits them all."""

import statistics
import time
from collections.abc import Callable

Method = Callable[[], object]

_SAMPLE = 0.002  # a shorter call is repeated to fill so many seconds, for all methods alike


def interleaved(methods: dict[str, Method], *, budget: float, most: int = 41) -> dict[str, float]:
    """Median seconds of a call of each method, after two calls to warm up.

    Args:
        methods: what to time.
        budget: seconds for each method; one sample at least, and three if a call takes no more than the budget.
        most: at most so many samples.
    """
    first = {name: min(seconds(method, 1), seconds(method, 1)) for name, method in methods.items()}
    calls = {name: max(1, round(_SAMPLE / t)) for name, t in first.items()}
    turns = {
        name: max(3 if t <= budget else 1, min(most, int(budget / (calls[name] * t)))) for name, t in first.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in methods}
    for turn in range(max(turns.values())):
        for name, method in methods.items():
            if turn < turns[name]:
                samples[name].append(seconds(method, calls[name]))
    return {name: statistics.median(times) for name, times in samples.items()}


def seconds(method: Method, calls: int = 1) -> float:
    """Seconds for one of so many calls in a row."""
    start = time.perf_counter()
    for _ in range(calls):
        method()
    return (time.perf_counter() - start) / calls
