"""The exact distance of one pair of plain rows."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numba
import numpy as np

from dobrushin.coefficient.kernels import limbs
from dobrushin.coefficient.kernels.jit import VALUES, jit


@jit(numba.void(VALUES, numba.int64, numba.int64, numba.int64[::1]))
def plain_distance(values, i, j, out):
    """Write the limbs of Σ_k |x_ik − x_jk|."""
    limbs.absolute_differences(values.view(np.int64), i, j, out)
