"""Threads for work that releases the GIL, which are kept with their buffers; and processes that do not outlive us."""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import TypeVar

from dobrushin.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")


def usable_threads(threads: int | None) -> int:
    """The number asked for, or the cores that this process may use; :class:`InputError` when it is below 1."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"the number of threads is {threads}, but it has to be at least 1")
    return threads


def map_in_threads(function: Callable[[Item], Result], items: Iterable[Item], threads: int | None) -> list[Result]:
    """The results in order; ``threads=None`` takes the cores that this process may use.

    An exception of the earliest item that has one is raised.
    """
    count = usable_threads(threads)
    if count == 1:
        return [function(item) for item in items]
    return list(_pool(count, os.getpid()).map(function, items))


@cache
def _pool(count: int, process: int) -> ThreadPoolExecutor:  # noqa: ARG001  # a forked process has no threads of its own
    return ThreadPoolExecutor(count, thread_name_prefix="dobrushin")


def end_with_the_parent() -> None:
    """End this process as soon as the one that started it has ended, also when that was killed; call it once."""
    threading.Thread(target=_wait_for_the_end_of_the_parent, daemon=True).start()


def _wait_for_the_end_of_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
