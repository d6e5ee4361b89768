"""The second filter, for the pairs that the first can not tell apart: int64 multiples of 2**-61.

In units of 2**-61, with z_ik the computed float64 product x_ik·scale_i and floors of it:

* Plain rows: as for 30 bits, |D − D_z| < w; and when no bit is lost in any row (all entries are multiples of
  2**-61) D_z is D.
* Normalised rows: z_ik carries the relative error (w+3)·2**-53 of its row, so 2(w+3)·2**8 units come on top of the w.

Sums of two rows below 2 each stay under 2**63.
"""

import numpy as np

from dobrushin.coefficient.kernels.jit import jit

_UNIT = 2.0**61


@jit()
def fine_error(width, normalised):  # type: ignore[no-untyped-def]
    """A bound on the error of every distance that :func:`fine_distances` returns."""
    return width + 512 * (width + 4) if normalised else width


@jit()
def loses_no_bit(values, row):  # type: ignore[no-untyped-def]
    """Whether every entry of the row is a multiple of 2**-61, from its bits: no subnormal is."""
    bits = values.view(np.int64)
    for k in range(values.shape[1]):
        x = bits[row, k]
        if x == 0:
            continue
        exponent = (x >> 52) - 1075  # value = significand * 2**exponent
        significand = (x & ((1 << 52) - 1)) | (1 << 52)
        lost = -61 - exponent
        if lost > 0 and (lost > 52 or significand & ((1 << lost) - 1) != 0):
            return False
    return True


@jit()
def fine_distances(values, scales, codes, count, out):  # type: ignore[no-untyped-def]
    """Write D_z of the listed pairs to ``out`` (int64)."""
    rows, width = values.shape
    for at in range(count):
        i, j = codes[at] // rows, codes[at] % rows
        x_unit, y_unit = scales[i] * _UNIT, scales[j] * _UNIT
        total = np.int64(0)
        for k in range(width):
            total += abs(np.int64(values[i, k] * x_unit) - np.int64(values[j, k] * y_unit))
        out[at] = total
