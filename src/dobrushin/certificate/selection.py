"""From a file of maps to the certificate of one of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobrushin.certificate.lean_file import Source, lean_text
from dobrushin.certificate.numbers import Evidence, evidence
from dobrushin.errors import InputError
from dobrushin.loading import Axis, Heads, Layout, load_maps
from dobrushin.matrix import AttentionMatrix, Precision
from dobrushin.tokens import Restriction, parse_tokens
from dobrushin.wheels import sha256_of

_SHOWN = 5  # names of maps in a message


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which map of a file, and how it is read; the options of ``dobrushin certify``."""

    map: str | None = None
    keep: str | None = None
    restrict: Restriction | None = None
    heads: Heads = "mean"
    axis: Axis | None = None
    precision: Precision | None = None

    @classmethod
    def of(cls, source: Source) -> "Selection":
        """The selection that a certificate names; wrong values are refused where they are used."""
        options: dict[str, Any] = {"heads": source.heads, "axis": source.axis, "precision": source.precision}
        return cls(map=source.map, keep=source.keep, restrict=source.restrict, **options)


@dataclass(frozen=True)
class Certificate:
    """A certificate: where its map is, what it states, and the text of the Lean file."""

    source: Source
    proof: Evidence
    text: str


def certificate_of_file(file: Path, selection: Selection) -> Certificate:
    """The certificate of one map of ``file``.

    Raises:
        InputError: the file or the options can not be used, or it is not clear which map is meant.
    """
    matrix = _the_map(file, selection)
    keep = None if selection.keep is None else parse_tokens(selection.keep, matrix.n, name=matrix.name)
    proof = evidence(matrix, keep=keep, restrict=selection.restrict)
    source = Source(
        file=file.name,
        sha256=sha256_of(file),
        map=matrix.name,
        keep=selection.keep,
        restrict=selection.restrict,
        heads=selection.heads,
        axis=selection.axis,
        precision=selection.precision,
    )
    return Certificate(source, proof, lean_text(source, proof))


def _the_map(file: Path, selection: Selection) -> AttentionMatrix:
    layout = Layout(axis=selection.axis, heads=selection.heads, precision=selection.precision)
    names: list[str] = []
    chosen: list[AttentionMatrix] = []
    for matrix in load_maps(file, layout=layout):
        names.append(matrix.name)
        if selection.map in (None, matrix.name):
            chosen.append(matrix)
    if len(chosen) == 1:
        return chosen[0]
    some = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    if selection.map is None:
        raise InputError(f"{file} holds {len(names)} maps, and a certificate is about one; choose with --map: {some}")
    if chosen:
        raise InputError(f"{file} holds {len(chosen)} maps called {selection.map}; give them different names")
    raise InputError(f"{file} holds no map {selection.map}; it holds {some}")
