"""Units as tasks of a Ray cluster; a node that dies is survived, for its tasks run again elsewhere.

The tables travel to the process that started the survey, which alone writes.  Models and inputs that are files have
to be at the same path on every node; packaged ones are fetched by each node.
"""

import logging
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from typing import Any, TextIO, cast

from dobrushin.errors import IncompleteError, InputError
from dobrushin.survey.configuration import Configuration
from dobrushin.survey.store import PartTables
from dobrushin.survey.unit import Session, worker_session

RETRIES = 5
"""How often a task is tried again after its node or worker died."""


class RayCluster:
    """Runs units on the Ray cluster at ``address``; None starts one on this machine."""

    def __init__(self, session: Session, address: str | None) -> None:
        self._configuration = session.configuration
        self._identity = session.identity
        self._address = address

    def tables(self, units: Sequence[int]) -> Iterator[tuple[int, PartTables]]:
        """As :class:`~dobrushin.survey.engines.Engine`."""
        # Ray prints to standard output when a node dies: from a thread of its own, and once more when it is left.
        with redirect_stdout(cast(TextIO, _OfThisThread(sys.stdout))):
            yield from self._tables(units)

    def _tables(self, units: Sequence[int]) -> Iterator[tuple[int, PartTables]]:
        ray = _connected(self._address)
        running: dict[Any, int] = {}
        try:
            task = ray.remote(num_cpus=self._configuration.threads, max_retries=RETRIES)(_run)
            running = {task.remote(self._configuration.to_json(), self._identity, unit): unit for unit in units}
            while running:
                ready, _ = ray.wait(list(running), num_returns=1)
                yield running.pop(ready[0]), _result(ray, ready[0])
        finally:
            with suppress(Exception):  # what is running is given up; the cluster may be gone
                for reference in running:
                    ray.cancel(reference, force=True)
            with redirect_stdout(sys.stderr):
                ray.shutdown()


class _OfThisThread:
    """A stream for the thread that made it; what others print goes to standard error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        """Write where it belongs."""
        return (self._stream if threading.get_ident() == self._thread else sys.stderr).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _connected(address: str | None) -> Any:
    try:
        import ray
    except ModuleNotFoundError as error:
        raise InputError("ray is not installed, and --engine ray needs it: pip install 'dobrushin[cluster]'") from error
    try:
        _refuse_silence(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"there is no Ray cluster to be reached at {address or 'this machine'} ({reason}): start one with "
            "ray start --head, and name its address"
        ) from error
    return ray


def _refuse_silence(address: str | None) -> None:
    """Ray itself waits for minutes when nothing answers at ``HOST:PORT``."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=10).close()


def _result(ray: Any, reference: Any) -> PartTables:
    try:
        tables: PartTables = ray.get(reference)
        return tables
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, Exception):
            raise cause from error
        raise
    except ray.exceptions.RayError as error:
        raise IncompleteError(
            f"the Ray cluster lost a task {RETRIES + 1} times ({type(error).__name__}): finished parts are kept, and "
            "the same command goes on"
        ) from error


def _run(options: dict[str, Any], identity: str, unit: int) -> PartTables:
    return worker_session(Configuration.from_json(options), identity).run(unit)
