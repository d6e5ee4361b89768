"""The residual res(X) = X − 1xᵀ: how far n tokens are from being all the same.

The paper takes x = argmin ‖X − 1xᵀ‖_{1,∞}.  That minimises a product of two convex functions of x,

    f(x) = ‖X − 1xᵀ‖₁ = max_j Σ_i |X_ij − x_j|    and    g(x) = ‖X − 1xᵀ‖_∞ = max_i Σ_j |X_ij − x_j|,

and √(fg) = min over s > 0 of (f + s g) / (2√s).  So the least value is the minimum over s of ψ(s)/(2√s), where
ψ(s) = min_x f + s g is convex programming for each s, and concave in s.  The game behind ψ — x against weights λ on
columns and μ on rows — is played by multiplicative weights; the best answer to weights is a weighted median of each
column.  Any x bounds the least value from above, and any weights bound ψ, hence the least value, from below: each
result carries its gap.

Other centres in use: the column medians (they minimise ‖·‖₁ alone) and the token mean, which the paper's public code
takes (it minimises neither).
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dobrushin.collapse.norms import Floats, as_tokens, composite_norm, diameter
from dobrushin.errors import InputError

Centre = Literal["composite", "median", "mean"]

_GRID = 20  # values of s at which the lower bound is evaluated
_CHECKED_EVERY = 32  # steps


@dataclass(frozen=True, eq=False)
class Residual:
    """The residual of one matrix.

    Attributes:
        norm: ‖X − 1xᵀ‖_{1,∞} at :attr:`centre`.
        lower: a certified lower bound (up to float64 rounding) on the norm at any x; equal to ``norm`` for the
            centres ``median`` and ``mean``, which are not about the least value.
        centre: x, shape (d,).
        relative: ``norm`` / ‖X‖_{1,∞}, between 0 and 1 for the centre ``composite``; 0 for X = 0.
    """

    norm: float
    lower: float
    centre: Floats
    relative: float

    @property
    def gap(self) -> float:
        """How much of the norm is not certified: 1 − lower/norm."""
        return 1 - self.lower / self.norm if self.norm else 0.0


def residual(X: Any, *, centre: Centre = "composite", tolerance: float = 0.01, iterations: int = 2000) -> Residual:
    """Measure res(X).

    Args:
        X: shape (n, d), any floating-point dtype, numpy or torch; computed in float64.
        centre: ``composite`` for the paper's argmin of the composite norm, ``median`` for the column medians,
            ``mean`` for the token mean.
        tolerance: stop when the gap is at most this.
        iterations: stop after so many steps in any case; the gap says how far it came.

    Raises:
        InputError: X is no matrix of finite floats; an unknown centre.

    >>> residual(np.outer([1.0, 1.0, 1.0], [2.0, 3.0])).norm
    0.0
    """
    if centre not in get_args(Centre):
        raise InputError(f"the centre is {centre}, but one of {', '.join(get_args(Centre))} is needed")
    values = as_tokens(X)
    size = composite_norm(values)
    # Exactly equal tokens: no rounding of a mean may say otherwise.
    if not (values != values[0]).any():
        return Residual(0.0, 0.0, values[0].copy(), 0.0)
    if centre == "mean":
        return _at(values, values.mean(axis=0), size)
    if centre == "median":
        return _at(values, np.median(values, axis=0), size)
    return _minimised(values, size, tolerance, iterations)


def _at(X: Floats, x: Floats, size: float) -> Residual:
    norm = composite_norm(X - x)
    return Residual(norm, norm, x, norm / size if size else 0.0)


def _minimised(X: Floats, size: float, tolerance: float, iterations: int) -> Residual:
    candidates = [np.median(X, axis=0), X.mean(axis=0), (X.max(axis=0) + X.min(axis=0)) / 2, np.zeros(X.shape[1])]
    best = min(candidates, key=lambda x: composite_norm(X - x))
    scale = composite_norm(X - best)
    game = _Game(X - best, scale)
    game.play(tolerance, iterations)
    x = best + game.x
    norm = composite_norm(X - x)
    if norm > scale:  # rounding of the shift
        x, norm = best, scale
    return Residual(norm, min(game.lower, norm), x, norm / size if size else 0.0)


class _Game:
    """Minimise √(fg) for a matrix that is roughly centred; :attr:`x` and :attr:`lower` get better as it is played."""

    def __init__(self, X: Floats, value: float) -> None:
        self.X = X
        self.n, self.d = X.shape
        self.order = np.argsort(X, axis=0)
        self.sorted = np.take_along_axis(X, self.order, axis=0)
        self.columns = np.arange(self.d)
        self.x = np.zeros(self.d)
        self.value = value
        # f(x) ≥ this for every x, and g(x) ≥ half the diameter.
        self.least_f = float(np.abs(X - np.median(X, axis=0)).sum(axis=0).max())
        self.least_g = diameter(X) / 2
        self.lower = float(np.sqrt(self.least_f * self.least_g))

    def play(self, tolerance: float, iterations: int) -> None:
        """Multiplicative weights with step sizes that shrink; the trade-off s follows the best x."""
        rows, columns = np.zeros(self.n), np.zeros(self.d)  # logarithms of the weights
        total = np.zeros(self.d)
        average_rows, average_columns, count = np.zeros(self.n), np.zeros(self.d), 0
        f, g = self._norms(self.x)
        restart = 32
        for step in range(1, iterations + 1):
            if self.lower >= (1 - tolerance) * self.value:
                return
            s = f / g
            weights_rows, weights_columns = _softmax(rows), _softmax(columns)
            x = self._answer(s, weights_columns, weights_rows)
            total, average_rows = total + x, average_rows + weights_rows
            average_columns, count = average_columns + weights_columns, count + 1
            distances = np.abs(self.X - x)
            by_column, by_row = distances.sum(axis=0), distances.sum(axis=1)
            rate = 4 / np.sqrt(count + 8)
            columns += rate * by_column / f
            rows += rate * by_row / g
            if step % _CHECKED_EVERY == 0:
                f, g = self._improve(total / count, f, g)
                f, g = self._improve(x, f, g)
                self._certify(f / g, average_columns / count, average_rows / count)
            if step == restart:  # forget the first, poor answers
                total, average_rows, average_columns, count = 0 * total, 0 * average_rows, 0 * average_columns, 0
                restart *= 3

    def _answer(self, s: float, columns: Floats, rows: Floats) -> Floats:
        """The weighted medians: argmin_x Σ_ij (λ_j + s μ_i) |X_ij − x_j|."""
        weights = columns + s * rows[self.order]
        running = np.cumsum(weights, axis=0)
        position = (running < running[-1] / 2).sum(axis=0)
        return np.asarray(self.sorted[np.minimum(position, self.n - 1), self.columns])

    def _norms(self, x: Floats) -> tuple[float, float]:
        distances = np.abs(self.X - x)
        return float(distances.sum(axis=0).max()), float(distances.sum(axis=1).max())

    def _improve(self, x: Floats, f: float, g: float) -> tuple[float, float]:
        """Keep x if it is the best so far; return the two norms of the best."""
        new_f, new_g = self._norms(x)
        if np.sqrt(new_f) * np.sqrt(new_g) < self.value:
            self.x, self.value = x, float(np.sqrt(new_f) * np.sqrt(new_g))
            return new_f, new_g
        return f, g

    def _certify(self, s: float, columns: Floats, rows: Floats) -> None:
        """Improve the lower bound with the value of these weights at a grid of s.

        An x with f/g ≤ a has fg ≥ f²/a, one with f/g ≥ b has fg ≥ b g²; between a and b ψ is concave, so it lies
        above the chords of lower bounds at the grid, and (p + qs)/(2√s) is least at s = p/q or at an end.
        """
        a = min((self.least_f / self.value) ** 2, s)
        b = max((self.value / self.least_g) ** 2, s)
        grid = np.unique(np.concatenate([np.geomspace(a, b, _GRID), s * np.geomspace(0.9, 1 / 0.9, 7)]))
        grid = grid[(grid >= a) & (grid <= b)]
        values = np.array([self._dual(point, columns, rows) for point in grid])
        bounds = [self.least_f / np.sqrt(grid[0]), self.least_g * np.sqrt(grid[-1])]
        for low, high, at_low, at_high in zip(grid, grid[1:], values, values[1:], strict=False):
            slope = (at_high - at_low) / (high - low)
            intercept = at_low - slope * low
            where = min(max(intercept / slope, low), high) if slope > 0 else high
            bounds.append((intercept + slope * where) / (2 * np.sqrt(where)))
        if len(grid) == 1:
            bounds.append(values[0] / (2 * np.sqrt(grid[0])))
        self.lower = max(self.lower, float(min(bounds)))

    def _dual(self, s: float, columns: Floats, rows: Floats) -> float:
        x = self._answer(s, columns, rows)
        distances = np.abs(self.X - x)
        return float(distances.sum(axis=0) @ columns + s * (distances.sum(axis=1) @ rows))


def _softmax(logarithms: Floats) -> Floats:
    weights = np.exp(logarithms - logarithms.max())
    return np.asarray(weights / weights.sum())
