"""From the columns of a table to the numbers that a tabular model takes: a part of the model, saved with it.

Numerical columns are scaled, either to mean 0 and variance 1 (``standard``) or to a normal distribution by
their quantiles (``quantile``, as for FT-Transformer in Gorishniy et al., *Revisiting Deep Learning Models for
Tabular Data*, 2021).  Categorical columns become positions in a vocabulary.  Everything that is fitted is a plain
array or list, so that the file is JSON and no pickle.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.inputs import Row
from dobrushin.errors import InputError

Scaling = Literal["quantile", "standard"]

_FORMAT = "dobrushin table preprocessing 1"
_QUANTILES = 1000
_ROWS_PER_QUANTILE = 30
_CLIP = 1e-7
"""Values outside the range of the training rows become this quantile, ±5.2 standard deviations."""


@dataclass(frozen=True, eq=False)
class NumericalColumn:
    """One scaled column.

    Attributes:
        name: as the table calls it.
        scaling: how it is scaled.
        parameters: float64; (mean, standard deviation) for ``standard``, the values at evenly spaced quantiles
            from 0 to 1 for ``quantile``.
    """

    name: str
    scaling: Scaling
    parameters: NDArray[np.float64]

    def __post_init__(self) -> None:
        parameters = self.parameters
        good = parameters.ndim == 1 and len(parameters) >= 2 and bool(np.isfinite(parameters).all())
        if self.scaling == "standard":
            good = good and len(parameters) == 2 and parameters[1] > 0
        else:
            good = good and bool((np.diff(parameters) >= 0).all())
        if not good:
            raise InputError(f"the {self.scaling} scaling of the column {self.name} has impossible parameters")

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scale values of any shape."""
        if self.scaling == "standard":
            mean, deviation = self.parameters.tolist()
            return np.asarray((values - mean) / deviation)
        return _normal_quantiles(values, self.parameters)


@dataclass(frozen=True)
class CategoricalColumn:
    """One column of categories; a category's code is its position."""

    name: str
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.categories or len(set(self.categories)) != len(self.categories):
            raise InputError(f"the column {self.name} has no categories, or one of them twice")


