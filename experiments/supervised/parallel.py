"""Several trainings at a time, each in a process of its own."""

import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from training import Run, train

from dobrushin.experiments import Experiment


def train_all(experiment: Experiment, runs: Sequence[Run]) -> None:
    """Train every run to the end, as many at a time as the experiment has threads.

    Raises:
        DobrushinError: what stopped a training, whose saved state stays.
    """
    workers = min(experiment.threads, len(runs))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_die_quietly) as pool:
        for started in [pool.submit(train, experiment, run) for run in runs]:
            started.result()


def _die_quietly() -> None:
    """An interrupt ends a worker at once: the state on disk is whole at every moment."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
