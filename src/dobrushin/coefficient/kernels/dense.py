"""All distances D_q: the path for small maps, and for those where nothing can be pruned."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.jit import jit


@jit()
def distances(fixed, sums, rows, out):
    """Write D_q(i, j) for i < j, lexicographic, to ``out`` (uint32); return the largest and the second largest.

    Two rows against four at a time: eight sums stay in registers for six loads.  ``fixed`` has at least four more
    rows than the map; what is computed with those is not stored.
    """
    best = np.int64(-1)
    second = np.int64(-1)
    width = fixed.shape[1]
    for i in range(0, rows - 1, 2):
        for j in range(i + 1, rows, 4):
            s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = np.int32(0)
            for k in range(width):
                x, y = fixed[i, k], fixed[i + 1, k]
                a, b, c, d = fixed[j, k], fixed[j + 1, k], fixed[j + 2, k], fixed[j + 3, k]
                s0 = np.int32(s0 + min(x, a))
                s1 = np.int32(s1 + min(x, b))
                s2 = np.int32(s2 + min(x, c))
                s3 = np.int32(s3 + min(x, d))
                t0 = np.int32(t0 + min(y, a))
                t1 = np.int32(t1 + min(y, b))
                t2 = np.int32(t2 + min(y, c))
                t3 = np.int32(t3 + min(y, d))
            count = min(4, rows - j)
            for row, overlaps in ((i, (s0, s1, s2, s3)), (i + 1, (t0, t1, t2, t3))):
                start = row * (2 * rows - row - 1) // 2 - row - 1
                for c in range(count):
                    if j + c > row:
                        value = sums[row] + sums[j + c] - 2 * np.int64(overlaps[c])
                        out[start + j + c] = np.uint32(value)
                        if value > second:
                            if value > best:
                                second = best
                                best = value
                            else:
                                second = value
    return best, second