@dataclass(frozen=True, eq=False)
class TablePreprocessing:
    """The columns of a table in the order in which the model takes them: numerical ones first."""

    numerical: tuple[NumericalColumn, ...]
    categorical: tuple[CategoricalColumn, ...] = ()

    def __post_init__(self) -> None:
        names = self.feature_names
        if not names:
            raise InputError("a table needs at least one numerical or categorical column")
        if len(set(names)) != len(names):
            raise InputError(f"the columns {', '.join(names)} are not all different")

    @classmethod
    def fit(
        cls,
        rows: Iterable[Row],
        *,
        numerical: Sequence[str] = (),
        categorical: Sequence[str] = (),
        scaling: Scaling = "quantile",
    ) -> "TablePreprocessing":
        """Fit to training rows; columns that are not named are left out.

        Args:
            rows: the training rows.
            numerical: names of columns of finite numbers.
            categorical: names of columns of categories; a number counts as its shortest text, 3.0 as ``3``.
            scaling: of every numerical column.

        Raises:
            InputError: no rows; a missing column, or a value that is no finite number, with row and column; an
                unknown scaling; or a numerical column with one value only.
        """
        if scaling not in get_args(Scaling):
            raise InputError(f"the scaling is {scaling!r}, but one of {', '.join(get_args(Scaling))} is needed")
        training = list(rows)
        if not training:
            raise InputError("there are no training rows to fit the preprocessing to")
        return cls(
            tuple(_fitted(name, _numbers(training, name), scaling) for name in numerical),
            tuple(CategoricalColumn(name, tuple(sorted(set(_texts(training, name))))) for name in categorical),
        )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of all columns, in the order of the model's feature tokens."""
        return (*(column.name for column in self.numerical), *(column.name for column in self.categorical))

    @property
    def cardinalities(self) -> list[int]:
        """How many categories each categorical column has."""
        return [len(column.categories) for column in self.categorical]

    def transform(self, rows: Sequence[Row]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The model's arguments: scaled numbers (rows, numerical) and codes (rows, categorical).

        Raises:
            InputError: a missing column, a value that is no finite number, or a category that no training row
                had; the row and the column are named.
        """
        numbers = np.empty((len(rows), len(self.numerical)), dtype=np.float32)
        codes = np.empty((len(rows), len(self.categorical)), dtype=np.int64)
        for position, numerical in enumerate(self.numerical):
            numbers[:, position] = numerical.scaled(_numbers(rows, numerical.name))
        for position, categorical in enumerate(self.categorical):
            codes[:, position] = _codes(rows, categorical)
        return numbers, codes

    def to_json(self) -> str:
        """The text of a JSON file; numbers keep every bit."""
        return json.dumps(
            {
                "format": _FORMAT,
                "numerical": [
                    {"name": column.name, "scaling": column.scaling, "parameters": column.parameters.tolist()}
                    for column in self.numerical
                ],
                "categorical": [
                    {"name": column.name, "categories": list(column.categories)} for column in self.categorical
                ],
            },
            indent=1,
            ensure_ascii=False,
            allow_nan=False,
        )

    @classmethod
    def from_json(cls, text: str, *, source: str = "the preprocessing") -> "TablePreprocessing":
        """Read what :meth:`to_json` wrote; ``source`` names it in errors.

        Raises:
            InputError: it is something else, or damaged.
        """
        try:
            content = json.loads(text)
            if content["format"] != _FORMAT:
                raise InputError(f"its format is {content['format']!r}, not {_FORMAT!r}")
            return cls(
                tuple(_numerical(entry) for entry in content["numerical"]),
                tuple(CategoricalColumn(entry["name"], tuple(entry["categories"])) for entry in content["categorical"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(
                f"{source} can not be read as table preprocessing ({reason}): save the model anew"
            ) from error


def _numerical(entry: Mapping[str, Any]) -> NumericalColumn:
    if entry["scaling"] not in get_args(Scaling):
        raise InputError(f"the scaling {entry['scaling']!r} of the column {entry['name']} is unknown")
    return NumericalColumn(entry["name"], entry["scaling"], np.array(entry["parameters"], dtype=np.float64))


def _fitted(name: str, values: NDArray[np.float64], scaling: Scaling) -> NumericalColumn:
    if values.min() == values.max():
        raise InputError(f"the column {name} has the value {values[0]} in every training row: leave it out")
    if scaling == "standard":
        return NumericalColumn(name, scaling, np.array([values.mean(), values.std()]))
    count = max(min(len(values) // _ROWS_PER_QUANTILE, _QUANTILES), min(10, len(values)))
    quantiles = np.quantile(values, np.linspace(0, 1, count))
    # Interpolation between equal values can round to a decrease.
    return NumericalColumn(name, scaling, np.maximum.accumulate(quantiles))


def _normal_quantiles(values: NDArray[np.float64], quantiles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each value's share of the training rows, as a quantile of the standard normal distribution.

    A value that many training rows share lies in the middle of its share (interpolated from both sides), but the
    smallest and the largest value at the ends, as scikit-learn's ``QuantileTransformer`` has it.
    """
    import torch

    levels = np.linspace(0, 1, len(quantiles))
    below = np.interp(values, quantiles, levels)
    above = -np.interp(-values, -quantiles[::-1], -levels[::-1])
    share = np.clip((below + above) / 2, _CLIP, 1 - _CLIP)
    share = np.where(values <= quantiles[0], _CLIP, np.where(values >= quantiles[-1], 1 - _CLIP, share))
    return np.asarray(torch.special.ndtri(torch.from_numpy(share)).numpy())


def _value(row: Row, column: str) -> float | str:
    try:
        return row.values[column]
    except KeyError:
        raise InputError(f"row {row.id} has no column {column}: the model was trained with it") from None


def _numbers(rows: Sequence[Row], column: str) -> NDArray[np.float64]:
    numbers = np.empty(len(rows), dtype=np.float64)
    for position, row in enumerate(rows):
        value = _value(row, column)
        if not isinstance(value, Real) or not math.isfinite(value):
            raise InputError(f"row {row.id}, column {column}: {value!r} is no finite number")
        numbers[position] = value
    return numbers


def _texts(rows: Sequence[Row], column: str) -> list[str]:
    return [_category(_value(row, column), row, column) for row in rows]


def _codes(rows: Sequence[Row], column: CategoricalColumn) -> list[int]:
    positions = {category: position for position, category in enumerate(column.categories)}
    codes = []
    for row in rows:
        category = _category(_value(row, column.name), row, column.name)
        if category not in positions:
            known = ", ".join(column.categories[:8]) + (", …" if len(column.categories) > 8 else "")
            raise InputError(
                f"row {row.id}, column {column.name}: the category {category!r} is in no training row; "
                f"known are {known}"
            )
        codes.append(positions[category])
    return codes


def _category(value: float | str, row: Row, column: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Real) and math.isfinite(value):
        number = float(value)
        return str(int(number)) if number.is_integer() else repr(number)
    raise InputError(f"row {row.id}, column {column}: {value!r} is neither text nor a finite number")
