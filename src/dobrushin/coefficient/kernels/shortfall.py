"""The second filter for the slack (T4): finer scores for the pairs whose shortfall may be the smallest.

The shortfall is least where D − 2·min(a, u⁻) − 2·min(a, v⁻) is largest, with a = α/(1−α).

* Plain rows: integers in units of 2**-61, as in ``refine``; each deficit is off by less than 2 units, so the error of
  a score is below w + 8, and the deficits are subtracted first, so that hopeless pairs end before their first column.
* Normalised rows: O + min(a, u⁻) + min(a, v⁻) is to be small, with the overlap O, in float64.  O has a relative error
  of (2w+2)·2**-53.  A deficit whose two entries differ clearly in the other direction is 0 without error; any other
  is off by at most (w+4)·2**-53 of the larger entry, so each pair has an error of its own.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels import refine
from dobrushin.coefficient.kernels.jit import jit

_UNIT = 2.0**61
_ROUNDOFF = 2.0**-53
_UNDERFLOW = 2.0**-400


@jit()
def _plain_start(values, own, sums, i, j, cap):
    u = np.int64(values[j, own[i]] * _UNIT) - np.int64(values[i, own[i]] * _UNIT)
    v = np.int64(values[i, own[j]] * _UNIT) - np.int64(values[j, own[j]] * _UNIT)
    return sums[i] + sums[j] - 2 * min(cap, max(u, 0)) - 2 * min(cap, max(v, 0))


@jit()
def refine_plain(values, own, sums, cap, codes, count, scores):
    """Drop the pairs that can not have the smallest shortfall; return how many are left, in the same order."""
    rows, width = values.shape
    refine.fine_sums(values, sums)
    error = np.int64(width + 8)
    floor = np.int64(-1) << 62
    kept = 0
    for at in range(count):
        i, j = codes[at] // rows, codes[at] % rows
        start = _plain_start(values, own, sums, i, j, cap)
        score = refine.plain_score(values, start, i, j, floor)
        if score > floor:
            codes[kept], scores[kept] = codes[at], score
            kept += 1
            floor = max(floor, score - 2 * error)
    left = 0
    for at in range(kept):
        if scores[at] > floor:
            codes[left] = codes[at]
            left += 1
    return left


@jit()
def _deficit(own_entry, other, cap, width):
    """min(a, (other − own)⁺) and a bound on its error."""
    error = 2 * (width + 8) * _ROUNDOFF * max(own_entry, other) + _UNDERFLOW
    if own_entry - other > error:
        return 0.0, 0.0
    return min(cap, max(other - own_entry, 0.0)), error


@jit()
def refine_normalised(values, own, scales, cap, codes, count, lower):
    """As :func:`refine_plain`; ``lower`` (float64) is scratch."""
    rows, width = values.shape
    most = np.inf
    kept = 0
    for at in range(count):
        i, j = codes[at] // rows, codes[at] % rows
        u, u_error = _deficit(values[i, own[i]] * scales[i], values[j, own[i]] * scales[j], cap, width)
        v, v_error = _deficit(values[j, own[j]] * scales[j], values[i, own[j]] * scales[i], cap, width)
        start, error = u + v, u_error + v_error + 4 * _ROUNDOFF * (u + v) + _UNDERFLOW
        if start - error > most:
            continue
        overlap = refine.overlap_up_to(values, scales, i, j, most - start + error)
        relative = (4 * width + 32) * _ROUNDOFF
        least = start + overlap * (1 - relative) - error
        if least <= most:
            codes[kept], lower[kept] = codes[at], least
            kept += 1
            most = min(most, start + overlap * (1 + relative) + error)
    left = 0
    for at in range(kept):
        if lower[at] <= most:
            codes[left] = codes[at]
            left += 1
    return left
