"""``dobrushin report``: a page and figures of surveys and of rank collapse."""

from pathlib import Path
from typing import Annotated

import typer

from dobrushin.cli.app import app
from dobrushin.progress import require_extra
from dobrushin.terminal import write


@app.command("report")
def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            help="Folders that dobrushin survey or dobrushin collapse wrote, of one kind or both.", metavar="DIR..."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the page and the figures.")] = Path("report"),
    title: Annotated[
        str | None, typer.Option(help="Heading of the page.", show_default="says what it is about")
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, help="For images: at most so many pictures, tight and not tight each, per survey.")
    ] = 3,
) -> None:
    """Write one self-contained HTML page, and every figure as PNG and SVG, about surveys and rank collapse.

    Pictures are reopened where the survey found them, and left out with a reason when they are not there.
    """
    require_extra("survey", "pyarrow", "matplotlib", "jinja2", "PIL")
    from dobrushin.report.results import read_results
    from dobrushin.report.write import write_report

    found = read_results(folders)
    files = write_report(found.surveys, out, collapses=found.collapses, title=title, examples=examples)
    for run in found.surveys:
        write(f"{run.headline()}{'' if run.complete else ' (incomplete)'}.")
    for collapse in found.collapses:
        write(f"{collapse.headline()}.")
    write(f"Written: {files[0]}, and {len(files) - 1} figures in {out / 'figures'}")
