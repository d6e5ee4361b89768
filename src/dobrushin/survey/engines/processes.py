"""Processes on this machine, each with the model and the inputs of its own; one worker is this process itself."""

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from dobrushin.errors import IncompleteError
from dobrushin.survey.configuration import Configuration
from dobrushin.survey.store import PartTables
from dobrushin.survey.unit import Session, worker_session
from dobrushin.threads import end_with_the_parent


class InThisProcess:
    """One unit after the other, here."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def tables(self, units: Sequence[int]) -> Iterator[tuple[int, PartTables]]:
        """As :class:`~dobrushin.survey.engines.Engine`."""
        for unit in units:
            yield unit, self._session.run(unit)


class Processes:
    """``workers`` processes; a worker that dies ends the run, and what is finished is kept."""

    def __init__(self, session: Session, workers: int) -> None:
        self._configuration = session.configuration
        self._identity = session.identity
        self._workers = workers

    def tables(self, units: Sequence[int]) -> Iterator[tuple[int, PartTables]]:
        """As :class:`~dobrushin.survey.engines.Engine`."""
        # Spawned, not forked: torch and numba have threads, which a forked process has not.
        pool = ProcessPoolExecutor(
            min(self._workers, len(units)) or 1,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
        )
        try:
            running = {pool.submit(_run, self._configuration, self._identity, unit): unit for unit in units}
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        except BrokenProcessPool as error:
            raise IncompleteError(
                "a worker process died (killed, or out of memory): finished parts are kept, and the same command goes "
                "on; with less memory, use --workers 1 or a smaller --batch-size"
            ) from error
        finally:
            _stop(pool)


def _begin() -> None:
    """Ctrl-C is the first process's to handle; when that ends, by whatever signal, nobody waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_the_parent()


def _run(configuration: Configuration, identity: str, unit: int) -> PartTables:
    return worker_session(configuration, identity).run(unit)


def _stop(pool: ProcessPoolExecutor) -> None:
    """Stop at once: a unit that is not finished is worth nothing."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)
