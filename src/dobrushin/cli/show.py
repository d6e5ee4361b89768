"""``dobrushin show``: a survey, a file of verdicts or a file of maps, in the terminal."""

import json
from pathlib import Path
from typing import Annotated

import typer

from dobrushin.cli.app import app
from dobrushin.errors import InputError
from dobrushin.progress import require_extra
from dobrushin.terminal import terminal_width, write, write_tables

_MAPS = (".npy", ".npz", ".safetensors")


@app.command("show")
def show(
    path: Annotated[
        Path,
        typer.Argument(
            help="A survey's folder, its verdicts.parquet, or maps (.npy, .npz, .safetensors).", metavar="FILE|DIR"
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what a survey found, by layer: shares tight with intervals, κ, slack, pairs, and the chain of bounds.

    A file of maps is checked first, as `dobrushin check` does it.
    """  # fmt: skip
    if path.suffix in _MAPS and path.is_file():
        from dobrushin.cli.check import check_file

        check_file(path, as_json=as_json)
        return
    if path.is_file() and path.suffix != ".parquet":
        raise InputError(f"{path} can not be shown: name a survey's folder, a .parquet file of it, or a file of maps "
                         f"({', '.join(_MAPS)})")  # fmt: skip
    require_extra("survey", "pyarrow")
    from dobrushin.report.run import read_run
    from dobrushin.report.summary import run_summary
    from dobrushin.report.terminal import run_tables

    run = read_run(path)
    if as_json:
        write(json.dumps(run_summary(run), allow_nan=False))
        return
    write_tables(run_tables(run, terminal_width()))
