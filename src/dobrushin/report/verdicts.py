"""The verdicts of a survey as arrays, one entry for each row: what every summary is made from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dobrushin.report.source import SurveyFolder

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

Rule = Literal["content", "all"]
RULES: tuple[Rule, ...] = ("content", "all")

_COLUMNS = ("input", "layer", "head", "tokens", "restrict", "alpha", "tight", "kappa", "slack", "counterfactual",
            "stage", "label", "reason")  # fmt: skip


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of strings: ``values[codes[row]]``; the code −1 is null."""

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    def equals(self, text: str) -> NDArray[np.bool_]:
        """Which rows hold this text."""
        if text not in self.values:
            return np.zeros(len(self.codes), dtype=bool)
        matches: NDArray[np.bool_] = self.codes == self.values.index(text)
        return matches

    def present(self) -> tuple[str, ...]:
        """The different texts, in order of their first appearance in the dictionary."""
        return tuple(self.values[code] for code in np.unique(self.codes) if code >= 0)

    def counts(self, rows: NDArray[np.bool_]) -> dict[str, int]:
        """How often each text occurs in these rows, most first."""
        codes = self.codes[rows]
        numbers = np.bincount(codes[codes >= 0], minlength=len(self.values)).tolist()
        found = [(text, number) for text, number in zip(self.values, numbers, strict=True) if number]
        return dict(sorted(found, key=lambda entry: (-entry[1], entry[0])))


@dataclass(frozen=True, eq=False)
class Verdicts:
    """The columns that summaries by layer need; arrays of shape (rows,).

    ``decided`` says which rows have a verdict; where it is False, ``tight`` is False and the numbers are NaN.
    """

    input: NDArray[np.int64]
    layer: NDArray[np.int32]
    head: Texts
    tokens: Texts
    restrict: Texts
    alpha: Texts
    decided: NDArray[np.bool_]
    tight: NDArray[np.bool_]
    kappa: NDArray[np.float64]
    slack: NDArray[np.float64]
    counterfactual: NDArray[np.bool_]
    stage: Texts
    label: Texts
    reason: Texts

    def __len__(self) -> int:
        return len(self.input)


def read_verdicts(survey: SurveyFolder) -> Verdicts:
    """Read what summaries by layer need, and nothing else."""
    table = survey.read_verdicts(_COLUMNS)
    tight = table.column("tight")
    return Verdicts(
        input=numbers(table.column("input")),
        layer=numbers(table.column("layer")),
        head=texts(table.column("head")),
        tokens=texts(table.column("tokens")),
        restrict=texts(table.column("restrict")),
        alpha=texts(table.column("alpha")),
        decided=numbers(tight.is_valid()),
        tight=numbers(tight.fill_null(False)),
        kappa=numbers(table.column("kappa")),
        slack=numbers(table.column("slack")),
        counterfactual=numbers(table.column("counterfactual")),
        stage=texts(table.column("stage")),
        label=texts(table.column("label")),
        reason=texts(table.column("reason")),
    )


def numbers(column: "pyarrow.ChunkedArray") -> NDArray[Any]:
    """A column of numbers or booleans; null becomes NaN (for booleans and integers there has to be none)."""
    array: NDArray[Any] = column.to_numpy()
    return array


def texts(column: "pyarrow.ChunkedArray") -> Texts:
    """A column of strings."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    joined = column.combine_chunks()
    if isinstance(joined, pyarrow.ChunkedArray):
        if joined.num_chunks == 0:
            return Texts((), np.empty(0, dtype=np.int32))
        joined = joined.chunk(0)
    codes = joined.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    return Texts(tuple(joined.dictionary.to_pylist()), codes)
