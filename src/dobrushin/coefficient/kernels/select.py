"""The largest of a short list of pairs: by the fine filter where that suffices, otherwise in exact limbs."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels import limbs, refine
from dobrushin.coefficient.kernels.jit import jit

UNRESOLVED = -1
"""Instead of a number of pairs: normalised rows need products of long integers, which are not done here."""


@jit()
def nothing_underflows(values):
    """Whether every entry is zero or at least 2**-300, so that it does not vanish when divided by a sum below 2."""
    bits = values.view(np.int64)
    least = np.int64(1023 - 300) << 52
    small = 0
    for i in range(bits.shape[0]):
        for k in range(bits.shape[1]):
            small += (bits[i, k] < least) & (bits[i, k] > 0)
    return small == 0


@jit()
def mark_largest(values, normalised, codes, fine, count):
    """Mark the listed pairs with the largest distance: their codes become ``~code``.  None is marked before.

    Returns:
        How many were marked, or UNRESOLVED: then those that may be the largest are marked.
    """
    top = fine[0]
    for at in range(1, count):
        top = max(top, fine[at])
    floor = refine.floor_below(top, values.shape[1], normalised)
    near = 0
    for at in range(count):
        near += fine[at] > floor
    exact = near == 1
    if normalised and not exact and top == 0 and nothing_underflows(values):
        exact = True  # an overlap of zero: the rows have no column in common, and the distance is 1
        floor = top - 1
    if not exact and not normalised:
        if not refine.loses_no_bit(values, 61):
            return _mark_by_limbs(values, codes, fine, count, floor)
        exact = True
        floor = top - 1
    marked = 0
    for at in range(count):
        if fine[at] > floor:
            codes[at] = ~codes[at]
            marked += 1
    return marked if exact else UNRESOLVED


@jit(allocates=True)
def _mark_by_limbs(values, codes, fine, count, floor):
    bits = values.view(np.int64)
    rows = values.shape[0]
    best = np.zeros(limbs.LIMBS, np.int64)
    own = np.zeros(limbs.LIMBS, np.int64)
    marked = 0
    first = 0
    for at in range(count):
        code = codes[at]
        if fine[at] <= floor:
            continue
        limbs.absolute_differences(bits, code // rows, code % rows, own)
        order = limbs.compare(own, best) if marked else 1
        if order > 0:
            for earlier in range(first, at):  # what has been marked is no longer the largest
                if codes[earlier] < 0:
                    codes[earlier] = ~codes[earlier]
            for limb in range(limbs.LIMBS):
                best[limb] = own[limb]
            marked = 0
            first = at
        if order >= 0:
            codes[at] = ~code
            marked += 1
    return marked
