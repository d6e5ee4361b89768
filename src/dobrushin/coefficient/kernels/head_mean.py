"""The mean of the heads of one layer, and whether they pass as attention, in one pass over float32 heads."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numba
import numpy as np

from dobrushin.coefficient.kernels.fixed_point import row_sum
from dobrushin.coefficient.kernels.jit import jit

_LEAST_NORMAL = np.uint32(0x00800000)
_INFINITY = np.uint32(0x7F800000)
_SUBNORMAL_STEP = 2.0**-149


@jit()
def _widen_and_add(bits, row, total):
    """Add one float32 row to ``total``, by its bits; False when an entry is negative (or −0.0) or not finite.

    Subnormal numbers are built from their integers: the processor may have been told to read them as zero.
    """
    largest = np.uint32(0)
    values = bits.view(np.float32)
    for k in range(bits.size):
        largest = max(largest, bits[k])
        value = np.float64(values[k])
        if bits[k] < _LEAST_NORMAL:
            value = np.float64(np.int32(bits[k])) * _SUBNORMAL_STEP
        row[k] = value
        total[k] += value
    return largest < _INFINITY


@jit(numba.boolean(numba.types.Array(numba.uint32, 3, "C", readonly=True), numba.float64, numba.float64[:, ::1]))
def mean_of_heads(bits, tolerance, out):
    """Write the mean over the first axis, heads added in order in float64.

    Args:
        bits: the bits of float32 heads, shape (heads, n, n).
        tolerance: how far from 1 a row sum may be.
        out: float64, shape (n, n).

    Returns:
        Whether every entry is finite and not negative and every row sum within the tolerance.
    """
    heads, n = bits.shape[0], bits.shape[1]
    row = np.empty(n)
    out[:, :] = 0.0
    for i in range(n):
        for head in range(heads):
            if not _widen_and_add(bits[head, i], row, out[i]) or not abs(row_sum(row) - 1.0) <= tolerance:
                return False
        for k in range(n):
            out[i, k] /= heads
    return True
