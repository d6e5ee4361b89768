"""A survey's folder as the report reads it: the manifest, and the columns that are asked for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dobrushin.errors import InputError
from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS, Column, arrow_schema

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

FORMAT = "dobrushin survey 1"

_STRINGS = ("input_id", "head", "tokens", "restrict", "alpha", "first_label", "second_label", "stage", "label",
            "reason")  # fmt: skip
"""Columns of few different values, read as dictionaries: a million rows stay small."""


@dataclass(frozen=True, eq=False)
class SurveyFolder:
    """A survey on disk.

    Attributes:
        path: its folder, or the one Parquet file of verdicts that was named.
        manifest: what the survey says of itself; empty for a lone file.
        verdicts: the files of verdicts, which together are one table.
        chain: the files of the chain; may be empty.
        complete: whether everything that was planned is there.
    """

    path: Path
    manifest: Mapping[str, Any]
    verdicts: tuple[Path, ...]
    chain: tuple[Path, ...]
    complete: bool

    def read_verdicts(self, columns: Sequence[str]) -> "pyarrow.Table":
        """These columns of the verdicts, strings of few values as dictionaries."""
        return _read(self.verdicts, columns, COLUMNS)

    def read_chain(self, columns: Sequence[str]) -> "pyarrow.Table | None":
        """These columns of the chain; None when the survey has none."""
        return _read(self.chain, columns, CHAIN_COLUMNS) if self.chain else None


def open_survey(path: Path) -> SurveyFolder:
    """Open a survey's folder, or one Parquet file of verdicts.

    A survey that is not merged or not complete is opened from its parts.

    Raises:
        InputError: it is missing, no survey, of another format, or empty.
    """
    if not path.exists():
        raise InputError(f"{path} is missing: name the folder that dobrushin survey wrote with --out")
    if path.is_file():
        return _lone_file(path)
    manifest = _manifest(path)
    merged = path / "verdicts.parquet"
    verdicts: tuple[Path, ...]
    if merged.is_file():
        verdicts, chain = (merged,), tuple(file for file in [path / "chain.parquet"] if file.is_file())
    else:
        verdicts = tuple(sorted((path / "parts").glob("*.parquet")))
        chain = tuple(sorted((path / "chain").glob("*.parquet")))
    if not verdicts:
        raise InputError(f"{path} holds no verdicts yet: run dobrushin survey --out {path} again to go on with it")
    complete = merged.is_file() and manifest.get("status") == "complete"
    return SurveyFolder(path, manifest, verdicts, chain, complete)


def _manifest(folder: Path) -> Mapping[str, Any]:
    path = folder / "manifest.json"
    if not path.is_file():
        raise InputError(f"{folder} is no survey, for it has no manifest.json: name a folder of dobrushin survey")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} can not be read ({error}): run the survey again") from error
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if found != FORMAT:
        raise InputError(f"{path} has the format {found!r}, but this version reads {FORMAT!r}: survey again with it")
    assert isinstance(manifest, dict)
    for key in ("model", "inputs", "configuration"):
        if not isinstance(manifest.get(key) or {}, dict):
            raise InputError(f"{path} is damaged: its {key} is no object; restore it, or run the survey again")
    return manifest


def _lone_file(path: Path) -> SurveyFolder:
    """One file of verdicts; the manifest beside it goes with it."""
    if path.suffix != ".parquet":
        raise InputError(f"{path} is no survey: name the folder that dobrushin survey wrote, or its verdicts.parquet")
    folder = path.parent
    if path.name == "verdicts.parquet" and (folder / "manifest.json").is_file():
        return open_survey(folder)
    return SurveyFolder(path, {}, (path,), (), complete=False)


def _read(files: Sequence[Path], names: Sequence[str], columns: tuple[Column, ...]) -> "pyarrow.Table":
    """Read and join; every file has to have the columns with their types."""
    import pyarrow
    from pyarrow import parquet

    schema = arrow_schema(columns)
    tables = []
    for file in files:
        try:
            strings = [name for name in names if name in _STRINGS]
            # Opened here: Arrow opens no path that is not UTF-8.
            with file.open("rb") as stream, parquet.ParquetFile(stream, read_dictionary=strings) as source:
                _refuse_other_columns(file, source.schema_arrow, schema, names)
                tables.append(source.read(columns=list(names)))
        except (OSError, pyarrow.ArrowException) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"{file} can not be read as Parquet ({reason}): run the survey again") from error
    return pyarrow.concat_tables(tables).unify_dictionaries().combine_chunks()


def _refuse_other_columns(file: Path, found: Any, schema: Any, names: Sequence[str]) -> None:
    import pyarrow

    for name in names:
        if name not in found.names:
            raise InputError(f"{file} has no column {name}: it is no table of dobrushin survey, or of another version")
        held = found.field(name).type
        if pyarrow.types.is_dictionary(held):
            held = held.value_type
        if held != schema.field(name).type:
            raise InputError(f"{file}: the column {name} is {held}, but {schema.field(name).type} is needed")
