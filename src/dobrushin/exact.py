"""Floats as the dyadic rationals that they are: bits to integers and back, nothing rounded.

Every finite float is ``m · 2**e`` with integers m and e.  All conversions here read the bits, never the floating
point unit, so they stay exact when a library has switched flush-to-zero or denormals-are-zero on
(``torch.set_flush_denormal`` does): subnormal entries of an attention map count like any others.
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
"""A float64 array: float16, bfloat16 and float32 embed in it exactly."""

Integers = npt.NDArray[np.int64] | npt.NDArray[np.object_]
"""Exact integers: int64 where they fit, Python integers (dtype object) otherwise."""

_FRACTION_BITS = 52
_FRACTION_MASK = (1 << _FRACTION_BITS) - 1
_EXPONENT_MASK = 0x7FF
_EXPONENT_BIAS = 1075  # of the integer significand: value = significand * 2**(exponent - 1075)


def widen(values: npt.NDArray[np.floating]) -> Floats:
    """Convert float16, float32 or float64 to float64 exactly, subnormals included.

    >>> widen(np.array([1e-45], dtype=np.float32)) == 2.0**-149
    array([ True])
    """
    if values.dtype.itemsize == 8:
        return np.ascontiguousarray(values, dtype=np.float64)
    single = np.ascontiguousarray(values, dtype=np.float32)  # float16 values are normal float32 numbers, or zero
    wide = single.astype(np.float64)
    bits = single.view(np.uint32)
    subnormal = ((bits & 0x7F800000) == 0) & ((bits & 0x007FFFFF) != 0)
    if subnormal.any():  # the hardware may have read these as zero
        magnitude = (bits[subnormal] & 0x007FFFFF).astype(np.float64) * 2.0**-149
        wide[subnormal] = np.where(bits[subnormal] >> 31, -magnitude, magnitude)
    return wide


def significands(values: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Signed integer significands m and exponents e with ``values == m * 2.0**e``; m is odd or zero.

    Args:
        values: finite float64 array of any shape.

    Returns:
        Two int64 arrays of the same shape; e is 0 where m is 0.
    """
    bits = np.ascontiguousarray(values).view(np.int64)
    biased = (bits >> _FRACTION_BITS) & _EXPONENT_MASK
    mantissa = bits & _FRACTION_MASK
    mantissa = np.where(biased > 0, mantissa | (1 << _FRACTION_BITS), mantissa)
    exponent = np.maximum(biased, 1) - _EXPONENT_BIAS
    lowest = mantissa & -mantissa  # a power of two (or zero): converting it to float is exact
    trailing = np.where(mantissa == 0, 0, np.frexp(lowest.astype(np.float64))[1] - 1).astype(np.int64)
    mantissa = mantissa >> trailing
    exponent = np.where(mantissa == 0, 0, exponent + trailing)
    return np.where(bits < 0, -mantissa, mantissa), exponent


def integers(values: Floats, *, headroom: int = 1) -> tuple[Integers, int]:
    """Integers N and one exponent e with ``values == N * 2**e``, for the largest such e.

    Args:
        values: finite float64 array of any shape.
        headroom: bits to leave free above the largest |N|; when N and the headroom fit in an int64 together,
            N is an int64 array, so that sums and products within the headroom can not overflow.

    >>> integers(np.array([0.75, 2.0]))
    (array([3, 8]), -2)
    """
    mantissa, exponent = significands(values)
    nonzero = mantissa != 0
    if not nonzero.any():
        return mantissa, 0
    lowest = int(exponent[nonzero].min())
    shift = np.where(nonzero, exponent - lowest, 0)
    lengths = np.frexp(np.abs(mantissa).astype(np.float64))[1] + shift
    if int(lengths.max()) + headroom <= 63:
        return mantissa << shift, lowest
    return mantissa.astype(object) << shift.astype(object), lowest


def scaled(values: Floats, power: npt.NDArray[np.int64] | int) -> Floats:
    """``values * 2.0**power`` in float64, right to 2**-1022 absolutely and exact unless it underflows.

    The significands are normal floats, so the result does not depend on flush-to-zero for the inputs.
    """
    mantissa, exponent = significands(values)
    # Two steps, each far inside the exponent range of a normal float; |power| can exceed it.
    total = np.clip(exponent + power, -1200, 1100)
    result: Floats = np.ldexp(mantissa.astype(np.float64), total.astype(np.int32))
    return result


def top_exponent(values: Floats, *, axis: int | None = None) -> npt.NDArray[np.int64]:
    """The exponent k with ``2**k <= max|values| < 2**(k+1)`` along ``axis`` (0 where all are zero)."""
    mantissa, exponent = significands(values)
    length = np.frexp(np.abs(mantissa).astype(np.float64))[1].astype(np.int64)
    top = np.where(mantissa == 0, np.iinfo(np.int64).min, exponent + length - 1)
    highest = np.asarray(top.max(axis=axis))
    return np.where(highest == np.iinfo(np.int64).min, 0, highest)


def order_keys(values: Floats) -> npt.NDArray[np.int64]:
    """Int64 keys in the same order as the values: ``x <= y`` exactly when ``key(x) <= key(y)``; ±0 are equal.

    Comparing keys is comparing the real numbers, whatever the floating-point unit does with subnormals.
    """
    bits = np.ascontiguousarray(values).view(np.int64)
    return np.where(bits < 0, -(bits & np.iinfo(np.int64).max), bits)


def as_fraction(value: float) -> Fraction:
    """The float as the rational that it is, read from its bits.

    >>> as_fraction(0.1)
    Fraction(3602879701896397, 36028797018963968)
    """
    mantissa, exponent = significands(np.array([value], dtype=np.float64))
    return power_of_two(int(exponent[0])) * int(mantissa[0])


def power_of_two(exponent: int) -> Fraction:
    """``2**exponent`` as a Fraction, for any integer exponent."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def nearest_float(value: Fraction) -> float:
    """The float64 nearest to a rational, an infinity when it is beyond the largest float.

    >>> nearest_float(Fraction(1, 3))
    0.3333333333333333
    """
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
