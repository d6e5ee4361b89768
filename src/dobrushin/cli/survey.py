"""``dobrushin survey``: a model over many inputs, the exact verdict on every layer, kept in a folder."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from dobrushin.cli.app import app
from dobrushin.errors import IncompleteError
from dobrushin.progress import require_extra
from dobrushin.terminal import write, write_note
from dobrushin.tokens import Restriction

if TYPE_CHECKING:
    from dobrushin.survey import Event
    from dobrushin.survey.events import OnEvent

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        help="A packaged key (minilm, dinov2, …), OWNER/NAME[@REVISION] on the hub, a local folder, timm:NAME, "
        "rtdl:FOLDER or python:FILE.py:FUNCTION.",
    ),
]
InputsOption = Annotated[
    str,
    typer.Option(
        "--inputs",
        help="A folder of images, a text file with one text a line, a .csv or .parquet file, or packaged data "
        "(reviews, photographs, gcompris, reactions, california, adult).",
    ),
]


@app.command("survey")
def run_survey(
    model: ModelOption,
    inputs: InputsOption,
    out: Annotated[Path, typer.Option("--out", "-o", help="The survey's folder.")],
    column: Annotated[
        str | None,
        typer.Option(help="Column that holds the texts; for tables, the target.", show_default=False),
    ] = None,
    tokens: Annotated[
        Literal["content", "all", "both"], typer.Option(help="Which tokens the pairs range over.")
    ] = "both",
    restrict: Annotated[Restriction, typer.Option(help="How maps are read for content tokens.")] = "renormalised",
    alpha: Annotated[str, typer.Option(help="Residual weight, a rational in (0, 1).")] = "1/2",
    heads: Annotated[
        Literal["mean", "each"], typer.Option(help="Average a layer's heads (in float64), or take each.")
    ] = "mean",
    batch_size: Annotated[int, typer.Option(min=1, help="At most so many inputs in one forward pass.")] = 8,
    part_size: Annotated[
        int, typer.Option(min=1, help="Inputs in one part, the unit that is kept or done again.")
    ] = 64,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many inputs.", show_default="all")] = None,
    seed: Annotated[
        int | None, typer.Option(help="With --limit: a random sample instead of the first inputs.", show_default=False)
    ] = None,
    size: Annotated[
        int | None, typer.Option(min=1, help="Side of the images in pixels.", show_default="the model's")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=2, help="Texts are cut off after so many tokens.", show_default="none is")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Of a hub model: commit, tag or branch.", show_default=False)
    ] = None,
    device: Annotated[str, typer.Option(help="Where the model runs, as torch names it.")] = "cpu",
    dtype: Annotated[str | None, typer.Option(help="Precision of the model.", show_default="float32")] = None,
    chain: Annotated[bool, typer.Option(help="Measure the chain of bounds by depth too (head mean only).")] = True,
    prove: Annotated[
        int, typer.Option(min=0, help="Have Lean prove so many maps of at most 64 tokens of each layer and part.")
    ] = 0,
    shard: Annotated[str, typer.Option(help="Only shard i of N, as i/N; join them with dobrushin merge.")] = "1/1",
    engine: Annotated[Literal["processes", "ray"], typer.Option(help="What runs the parts.")] = "processes",
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="as many as fit")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads of each process; part of the configuration.")] = 1,
    address: Annotated[str | None, typer.Option(help="Of the Ray cluster.", show_default="one is started here")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print events as JSON, one a line.")] = False,
) -> None:
    """Check every layer of a model on many inputs, and keep the verdicts in a folder.

    The same command again goes on where it was stopped. Results do not depend on --workers, --engine or --shard.
    """
    require_extra("survey", "torch", "transformers", "pyarrow", "threadpoolctl")
    from dobrushin.survey import run

    with _following(as_json) as on_event:
        manifest = run(
            out=out,
            model=model,
            inputs=inputs,
            shard=shard,
            engine=engine,
            workers=workers,
            address=address,
            on_event=on_event,
            column=column,
            tokens=("content", "all") if tokens == "both" else (tokens,),
            restrict=restrict,
            alpha=alpha,
            heads=heads,
            batch_size=batch_size,
            part_size=part_size,
            limit=limit,
            seed=seed,
            size=size,
            max_tokens=max_tokens,
            revision=revision,
            device=device,
            dtype=dtype,
            chain=chain,
            prove=prove,
            threads=threads,
        )
    if not as_json:
        for warning in manifest["model"]["provenance"].get("warnings", []):
            write_note(f"note: {warning}")
        if manifest["status"] == "complete":
            rows = manifest["files"]["verdicts.parquet"]["rows"]
            write(f"{out}: {rows} verdicts of {manifest['model']['title']}; see them with: dobrushin show {out}")
        else:
            write(f"{out}: shard {shard} is complete; when all are: dobrushin merge FOLDER … --out FOLDER")


@app.command("merge")
def merge_shards(
    folders: Annotated[list[Path], typer.Argument(help="The folders of all shards.", metavar="FOLDER…")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the whole survey goes.")],
) -> None:
    """Join the shards of a survey: the same files as one run without shards, byte for byte.

    Shards of different surveys, missing parts and parts that are there twice are refused.
    """
    require_extra("survey", "pyarrow")
    from dobrushin.survey import merge

    manifest = merge(folders, out)
    rows = manifest["files"]["verdicts.parquet"]["rows"]
    write(f"{out}: {rows} verdicts from {len(folders)} folder{'' if len(folders) == 1 else 's'}")


@contextmanager
def _following(as_json: bool) -> Iterator["OnEvent"]:
    """What becomes of events: JSON on standard output, or a bar on a terminal and lines elsewhere on standard error."""
    console = Console(stderr=True)
    if as_json:
        yield _write_event
    elif not console.is_terminal:
        yield _write_line
    else:
        columns = (BarColumn(), TextColumn("{task.description}"))
        # Results go to standard output afterwards, and have to stay there.
        with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
            task = progress.add_task("starting")

            def follow(event: "Event") -> None:
                progress.update(task, total=event.inputs, completed=event.inputs_done, description=event.line())
                if event.event in ("finished", "interrupted"):
                    progress.console.print(f"{event.event}: {event.line()}", highlight=False)

            yield follow


def _write_event(event: "Event") -> None:
    """Where nobody reads the events any more, the survey stops: it must not look as if it had come to its end."""
    try:
        write(json.dumps(event.to_json()))
    except typer.Exit:
        raise IncompleteError(
            f"nobody reads the events any more: stopped with {event.line()}, which are kept in {event.out}; the same "
            "command goes on from there"
        ) from None


def _write_line(event: "Event") -> None:
    write_note(f"{event.event}: {event.line()}")
