"""Worker processes and a progress display; the same results in the same order as without them."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dobrushin.crosscheck.fault_table import named
from dobrushin.crosscheck.faults import seeded

Task = TypeVar("Task")
Result = TypeVar("Result")

_open = ExitStack()  # in a worker, keeps a seeded fault in place for its whole life


class Workers:
    """Runs tasks in ``count`` processes (in this one when it is below 2), with progress on standard error.

    ``fault`` names the fault that this run has been told to seed: other processes have to seed it again.
    """

    def __init__(self, count: int, *, fault: str | None = None) -> None:
        self._count, self._fault = count, fault
        self._console = Console(stderr=True)
        self._resources = ExitStack()

    def __enter__(self) -> Self:
        self._progress = self._resources.enter_context(_progress_display(self._console))
        if self._count > 1:
            context = multiprocessing.get_context("spawn")  # forking beside the display's thread is not safe
            pool = context.Pool(self._count, initializer=_prepare, initargs=(self._fault,))
            self._pool = self._resources.enter_context(pool)
        return self

    def __exit__(self, *error: object) -> None:
        self._resources.close()

    def run(self, function: Callable[[Task], Result], tasks: Sequence[Task], *, description: str) -> Iterator[Result]:
        """Results in the order of the tasks."""
        if not self._console.is_terminal:  # a log wants lines, not a bar
            self._console.print(f"{description}: {len(tasks)} tasks …", markup=False, highlight=False)
        bar = self._progress.add_task(description, total=len(tasks))
        results = self._pool.imap(function, tasks) if self._count > 1 else map(function, tasks)
        for result in results:
            yield result
            self._progress.advance(bar)


def _progress_display(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _prepare(fault: str | None) -> None:
    if fault is not None:
        _open.enter_context(seeded(named(fault)))
