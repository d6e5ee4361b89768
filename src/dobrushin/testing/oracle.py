"""What is true of a matrix, by the definitions, in Python's integers and fractions; no kernel is used."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from dobrushin.condition import Verdict


@dataclass(frozen=True)
class Truth:
    """The fields of a verdict that the definitions fix."""

    kappa: Fraction
    attaining: list[tuple[int, int]]
    runner_up: Fraction | None
    slack: Fraction
    dominant: list[tuple[int, int]]
    advantages: dict[tuple[int, int], tuple[Fraction, Fraction]]


def truth(values: np.ndarray, alpha: Fraction, *, normalised: bool) -> Truth:
    """Brute force over all pairs of a square matrix of float64."""
    ratios = [[float(x).as_integer_ratio() for x in row] for row in values]
    scale = max(q for row in ratios for _, q in row)  # powers of two
    X = np.array([[p * (scale // q) for p, q in row] for row in ratios], dtype=object)
    n = len(X)
    sums = [int(sum(row)) for row in X] if normalised else [scale] * n
    distances: dict[tuple[int, int], Fraction] = {}
    lazy: dict[tuple[int, int], Fraction] = {}
    advantages = {}
    for i, j in combinations(range(n), 2):
        difference = X[i] * sums[j] - X[j] * sums[i]
        weight = sums[i] * sums[j]
        distances[i, j] = Fraction(int(np.abs(difference).sum()), 2 * weight)
        u, v = Fraction(int(difference[i]), weight), Fraction(-int(difference[j]), weight)
        advantages[i, j] = u, v
        # |αI + (1−α)A| entrywise differs from (1−α)|A| in the columns of i and j only: here, by the definition.
        rest = 2 * distances[i, j] - abs(u) - abs(v)
        lazy[i, j] = ((1 - alpha) * (rest) + abs(alpha + (1 - alpha) * u) + abs(alpha + (1 - alpha) * v)) / 2
    kappa = max(distances.values())
    attaining = [pair for pair, d in distances.items() if d == kappa]
    others = {d for d in distances.values() if d != kappa}
    dominant = [pair for pair in attaining if min(advantages[pair]) >= 0]
    slack = alpha + (1 - alpha) * kappa - max(lazy.values())
    return Truth(kappa, attaining, max(others) if others else None, slack, dominant, advantages)


def disagreements(verdict: Verdict, true: Truth) -> list[str]:
    """The fields of a verdict (on all tokens) that are not true."""
    pair = (true.dominant or true.attaining)[0]
    margin = None if true.runner_up is None else true.kappa - true.runner_up
    expected = {
        "tight": bool(true.dominant),
        "kappa_exact": true.kappa,
        "slack_exact": true.slack,
        "n_attaining": len(true.attaining),
        "attaining": tuple(true.attaining[:16]),
        "pair": pair,
        "advantages": true.advantages[pair],
        "margin_exact": margin,
    }
    return [f"{name}: {getattr(verdict, name)} != {value}" for name, value in expected.items()
            if getattr(verdict, name) != value]  # fmt: skip
