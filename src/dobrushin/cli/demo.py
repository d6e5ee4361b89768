"""``dobrushin demo``: trained models whose weights ship in packages."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from dobrushin.cli.app import app
from dobrushin.errors import IncompleteError
from dobrushin.progress import bars, require_extra
from dobrushin.terminal import write, write_table


@app.command("demo")
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the page, the figures and the surveys.")] = Path("demo-results"),
    model: Annotated[
        list[str] | None, typer.Option(help="Packaged model: minilm, dinov2 or rxnmapper; may be repeated.")
    ] = None,
    inputs: Annotated[
        Path | None,
        typer.Option(help="Your own inputs: a folder of images, or a text file with one sentence a line."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many inputs for each model.")] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="At most so many inputs in one forward pass.")] = 8,
) -> None:
    """Run the exact check on trained models whose weights ship in packages, on real inputs."""
    require_extra("demo", "torch", "transformers", "onnx", "onnxruntime", "pyarrow", "matplotlib", "jinja2", "PIL")
    from dobrushin.demo import DEFAULT_MODELS, demonstrate
    from dobrushin.report.terminal import layer_overview

    console = Console(stderr=True)
    with bars(console) as progress:
        result = demonstrate(
            out,
            models=model or DEFAULT_MODELS,
            inputs=inputs,
            limit=limit,
            batch_size=batch_size,
            announce=lambda sentence: progress.console.print(sentence, markup=False, highlight=False),
            progress=progress.advance_to,
        )
    for found, notes in zip(result.runs, result.notes, strict=True):
        write_table(layer_overview(found, notes))
        write(f"{found.headline()}.\n")
    figures = [path for path in result.files if path.parent.name == "figures"]
    others = [str(path) for path in result.files if path not in figures]
    write(f"Written: {', '.join(others)}, and {len(figures)} figures in {out / 'figures'}")
    if result.missing:
        raise IncompleteError("; ".join(result.missing))
