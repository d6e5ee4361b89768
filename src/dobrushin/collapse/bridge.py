"""From the Dobrushin coefficient to rank collapse: TV(softmax a, softmax b) ≤ tanh(osc(a − b)/4).

Proved in ``proofs/collapse.md``; checked here with intervals on given logits.  With it κ(P) ≤ max tanh(osc/4) over
pairs of rows, without an assumption on the size of the logits.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dobrushin.collapse.network import softmax
from dobrushin.collapse.norms import Floats
from dobrushin.errors import GateError, InputError

DIGITS = 40


def softmax_distance_bound(a: Floats, b: Floats) -> float:
    """tanh(osc(a − b)/4) ≥ TV(softmax a, softmax b).

    >>> round(softmax_distance_bound(np.array([0.0, 1.0]), np.array([1.0, 0.0])), 4)
    0.4621
    """
    return float(np.tanh(np.ptp(np.asarray(a) - np.asarray(b)) / 4))


@dataclass(frozen=True)
class Interval:
    """A closed interval of floats that contains a number."""

    low: float
    high: float


def distance_interval(a: Floats, b: Floats) -> tuple[Interval, Interval, bool]:
    """TV(softmax a, softmax b) and tanh(osc(a − b)/4) in interval arithmetic of :data:`DIGITS` digits.

    Args:
        a: logits, (n,), taken as the exact numbers that the floats are.
        b: likewise.

    Returns:
        Both as intervals of floats (rounded outwards), and whether the first lies surely at or below the second.

    Raises:
        InputError: different lengths, or n < 2.
    """
    from mpmath import iv  # type: ignore[import-untyped]

    if np.shape(a) != np.shape(b) or np.ndim(a) != 1 or len(a) < 2:
        raise InputError(f"two vectors of equal length, at least 2, are needed, not {np.shape(a)} and {np.shape(b)}")
    before, iv.dps = iv.dps, DIGITS
    try:
        p, q = _interval_softmax(iv, a), _interval_softmax(iv, b)
        distance = sum((abs(x - y) for x, y in zip(p, q, strict=True)), iv.mpf(0)) / 2
        differences = [iv.mpf(float(x)) - iv.mpf(float(y)) for x, y in zip(a, b, strict=True)]
        oscillation = max(d.b for d in differences) - min(d.a for d in differences)
        least = max(d.a for d in differences) - min(d.b for d in differences)
        bound = _tanh(iv, iv.mpf([least, oscillation]) / 4)
        surely = bool(distance.b <= bound.a) or not np.any(np.asarray(a) - np.asarray(a)[0] != b - np.asarray(b)[0])
        return _outwards(distance), _outwards(bound), surely
    finally:
        iv.dps = before


@dataclass(frozen=True)
class HeadBridge:
    """One attention map: κ of the float softmax, its bound, and the interval check at the pair that attains κ.

    Attributes:
        kappa: κ(P), float64.
        bound: max over pairs of rows of tanh(osc/4), float64.
        pair: the rows that attain ``kappa``.
        certain: whether interval arithmetic confirms the bound for that pair's distance.
    """

    kappa: float
    bound: float
    pair: tuple[int, int]
    certain: bool


def head_bridge(logits: Floats, *, intervals: bool = True) -> HeadBridge:
    """Check the bridge on the logits (n, n) of one head, n ≥ 2.

    All pairs are compared in float64, and the one that attains κ(P) in intervals.

    Raises:
        InputError: fewer than two rows.
        GateError: a distance above its bound, which contradicts the theorem.
    """
    if logits.ndim != 2 or len(logits) < 2:
        raise InputError(f"logits of shape {logits.shape} have no pair of rows")
    P = softmax(logits)
    best, bound, pair = -1.0, 0.0, (0, 1)
    for i in range(len(P) - 1):
        distances = np.abs(P[i + 1 :] - P[i]).sum(axis=1) / 2
        bounds = np.tanh(np.ptp(logits[i + 1 :] - logits[i], axis=1) / 4)
        if (distances > bounds + 1e-12).any():
            raise GateError("two rows of softmax are further apart than tanh(osc/4): please report these logits")
        bound = max(bound, float(bounds.max()))
        j = int(distances.argmax())
        if distances[j] > best:
            best, pair = float(distances[j]), (i, i + 1 + j)
    certain = distance_interval(logits[pair[0]], logits[pair[1]])[2] if intervals else False
    return HeadBridge(max(best, 0.0), bound, pair, certain)


def _interval_softmax(iv: Any, logits: Floats) -> list[Any]:
    largest = iv.mpf(float(np.max(logits)))
    weights = [iv.exp(iv.mpf(float(x)) - largest) for x in logits]
    total = sum(weights[1:], weights[0])
    return [weight / total for weight in weights]


def _tanh(iv: Any, x: Any) -> Any:
    e = iv.exp(2 * x)
    return 1 - 2 / (e + 1)


def _outwards(x: Any) -> Interval:
    low, high = float(x.a), float(x.b)
    return Interval(float(np.nextafter(low, -np.inf)), float(np.nextafter(high, np.inf)))
