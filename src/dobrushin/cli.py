"""The command line: options in, results out; the logic is elsewhere.

Results go to standard output, progress and errors to standard error.  Exit codes: 0 done, 1 a theorem or gate is
violated, 2 bad input, 3 incomplete.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dobrushin import __version__
from dobrushin.condition import Verdict, check
from dobrushin.errors import DobrushinError, IncompleteError
from dobrushin.files import write_atomically
from dobrushin.loading import Axis, Heads, Layout, load_maps
from dobrushin.matrix import Precision
from dobrushin.progress import bars, counted, require_extra
from dobrushin.residual import residual_weight
from dobrushin.terminal import survive_any_encoding, write, write_error, write_table
from dobrushin.tokens import Restriction, parse_tokens

# Options that several commands take.
FileArgument = Annotated[Path, typer.Argument(help="Attention maps: .npy, .npz or .safetensors.", metavar="FILE")]
HeadsOption = Annotated[Heads, typer.Option(help="Average a layer's heads (in float64), or take each.")]
AxisOption = Annotated[
    Axis | None, typer.Option(help="What the first axis of a three-dimensional array counts.", show_default=False)
]
KeepOption = Annotated[str | None, typer.Option(help="Content tokens by index: 1,2,5 or 1:13.", show_default=False)]
RestrictOption = Annotated[
    Restriction | None,
    typer.Option(help="How the map is read when tokens are left out.", show_default="renormalised with --keep"),
]
PrecisionOption = Annotated[
    Precision | None,
    typer.Option(help="Format in which the rows were computed, if coarser than stored.", show_default=False),
]

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


@app.command("check")
def check_file(
    file: FileArgument,
    heads: HeadsOption = "mean",
    axis: AxisOption = None,
    keep: KeepOption = None,
    restrict: RestrictOption = None,
    alpha: Annotated[str, typer.Option(help="Residual weight, a rational in (0, 1).")] = "1/2",
    precision: PrecisionOption = None,
    any_real: Annotated[bool, typer.Option("--any-real", help="Allow negative entries and any row sums.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per map, one a line.")] = False,
) -> None:
    """Decide for every map of FILE whether it attains the bound κ(αI + (1−α)A) ≤ α + (1−α)κ(A).

    Verdicts are exact for the stored floats: nothing is rounded and there is no tolerance.
    """
    weight = residual_weight(alpha)
    layout = Layout(axis=axis, heads=heads, precision=precision, any_real=any_real)
    verdicts: Iterable[Verdict] = (
        check(
            matrix,
            alpha=weight,
            keep=None if keep is None else parse_tokens(keep, matrix.n, name=matrix.name),
            restrict=restrict,
        )
        for matrix in load_maps(file, layout=layout)
    )
    verdicts = counted(
        verdicts, "checking", unit="maps", quiet=as_json and sys.stdout is not None and sys.stdout.isatty()
    )
    if as_json:
        for verdict in verdicts:
            write(json.dumps(verdict.to_json(), allow_nan=False))
    else:
        _print_verdicts(verdicts, file)


def _print_verdicts(verdicts: Iterable[Verdict], file: Path) -> None:
    table = Table(title=escape(str(file)), title_justify="left", caption_justify="left")
    table.add_column("map", max_width=60, overflow="fold")
    for column in ("n", "tight", "κ", "slack", "pair", "attaining", "margin", "decided by"):
        table.add_column(column, justify="right", no_wrap=True)
    count = tight = 0
    last: Verdict | None = None
    for last in verdicts:
        count, tight = count + 1, tight + last.tight
        table.add_row(*_cells(last))
    if last is not None:
        table.caption = (
            f"{tight} of {count} maps are tight. Residual weight {last.alpha}, restriction: {last.restrict}.\n"
            "Exact statements about the stored matrices."
        )
    write_table(table)


def _cells(verdict: Verdict) -> tuple[str, ...]:
    margin = "all attain" if verdict.margin is None else f"{verdict.margin:.3g}"
    return (
        escape(verdict.map),
        str(verdict.n),
        "yes" if verdict.tight else "no",
        f"{verdict.kappa:.6g}",
        "0" if verdict.tight else f"{verdict.slack:.3g}",
        f"{verdict.pair[0]}, {verdict.pair[1]}",
        str(verdict.n_attaining),
        margin,
        verdict.stage,
    )


@app.command("certify")
def certify_file(
    file: FileArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Lean file to write.")],
    name: Annotated[
        str | None, typer.Option("--map", help="Which map of FILE, when it holds several.", show_default=False)
    ] = None,
    heads: HeadsOption = "mean",
    axis: AxisOption = None,
    keep: KeepOption = None,
    restrict: RestrictOption = None,
    precision: PrecisionOption = None,
) -> None:
    """Write a Lean file that states whether one map of FILE attains the bound, and proves it by computation.

    Nothing is checked with Lean yet: that is what `dobrushin verify` does.
    """
    from dobrushin.certificate import Selection, certificate_of_file

    selection = Selection(map=name, keep=keep, restrict=restrict, heads=heads, axis=axis, precision=precision)
    certificate = certificate_of_file(file, selection)
    write_atomically(out, certificate.text)
    says = "is tight" if certificate.proof.tight else "is not tight"
    write(f"{out}: {certificate.source.map} {says}; check it with: dobrushin verify {out} {file}")


@app.command("verify")
def verify_certificate(
    certificate: Annotated[Path, typer.Argument(help="What dobrushin certify wrote.", metavar="CERTIFICATE")],
    file: Annotated[
        Path | None,
        typer.Argument(help="The file of the map; by default beside the certificate.", metavar="FILE"),
    ] = None,
) -> None:
    """Check a certificate with Lean's kernel, and its numbers, claim and hash with the map's file.

    The Lean development is compiled once and kept in the cache. A certificate that does not hold is exit code 1.
    """
    from dobrushin.certificate import verify

    with Console(stderr=True).status("reading …") as status:
        done = verify(certificate, file, announce=lambda sentence: status.update(f"{escape(sentence)} …"))
    proof, source = done.certificate.proof, done.certificate.source
    says = "tight" if proof.tight else "not tight"
    write(
        f"{certificate} holds: {source.map} of {source.file} is {says} "
        f"({len(proof.lines)} tokens, {proof.restrict}); proved by Lean without axioms in {done.seconds:.1f} s"
    )


@app.command("demo")
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the page, the figure and the verdicts.")] = Path("demo-results"),
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
    from dobrushin.report import layer_table

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
    for part in result.found:
        write_table(layer_table(part))
        write(f"{part.headline()}.\n")
    write("Written: " + ", ".join(str(path) for path in result.files))
    if result.missing:
        raise IncompleteError("; ".join(result.missing))


if __name__ == "__main__":
    main()
