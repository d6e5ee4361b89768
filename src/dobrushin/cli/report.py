"""``dobrushin report``: a page and figures of surveys."""

from pathlib import Path
from typing import Annotated

import typer

from dobrushin.cli.app import app
from dobrushin.progress import require_extra
from dobrushin.terminal import write


@app.command("report")
def report(
    surveys: Annotated[list[Path], typer.Argument(help="Folders that dobrushin survey wrote.", metavar="DIR...")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the page and the figures.")] = Path("report"),
    title: Annotated[
        str | None, typer.Option(help="Heading of the page.", show_default="says what it is about")
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, help="For images: at most so many pictures, tight and not tight each, per survey.")
    ] = 3,
) -> None:
    """Write one self-contained HTML page, and every figure as PNG and SVG, about one survey or several.

    Pictures are reopened where the survey found them, and left out with a reason when they are not there.
    """
    require_extra("survey", "pyarrow", "matplotlib", "jinja2", "PIL")
    from dobrushin.report.page import TITLE
    from dobrushin.report.run import read_runs
    from dobrushin.report.write import write_report

    runs = read_runs(surveys)
    files = write_report(runs, out, title=title or TITLE, examples=examples)
    for run in runs:
        write(f"{run.headline()}{'' if run.complete else ' (incomplete)'}.")
    write(f"Written: {files[0]}, and {len(files) - 1} figures in {out / 'figures'}")
