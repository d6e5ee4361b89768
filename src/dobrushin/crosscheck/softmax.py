"""What rounding does to the verdict: softmax in float32 against softmax in the reals.

The exact verdict is about the stored float matrix.  The real softmax of the same logits can have another one, when
the margin is of the size of the rounding.  Here the real verdict is decided by intervals of 200 digits, and only
where they decide: every pair that may attain κ must be surely self-dominant, or surely not.  Exact ties in the reals
can therefore stay undecided.  Differences are findings, not faults.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt

import dobrushin
from dobrushin.crosscheck.bounds import DIGITS, softmax
from dobrushin.testing import brute

_SCALE = 720  # fixed-point bits: more than 200 digits
_SIZES = (3, 8, 16)

Logits = npt.NDArray[np.float32]
Integers = npt.NDArray[np.object_]


@dataclass
class Agreement:
    """How often the two verdicts agree, for one kind of logits."""

    kind: str
    agree: int = 0
    differ: int = 0
    undecided: int = 0
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """How many matrices were compared."""
        return self.agree + self.differ + self.undecided


def _gaussian(scale: float) -> Callable[[np.random.Generator, int], Logits]:
    return lambda rng, n: np.asarray(scale * rng.standard_normal((n, n)), dtype=np.float32)


def _query_key(rng: np.random.Generator, n: int) -> Logits:
    """Logits of one head of width 8 on random tokens."""
    tokens, width = rng.standard_normal((n, 16)), 8
    query, key = rng.standard_normal((2, 16, width)) / 4  # so that queries and keys have unit variance
    return np.asarray((tokens @ query) @ (tokens @ key).T / np.sqrt(width), dtype=np.float32)


def _almost_equal_rows(rng: np.random.Generator, n: int) -> Logits:
    """Logits that differ between rows by a few units in the last place: κ is of the size of the rounding."""
    row = rng.standard_normal(n).astype(np.float32)
    steps = rng.integers(-2, 3, size=(n, n)).astype(np.float32)
    return np.asarray(row[None] + steps * np.spacing(np.abs(row))[None], dtype=np.float32)


def _few_values(rng: np.random.Generator, n: int) -> Logits:
    """Small integer logits: distances tie in the reals, and rounding may break the ties."""
    return rng.integers(0, 3, size=(n, n)).astype(np.float32)


KINDS: dict[str, Callable[[np.random.Generator, int], Logits]] = {
    "gaussian logits, σ = 0.1": _gaussian(0.1),
    "gaussian logits, σ = 1": _gaussian(1.0),
    "gaussian logits, σ = 30": _gaussian(30.0),
    "query-key logits": _query_key,
    "logits within rounding of each other": _almost_equal_rows,
    "integer logits (ties)": _few_values,
}


def run(*, seed: int, repeats: int) -> Iterator[Agreement]:
    """Compare verdicts on ``repeats`` matrices of each kind and size."""
    for index, (kind, draw) in enumerate(KINDS.items()):
        agreement, begin = Agreement(kind), time.process_time()
        rng = np.random.default_rng([seed, index])
        for n in _SIZES:
            for _ in range(repeats):
                logits = draw(rng, n)
                real = real_verdict(logits)
                stored = dobrushin.check(softmax(logits, np.float32)).tight
                agreement.undecided += real is None
                agreement.agree += real is stored
                agreement.differ += real is (not stored)
        agreement.seconds = time.process_time() - begin
        yield agreement


def real_verdict(logits: npt.NDArray[Any]) -> bool | None:
    """Whether the real softmax of the logits is tight; None when the intervals do not decide."""
    low, high = softmax_enclosure(logits)
    pairs = brute.pairs_of(range(len(low)))
    bounds = [_distance(low[i], high[i], low[j], high[j]) for i, j in pairs]
    threshold = max(lower for lower, _ in bounds)
    candidates = [pair for pair, (_, upper) in zip(pairs, bounds, strict=True) if upper >= threshold]
    surely = [low[i][i] >= high[j][i] and low[j][j] >= high[i][j] for i, j in candidates]
    never = [high[i][i] < low[j][i] or high[j][j] < low[i][j] for i, j in candidates]
    if all(surely):
        return True
    return False if all(never) else None


def softmax_enclosure(logits: npt.NDArray[Any]) -> tuple[Integers, Integers]:
    """Integers L ≤ p·2**720 ≤ H for the real softmax p of the logits over the last axis."""
    iv = mpmath.iv
    digits, iv.dps = iv.dps, DIGITS
    try:
        exponentials = [[iv.exp(iv.mpf(float(x)) - iv.mpf(float(max(row)))) for x in row] for row in logits]
    finally:
        iv.dps = digits
    low = np.array([[_fixed(x._mpi_[0], "f") for x in row] for row in exponentials], dtype=object)
    high = np.array([[_fixed(x._mpi_[1], "c") for x in row] for row in exponentials], dtype=object)
    smallest, largest = low.sum(axis=1)[:, None], high.sum(axis=1)[:, None]
    return (low << _SCALE) // largest, -((-(high << _SCALE)) // smallest)


def _fixed(number: Any, rounding: str) -> int:
    return int(mpmath.libmp.to_int(mpmath.libmp.mpf_shift(number, _SCALE), rounding))


def _distance(low_i: Integers, high_i: Integers, low_j: Integers, high_j: Integers) -> tuple[int, int]:
    """Bounds of Σ_k |p_ik − p_jk|."""
    least = np.maximum(np.maximum(low_i - high_j, low_j - high_i), 0)
    return int(least.sum()), int(np.maximum(high_i - low_j, high_j - low_i).sum())
