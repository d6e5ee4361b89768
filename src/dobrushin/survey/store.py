"""A survey's folder: parts that are written whole or not at all, and checked by their hash when they are read.

A unit is finished when its record ``parts/NNNNN.json`` is there, which is written last and holds the SHA-256 of the
unit's two tables.  The same rows give the same bytes: nothing in the files depends on time, place or order.
"""

import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dobrushin.errors import InputError
from dobrushin.files import write_atomically
from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS, Column, arrow_schema

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

FOLDERS: dict[str, tuple[str, tuple[Column, ...]]] = {
    "verdicts": ("parts", COLUMNS),
    "chain": ("chain", CHAIN_COLUMNS),
}
"""For each table: the folder of its parts, and its columns."""


_UNIT = re.compile(r"[0-9]{5,}")
"""How the files of a unit are called, before the ending."""


@dataclass(frozen=True)
class PartTables:
    """The two tables of a unit as the bytes of Parquet files, and how many rows they have."""

    verdicts: bytes
    chain: bytes
    rows: int
    chain_rows: int


def part_tables(verdicts: Sequence[Mapping[str, Any]], chain: Sequence[Mapping[str, Any]]) -> PartTables:
    """Rows in order as Parquet bytes."""
    return PartTables(_parquet(verdicts, COLUMNS), _parquet(chain, CHAIN_COLUMNS), len(verdicts), len(chain))


def _parquet(rows: Sequence[Mapping[str, Any]], columns: tuple[Column, ...]) -> bytes:
    import pyarrow

    schema = arrow_schema(columns)
    buffer = io.BytesIO()
    with _writer(buffer, schema) as writer:
        writer.write_table(pyarrow.Table.from_pylist(list(rows), schema=schema))
    return buffer.getvalue()


def _writer(target: Any, schema: "pyarrow.Schema") -> Any:
    """One set of options for parts and merged files."""
    from pyarrow import parquet

    return parquet.ParquetWriter(target, schema, version="2.6", compression="zstd", compression_level=3)


class Store:
    """The parts of a survey in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, unit: int, tables: PartTables) -> None:
        """Keep a unit; an interruption leaves it unfinished, never half finished.

        Raises:
            InputError: the folder can not be written to, e.g. because the disk is full.
        """
        record: dict[str, Any] = {"unit": unit, "rows": tables.rows, "chain_rows": tables.chain_rows}
        for table, content in (("verdicts", tables.verdicts), ("chain", tables.chain)):
            write_atomically(self.path(table, unit), content)
            record[table] = hashlib.sha256(content).hexdigest()
        write_atomically(self._record(unit), json.dumps(record) + "\n")

    def path(self, table: str, unit: int) -> Path:
        """Where a unit's table is."""
        return self.folder / FOLDERS[table][0] / f"{unit:05d}.parquet"

    def finished(self, units: Iterable[int]) -> list[int]:
        """Those of the units that are finished, after checking their bytes.

        Raises:
            InputError: a finished part is damaged; the message says what to remove.
        """
        return [unit for unit in units if self._record(unit).is_file() and self._check(unit)]

    def units(self) -> list[int]:
        """All units that have a record, in order."""
        return sorted(int(path.stem) for path in (self.folder / "parts").glob("*.json") if _UNIT.fullmatch(path.stem))

    def record(self, unit: int) -> dict[str, Any]:
        """The record of a finished unit."""
        path = self._record(unit)
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            counts = record["unit"], record["rows"], record["chain_rows"]
            if counts[0] == unit and all(type(count) is int for count in counts) and FOLDERS.keys() <= record.keys():
                return dict(record)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        raise self._damaged(path, unit)

    def _check(self, unit: int) -> bool:
        record = self.record(unit)
        for table in FOLDERS:
            path = self.path(table, unit)
            try:
                found = hashlib.sha256(path.read_bytes()).hexdigest()
            except OSError as error:
                raise self._damaged(path, unit) from error
            if found != record[table]:
                raise self._damaged(path, unit)
        return True

    def _damaged(self, path: Path, unit: int) -> InputError:
        return InputError(
            f"{path} is damaged: it is not what was written; remove {self._record(unit)} and run the same survey "
            "again, which computes this part anew and keeps all others"
        )

    def _record(self, unit: int) -> Path:
        return self.folder / "parts" / f"{unit:05d}.json"


def refuse_foreign_tables(folder: Path) -> None:
    """Refuse a folder without a survey whose files the merged tables would replace.

    Raises:
        InputError: one of them is there.
    """
    for path in (folder / f"{table}.parquet" for table in FOLDERS):
        if path.exists():
            raise InputError(f"{path} is of no survey here and would be replaced: choose another folder")


def write_merged(target: Path, table: str, parts: Iterator[Path]) -> tuple[str, int]:
    """Join parts in order, one row group each, into ``target``; return the SHA-256 of the file and its rows.

    Raises:
        InputError: a part can not be read, or the folder can not be written to.
    """
    import pyarrow
    from pyarrow import parquet

    rows = 0
    buffer = io.BytesIO()
    with _writer(buffer, arrow_schema(FOLDERS[table][1])) as writer:
        for part in parts:
            try:
                # As bytes: Arrow opens no path that is not UTF-8.
                read = parquet.read_table(io.BytesIO(part.read_bytes()))
                writer.write_table(read)
                rows += read.num_rows
            except (OSError, pyarrow.ArrowException, ValueError) as error:
                raise InputError(f"{part} can not be read as Parquet: {' '.join(str(error).split())}") from error
    content = buffer.getvalue()
    write_atomically(target, content)
    return hashlib.sha256(content).hexdigest(), rows
