"""``dobrushin collapse``: rank collapse of a model with parts switched off, its paths and its bounds."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from dobrushin.cli.app import app
from dobrushin.cli.survey import ModelOption
from dobrushin.progress import bars, require_extra
from dobrushin.terminal import write, write_tables


@app.command("collapse")
def collapse(
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the figure, the tables and the manifest.")],
    inputs: Annotated[
        str | None,
        typer.Option(
            help="A folder of images, a text file with one text a line, a .csv or .parquet file, or packaged data.",
            show_default="packaged ones",
        ),
    ] = None,
    column: Annotated[str | None, typer.Option(help="The column that holds the texts.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many inputs.")] = 8,
    max_tokens: Annotated[int, typer.Option(min=1, help="Texts are cut off after so many tokens.")] = 128,
    size: Annotated[
        int | None, typer.Option(min=1, help="Side of the images in pixels.", show_default="the model's")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Of a hub model: commit, tag or branch.", show_default=False)
    ] = None,
    paths: Annotated[bool, typer.Option(help="Take outputs apart into paths (most of the time).")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the tables.")] = False,
) -> None:
    """Measure rank collapse: residual by depth with parts switched off, sums over paths, bounds and rates.

    `dobrushin show` prints the tables again, and `dobrushin report` makes them a page.
    """
    require_extra("survey", "torch", "transformers", "pyarrow", "matplotlib", "mpmath")
    from dobrushin.collapse.measure import measure
    from dobrushin.collapse.results import write as write_results
    from dobrushin.files import write_atomically
    from dobrushin.report.collapse.figures import collapse_figure
    from dobrushin.report.collapse.run import CollapseRun
    from dobrushin.report.collapse.summary import collapse_summary
    from dobrushin.report.collapse.terminal import collapse_tables
    from dobrushin.report.drawing import png

    with bars(Console(stderr=True)) as progress:
        found = measure(
            model,
            inputs=inputs,
            column=column,
            limit=limit,
            max_tokens=max_tokens,
            size=size,
            revision=revision,
            paths=paths,
            progress=progress.advance_to,
        )
    files = write_results(out, found)
    write_atomically(out / "figure.png", png(collapse_figure(found)))
    run = CollapseRun(out, found)
    if as_json:
        write(json.dumps(collapse_summary(run), ensure_ascii=False, allow_nan=False))
        return
    write_tables(collapse_tables(run))
    write("Written: " + ", ".join(str(path) for path in [*files, out / "figure.png"]))
