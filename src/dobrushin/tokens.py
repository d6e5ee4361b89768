"""Content tokens: which rows and columns of a map count, and how a row is read when columns are left out.

Three readings of "restricted to content tokens" are supported:

* ``renormalised`` (the default): rows and columns restricted, each row divided by its sum, exactly;
* ``submatrix``: rows and columns restricted, nothing divided;
* ``pairs``: only the pairs of rows are restricted, all columns are kept.

Without a choice of tokens there is nothing to restrict, and the map is taken as stored (``none``).
"""

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from dobrushin import scratch
from dobrushin.coefficient import Rows
from dobrushin.errors import InputError
from dobrushin.exact import Floats
from dobrushin.matrix import AttentionMatrix

Restriction = Literal["none", "renormalised", "submatrix", "pairs"]
"""How the map is read; see the module."""

DEFAULT_RESTRICTION: Restriction = "renormalised"
"""The reading used when tokens are chosen and no reading is named: the closest to the paper's words."""


def restricted_rows(
    matrix: AttentionMatrix,
    *,
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
) -> tuple[Rows, Restriction]:
    """The rows of a map between which distances are taken.

    Args:
        matrix: the map, shape (n, n).
        keep: indices of the content tokens (any order, no repeats; negative ones count from the end), or a
            boolean mask of length n; None keeps all.
        restrict: the reading; by default ``renormalised`` when tokens are chosen, and otherwise ``none``.

    Returns:
        The rows, and the reading that was used.

    Raises:
        InputError: unknown reading, token out of range or twice, fewer than two tokens, or (under
            ``renormalised``) a kept token without mass on the kept tokens.
    """
    reading = _reading(keep is not None, restrict)
    tokens = np.arange(matrix.n) if keep is None else token_indices(keep, matrix.n, name=matrix.name)
    if len(tokens) < 2:
        raise InputError(
            f"{matrix.name} has {len(tokens)} token{'' if len(tokens) == 1 else 's'} to compare: "
            "there is no pair of rows, so κ and the equality condition say nothing; at least two are needed"
        )
    columns = np.arange(matrix.n) if reading in ("none", "pairs") else tokens
    values = _cut(_cut(matrix.values, tokens, axis=0), columns, axis=1)
    own = tokens if reading in ("none", "pairs") else np.arange(len(tokens))
    try:
        return Rows(values, own.astype(np.int64), reading == "renormalised", tokens.tolist()), reading
    except InputError as error:
        raise InputError(f"{matrix.name}: {error}") from None


def _cut(values: Floats, tokens: npt.NDArray[np.int64], *, axis: int) -> Floats:
    """The rows (axis 0) or columns (axis 1) of the tokens, C-contiguous; consecutive ones are copied as a block."""
    first, last = int(tokens[0]), int(tokens[-1])
    if last - first + 1 != len(tokens):  # they are sorted and distinct
        shape = (len(tokens), values.shape[1]) if axis == 0 else (len(values), len(tokens))
        return values.take(tokens, axis=axis, out=scratch.empty(shape, f"tokens, axis {axis}"), mode="clip")
    block = slice(first, last + 1)
    part = values[block] if axis == 0 else values[:, block]
    if part.flags.c_contiguous:
        return part
    copy = scratch.empty(part.shape, f"tokens, axis {axis}")
    copy[...] = part
    return copy


def _reading(chosen: bool, restrict: Restriction | None) -> Restriction:
    if restrict is None:
        return DEFAULT_RESTRICTION if chosen else "none"
    if restrict not in get_args(Restriction):
        raise InputError(f"unknown restriction {restrict!r}; choose one of {', '.join(get_args(Restriction))}")
    if restrict == "none" and chosen:
        raise InputError("restrict='none' contradicts a choice of tokens; choose renormalised, submatrix or pairs")
    return restrict


def token_indices(keep: Iterable[int], n: int, *, name: str = "the map") -> npt.NDArray[np.int64]:
    """Sorted token indices from a list of indices or a boolean mask; :class:`InputError` when one does not fit."""
    try:
        chosen = np.asarray(keep if isinstance(keep, np.ndarray) else list(keep))
    except (TypeError, ValueError):
        raise InputError("tokens are chosen by a list of whole numbers or by a boolean mask") from None
    if chosen.dtype == np.bool_:
        if chosen.shape != (n,):
            raise InputError(f"the token mask has shape {chosen.shape}, but {name} has {n} tokens")
        return np.flatnonzero(chosen).astype(np.int64)
    if chosen.size == 0:
        return np.empty(0, dtype=np.int64)
    if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
        raise InputError("tokens are chosen by a list of whole numbers or by a boolean mask")
    chosen = chosen.astype(np.int64)
    for index in chosen:
        _refuse_outside(int(index), n, name)
    indices, counts = np.unique(chosen % n, return_counts=True)
    if (counts > 1).any():
        raise InputError(f"token {int(indices[counts > 1][0])} is chosen twice")
    return indices.astype(np.int64)


def _refuse_outside(index: int, n: int, name: str) -> None:
    if not -n <= index < n:
        raise InputError(f"token {index} is out of range: {name} has tokens 0 to {n - 1}")


def parse_tokens(text: str, n: int, *, name: str = "the map") -> npt.NDArray[np.int64]:
    """Read ``--keep``: indices and Python slices, separated by commas.

    >>> parse_tokens("0,2:5,-1", 8).tolist()
    [0, 2, 3, 4, 7]
    """
    chosen: list[int] = []
    for part in text.split(","):
        bounds = part.strip().split(":")
        try:
            numbers = [int(bound) if bound.strip() else None for bound in bounds]
        except ValueError:
            numbers = []
        match numbers:
            case [int(index)]:
                _refuse_outside(index, n, name)
                chosen.append(index)
            case [start, stop]:
                chosen.extend(_slice(start, stop, n, part=part, name=name))
            case _:
                raise InputError(f"'{part}' in '{text}' names no token; write indices and slices, as in 1,2,5 or 1:13")
    return token_indices(chosen, n, name=name)


def _slice(start: int | None, stop: int | None, n: int, *, part: str, name: str) -> range:
    """A slice must lie inside the map: silently cutting it short would hide a mistake."""
    for bound in (start, stop):
        if bound is not None and not -n <= bound <= n:
            raise InputError(f"the slice {part.strip()} reaches beyond {name}, which has tokens 0 to {n - 1}")
    chosen = range(*slice(start, stop).indices(n))
    if not chosen:
        raise InputError(f"the slice {part.strip()} keeps no token of {name}, which has tokens 0 to {n - 1}")
    return chosen
