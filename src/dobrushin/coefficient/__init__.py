"""The Dobrushin coefficient κ: the largest total-variation (half-L1) distance between two rows, exactly.

One door: :func:`solve` takes :class:`Rows` and returns a :class:`Solution`.  Inside, a filter with a proved error
bound leaves the few pairs that may attain the maximum, and those are compared exactly.  There are two filters: compiled
integer kernels (``compiled`` and ``kernels``, where numba is installed) and float64 in numpy (``screened``); the
answers are the same.
"""

from dobrushin.coefficient.batch import BatchSolution, solve_batch
from dobrushin.coefficient.exact_pairs import ExactPairs
from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.coefficient.solution import Solution, Stage, solve

__all__ = ["BatchSolution", "ExactPairs", "Pairs", "Rows", "Solution", "Stage", "solve", "solve_batch"]
