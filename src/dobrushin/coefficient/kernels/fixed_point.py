"""Rows as int32 multiples of 2**-30, and the one-line bound that makes integer distances a filter.

Write w for the number of columns, y_ik for the entries (divided by their row's sum when rows are normalised) and
q_ik for the integers, and measure in units of 2**-30.  D_q(i,j) = Σ_k |q_ik − q_jk| is computed without any
rounding, as R_i + R_j − 2·Σ_k min(q_ik, q_jk) with R_i = Σ_k q_ik.

* Plain rows: multiplying by 2**30 is exact and truncating is flooring, so 0 ≤ y_ik − q_ik < 1 and every column
  moves |y_ik − y_jk| by less than 1: |D − D_q| < w.
* Normalised rows: the computed product is y_ik(1+ε_i) with |ε_i| ≤ (w+3)·2**-53 (a sum in any order, a division, a
  product), and Σ_k y_ik = 1, so on top of the w come at most 2(w+3)·2**-53·2**30: |D − D_q| < w + 1 for w < 2**20.

So ``w + 1`` bounds the error of D_q in both readings, whatever the order of summation, the width of the vector unit
or the number of threads.  A subnormal entry that the processor reads as zero is floored to zero either way.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.convert import quantise_vectors
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.vectors import LANES

UNIT_BITS = 30
_UNIT = 2.0**UNIT_BITS
_LEAST_SUM = 2.0**-500  # of normalised rows: far from anything that could underflow


@jit(fastmath={"reassoc"})
def row_sum(row):
    """Σ_k row_k in any order (so that it vectorises): the relative error is below w·2**-53 in all of them."""
    total = 0.0
    for k in range(row.size):
        total += row[k]
    return total


@jit()
def quantise_row(values, row, unit, fixed, scratch):
    """Write q of one row, and zeros beyond its last column; return R, or -1 when some entry is not in [0, 2).

    That is read off the bits: sign and top exponent bit are clear (so −0.0 is refused).
    """
    width = values.shape[1]
    whole = width // LANES * LANES
    quantise_vectors(values, row, width // LANES, unit, fixed, scratch)
    every, total = scratch[0], scratch[1]
    bits = values[row].view(np.int64)
    for k in range(whole, width):
        every |= bits[k]
    if every >> 62 != 0:
        return np.int64(-1)
    for k in range(whole, width):
        q = np.int32(values[row, k] * unit)
        fixed[row, k] = q
        total += q
    for k in range(width, fixed.shape[1]):
        fixed[row, k] = 0
    return total


@jit()
def quantise(values, normalised, fixed, sums, scales, scratch):
    """Write q to the first rows of ``fixed`` (zero beyond the last column), R to ``sums``, y = x·scale to ``scales``.

    Returns:
        False when the rows are not for integers of 31 bits: negative or large entries, or a vanishing row sum.
    """
    for i in range(values.shape[0]):
        scales[i] = 1.0
        if normalised:
            mass = row_sum(values[i])
            if not mass >= _LEAST_SUM:
                return False
            scales[i] = 1.0 / mass
        sums[i] = quantise_row(values, i, scales[i] * _UNIT, fixed, scratch)
        if not 0 <= sums[i] < 1 << 31:
            return False
    return True


@jit()
def overlap(fixed, i, j):
    """Σ_k min(q_ik, q_jk) of one pair."""
    total = np.int32(0)
    for k in range(fixed.shape[1]):
        total = np.int32(total + min(fixed[i, k], fixed[j, k]))
    return np.int64(total)
