"""Several trainings at a time, each in a process of its own."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from dobrushin.experiments.command import Experiment
from dobrushin.threads import end_with_the_parent


def run_all(experiment: Experiment, train: Callable[..., object], runs: Sequence[tuple[Any, ...]]) -> None:
    """Call ``train(experiment, *run)`` for every run, as many at a time as the experiment has threads.

    Each process computes on one thread, so that no number depends on how many run side by side.

    Raises:
        DobrushinError: what stopped a training, whose saved state stays.
    """
    workers = min(experiment.threads, len(runs))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin) as pool:
        for started in [pool.submit(train, experiment, *run) for run in runs]:
            started.result()


def _begin() -> None:
    """An interrupt, or the end of the parent, ends a worker at once: the state on disk is whole at every moment."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_the_parent()
