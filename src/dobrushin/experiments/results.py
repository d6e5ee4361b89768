"""Results as files: Parquet for machines, Markdown for readers, PNG figures."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dobrushin.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that can be told apart without colour vision."""


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows (all with the same keys) as Parquet; the same rows give the same bytes."""
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    buffer = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), buffer, compression="zstd")
    write_atomically(path, buffer.getvalue())


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file."""
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table whose first column is text and whose others are aligned to the right."""
    lines = [" | ".join(header), " | ".join(["---", *["---:"] * (len(header) - 1)])]
    lines += [" | ".join(str(cell) for cell in row) for row in rows]
    return "".join(f"| {line} |\n" for line in lines)


def write_figure(path: Path, figure: "Figure") -> None:
    """Write a figure as PNG on white, 150 dots per inch; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=150, facecolor="white", metadata={"Software": None})
    write_atomically(path, buffer.getvalue())
