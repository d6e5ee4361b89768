"""Interleaved timing: the methods take turns, and the median counts, so that a busy moment hits them all."""

import statistics
import time
from collections.abc import Callable

Method = Callable[[], object]


def interleaved(methods: dict[str, Method], *, budget: float, most: int = 41) -> dict[str, float]:
    """Median seconds of each method; each runs once to warm up, then in turns until its share of the budget is spent.

    Args:
        methods: what to time.
        budget: seconds for each method, but at least one timed run, and three where they fit ten times the budget.
        most: at most so many runs.
    """
    first = {name: _seconds(method) for name, method in methods.items()}
    runs = {name: max(1 if t > 3 * budget else 3, min(most, int(budget / max(t, 1e-7)))) for name, t in first.items()}
    samples: dict[str, list[float]] = {name: [] for name in methods}
    for turn in range(max(runs.values())):
        for name, method in methods.items():
            if turn < runs[name]:
                samples[name].append(_seconds(method))
    return {name: statistics.median(times) for name, times in samples.items()}


def _seconds(method: Method) -> float:
    start = time.perf_counter()
    method()
    return time.perf_counter() - start
