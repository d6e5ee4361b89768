"""Identical rows: the pairs of the same two rows' contents have the same distance, which is then worked out once."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.jit import jit

SLOTS = 1024


@jit(allocates=True)
def first_alike(values, out):
    """Write to ``out`` for each row the first row with the same bits; return how many rows are the first of their kind.

    A hash finds the possible ones, and the bits decide.
    """
    bits = values.view(np.int64)
    rows, width = bits.shape
    hashes = np.empty(rows, np.int64)
    kinds = 0
    for i in range(rows):
        mixed = np.int64(0)
        for k in range(width):
            mixed = (mixed * 31) ^ (bits[i, k] + (bits[i, k] >> 29))
        hashes[i] = mixed
        out[i] = i
        for j in range(i):
            if hashes[j] == mixed and out[j] == j and (bits[i] == bits[j]).all():
                out[i] = j
                break
        kinds += out[i] == i
    return kinds


@jit()
def slot_of(kinds, i, j):
    """The unordered pair of contents of rows i and j as one number, and its slot in a table of SLOTS."""
    a, b = min(kinds[i], kinds[j]), max(kinds[i], kinds[j])
    key = (np.int64(a) << 32) | np.int64(b)
    return key, (a * 37 + b) % SLOTS
