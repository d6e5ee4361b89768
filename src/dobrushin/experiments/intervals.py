"""A share with its uncertainty."""

from dataclasses import dataclass
from math import sqrt

_Z = 1.959963984540054  # the 97.5% quantile of the normal distribution


@dataclass(frozen=True)
class Share:
    """``count`` of ``total``, with the 95% interval of Wilson 1927, which never leaves [0, 1]."""

    count: int
    total: int
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """As tables show it: ``0.253 [0.250, 0.256]``, or a dash when there is nothing to count."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]" if self.total else "–"


def share_of(count: int, total: int) -> Share:
    """The share of ``count`` among ``total`` independent trials; NaN without trials.

    >>> share_of(0, 10).low, share_of(10, 10).high
    (0.0, 1.0)
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    if total == 0:
        return Share(0, 0, float("nan"), float("nan"), float("nan"))
    value = count / total
    centre = value + _Z**2 / (2 * total)
    half = _Z * sqrt(value * (1 - value) / total + _Z**2 / (4 * total**2))
    scale = 1 + _Z**2 / total
    low = 0.0 if count == 0 else (centre - half) / scale
    high = 1.0 if count == total else (centre + half) / scale
    return Share(count, total, value, low, high)
