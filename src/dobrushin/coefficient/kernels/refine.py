"""The second filter, for the pairs that the first can not tell apart.  Both forms bound early and abandon.

Plain rows, int64 multiples of 2**-61: with z_ik = ⌊2**61·x_ik⌋ and Z_i = Σ_k z_ik, exactly as for 30 bits,
|D − D_z| < w in units of 2**-61, D_z(i, j) = Z_i + Z_j − 2·Σ_k min(z_ik, z_jk); when no row loses a bit D_z is D.
Row sums stay below 2, so everything stays below 2**63.  A pair is dropped as soon as Z_i + Z_j less twice what has
been summed is no larger than the floor: where κ ≈ 1 and rows hardly overlap, before its first column.

Normalised rows sum to 1 exactly, hence d(i, j) = 1 − Σ_k min(y_ik, y_jk), and the *smallest overlap* is sought, in
float64: a product, a row sum and a sum of non-negative terms in any order make a relative error of at most
(2w+2)·2**-53 (Higham, Accuracy and Stability, §4.2), however close to 1 the distance is; underflow loses less than
2**-400.  Overlaps are kept as the negated bits of the float, whose order is that of the distances.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels import ties
from dobrushin.coefficient.kernels.fixed_point import UNIT_BITS, overlap
from dobrushin.coefficient.kernels.jit import jit

_UNIT = 2.0**61
_STRIP = 64
_MANY = 64  # listed pairs that make it worth finding out whether 30 bits are exact
_INFINITY_BITS = 0x7FF0000000000000
_LOWEST = -_INFINITY_BITS - 1
_ROUNDOFF = 2.0**-53
_UNDERFLOW = 2.0**-400


@jit()
def loses_no_bit(values, unit_bits):
    """Whether every entry is a multiple of 2**-unit_bits, from its bits: no subnormal is."""
    bits = values.view(np.int64)
    for i in range(bits.shape[0]):
        for k in range(bits.shape[1]):
            x = bits[i, k]
            lost = 1075 - unit_bits - (x >> 52)  # value = significand * 2**(exponent bits - 1075)
            if x != 0 and lost > 0:
                significand = (x & ((1 << 52) - 1)) | (1 << 52)
                if lost > 52 or significand & ((1 << lost) - 1) != 0:
                    return False
    return True


@jit()
def floor_below(score, width, normalised):
    """The largest score that proves a pair to be strictly farther from the maximum than one with the given score."""
    if not normalised:
        return score - 2 * width
    overlap = bits_to_float(-score)
    return -float_to_bits(overlap * (1 + (8 * width + 64) * _ROUNDOFF) + _UNDERFLOW) - 1


@jit()
def float_to_bits(value):
    """The bits of a float64."""
    return np.float64(value).view(np.int64)


@jit()
def bits_to_float(bits):
    """The float64 with these bits."""
    return np.int64(bits).view(np.float64)


@jit()
def fine_sums(values, out):
    """Write Z of every row to ``out``."""
    for row in range(values.shape[0]):
        total = np.int64(0)
        for k in range(values.shape[1]):
            total += np.int64(values[row, k] * _UNIT)
        out[row] = total


@jit()
def plain_score(values, start, i, j, floor):
    """Start − 2·Σ_k min(z_ik, z_jk), or something that is no larger than the floor when that is not larger either."""
    width = values.shape[1]
    score = start
    k = 0
    while k < width and score > floor:
        stop = min(k + _STRIP, width)
        total = np.int64(0)
        for c in range(k, stop):
            total += np.int64(min(values[i, c], values[j, c]) * _UNIT)
        score -= 2 * total
        k = stop
    return score


@jit(fastmath={"reassoc"})
def _strip(x, y, x_scale, y_scale):
    """Σ min(x·x_scale, y·y_scale) in any order: all terms are non-negative."""
    total = 0.0
    for c in range(x.size):
        total += min(x[c] * x_scale, y[c] * y_scale)
    return total


@jit()
def overlap_up_to(values, scales, i, j, most):
    """The overlap of one pair, or something no less than ``most`` when the overlap is not less either."""
    width = values.shape[1]
    total = 0.0
    k = 0
    while k < width and total < most:
        stop = min(k + _STRIP, width)
        total += _strip(values[i, k:stop], values[j, k:stop], scales[i], scales[j])
        k = stop
    return total


@jit()
def plain_distance(values, i, j):
    """D_z of one pair."""
    total = np.int64(0)
    for k in range(values.shape[1]):
        total += abs(np.int64(values[i, k] * _UNIT) - np.int64(values[j, k] * _UNIT))
    return total


@jit()
def normalised_score(values, scales, i, j, floor):
    """The negated bits of the overlap, or something no larger than the floor if that is not larger either."""
    most = bits_to_float(min(-floor, _INFINITY_BITS))
    return -float_to_bits(overlap_up_to(values, scales, i, j, most))


@jit()
def _raised(score, best, second, floor, width, normalised):
    """The two largest scores so far with one more, and the floor that follows from the second."""
    if score > second:
        second = min(score, best)
        best = max(score, best)
        if second > _LOWEST:
            floor = floor_below(second, width, normalised)
    return best, second, floor


@jit()
def _drop(floor, codes, scores, count):
    """Drop the pairs that the floor rules out; return how many are left, in front, in the same order."""
    left = 0
    for at in range(count):
        if scores[at] > floor:
            codes[left], scores[left] = codes[at], scores[at]
            left += 1
    return left


@jit()
def refine(values, normalised, fixed, scales, sums, codes, count, scores):
    """Score the listed pairs and drop those that can neither attain the maximum nor come next to it.

    Returns:
        How many are left, in front, in the same order.
    """
    if count > _MANY:
        return _refine_many(values, normalised, fixed, scales, sums, codes, count, scores)
    rows, width = values.shape
    best = second = floor = _LOWEST
    for at in range(count):
        i, j = codes[at] // rows, codes[at] % rows
        if normalised:
            scores[at] = normalised_score(values, scales, i, j, floor)
        else:
            scores[at] = plain_distance(values, i, j)
        best, second, floor = _raised(scores[at], best, second, floor, width, normalised)
    return _drop(floor, codes, scores, count)


@jit(allocates=True)
def _refine_many(values, normalised, fixed, scales, sums, codes, count, scores):
    """:func:`refine` for a long list.

    It comes from ties, so it is worth finding out whether the first filter's distances are exact, and which rows are
    the same.
    """
    rows, width = values.shape
    coarse = not normalised and loses_no_bit(values, UNIT_BITS)
    kinds = np.empty(rows, np.int64)
    keys = np.full(ties.SLOTS, -1, np.int64)
    known = np.empty(keys.size, np.int64)
    repeats = ties.first_alike(values, kinds) < rows
    if not normalised and not coarse:
        fine_sums(values, sums)
    best = second = floor = _LOWEST
    for at in range(count):
        i, j = codes[at] // rows, codes[at] % rows
        key, slot = ties.slot_of(kinds, i, j)
        if repeats and keys[slot] == key:
            score = known[slot]  # if that was abandoned, it was below a floor that has only risen since
        else:
            if coarse:
                score = (sums[i] + sums[j] - 2 * overlap(fixed, i, j)) << (61 - UNIT_BITS)
            elif normalised:
                score = normalised_score(values, scales, i, j, floor)
            else:
                score = plain_score(values, sums[i] + sums[j], i, j, floor)
            keys[slot], known[slot] = key, score
        scores[at] = score
        best, second, floor = _raised(score, best, second, floor, width, normalised)
    return _drop(floor, codes, scores, count)
