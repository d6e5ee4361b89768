"""``dobrushin check``: the verdicts on stored maps."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from dobrushin.cli.app import app
from dobrushin.cli.options import (
    AxisOption,
    FileArgument,
    HeadsOption,
    KeepOption,
    PrecisionOption,
    RestrictOption,
)
from dobrushin.condition import Verdict, check
from dobrushin.loading import Layout, load_maps
from dobrushin.progress import counted
from dobrushin.residual import residual_weight
from dobrushin.terminal import write, write_table
from dobrushin.tokens import parse_tokens


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
