"""Families of random attention matrices: each draws a batch of float64 maps (batch, n, n)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Maps = NDArray[np.float64]


@dataclass(frozen=True)
class Family:
    """A family at one size.

    Attributes:
        name: of the family.
        n: number of tokens.
        parameter: the number that tells its members apart (temperature, band, heads); None without one.
        exchangeable: whether permuting the columns of all rows together leaves the distribution as it is.
        draw: takes a generator and a number of maps.
    """

    name: str
    n: int
    parameter: float | None
    exchangeable: bool
    draw: Callable[[np.random.Generator, int], Maps]

    @property
    def key(self) -> str:
        """Names the family, its size and its parameter."""
        return f"{self.name} n={self.n}" + ("" if self.parameter is None else f" p={self.parameter:g}")


def dirichlet(n: int) -> Family:
    """Rows uniform on the simplex: normalised standard exponentials."""
    return Family("dirichlet", n, None, True, lambda rng, count: _normalised(rng.standard_exponential((count, n, n))))


def gaussian_softmax(n: int, temperature: float) -> Family:
    """Softmax of independent N(0, 1) logits divided by the temperature."""
    return Family("gaussian softmax", n, temperature, True,
                  lambda rng, count: _softmax(rng.standard_normal((count, n, n)) / temperature))  # fmt: skip


def diagonal(n: int, boost: float) -> Family:
    """Softmax of independent N(0, 1) logits, those on the diagonal raised by ``boost``: tokens look at themselves."""
    raised = boost * np.eye(n)
    return Family("diagonal raised", n, boost, False,
                  lambda rng, count: _softmax(rng.standard_normal((count, n, n)) + raised))  # fmt: skip


def sink(n: int, boost: float) -> Family:
    """Softmax of independent N(0, 1) logits, those of the first column raised by ``boost``: an attention sink."""
    raised = boost * (np.arange(n) == 0)
    return Family("sink", n, boost, False,
                  lambda rng, count: _softmax(rng.standard_normal((count, n, n)) + raised))  # fmt: skip


def causal(n: int) -> Family:
    """Row i uniform on the simplex of tokens 0 to i."""
    mask = np.tril(np.ones((n, n)))
    return Family("causal", n, None, False,
                  lambda rng, count: _normalised(rng.standard_exponential((count, n, n)) * mask))  # fmt: skip


def banded(n: int, band: int) -> Family:
    """Row i uniform on the simplex of tokens at most ``band`` away from i."""
    index = np.arange(n)
    mask = (np.abs(index[:, None] - index) <= band).astype(np.float64)
    return Family("banded", n, band, False,
                  lambda rng, count: _normalised(rng.standard_exponential((count, n, n)) * mask))  # fmt: skip


def head_averaged(n: int, heads: int) -> Family:
    """The mean of ``heads`` independent matrices with rows uniform on the simplex."""

    def draw(rng: np.random.Generator, count: int) -> Maps:
        total = np.zeros((count, n, n))
        for _ in range(heads):
            total += _normalised(rng.standard_exponential((count, n, n)))
        return total / heads

    return Family("head-averaged", n, heads, True, draw)


def _normalised(weights: Maps) -> Maps:
    return weights / weights.sum(axis=2, keepdims=True)


def _softmax(logits: Maps) -> Maps:
    return _normalised(np.exp(logits - logits.max(axis=2, keepdims=True)))
