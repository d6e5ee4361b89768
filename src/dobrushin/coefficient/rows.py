"""The rows whose pairwise total-variation distances are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dobrushin.errors import InputError
from dobrushin.exact import Floats, integers, order_keys

Pairs = npt.NDArray[np.int64]
"""Pairs of row positions, shape (count, 2), each with i < j, in lexicographic order."""

_PLAIN_MASS = 2.0**-900  # a float sum of non-negative numbers above this is positive, subnormals or not


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of one attention map between which distances are taken: the input of this room's door.

    Attributes:
        values: float64, shape (m, width), finite: row i of the map, over the columns that count.
        own_column: int64, shape (m,): the column of ``values`` that belongs to row i's own token, so that the
            entry written A_ij in the theorem is ``values[i, own_column[j]]``.
        normalised: whether every row stands for itself divided by its sum (exactly, as a rational).
        tokens: shape (m,): the index in the whole map of row i's token, for messages and results.
    """

    values: Floats
    own_column: npt.NDArray[np.int64]
    normalised: bool
    tokens: Sequence[int]

    def __post_init__(self) -> None:
        if self.normalised:
            _refuse_rows_without_mass(self.values, self.tokens)

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def width(self) -> int:
        """Number of columns that the distances sum over."""
        return int(self.values.shape[1])


def _each_has_mass(values: Floats) -> bool:
    """Whether all rows are non-negative and have a plainly positive sum, in one pass where that is compiled."""
    from dobrushin.coefficient import compiled

    if compiled.available() and values.flags.c_contiguous:
        return bool(compiled.kernels().normalised.each_has_mass(values, _PLAIN_MASS))
    return bool(values.min() >= 0 and values.sum(axis=1).min() > _PLAIN_MASS)


def _refuse_rows_without_mass(values: Floats, tokens: Sequence[int]) -> None:
    if _each_has_mass(values):
        return
    keys = order_keys(values)  # not the floats: denormals-are-zero would hide a subnormal mass
    if (keys >= 0).all():
        massless = ~(keys > 0).any(axis=1)
    else:
        numbers, _ = integers(values, headroom=values.shape[1].bit_length() + 1)
        massless = np.asarray(numbers.sum(axis=1) <= 0, dtype=bool)
    if massless.any():
        raise InputError(
            f"row {tokens[int(np.argmax(massless))]} has no mass on the kept tokens, so it can not be "
            "renormalised; keep other tokens, or restrict with 'submatrix' or 'pairs'"
        )
