"""Bits to integers and back, against Python's own exact conversions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin.exact import (
    as_fraction,
    integers,
    nearest_float,
    order_keys,
    power_of_two,
    scaled,
    significands,
    top_exponent,
    widen,
)

finite = st.floats(allow_nan=False, allow_infinity=False)
arrays = st.lists(finite | st.integers(-9, 9).map(lambda k: k * 5e-324), min_size=1, max_size=8).map(np.array)


@given(arrays)
def test_significands_are_odd_and_exact(values: np.ndarray) -> None:
    mantissa, exponent = significands(values)
    for x, m, e in zip(values, mantissa, exponent, strict=True):
        assert Fraction(float(x)) == int(m) * power_of_two(int(e))
        assert m == 0 or m % 2 == 1


@given(arrays, st.integers(1, 12))
def test_integers_over_one_power_of_two(values: np.ndarray, headroom: int) -> None:
    numbers, exponent = integers(values, headroom=headroom)
    for x, number in zip(values, numbers, strict=True):
        assert Fraction(float(x)) == int(number) * power_of_two(exponent)
    if numbers.dtype == np.int64:
        assert int(np.abs(numbers).max()).bit_length() + headroom <= 63
    else:
        assert max(abs(number) for number in numbers).bit_length() + headroom > 63


@given(arrays, st.integers(-2200, 2200))
def test_scaling_is_exact_or_within_the_underflow(values: np.ndarray, shift: int) -> None:
    power = shift - int(top_exponent(values))
    if shift > 1000:
        return
    for x, y in zip(values, scaled(values, power), strict=True):
        assert abs(Fraction(float(y)) - Fraction(float(x)) * power_of_two(power)) <= Fraction(1, 2**1022)


@given(arrays)
def test_top_exponent(values: np.ndarray) -> None:
    largest = max(abs(Fraction(float(x))) for x in values)
    top = int(top_exponent(values))
    assert (top == 0 and largest == 0) or power_of_two(top) <= largest < power_of_two(top + 1)


@given(finite, finite)
def test_order_keys_compare_as_the_numbers_do(x: float, y: float) -> None:
    left, right = order_keys(np.array([x, y]))
    assert (left <= right) == (Fraction(x) <= Fraction(y))
    assert (left == right) == (x == y)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_widening_keeps_every_number(dtype: type[np.floating]) -> None:
    info = np.finfo(dtype)
    values = np.array(
        [info.smallest_subnormal, -info.smallest_subnormal, info.tiny, info.max, -0.0, 1 / 3], dtype=dtype
    )
    assert [float(x) for x in widen(values)] == [float(x) for x in values]
    assert widen(values).dtype == np.float64


def test_widening_every_float16() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    every = every[np.isfinite(every)]
    assert np.array_equal(widen(every), every.astype(np.float64))


def test_big_endian_and_strided_input() -> None:
    values = np.arange(12, dtype=">f4").reshape(3, 4)[:, ::2]
    assert np.array_equal(widen(values), [[0, 2], [4, 6], [8, 10]])


@given(finite)
def test_fraction_of_a_float(x: float) -> None:
    assert as_fraction(x) == Fraction(x)


def test_nearest_float_saturates() -> None:
    assert nearest_float(Fraction(10) ** 400) == float("inf")
    assert nearest_float(-(Fraction(10) ** 400)) == float("-inf")
    assert nearest_float(Fraction(1, 10**400)) == 0.0


@pytest.fixture
def flush_to_zero():  # type: ignore[no-untyped-def]
    torch = pytest.importorskip("torch")
    assert torch.set_flush_denormal(True), "this processor can not flush to zero"
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def test_subnormals_survive_flush_to_zero(flush_to_zero: None) -> None:
    """With flush-to-zero on, ordinary arithmetic loses these numbers (shown first); the bits do not."""
    single = np.array([1, 3, 0x7FFFFF], dtype=np.uint32).view(np.float32)
    double = np.array([1, 3], dtype=np.int64).view(np.float64)
    assert (double * 1.0 == 0).all()
    assert widen(single).tolist() == [2.0**-149, 3 * 2.0**-149, 0x7FFFFF * 2.0**-149]
    assert [as_fraction(x) for x in double] == [Fraction(1, 2**1074), Fraction(3, 2**1074)]
    assert (np.diff(order_keys(double)) == 2).all()
