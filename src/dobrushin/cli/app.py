"""The application: what every command shares, and how errors become one sentence and an exit code."""

from typing import Annotated

import typer

from dobrushin import __version__
from dobrushin.errors import DobrushinError, IncompleteError, InputError
from dobrushin.terminal import survive_any_encoding, write, write_error

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="The Dobrushin coefficient of attention, exactly.",
)


def main() -> None:
    """Run the command; a known error becomes one sentence and its exit code."""
    survive_any_encoding()
    try:
        code = app(standalone_mode=False)
    except DobrushinError as error:
        write_error(str(error))
        raise SystemExit(error.exit_code) from None
    except MemoryError:
        write_error("the memory does not suffice: take smaller inputs or batches, or fewer workers")
        raise SystemExit(IncompleteError.exit_code) from None
    except OSError as error:
        where = "a file" if error.filename is None else str(error.filename)
        write_error(f"{where} can not be read or written: {error.strerror or error}; correct that, or name another")
        raise SystemExit(InputError.exit_code) from None
    except Exception as error:
        # A usage error: Typer carries its own copy of click, so it is known by its methods.
        if not hasattr(error, "format_message"):
            raise
        write_error(error.format_message())
        raise SystemExit(2) from None
    raise SystemExit(code if isinstance(code, int) else 0)


def _print_version(wanted: bool) -> None:
    if wanted:
        write(f"dobrushin {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The Dobrushin coefficient of attention, exactly."""
