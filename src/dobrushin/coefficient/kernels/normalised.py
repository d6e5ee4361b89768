"""Exact distances of rows divided by their sums, reduced to four long sums for each pair.

For rows that each sum to s, Σ_k (x_ik/s_i − x_jk/s_j) = 0, so the half-L1 distance is the sum of the positive terms:

    d(i, j) = X/s_i − Y/s_j,   X = Σ_{k∈P} x_ik,  Y = Σ_{k∈P} x_jk,  P = {k : x_ik/s_i > x_jk/s_j}.

Whether k is in P is decided by float64 quotients wherever they differ by more than 2**-38 of the larger and by more
than 2**-400: each carries a relative error of at most (w+3)·2**-53 < 2**-40 (``limits.WIDEST``), and what underflow
loses is far below 2**-400.  Where the numbers and the row sums are equal, the terms cancel.  What is left undecided is
listed, for long integers.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numba
import numpy as np

from dobrushin.coefficient.kernels import limbs
from dobrushin.coefficient.kernels.fixed_point import row_sum
from dobrushin.coefficient.kernels.jit import VALUES, jit

_RELATIVE = 2.0**-38
_ABSOLUTE = 2.0**-400


@jit(numba.boolean(VALUES, numba.float64))
def each_has_mass(values, least):
    """Whether no entry has its sign bit set and every row's sum, in float64, is above ``least``."""
    bits = values.view(np.int64)
    for i in range(values.shape[0]):
        signs = np.int64(0)
        for k in range(values.shape[1]):
            signs |= bits[i, k]
        if signs < 0 or not row_sum(values[i]) > least:
            return False
    return True


@jit(numba.void(VALUES, numba.int64, numba.int64[::1]))
def exact_sum(values, row, out):
    """Write the limbs of Σ_k x_k of one row."""
    bits = values.view(np.int64)
    out[:] = 0
    for k in range(bits.shape[1]):
        limbs.add(out, bits[row, k], 1)
    limbs.carry(out)


@jit(numba.int64(VALUES, numba.int64, numba.int64, numba.boolean, numba.int64[:, ::1], numba.int64[::1]))
def positive_part(values, i, j, equal_sums, parts, undecided):
    """Write the limbs of X and Y to ``parts`` (2, LIMBS), over the columns that floats can decide.

    Returns:
        How many columns are listed in ``undecided`` (as long as the rows).
    """
    bits = values.view(np.int64)
    x_scale, y_scale = 1.0 / row_sum(values[i]), 1.0 / row_sum(values[j])
    parts[:, :] = 0
    left = 0
    for k in range(values.shape[1]):
        if bits[i, k] == bits[j, k] and (equal_sums or bits[i, k] == 0):
            continue
        x, y = values[i, k] * x_scale, values[j, k] * y_scale
        gap = _RELATIVE * max(x, y) + _ABSOLUTE
        if x - y > gap:
            limbs.add(parts[0], bits[i, k], 1)
            limbs.add(parts[1], bits[j, k], 1)
        elif not y - x > gap:
            undecided[left] = k
            left += 1
    limbs.carry(parts[0])
    limbs.carry(parts[1])
    return left


@jit(numba.void(VALUES, numba.int32[::1], numba.boolean[::1]))
def disjoint(values, codes, out):
    """Whether the two rows of each listed pair have no column in common: then d = 1, the largest there is."""
    bits = values.view(np.int64)
    rows = bits.shape[0]
    for at in range(codes.size):
        i, j = codes[at] // rows, codes[at] % rows
        out[at] = True
        for k in range(bits.shape[1]):
            if bits[i, k] != 0 and bits[j, k] != 0:
                out[at] = False
                break
