"""Threads for work that releases the GIL; they are kept, and with them their buffers."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from dobrushin.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(function: Callable[[Item], Result], items: Iterable[Item], threads: int | None) -> list[Result]:
    """The results in order; ``threads=None`` takes the cores that this process may use.

    An exception of the earliest item that has one is raised.
    """
    count = len(os.sched_getaffinity(0)) if threads is None and hasattr(os, "sched_getaffinity") else threads
    count = (os.cpu_count() or 1) if count is None else count
    if count < 1:
        raise InputError(f"the number of threads is {count}, but it has to be at least 1")
    if count == 1:
        return [function(item) for item in items]
    return list(_pool(count, os.getpid()).map(function, items))


@cache
def _pool(count: int, process: int) -> ThreadPoolExecutor:  # noqa: ARG001  # a forked process has no threads of its own
    return ThreadPoolExecutor(count, thread_name_prefix="dobrushin")
