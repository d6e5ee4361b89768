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

from dobrushin.coefficient.kernels.jit import jit

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
def in_range(values):
    """Whether all entries lie in [0, 2), from their bits: sign and top exponent bit are clear (−0.0 is refused)."""
    bits = values.view(np.int64)
    every = np.int64(0)
    for i in range(bits.shape[0]):
        for k in range(bits.shape[1]):
            every |= bits[i, k]
    return (every >> 62) == 0


@jit()
def quantise(values, normalised, fixed, sums, scales):
    """Write q to the first rows of ``fixed`` (zero beyond the last column), R to ``sums``, y = x·scale to ``scales``.

    Returns:
        False when the rows are not for integers of 31 bits: negative or large entries, or a vanishing row sum.
    """
    if not in_range(values):
        return False
    rows, width = values.shape
    for i in range(rows):
        scale = 1.0
        if normalised:
            mass = row_sum(values[i])
            if not mass >= _LEAST_SUM:
                return False
            scale = 1.0 / mass
        scales[i] = scale
        unit = scale * _UNIT
        total = np.int64(0)
        for k in range(width):
            q = np.int32(values[i, k] * unit)
            fixed[i, k] = q
            total += q
        fixed[i, width:] = 0
        if total >= 1 << 31:
            return False
        sums[i] = total
    return True


@jit()
def overlap(fixed, i, j):
    """Σ_k min(q_ik, q_jk) of one pair."""
    total = np.int32(0)
    for k in range(fixed.shape[1]):
        total = np.int32(total + min(fixed[i, k], fixed[j, k]))
    return np.int64(total)
