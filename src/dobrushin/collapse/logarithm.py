"""Numbers as log₁₀, for what underflows: 0 is −inf."""

import math
from collections.abc import Iterable

LOG2 = math.log10(2)


def log10(value: float, exponent: int = 0) -> float:
    """log₁₀(value · 2^exponent) of a number that is not negative.

    >>> log10(0.0), round(log10(1.0, -10_000), 3)
    (-inf, -3010.3)
    """
    return math.log10(value) + exponent * LOG2 if value > 0 else -math.inf


def log10_sum(logarithms: Iterable[float]) -> float:
    """log₁₀ Σ 10^x.

    >>> abs(log10_sum([-5000.0, -5000.0]) + 5000.0 - math.log10(2)) < 1e-12
    True
    """
    known = list(logarithms)
    largest = max(known, default=-math.inf)
    if math.isinf(largest):
        return largest
    return largest + math.log10(sum(10 ** (x - largest) for x in known))


def log10_tanh(value: float, exponent: int = 0) -> float:
    """log₁₀ tanh(value · 2^exponent); the argument itself when it is small."""
    if value <= 0:
        return -math.inf
    if math.log2(value) + exponent < -30:  # tanh x = x(1 − x²/3 + …)
        return log10(value, exponent)
    return math.log10(math.tanh(math.ldexp(value, min(exponent, 1000))))
