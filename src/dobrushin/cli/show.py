"""``dobrushin show``: a survey, rank collapse, a file of verdicts or a file of maps, in the terminal."""

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
            help="A folder of dobrushin survey or dobrushin collapse, verdicts.parquet, or maps (.npy, .npz, "
            ".safetensors).",
            metavar="FILE|DIR",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what a survey found, by layer: shares tight with intervals, κ, slack, pairs, and the chain of bounds.

    Of rank collapse: residuals and rates with parts of the model switched off, bounds, sums over paths, and which bound
    explains what is seen. A file of maps is checked first, as `dobrushin check` does it.
    """  # fmt: skip
    if path.suffix in _MAPS and path.is_file():
        from dobrushin.cli.check import check_file

        check_file(path, as_json=as_json)
        return
    if path.is_file() and path.suffix != ".parquet":
        raise InputError(f"{path} can not be shown: name a survey's folder, a .parquet file of it, or a file of maps "
                         f"({', '.join(_MAPS)})")  # fmt: skip
    require_extra("survey", "pyarrow")
    from dobrushin.report.collapse.summary import collapse_summary
    from dobrushin.report.collapse.terminal import collapse_tables
    from dobrushin.report.results import read_result
    from dobrushin.report.run import Run
    from dobrushin.report.summary import run_summary
    from dobrushin.report.terminal import run_tables

    run = read_result(path)
    if as_json:
        summary = run_summary(run) if isinstance(run, Run) else collapse_summary(run)
        write(json.dumps(summary, allow_nan=False))
        return
    write_tables(run_tables(run, terminal_width()) if isinstance(run, Run) else collapse_tables(run))
