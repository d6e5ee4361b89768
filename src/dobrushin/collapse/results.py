"""The results of one model on several inputs: tables, and a folder of Parquet files with a manifest."""

import hashlib
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dobrushin.collapse.columns import COLUMNS, TABLES
from dobrushin.collapse.deletion import PLANS, neighbour_change
from dobrushin.collapse.study import Row, Study
from dobrushin.errors import InputError
from dobrushin.files import write_atomically
from dobrushin.survey.manifest import git_revision, versions

FORMAT = "dobrushin collapse 1"


@dataclass(frozen=True, eq=False)
class Collapse:
    """What was measured.

    Attributes:
        tables: rows by the names of :data:`dobrushin.collapse.columns.TABLES`.
        manifest: format, status, model, inputs, configuration, agreement, versions, git.
    """

    tables: Mapping[str, list[Row]]
    manifest: Mapping[str, Any] = field(repr=False)

    @property
    def title(self) -> str:
        """What captions call the model."""
        return str(self.manifest["model"]["title"])


def collect(
    studies: Sequence[tuple[str, int, Study]],
    *,
    model: Mapping[str, Any],
    inputs: Mapping[str, Any],
    configuration: Mapping[str, Any],
) -> Collapse:
    """Join the studies of several inputs, each with the input's name and its number of tokens.

    Raises:
        InputError: there are none.
    """
    if not studies:
        raise InputError("no inputs were given: name at least one text or image")
    tables: dict[str, list[Row]] = {name: [] for name in TABLES}
    for index, (name, n, found) in enumerate(studies):
        who = {"input": index, "input_id": name, "n": n}
        parts = {"collapse": found.depth, "layers": found.layers, "paths": found.paths, "sums": found.sums,
                 "orders": found.orders, "chains": found.chains}  # fmt: skip
        for table, rows in parts.items():
            tables[table] += [who | row for row in rows]
    tables["neighbours"] = _neighbours([found for _, _, found in studies])
    manifest = {
        "format": FORMAT,
        "status": "complete",
        "model": dict(model),
        "inputs": {"count": len(studies), **inputs},
        "configuration": dict(configuration),
        "agreement": max(found.agreement for _, _, found in studies),
        "versions": versions(),
        "git": git_revision(),
    }
    return Collapse(tables, manifest)


def write(folder: Path, found: Collapse) -> list[Path]:
    """Write ``NAME.parquet`` for each table and ``manifest.json`` last; return the paths.

    Raises:
        InputError: the folder can not be written to.
    """
    paths, digests = [], {}
    for name in TABLES:
        data = _parquet(found.tables[name])
        path = folder / f"{name}.parquet"
        write_atomically(path, data)
        digests[path.name] = {"sha256": hashlib.sha256(data).hexdigest(), "rows": len(found.tables[name])}
        paths.append(path)
    manifest = {**found.manifest, "files": digests, "tables": TABLES, "columns": COLUMNS}
    write_atomically(folder / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return [*paths, folder / "manifest.json"]


def load(folder: Path) -> Collapse:
    """Read a folder that :func:`write` wrote.

    Raises:
        InputError: there is none, it is of another format or not finished, or a file is missing, changed or unreadable.
    """
    manifest = _manifest(folder)
    return Collapse({name: _table(folder / f"{name}.parquet", manifest["files"]) for name in TABLES}, manifest)


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{folder} holds no results of dobrushin collapse: manifest.json can not be read; run it again"
        ) from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError(f"{path} is not of the format {FORMAT!r}: name a folder that it wrote")
    if manifest.get("status") != "complete":
        raise InputError(f"{folder} is not finished ({manifest.get('status')!r}): run dobrushin collapse again")
    for part, inner in (("model", "title"), ("inputs", "count"), ("configuration", None), ("files", None)):
        if not isinstance(manifest.get(part), dict) or (inner and inner not in manifest[part]):
            raise InputError(f"{path} says nothing of {inner or part}: run dobrushin collapse again")
    return manifest


def _table(path: Path, files: Mapping[str, Any]) -> list[Row]:
    """The rows of one file, if it is the one that the manifest speaks of, with the columns of this version."""
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} is missing: run dobrushin collapse again") from error
    known = files.get(path.name)
    if not isinstance(known, dict) or hashlib.sha256(data).hexdigest() != known.get("sha256"):
        raise InputError(f"{path} is not the file that the manifest speaks of: run dobrushin collapse again")
    try:
        found = parquet.read_table(io.BytesIO(data))
    except pyarrow.ArrowException as error:
        raise InputError(f"{path} can not be read as Parquet: run dobrushin collapse again") from error
    missing = [name for name in COLUMNS[path.stem] if name not in found.column_names]
    if missing and len(found):
        raise InputError(f"{path} has no column {missing[0]}: it is of another version; run dobrushin collapse again")
    rows: list[Row] = found.to_pylist()
    return rows


def _neighbours(studies: Sequence[Study]) -> list[Row]:
    """Compare pooled outputs across inputs; for fewer than two there is nothing to compare."""
    vectors = [found.vectors for found in studies if found.vectors]
    if len(vectors) < 2:
        return []
    whole = [np.array(found["whole"]) for found in vectors]
    rows = []
    for kept in PLANS:
        for key in (key for key in vectors[0] if key.startswith(f"{kept} ")):
            change = neighbour_change(whole, [np.array(found[key]) for found in vectors])
            correlation = None if math.isnan(change.correlation) else change.correlation
            rows.append({"kept": kept, "length": int(key.rpartition(" ")[2]), "inputs": len(vectors),
                         "neighbours": change.neighbours, "similarity": change.similarity,
                         "correlation": correlation})  # fmt: skip
    return rows


def _parquet(rows: Sequence[Row]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    buffer = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), buffer, compression="zstd")
    return buffer.getvalue()
