"""``python -m dobrushin.certificate``: certificates of maps of trained models, and a table (``make certify-demo``)."""

import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dobrushin.errors import DobrushinError
from dobrushin.progress import bars, require_extra

if TYPE_CHECKING:
    from dobrushin.certificate.demo import Row

_BUCKETS = ((2, 8), (9, 16), (17, 32), (33, 48), (49, 64))


def certify_demo(
    out: Annotated[Path, typer.Option(help="Folder for the maps and their certificates.")] = Path("certify-results"),
    quick: Annotated[bool, typer.Option("--quick", help="A few small maps only.")] = False,
) -> None:
    """Certify maps of trained models with Lean's kernel and compare with the exact check."""
    console = Console(stderr=True)
    try:
        require_extra("demo", "torch", "transformers", "onnx", "PIL")
        from dobrushin.certificate.demo import demonstrate

        with bars(console) as progress:
            rows = demonstrate(
                out,
                quick=quick,
                announce=lambda sentence: progress.console.print(sentence, markup=False, highlight=False),
                progress=progress.advance_to,
            )
    except DobrushinError as error:
        console.print(f"error: {escape(str(error))}", soft_wrap=True)
        raise typer.Exit(error.exit_code) from None
    Console(width=None if sys.stdout.isatty() else 120).print(_table(rows))
    wrong = sum(not row.agrees for row in rows)
    print(
        f"{len(rows)} certificates, {len(rows) - wrong} proved by Lean's kernel as the exact check says, {wrong} not."
    )
    print(f"They are in {out}; check one with: dobrushin verify {out}/{rows[0].map.name}.lean")
    if wrong:
        raise typer.Exit(1)


def _table(rows: list["Row"]) -> Table:
    """One line for each model, choice of tokens and range of n."""
    table = Table(title="Certificates of head-averaged maps of trained models", title_justify="left")
    for column in ("model", "tokens", "n", "maps", "tight", "not tight", "bits", "median s", "largest s"):
        table.add_column(column, justify="left" if column in ("model", "tokens") else "right")
    for model, tokens in sorted({(row.map.model, row.map.tokens) for row in rows}):
        for low, high in _BUCKETS:
            part = [r for r in rows if (r.map.model, r.map.tokens) == (model, tokens) and low <= r.map.n <= high]
            if part:
                table.add_row(model, tokens, *_cells(part))
    table.caption = (
        "content: content tokens, renormalised; all: as stored. s: Lean's processor time for one certificate, "
        "start-up and elaboration included. bits: of the largest numerator."
    )
    table.caption_justify = "left"
    return table


def _cells(part: list["Row"]) -> list[str]:
    sizes = [row.map.n for row in part]
    tight = sum(row.certificate.proof.tight for row in part)
    lines = [line for row in part for line in row.certificate.proof.lines]
    bits = max(max(line.numerators).bit_length() for line in lines)
    seconds = [row.seconds for row in part]
    n = f"{min(sizes)}–{max(sizes)}" if min(sizes) < max(sizes) else f"{sizes[0]}"
    return [n, str(len(part)), str(tight), str(len(part) - tight), str(bits), f"{median(seconds):.2f}",
            f"{max(seconds):.2f}"]  # fmt: skip


if __name__ == "__main__":
    typer.run(certify_demo)
