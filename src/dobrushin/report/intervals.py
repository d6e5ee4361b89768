"""Shares with 95% intervals that respect that the maps of one input belong together."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Z = 1.959963984540054  # the 97.5% quantile of the normal distribution


@dataclass(frozen=True)
class Share:
    """``tight`` of ``maps`` maps, which come from ``inputs`` inputs, with a 95% interval for inputs of this kind.

    Attributes:
        tight: how many maps attain the bound.
        maps: how many maps there are.
        inputs: how many inputs they come from.
        effective: the number of independent maps that would be as informative, at most ``maps``.
        low, high: the interval.
    """

    tight: int
    maps: int
    inputs: int
    effective: float
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share; None without maps."""
        return self.tight / self.maps if self.maps else None


def wilson(share: float, trials: float) -> tuple[float, float]:
    """The interval of Wilson (1927) for a share of independent trials; it never leaves [0, 1].

    >>> [round(end, 3) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    if trials <= 0:
        return 0.0, 1.0
    centre = share + _Z**2 / (2 * trials)
    half = _Z * sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2))
    scale = 1 + _Z**2 / trials
    low = 0.0 if share == 0 else (centre - half) / scale
    high = 1.0 if share == 1 else (centre + half) / scale
    return low, high


def clustered_share(inputs: NDArray[np.integer], tight: NDArray[np.bool_]) -> Share:
    """The share of True in ``tight``, where maps with the same number in ``inputs`` are not independent.

    The interval is Wilson's for the effective number of maps, as Korn and Graubard (1998) do it for Clopper and
    Pearson's: the variance of the share between inputs (the linearised ratio estimator) says how many independent maps
    would be as informative.  With one map from each input that is their number.  When all maps agree the variance says
    nothing, and the number of inputs is taken, as if each had given one map.

    Args:
        inputs: for each map, the position of its input; shape (maps,).
        tight: for each map, whether it is tight; shape (maps,).
    """
    maps = len(tight)
    if maps == 0:
        return Share(0, 0, 0, 0.0, 0.0, 1.0)
    _, positions, sizes = np.unique(inputs, return_inverse=True, return_counts=True)
    successes: NDArray[Any] = np.bincount(positions, weights=tight)
    count, share = int(tight.sum()), float(tight.mean())
    effective = _effective(successes, sizes, share)
    return Share(count, maps, len(sizes), effective, *wilson(share, effective))


def _effective(successes: NDArray[Any], sizes: NDArray[np.integer], share: float) -> float:
    clusters, maps = len(sizes), int(sizes.sum())
    if clusters == maps or clusters == 1 or share in (0.0, 1.0):
        return float(clusters)
    residuals = successes - share * sizes
    variance = float((residuals**2).sum()) / maps**2 * clusters / (clusters - 1)
    return min(float(maps), share * (1 - share) / variance) if variance > 0 else float(maps)
