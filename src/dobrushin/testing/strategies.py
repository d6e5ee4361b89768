"""Hypothesis strategies for attention maps where exactness matters: ties, near ties, shared and sparse rows.

Random matrices almost never tie.  These strategies make rows out of few small integers (so that distances tie),
copy rows, zero entries, and then may move single entries by one unit in the last place (so that ties almost hold).
"""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

_DTYPES: tuple[type[np.floating[Any]], ...] = (np.float16, np.float32, np.float64)


def residual_weights() -> st.SearchStrategy[Fraction]:
    """Rationals strictly between 0 and 1, with ½ and both ends approached."""
    nice = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(9, 10), Fraction(1, 1000), Fraction(999, 1000)])
    return nice | st.fractions(Fraction(1, 64), Fraction(63, 64), max_denominator=64)


@st.composite
def weight_matrices(draw: st.DrawFn, *, min_n: int = 2, max_n: int = 6, largest: int = 6) -> npt.NDArray[np.int64]:
    """Square non-negative integer matrices without zero rows: row-stochastic once each row is divided by its sum.

    Some rows are copies of others, some are one-hot, and some matrices are causal.
    """
    n = draw(st.integers(min_n, max_n))
    entry = st.integers(0, largest)
    weights = np.array(draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)), dtype=np.int64)
    for row in range(n):
        match draw(st.sampled_from(["own", "own", "own", "copy", "one-hot", "reversed"])):
            case "copy":
                weights[row] = weights[draw(st.integers(0, n - 1))]
            case "one-hot":
                weights[row] = np.eye(n, dtype=np.int64)[draw(st.integers(0, n - 1))]
            case "reversed":
                weights[row] = weights[draw(st.integers(0, n - 1))][::-1]
    if draw(st.booleans()) and draw(st.booleans()):
        weights = np.tril(weights)
    empty = weights.sum(axis=1) == 0
    weights[empty, np.flatnonzero(empty)] = 1
    return weights


@st.composite
def stochastic_rationals(draw: st.DrawFn, *, min_n: int = 2, max_n: int = 6) -> list[list[Fraction]]:
    """Row-stochastic matrices of rationals with small denominators, full of ties."""
    weights = draw(weight_matrices(min_n=min_n, max_n=max_n))
    return [[Fraction(int(x), int(row.sum())) for x in row] for row in weights]


@st.composite
def stochastic_floats(
    draw: st.DrawFn,
    *,
    min_n: int = 2,
    max_n: int = 6,
    dtypes: tuple[type[np.floating[Any]], ...] = _DTYPES,
) -> npt.NDArray[np.floating[Any]]:
    """Float matrices that pass as attention: rows sum to 1 up to the dtype's rounding.

    Built from tied rational rows; then at most one entry of a row moves by one unit in the last place (zero
    becomes the smallest subnormal).
    """
    dtype = draw(st.sampled_from(dtypes))
    weights = draw(weight_matrices(min_n=min_n, max_n=max_n)).astype(np.float64)
    values: npt.NDArray[Any] = (weights / weights.sum(axis=1, keepdims=True)).astype(dtype)
    n = len(values)
    cell = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    for row, column in draw(st.lists(cell, max_size=4, unique_by=lambda at: at[0])):
        toward = dtype(draw(st.sampled_from([0.0, 1.0])))
        values[row, column] = np.nextafter(values[row, column], toward)
    return values


@st.composite
def real_floats(draw: st.DrawFn, *, min_n: int = 2, max_n: int = 5) -> npt.NDArray[np.float64]:
    """Any finite float64 matrix: small integers of both signs (ties), or floats of any size, subnormals included."""
    n = draw(st.integers(min_n, max_n))
    small = st.integers(-3, 3).map(float)
    anything = st.floats(allow_nan=False, allow_infinity=False)
    tiny = st.integers(-4, 4).map(lambda k: k * 5e-324)
    entry = draw(st.sampled_from([small, anything, tiny, small | anything | tiny]))
    return np.array(draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)))


@st.composite
def token_subsets(draw: st.DrawFn, n: int, *, min_size: int = 2) -> list[int]:
    """Sorted subsets of the tokens 0 … n−1."""
    size = draw(st.integers(min_size, n))
    return sorted(draw(st.permutations(range(n)))[:size])
