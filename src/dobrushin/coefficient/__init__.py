"""The Dobrushin coefficient κ: the largest total-variation (half-L1) distance between two rows, exactly.

One door: :func:`solve` takes :class:`Rows` and returns a :class:`Solution`.  Inside, distances are first computed
in floating point with a proved error bound (``screen``); the pairs that may attain the maximum are then compared
in exact integers (``exact_pairs``).
"""

from dobrushin.coefficient.exact_pairs import ExactPairs
from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.coefficient.solution import Solution, Stage, solve

__all__ = ["ExactPairs", "Pairs", "Rows", "Solution", "Stage", "solve"]
