"""What the commands share: progress bars on standard error, and the check that an extra is installed."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from dobrushin.errors import InputError

Item = TypeVar("Item")


class Bars:
    """One bar for each named piece of work, made when it is first heard of."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}
        self.console = progress.console

    def advance_to(self, name: str, done: int, total: int) -> None:
        """Set the bar ``name`` to ``done`` of ``total``."""
        if name not in self._tasks:
            self._tasks[name] = self._progress.add_task(name, total=total)
        self._progress.update(self._tasks[name], completed=done)


@contextmanager
def bars(console: Console) -> Iterator[Bars]:
    """Show progress bars with the time taken and the time left while the block runs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=console) as progress:
        yield Bars(progress)


def counted(items: Iterable[Item], what: str, *, unit: str, quiet: bool = False) -> Iterator[Item]:
    """The items, with a bar that counts them on standard error when it is a terminal (their number is not known)."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), TextColumn("{task.completed} " + unit), TimeElapsedColumn())
    hidden = quiet or not console.is_terminal
    # Results go to standard output at the same time, and have to stay there.
    with Progress(*columns, console=console, transient=True, disable=hidden, redirect_stdout=False) as progress:
        task = progress.add_task(what, total=None)
        for item in items:
            progress.advance(task)
            yield item


def require_extra(extra: str, *modules: str) -> None:
    """Raise :class:`InputError` naming the extra when one of its modules is not installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise InputError(f"{missing[0]} is not installed, and this command needs it: pip install 'dobrushin[{extra}]'")
