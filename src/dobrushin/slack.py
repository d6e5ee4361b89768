"""How far from tight: the exact slack of the layerwise inequality (T4)."""

from fractions import Fraction

import numpy as np

from dobrushin.coefficient import ExactPairs, Pairs, Solution
from dobrushin.exact import nearest_float, power_of_two

_UNIT_ROUNDOFF = 2.0**-53


def exact_slack(solution: Solution, alpha: Fraction) -> Fraction:
    """α + (1−α)κ_P(A) − κ_P(αI + (1−α)A), exactly.

    By T4 it is the minimum over the pairs of the pair's *shortfall*
    (1−α)(κ − d(i,j)) + min(α, (1−α)u⁻) + min(α, (1−α)v⁻).  The attaining pairs give a first bound; a pair whose
    distance alone costs more than that can not be the minimum, and a float filter leaves few of the others.
    """
    bound = min(_shortfalls(solution, alpha, solution.attaining))
    if bound == 0:
        return bound
    candidates = solution.pairs_at_least(solution.kappa - bound / (1 - alpha))
    candidates = candidates[_may_be_smallest(solution, alpha, candidates)]
    return min(_shortfalls(solution, alpha, candidates))


def _shortfalls(solution: Solution, alpha: Fraction, pairs: Pairs) -> list[Fraction]:
    exact = ExactPairs.of(solution.rows, pairs)
    us, vs = exact.advantages()
    shortfalls = []
    for k, distance in enumerate(exact.distances()):
        deficits = (min(alpha, (1 - alpha) * max(-exact.value(x[k], k), Fraction(0))) for x in (us, vs))
        shortfalls.append((1 - alpha) * (solution.kappa - distance) + sum(deficits))
    return shortfalls


def _may_be_smallest(solution: Solution, alpha: Fraction, pairs: Pairs) -> np.ndarray:
    """Mask of the pairs whose shortfall may be the smallest, from float64 values and a bound on their error.

    Every number below is a difference or a sum of a few quantities of size at most ``size``, each right to the
    screen's bounds, so ``error`` covers all roundings several times over.  An overflow makes it infinite, and then
    every pair is kept for the exact comparison.
    """
    screen, own = solution.screen, solution.rows.own_column
    i, j = pairs[:, 0], pairs[:, 1]
    unit = power_of_two(-screen.exponent)
    residual, weight = nearest_float(alpha * unit), nearest_float(1 - alpha)
    kappa = nearest_float(solution.kappa * unit)
    values = screen.values
    count = len(solution.rows)
    distances = screen.distances[i * (2 * count - i - 1) // 2 + (j - i - 1)]
    u = values[i, own[i]] - values[j, own[i]]
    v = values[j, own[j]] - values[i, own[j]]
    shortfalls = weight * (kappa - distances)
    for advantage in (u, v):
        shortfalls += np.minimum(residual, weight * np.maximum(-advantage, 0.0))
    size = 1 + residual + kappa + float(np.abs(values).sum(axis=1).max())
    error = 4 * (screen.relative + 16 * _UNIT_ROUNDOFF) * size + 8 * screen.absolute
    if not np.isfinite(error):
        return np.ones(len(pairs), dtype=bool)
    mask: np.ndarray = shortfalls - error <= shortfalls.min() + error
    return mask
