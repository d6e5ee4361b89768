"""California housing and Adult, split and prepared as for the published results, as far as these tell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from dobrushin.capture.inputs import Row
from dobrushin.capture.table_preprocessing import TablePreprocessing
from dobrushin.packaged.tables import TABLES
from dobrushin.sources.inputs import open_inputs

_SPLIT_SEED = 0  # one split for all seeds of training, as in the paper
_ADULT_TEST = 16_281  # the official test set, which comes first in this copy
_CALIFORNIA_TEST = 4_128
_VALIDATION = 0.2  # of what is not test


@dataclass(frozen=True)
class Part:
    """Rows of a table ready for the model: ``numbers`` and ``codes`` (None without such columns), ``target``."""

    numbers: torch.Tensor
    codes: torch.Tensor | None
    target: torch.Tensor

    def __len__(self) -> int:
        return len(self.target)


@dataclass(frozen=True)
class Task:
    """A table to learn.

    Attributes:
        key: ``california`` or ``adult``.
        regression: whether the target is a number; it is then standardised by the training rows, and errors are
            multiplied by ``unit`` to be in the table's unit.
        preprocessing: quantiles of the training rows; the categories are those of the whole table.
        surveyed: the first test rows, as the survey takes them.
    """

    key: str
    regression: bool
    unit: float
    preprocessing: TablePreprocessing
    train: Part
    validation: Part
    test: Part
    surveyed: Sequence[Row]


def load(key: str, *, train_rows: int, evaluated: int, surveyed: int) -> Task:
    """Read a table and split it; ``train_rows`` limits the training rows, ``evaluated`` the others; 0 takes all."""
    rows = list(open_inputs(key, kind="table").items)
    regression = key == "california"
    target = _target(key, regression)
    train, validation, test = _split(key, len(rows))
    if train_rows:
        train = train[:train_rows]
    if evaluated:
        validation, test = validation[:evaluated], test[:evaluated]
    preprocessing = _preprocessing(rows, train)
    mean, unit = (float(target[train].mean()), float(target[train].std())) if regression else (0.0, 1.0)

    def part(positions: np.ndarray) -> Part:
        numbers, codes = preprocessing.transform([rows[position] for position in positions])
        values = (target[positions] - mean) / unit
        return Part(
            torch.from_numpy(numbers),
            torch.from_numpy(codes) if codes.shape[1] else None,
            torch.from_numpy(values.astype(np.float32)),
        )

    return Task(key, regression, unit, preprocessing, part(train), part(validation), part(test),
                [rows[position] for position in test[:surveyed]])  # fmt: skip


def _target(key: str, regression: bool) -> np.ndarray:
    table = TABLES[key]
    values = table.read().column(table.target).to_pylist()
    return np.array(values if regression else [value == ">50K" for value in values], dtype=np.float64)


def _split(key: str, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions of the training, validation and test rows."""
    rng = np.random.default_rng(_SPLIT_SEED)
    if key == "adult":
        test, rest = np.arange(_ADULT_TEST), _ADULT_TEST + rng.permutation(count - _ADULT_TEST)
    else:
        order = rng.permutation(count)
        test, rest = order[:_CALIFORNIA_TEST], order[_CALIFORNIA_TEST:]
    size = round(len(rest) * _VALIDATION)
    return rest[size:], rest[:size], test


def _preprocessing(rows: Sequence[Row], train: np.ndarray) -> TablePreprocessing:
    first = rows[0].values
    numerical = [name for name, value in first.items() if not isinstance(value, str)]
    categorical = [name for name, value in first.items() if isinstance(value, str)]
    fitted = TablePreprocessing.fit([rows[position] for position in train], numerical=numerical)
    known = TablePreprocessing.fit(rows, categorical=categorical).categorical if categorical else ()
    return TablePreprocessing(fitted.numerical, known)
