"""Witnesses: matrices that show a disagreement, printed as rationals and saved."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Witness:
    """What disagrees, and on what.

    Attributes:
        claim: the statement that fails.
        matrices: the matrices, entries as text ``p/q`` (``p`` when q is 1).
        setting: residual weight, tokens, reading, format.
        expected: what the definitions say.
        found: what was claimed or computed.
    """

    claim: str
    matrices: tuple[tuple[tuple[str, ...], ...], ...]
    setting: str
    expected: str
    found: str

    def __str__(self) -> str:
        text = " ".join(matrix_text(matrix) for matrix in self.matrices)
        setting = f" ({self.setting})" if self.setting else ""
        return f"{text}{setting}: {self.claim}: expected {self.expected}, found {self.found}"

    @property
    def size(self) -> tuple[int, int]:
        """The number of tokens, then the length of the text: smaller is simpler."""
        return max((len(matrix) for matrix in self.matrices), default=0), len(str(self))


class DisagreementError(AssertionError):
    """Two roads to the same answer differ."""

    def __init__(self, witness: Witness) -> None:
        super().__init__(str(witness))
        self.witness = witness


def rational_rows(matrix: Sequence[Sequence[Fraction]]) -> tuple[tuple[str, ...], ...]:
    """The entries of a matrix as text."""
    return tuple(tuple(str(Fraction(x)) for x in row) for row in matrix)


def matrix_text(rows: Sequence[Sequence[str]]) -> str:
    """One matrix on one line.

    >>> matrix_text([["1/2", "1/2"], ["0", "1"]])
    '[1/2 1/2; 0 1]'
    """
    return "[" + "; ".join(" ".join(row) for row in rows) + "]"


def save(witness: Witness, folder: Path, *, name: str) -> Path:
    """Write the witness as JSON; the file appears whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".json")
    temporary = path.with_suffix(".json.part")
    content: dict[str, Any] = {"check": name, **asdict(witness)}
    temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, path)  # noqa: PTH105  # atomic on every platform
    return path
