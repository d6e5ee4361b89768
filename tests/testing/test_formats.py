"""Rounding to the four formats, against torch and numpy."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin.matrix import Precision
from dobrushin.testing.formats import neighbour, rounded, stored

FORMATS = get_args(Precision)


@given(st.lists(st.floats(0, 2), min_size=1, max_size=8))
def test_bfloat16_rounds_as_torch_does(values: list[float]) -> None:
    torch = pytest.importorskip("torch")
    expected = torch.tensor(np.array(values, dtype=np.float32)).to(torch.bfloat16).double().numpy()
    assert np.array_equal(rounded(values, "bfloat16"), expected)


@pytest.mark.parametrize("precision", FORMATS)
def test_stored_numbers_are_unchanged(precision: Precision) -> None:
    values = rounded(np.random.default_rng(0).random((5, 5)), precision)
    assert np.array_equal(rounded(values, precision), values)
    array, _ = stored(values, precision)
    assert np.array_equal(np.asarray(array.double() if hasattr(array, "double") else array, dtype=np.float64), values)


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("value", [0.0, 0.25, 0.75, 1.0])
def test_neighbours_are_adjacent(precision: Precision, value: float) -> None:
    above = neighbour(value, precision, up=True)
    assert above > value
    assert neighbour(above, precision, up=False) == value
    middle = (value + above) / 2
    assert middle in (value, above) or rounded([middle], precision)[0] in (value, above)


def test_nothing_below_zero() -> None:
    assert neighbour(0.0, "float32", up=False) == 0.0
