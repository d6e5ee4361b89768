"""Two workers and a progress display; the same results in the same order as without them."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dobrushin.crosscheck.faults import named, seeded

Task = TypeVar("Task")
Result = TypeVar("Result")

_open = ExitStack()  # keeps a seeded fault in place for the life of a worker


def progress_display() -> Progress:
    """The progress display, on standard error."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def run(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    workers: int,
    progress: Progress,
    description: str,
    fault: str | None = None,
) -> Iterator[Result]:
    """Results in the order of the tasks; ``workers`` below 2 runs them in this process.

    ``fault`` names the fault that this run has been told to seed: other processes must seed it again.
    """
    bar = progress.add_task(description, total=len(tasks))
    if workers < 2:
        for task in tasks:
            yield function(task)
            progress.advance(bar)
        return
    context = multiprocessing.get_context("spawn")  # forking beside the display's thread is not safe
    with context.Pool(workers, initializer=_prepare, initargs=(fault,)) as pool:
        for result in pool.imap(function, tasks):
            yield result
            progress.advance(bar)


def _prepare(fault: str | None) -> None:
    if fault is not None:
        _open.enter_context(seeded(named(fault)))
