"""The folders that a report is about: surveys and measurements of rank collapse, told apart by their manifests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dobrushin.collapse import results as collapse_results
from dobrushin.errors import InputError
from dobrushin.report.collapse.run import CollapseRun, read_collapse
from dobrushin.report.run import Run, read_run
from dobrushin.report.source import FORMAT

_COLLAPSE = collapse_results.FORMAT.rpartition(" ")[0]
"""How the format of every version of those results begins."""

_SURVEY = FORMAT.rpartition(" ")[0]


@dataclass(frozen=True, eq=False)
class Results:
    """What was named, in its order: surveys, and measurements of rank collapse."""

    surveys: tuple[Run, ...]
    collapses: tuple[CollapseRun, ...]


def read_results(paths: Sequence[Path]) -> Results:
    """Open folders of both kinds, each once.

    Raises:
        InputError: none is named, or one can not be read.
    """
    if not paths:
        raise InputError("nothing is named: give at least one folder of dobrushin survey or dobrushin collapse")
    found = [read_result(path) for path in {path.resolve(): path for path in paths}.values()]
    return Results(
        tuple(run for run in found if isinstance(run, Run)),
        tuple(run for run in found if isinstance(run, CollapseRun)),
    )


def read_result(path: Path) -> Run | CollapseRun:
    """Open one folder (or one Parquet file of verdicts) by what its manifest says that it is.

    Raises:
        InputError: it is missing, damaged, unfinished, or neither.
    """
    kind = _format(path)
    if kind.startswith(_COLLAPSE) or (not kind and (path / "collapse.parquet").is_file()):
        return read_collapse(path)
    if kind and not kind.startswith(_SURVEY):
        raise InputError(
            f"{path / 'manifest.json'} has the format {kind!r}: name a folder of dobrushin survey or dobrushin collapse"
        )
    return read_run(path)


def _format(path: Path) -> str:
    """What the manifest of a folder calls itself; empty when it can not be told, which the survey's reader explains."""
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(manifest.get("format", "")) if isinstance(manifest, dict) else ""
