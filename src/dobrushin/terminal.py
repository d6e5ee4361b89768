"""What the command writes: results to standard output, one sentence for an error to standard error."""

import io
import os
import shutil
import sys
from collections.abc import Iterable

import typer
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table

from dobrushin.errors import InputError

_ELSEWHERE = 120


def write(text: str) -> None:
    """Write a line (or several) to standard output at once.

    A reader that has gone away (``| head``) ends the command quietly.

    Raises:
        InputError: standard output is closed, or can not be written to.
    """
    if sys.stdout is None:
        raise InputError("standard output is closed, so there is nowhere to print the result")
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(f"the result can not be printed: {error.strerror or error}") from None


def terminal_width() -> int:
    """Columns of the terminal that standard output goes to; 120 when it goes elsewhere, unless COLUMNS says so."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if terminal or "COLUMNS" in os.environ else _ELSEWHERE


def write_table(table: Table) -> None:
    """Write a table as wide as it needs to be: a narrow terminal wraps it, but no number is cut off."""
    write_tables([table])


def write_tables(parts: Iterable[RenderableType]) -> None:
    """Write tables and lines one below the other: tables as wide as they need, lines wrapped to the terminal."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    console = Console(file=io.StringIO(), force_terminal=terminal, record=False, highlight=False)
    assert isinstance(console.file, io.StringIO)
    for part in parts:
        width = terminal_width()
        if isinstance(part, Table):
            measuring = Console(width=10_000, file=io.StringIO())
            needed = Measurement.get(measuring, measuring.options, part).maximum
            width = max(needed, width if terminal else 0)
        console.width = width
        console.print(part)
    write("\n".join(line.rstrip() for line in console.file.getvalue().rstrip("\n").split("\n")))


def write_error(message: str) -> None:
    """Write ``error:`` and the message to standard error, on one line whatever names are in it."""
    if sys.stderr is not None:
        line = "".join(character if character.isprintable() else repr(character)[1:-1] for character in message)
        write_note(f"error: {line}")


def write_note(line: str) -> None:
    """Write a line to standard error, when there is somebody to read it: no work is given up for a remark."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def survive_any_encoding() -> None:
    """Escape what the streams' encoding lacks instead of failing on a Greek letter or a file name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
