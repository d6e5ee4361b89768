"""How far from tight: the exact slack of the layerwise inequality (T4)."""

from fractions import Fraction

import numpy as np

from dobrushin.coefficient import ExactPairs, Pairs, Solution

_FEW = 16  # pairs that are cheaper one by one


def exact_slack(solution: Solution, alpha: Fraction) -> Fraction:
    """α + (1−α)κ_P(A) − κ_P(αI + (1−α)A), exactly.

    By T4 it is the minimum over the pairs of the pair's *shortfall*
    (1−α)(κ − d(i,j)) + min(α, (1−α)u⁻) + min(α, (1−α)v⁻).  A filter leaves few pairs to compare exactly.
    """
    candidates = solution.search.shortfall_candidates(alpha / (1 - alpha))
    if len(candidates) > _FEW:
        candidates = _representatives(solution, candidates)
    return min(_shortfall(solution, alpha, int(i), int(j)) for i, j in candidates)


def _shortfall(solution: Solution, alpha: Fraction, i: int, j: int) -> Fraction:
    total = (1 - alpha) * (solution.kappa - solution.exact.distance(i, j))
    for advantage in solution.exact.advantages(i, j):
        if advantage < 0:
            total += min(alpha, (alpha - 1) * advantage)
    return total


def _representatives(solution: Solution, pairs: Pairs) -> Pairs:
    """One pair for each combination of distance, u and v: with massive ties there are few."""
    exact = ExactPairs.of(solution.rows, pairs)
    u, v = exact.advantages()
    numerators = exact.distance_numerators()
    keys = np.stack([numerators, u, v], axis=-1).tolist()
    if solution.rows.normalised:
        keys = [
            [*key, exact.sums[i] * exact.sums[j]] for key, i, j in zip(keys, exact.first, exact.second, strict=True)
        ]
    first = {tuple(key): at for at, key in reversed(list(enumerate(keys)))}
    representatives: Pairs = pairs[sorted(first.values())]
    return representatives
