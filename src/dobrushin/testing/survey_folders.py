"""Surveys' folders written from rows, for tests of what reads them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS, Column, arrow_schema

Row = dict[str, Any]


def write_tables(
    folder: Path, verdicts: Sequence[Row], chain: Sequence[Row], manifest: dict[str, Any], *, parts: int = 0
) -> Path:
    """Write rows as a survey's folder; with ``parts``, as so many parts and no merged files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows, columns in (("verdicts", verdicts, COLUMNS), ("chain", chain, CHAIN_COLUMNS)):
        if parts:
            for number, part in enumerate(np.array_split(np.arange(len(rows)), parts)):
                place = folder / {"verdicts": "parts", "chain": "chain"}[name] / f"{number:05}.parquet"
                _write(place, [rows[index] for index in part], columns)
        else:
            _write(folder / f"{name}.parquet", rows, columns)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    return folder


def _write(path: Path, rows: Sequence[Row], columns: tuple[Column, ...]) -> None:
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    path.parent.mkdir(exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema=arrow_schema(columns)), path)
