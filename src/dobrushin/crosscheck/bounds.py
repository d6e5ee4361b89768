"""The error bounds that production relies on, against evaluation with 200 digits.

A bound is rigorous when no input exceeds it, so inputs are random and adversarial: sums that round the same way at
every step, rows that cancel, exponents hundreds apart, subnormals, row sums much smaller than the row's mass.  The
*tightness* reported with each bound is the largest error seen, divided by the bound: above 1 is a violation.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt

import dobrushin
from dobrushin.coefficient import Rows
from dobrushin.coefficient.screen import divided_by_sums, pairs_at, screen_pairs
from dobrushin.crosscheck.witness import Witness, rational_rows
from dobrushin.matrix import Precision, row_sum_tolerance
from dobrushin.testing import brute
from dobrushin.testing.formats import rounded

DIGITS = 200
_PAIRS = 8  # per matrix
_SIZES = (3, 17, 64, 197)

Floats = npt.NDArray[np.float64]
Real = Any
"""An mpmath number."""


@dataclass
class BoundCheck:
    """How one bound fared.

    Attributes:
        name: what is bounded.
        comparisons: how many numbers were compared with their 200-digit value.
        violations: how many errors were larger than the bound.
        tightness: the largest error divided by its bound.
        seconds: processor time.
        witness: the first violation.
    """

    name: str
    comparisons: int = 0
    violations: int = 0
    tightness: float = 0.0
    seconds: float = 0.0
    witness: Witness | None = field(default=None)

    def compare(self, error: Real, bound: Real, matrix: Floats) -> None:
        """Take in one error and the bound that should cover it."""
        self.comparisons += 1
        ratio = float(error / bound) if bound else (0.0 if not error else float("inf"))
        self.tightness = max(self.tightness, ratio)
        if error > bound:
            self.violations += 1
            if self.witness is None:
                self.witness = Witness(
                    claim=f"error bound of {self.name}",
                    matrices=(rational_rows(brute.to_rationals(matrix)),),
                    setting="",
                    expected=f"an error of at most {mpmath.nstr(bound, 5)}",
                    found=mpmath.nstr(error, 5),
                )


def run(*, seed: int, repeats: int) -> Iterator[BoundCheck]:
    """Check every bound, on ``repeats`` draws of each kind of input."""
    checks: list[tuple[str, Callable[[BoundCheck, np.random.Generator, int], None]]] = [
        ("screened distances, plain rows", _check_plain_screen),
        ("screened distances, renormalised rows", _check_normalised_screen),
        ("rows divided by their sums", _check_division),
        ("entries of the lazy factor", _check_lazy),
        ("interval of κ(rollout)", _check_rollout),
        ("row sums of a rounded softmax", _check_row_sums),
    ]
    for index, (name, function) in enumerate(checks):
        check, begin = BoundCheck(name), time.process_time()
        with mpmath.workdps(DIGITS):
            function(check, np.random.default_rng([seed, index]), repeats)
        check.seconds = time.process_time() - begin
        yield check


def non_negative_matrices(rng: np.random.Generator, n: int) -> Iterator[Floats]:
    """Random and adversarial non-negative matrices; every row has mass."""
    yield rng.dirichlet(np.ones(n), size=n)
    yield rng.dirichlet(np.full(n, 0.05), size=n) + 2.0**-60
    row = rng.random(n)
    yield np.array([np.roll(row, step) for step in range(n)])  # all distances of an offset tie
    yield np.asarray(1 + rng.integers(-3, 4, size=(n, n)) * 2.0**-52)  # the rows nearly agree
    yield np.exp2(rng.uniform(-1000, 0, size=(n, n)))  # exponents far apart
    biased = np.full((n, n), 1.5 * 2.0**-53)  # added to 1, every term is rounded the same way
    biased[:, 0] = 1 + np.arange(n) * 2.0**-52
    biased[::2] *= rng.integers(0, 2, size=(len(biased[::2]), n))
    biased[:, 0] = 1 + np.arange(n) * 2.0**-52
    yield biased
    yield np.asarray(rng.integers(1, 9, size=(n, n)) * 5e-324)  # subnormal
    yield np.exp(rng.normal(-40, 20, size=(n, n)))  # a saturated softmax
    yield rng.random((n, n)) * 2.0**1000


def signed_matrices(rng: np.random.Generator, n: int) -> Iterator[Floats]:
    """Real matrices whose rows have a positive sum, far below their mass for some."""
    values = rng.standard_normal((n, n))
    values[:, 0] += 1 - values.sum(axis=1)
    yield values
    cancelling = rng.standard_normal((n, n))
    cancelling[:, -1] -= cancelling.sum(axis=1)
    cancelling[:, 0] += rng.random(n) * 2.0**-20 + 2.0**-22
    yield cancelling
    hidden = np.zeros((n, n))  # all but a subnormal of each row cancels
    hidden[:, :2] = rng.integers(1, 9, size=(n, 1)) * np.array([1.0, -1.0])
    hidden[:, 2] = rng.integers(1, 9, size=n) * 5e-324
    yield hidden


def _check_plain_screen(check: BoundCheck, rng: np.random.Generator, repeats: int) -> None:
    for _ in range(repeats):
        for n in _SIZES:
            for matrix in (*non_negative_matrices(rng, n), *signed_matrices(rng, n)):
                _compare_screen(check, rng, matrix, normalised=False)


def _check_normalised_screen(check: BoundCheck, rng: np.random.Generator, repeats: int) -> None:
    for _ in range(repeats):
        for n in _SIZES:
            for matrix in (*non_negative_matrices(rng, n), *signed_matrices(rng, n)):
                if all(mpmath.fsum(row) > 0 for row in _reals(matrix)):
                    _compare_screen(check, rng, matrix, normalised=True)


def _compare_screen(check: BoundCheck, rng: np.random.Generator, matrix: Floats, *, normalised: bool) -> None:
    n = len(matrix)
    screen = screen_pairs(Rows(matrix, np.arange(n), normalised, range(n)))
    count = len(screen.distances)
    chosen = rng.choice(count, size=min(_PAIRS, count), replace=False)
    chosen = np.union1d(chosen, [screen.distances.argmax(), screen.distances.argmin()])
    for position, (i, j) in zip(chosen, pairs_at(chosen, n), strict=True):
        first, second = _reals(matrix[[i, j]])
        if normalised:
            first, second = _divided(first), _divided(second)
        total = mpmath.fsum(abs(x - y) for x, y in zip(first, second, strict=True)) / 2
        true = total if normalised else mpmath.ldexp(total, -screen.exponent)
        computed = mpmath.mpf(float(screen.distances[position]))
        # what the filter uses: the true distance lies between `lower` and `upper`
        lower, upper = mpmath.mpf(float(screen.lower[position])), mpmath.mpf(float(screen.upper[position]))
        check.compare(abs(computed - true), upper - computed if true >= computed else computed - lower, matrix[[i, j]])


def _check_division(check: BoundCheck, rng: np.random.Generator, repeats: int) -> None:
    relative = mpmath.mpf("2.01") * mpmath.mpf(2) ** -53
    for _ in range(repeats):
        for n in _SIZES:
            for matrix in non_negative_matrices(rng, n):
                quotients = divided_by_sums(matrix)
                assert quotients is not None, "nothing cancels in non-negative rows"
                row = int(rng.integers(n))
                for computed, true in zip(quotients[row], _divided(_reals(matrix[[row]])[0]), strict=True):
                    error = abs(mpmath.mpf(float(computed)) - true)
                    check.compare(error, relative * true + mpmath.mpf(2) ** -1000, matrix[[row]])


def _check_lazy(check: BoundCheck, rng: np.random.Generator, repeats: int) -> None:
    for _ in range(repeats):
        for n in _SIZES[:2]:
            weights = rng.integers(1, 1000, size=(n, n)).astype(np.float64)
            matrix = weights / weights.sum(axis=1, keepdims=True)
            alpha = Fraction(int(rng.integers(1, 1000)), 1000)
            factor = dobrushin.lazy(matrix, alpha=alpha)
            weight = mpmath.mpf(alpha.numerator) / alpha.denominator
            for i, k in np.ndindex(n, n):
                true = weight * (i == k) + (1 - weight) * mpmath.mpf(float(matrix[i, k]))
                check.compare(abs(mpmath.mpf(float(factor[i, k])) - true), true * mpmath.mpf(2) ** -51, matrix)


def _check_rollout(check: BoundCheck, rng: np.random.Generator, repeats: int) -> None:
    for _ in range(repeats):
        for n, depth in ((2, 12), (5, 12), (12, 6), (24, 2)):
            concentration = float(rng.choice([0.05, 0.3, 1.0, 20.0]))
            layers = [rounded(rng.dirichlet(np.full(n, concentration), size=n), "float32") for _ in range(depth)]
            low, high = dobrushin.bounds(layers, precision="float32").kappa_rollout
            result = _identity(n)
            for layer in layers:
                factor = mpmath.matrix([_divided(row) for row in _reals(layer)])
                result = (_identity(n) + factor) / 2 * result
            rows = result.tolist()
            true = max(
                mpmath.fsum(abs(x - y) for x, y in zip(rows[i], rows[j], strict=True)) / 2
                for i, j in brute.pairs_of(range(n))
            )
            middle = (mpmath.mpf(low) + mpmath.mpf(high)) / 2
            check.compare(abs(true - middle), (mpmath.mpf(high) - mpmath.mpf(low)) / 2, layers[0])


def _check_row_sums(check: BoundCheck, rng: np.random.Generator, repeats: int) -> None:
    """A softmax computed in the format (16-bit formats accumulate in float32) sums to 1 within the tolerance."""
    formats: tuple[Precision, ...] = ("float16", "bfloat16", "float32", "float64")
    for _ in range(repeats):
        for n in _SIZES:
            for scale in (0.0, 0.5, 3.0, 30.0):
                logits = scale * rng.standard_normal((8, n))
                for precision in formats:
                    computed = rounded(softmax(logits, np.float64 if precision == "float64" else np.float32), precision)
                    for row in computed:
                        error = abs(mpmath.fsum(_reals(row[None])[0]) - 1)
                        check.compare(error, mpmath.mpf(row_sum_tolerance(precision, n)), row[None])


def softmax(logits: npt.NDArray[Any], dtype: type[np.floating[Any]]) -> npt.NDArray[Any]:
    """The usual softmax over the last axis: shift by the maximum, exponentials, division by their sum, in ``dtype``."""
    shifted = logits.astype(dtype)
    exponentials = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
    quotients: npt.NDArray[Any] = exponentials / exponentials.sum(axis=-1, keepdims=True, dtype=dtype)
    return quotients


def _reals(rows: Floats) -> list[list[Real]]:
    return [[mpmath.mpf(float(x)) for x in row] for row in rows]


def _divided(row: list[Real]) -> list[Real]:
    total = mpmath.fsum(row)
    return [x / total for x in row]


def _identity(n: int) -> Real:
    return mpmath.eye(n)
