"""Families of matrices on which a coefficient kernel may go wrong, each made from a random generator."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Family = Callable[[np.random.Generator, int], Array]


def _softmax(logits: Array, dtype: Any = np.float32) -> Array:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    rows: Array = (weights / weights.sum(axis=1, keepdims=True)).astype(dtype).astype(np.float64)
    return rows


def dirichlet(rng: np.random.Generator, n: int) -> Array:
    """Nothing ties, and nothing can be pruned."""
    rows: Array = rng.dirichlet(np.ones(n), size=n)
    return rows


def half_precision(rng: np.random.Generator, n: int) -> Array:
    """Softmax in float16: few distinct numbers."""
    return _softmax(2 * rng.normal(size=(n, n)), np.float16)


def causal(rng: np.random.Generator, n: int) -> Array:
    """Softmax over the tokens before."""
    return _softmax(np.where(np.tril(np.ones((n, n))) > 0, rng.normal(size=(n, n)), -np.inf))


def band(rng: np.random.Generator, n: int) -> Array:
    """Softmax that falls off with distance."""
    return _softmax(rng.normal(size=(n, n)) - 2.0 * np.abs(np.arange(n)[:, None] - np.arange(n)))


def saturated(rng: np.random.Generator, n: int) -> Array:
    """Softmax so sharp that κ is 1 but for rounding."""
    return _softmax(rng.choice([8.0, 30.0, 120.0]) * rng.normal(size=(n, n)))


def block_diagonal(rng: np.random.Generator, n: int) -> Array:
    """Softmax within blocks: pairs across blocks are at distance 1 but for rounding."""
    block = np.arange(n) * rng.integers(2, 5) // n
    return _softmax(np.where(block[:, None] == block, rng.normal(size=(n, n)), -np.inf))


def head_mean(rng: np.random.Generator, n: int) -> Array:
    """The float64 mean of float32 heads."""
    mean: Array = np.mean([_softmax(2 * rng.normal(size=(n, n))) for _ in range(6)], axis=0)
    return mean


def permutation(rng: np.random.Generator, n: int) -> Array:
    """Every pair is at distance 1."""
    return np.eye(n)[rng.permutation(n)]


def hard(rng: np.random.Generator, n: int) -> Array:
    """Rows uniform over few tokens, rounded to either format."""
    values = np.zeros((n, n))
    for row in values:
        k = int(rng.integers(1, min(n, 4) + 1))
        row[rng.choice(n, k, replace=False)] = np.float32(1 / k) if rng.random() < 0.5 else 1 / k
    return values


def uniform(rng: np.random.Generator, n: int) -> Array:
    """Rows all alike, or uniform over the tokens before."""
    values = np.full((n, n), np.float32(1 / n) if rng.random() < 0.5 else 1 / n)
    return np.tril(values) * n / np.arange(1, n + 1)[:, None] if rng.random() < 0.5 else values


def small_integers(rng: np.random.Generator, n: int) -> Array:
    """Small integers divided by their sums."""
    weights = rng.integers(0, 4, size=(n, n)).astype(float)
    weights[weights.sum(axis=1) == 0, 0] = 1
    rows: Array = weights / weights.sum(axis=1, keepdims=True)
    return rows


def dyadic_ties(rng: np.random.Generator, n: int) -> Array:
    """Eighths: distances tie exactly."""
    return rng.multinomial(8, np.full(n, 1 / n), size=n) / 8.0


def duplicates(rng: np.random.Generator, n: int) -> Array:
    """Few distinct rows."""
    return dirichlet(rng, n)[rng.integers(0, max(1, n // 3), size=n)]


def shuffled_rows(rng: np.random.Generator, n: int) -> Array:
    """Rows with the same numbers in other places: distances tie, or miss a tie by little."""
    row = _softmax(rng.normal(size=(1, n)), np.float32 if rng.random() < 0.5 else np.float64)[0]
    return np.stack([rng.permutation(row) if rng.random() < 0.5 else np.roll(row, i) for i in range(n)])


def one_ulp(rng: np.random.Generator, n: int) -> Array:
    """Ties broken by one unit in the last place, of either format."""
    values = [dyadic_ties, hard, permutation, duplicates, uniform][rng.integers(5)](rng, n).copy()
    dtype = np.float32 if rng.random() < 0.5 else np.float64
    for _ in range(rng.integers(1, 4)):
        i, k = rng.integers(n, size=2)
        values[i, k] = np.nextafter(dtype(values[i, k]), dtype(rng.choice([0, 1])))
    return values


def subnormal(rng: np.random.Generator, n: int) -> Array:
    """Ties that only subnormal entries break: of float32, and of float64."""
    values = [dyadic_ties, permutation, hard][rng.integers(3)](rng, n).copy()
    where = rng.random((n, n)) < 0.2
    values[where] += rng.integers(0, 4, size=int(where.sum())) * (5e-324 if rng.random() < 0.5 else 2.0**-149)
    return values


def tiny_rows(rng: np.random.Generator, n: int) -> Array:
    """What is left of rows when the tokens that they attend to are taken out."""
    return dirichlet(rng, n) * 2.0 ** rng.integers(-60, 1, size=(n, 1))


def vanishing(rng: np.random.Generator, n: int) -> Array:
    """Rows of subnormal and barely normal numbers."""
    unit: float = (5e-324, 2.0**-1022, 2.0**-600)[rng.integers(3)]
    return rng.integers(1, 5, size=(n, n)).astype(np.float64) * unit


def signed(rng: np.random.Generator, n: int) -> Array:
    """Numbers of both signs, which are not for the kernels."""
    return rng.normal(size=(n, n)) if rng.random() < 0.5 else rng.integers(-3, 4, size=(n, n)).astype(float)


def huge(rng: np.random.Generator, n: int) -> Array:
    """Numbers too large for the kernels."""
    unit: float = (1.0, 2.0**40, 2.0**1000)[rng.integers(3)]
    return rng.integers(1, 6, size=(n, n)).astype(np.float64) * unit


FAMILIES: dict[str, Family] = {
    family.__name__: family
    for family in (
        dirichlet, half_precision, causal, band, saturated, block_diagonal, head_mean, permutation, hard, uniform,
        small_integers, dyadic_ties, duplicates, shuffled_rows, one_ulp, subnormal, tiny_rows, vanishing, signed, huge,
    )
}  # fmt: skip
