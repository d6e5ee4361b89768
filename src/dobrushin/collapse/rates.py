"""How fast the tokens approach each other: the order p in ρ' ≈ C ρ^p, fitted with error bars.

*Locally*: the tokens that a layer gets are moved towards their centre by factors t, and p is the slope of log ρ'
against log t as t → 0: 3 for pure attention (``proofs/collapse.md``), 1 where a skip keeps differences.
*Along depth*: the slope of log ρ_{l+1} against log ρ_l over layers and inputs, where the residual is small.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dobrushin.collapse.logarithm import log10
from dobrushin.collapse.network import PURE, Network, Switches
from dobrushin.collapse.norms import Floats, diameter
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.trace import run
from dobrushin.errors import InputError

FACTORS = np.geomspace(1e-3, 1e-1, 5)
"""Factors t, times the one at which logits oscillate by 1."""


@dataclass(frozen=True)
class Slope:
    """A fitted slope with its standard error (NaN when it can not be said) and how many points or inputs it is of."""

    value: float
    error: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}"


def local_order(network: Network, X: Floats, layer: int, switches: Switches) -> Slope:
    """The order of one layer at the tokens X (n, d) that it gets.

    Args:
        network: the weights.
        X: at least two different tokens.
        layer: from 0.
        switches: which parts are there; ``norm`` on or off.

    Raises:
        InputError: equal tokens, or a layer that is not there.
    """
    if not 0 <= layer < len(network.layers):
        raise InputError(f"layer {layer} is not among the {len(network.layers)} layers of {network.name}")
    if diameter(X) == 0:
        raise InputError("the tokens are equal: there is no rate to fit")
    single = Network(network.name, (network.layers[layer],), network.pre_norm)
    centre = np.median(X, axis=0)
    R = X - centre
    start = _start(single, centre, R, switches)
    points = []
    for factor in start * FACTORS:
        moved = centre + factor * R
        after = _diameter_after(single, moved, switches)
        if np.isfinite(after):
            points.append((np.log10(factor), after))
    return ols(points)


def depth_order(pairs: Sequence[Sequence[tuple[float, float]]], *, seed: int = 0, resamples: int = 500) -> Slope:
    """The slope along depth, with a bootstrap over inputs for its error.

    Args:
        pairs: for each input, (log₁₀ ρ_l, log₁₀ ρ_{l+1}) of the layers that count; inputs without any are left out.
        seed: of the bootstrap.
        resamples: how many.

    Raises:
        InputError: fewer than two points altogether.
    """
    inputs = [list(points) for points in pairs if points]
    slope = ols([point for points in inputs for point in points])
    if len(inputs) < 2:
        return Slope(slope.value, slope.error, len(inputs))
    generator = np.random.default_rng(seed)
    values = []
    for _ in range(resamples):
        drawn = generator.integers(len(inputs), size=len(inputs))
        points = [point for index in drawn for point in inputs[index]]
        if len({x for x, _ in points}) > 1:
            values.append(ols(points).value)
    return Slope(slope.value, float(np.std(values, ddof=1)) if len(values) > 1 else float("nan"), len(inputs))


def ols(points: Sequence[tuple[float, float]]) -> Slope:
    """Ordinary least squares of y on x.

    >>> ols([(0.0, 1.0), (1.0, 4.0), (2.0, 7.0)]).value
    3.0

    Raises:
        InputError: fewer than two different x.
    """
    if len({x for x, _ in points}) < 2:
        raise InputError("a slope needs two points with different x")
    x, y = np.array(points, dtype=np.float64).T
    centred = x - x.mean()
    value = float(centred @ y / (centred @ centred))
    rest = y - y.mean() - value * centred
    freedom = len(points) - 2
    error = float(np.sqrt(rest @ rest / freedom / (centred @ centred))) if freedom else float("nan")
    return Slope(value, error, len(points))


def mean_of(values: Sequence[float]) -> Slope:
    """The mean over inputs (or layers) with the standard error of that mean."""
    if not values:
        raise InputError("there are no slopes to average")
    found = np.array(values)
    error = float(found.std(ddof=1) / np.sqrt(len(found))) if len(found) > 1 else float("nan")
    return Slope(float(found.mean()), error, len(found))


def _start(network: Network, centre: Floats, R: Floats, switches: Switches) -> float:
    """A factor at which the logits of the layer oscillate by about 1, at most 1."""
    layer = network.layers[0]
    X = np.concatenate([centre[None], centre + R])
    if network.pre_norm and switches.norm != "off":
        X = layer.attention_norm.linear(X, layer.attention_norm.scale(X)) + layer.attention_norm.bias
    oscillation = float(np.ptp(layer.attention.logits(X), axis=2).max())
    return min(1.0, 1 / oscillation) if oscillation > 0 else 1.0


def _diameter_after(network: Network, X: Floats, switches: Switches) -> float:
    """log₁₀ ρ after the layer; NaN when it is lost in rounding."""
    pure = switches == PURE and network.layers[0].attention.relative is None
    if pure:
        return scaled_run(network, X, tolerance=1.0, iterations=1).tokens[-1].log10_diameter
    after = run(network, X, switches).states[-1]
    value = diameter(after)
    return log10(value) if value > 1e-11 * np.abs(after).sum(axis=1).max() else float("nan")
