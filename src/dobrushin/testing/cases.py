"""Cases for the search: a stored map with all options of ``dobrushin.check``, and what the definitions say of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from dobrushin.condition import ATTAINING_SHOWN
from dobrushin.matrix import Precision, row_sum_tolerance
from dobrushin.testing import brute
from dobrushin.testing.formats import neighbour, rounded
from dobrushin.testing.strategies import real_floats, residual_weights, token_subsets, weight_matrices
from dobrushin.tokens import Restriction

_FORMATS: tuple[Precision, ...] = get_args(Precision)


@dataclass(frozen=True, eq=False)
class MapCase:
    """One call of ``dobrushin.check``.

    Attributes:
        values: float64, shape (n, n), numbers of the format ``precision``.
        precision: the format in which they are stored.
        alpha: the residual weight.
        keep: content tokens, sorted, or None.
        restrict: the reading; never ``none`` when tokens are chosen.
        any_real: whether the checks of sign and row sums are lifted.
    """

    values: npt.NDArray[np.float64]
    precision: Precision
    alpha: Fraction
    keep: tuple[int, ...] | None
    restrict: Restriction
    any_real: bool

    @property
    def setting(self) -> str:
        """All but the matrix, in words."""
        keep = "" if self.keep is None else f", keep {list(self.keep)}"
        real = ", any real" if self.any_real else ""
        return f"α = {self.alpha}, {self.precision}, {self.restrict}{keep}{real}"

    @property
    def tokens(self) -> list[int]:
        """The tokens whose rows are compared."""
        return list(range(len(self.values)) if self.keep is None else self.keep)

    def must_be_refused(self) -> bool | None:
        """Whether the input is invalid; None when it is within rounding of the limit, and either answer will do."""
        A = brute.to_rationals(self.values)
        if not self.any_real:
            if min(min(row) for row in A) < 0:
                return True
            tolerance = Fraction(row_sum_tolerance(self.precision, len(A)))
            off = max(abs(sum(row, start=Fraction(0)) - 1) for row in A)
            if abs(off - tolerance) <= tolerance / 1000 + Fraction(len(A), 2**52):
                return None
            if off > tolerance:
                return True
        return self.restrict == "renormalised" and any(
            sum((A[i][k] for k in self.tokens), start=Fraction(0)) <= 0 for i in self.tokens
        )

    def matrix_and_tokens(self) -> tuple[list[list[Fraction]], list[int]]:
        """The matrix that the definitions speak of, and the tokens of this matrix whose rows are compared."""
        A = brute.to_rationals(self.values)
        if self.restrict in ("none", "pairs"):
            return A, self.tokens
        return brute.restricted(A, self.tokens, renormalise=self.restrict == "renormalised"), list(
            range(len(self.tokens))
        )

    def expected(self) -> dict[str, Any]:
        """The fields of the verdict, by the definitions."""
        A, tokens = self.matrix_and_tokens()
        fields = verdict_fields(A, tokens, self.alpha)
        name = dict(zip(tokens, self.tokens, strict=True))
        fields["attaining"] = tuple((name[i], name[j]) for i, j in fields["attaining"])
        fields["pair"] = tuple(name[i] for i in fields["pair"])
        return fields | {"n": len(tokens), "alpha": self.alpha, "restrict": self.restrict}


def verdict_fields(A: brute.Matrix, tokens: Sequence[int], alpha: Fraction) -> dict[str, Any]:
    """The exact fields of :class:`dobrushin.Verdict` for the pairs of the given tokens, word for word."""
    pairs = brute.pairs_of(tokens)
    distances = {pair: brute.distance(A, *pair) for pair in pairs}
    largest = max(distances.values())
    attaining = [pair for pair in pairs if distances[pair] == largest]
    dominant = [pair for pair in attaining if brute.self_dominant(A, *pair)]
    below = max((d for d in distances.values() if d < largest), default=None)
    lazy_kappa = brute.kappa(brute.lazy(A, alpha), pairs)
    slack = alpha + (1 - alpha) * largest - lazy_kappa
    i, j = (dominant or attaining)[0]
    return {
        "tight": slack == 0,
        "kappa_exact": largest,
        "slack_exact": slack,
        "lazy_kappa_exact": lazy_kappa,
        "n_attaining": len(attaining),
        "attaining": tuple(attaining[:ATTAINING_SHOWN]),
        "pair": (i, j),
        "advantages": (A[i][i] - A[j][i], A[j][j] - A[i][j]),
        "margin_exact": None if below is None else largest - below,
    }


@st.composite
def close_rows(draw: st.DrawFn, *, max_n: int = 5) -> npt.NDArray[np.int64]:
    """Integer weights with equal sums whose rows nearly agree: tiny distances that tie, from different floats."""
    n = draw(st.integers(3, max_n))
    base = draw(st.sampled_from([11, 20, 100, 1000, 12345]))
    deviations = np.array(draw(st.lists(st.integers(-2, 2), min_size=n * (n - 1), max_size=n * (n - 1)))).reshape(n, -1)
    return base + np.column_stack([deviations, -deviations.sum(axis=1)]).astype(np.int64)


@st.composite
def rotated_rows(draw: st.DrawFn, *, max_n: int = 6) -> npt.NDArray[np.int64]:
    """Every row is a rotation of the same row: distances tie exactly, but are summed in different orders."""
    n = draw(st.integers(3, max_n))
    row = draw(st.lists(st.integers(0, 1000), min_size=n, max_size=n).filter(any))
    steps = draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    return np.array([np.roll(row, step) for step in steps], dtype=np.int64)


@st.composite
def layer_products(draw: st.DrawFn, *, max_n: int = 4) -> npt.NDArray[np.int64]:
    """Products of two or three small integer maps: dense matrices with entries of very different sizes."""
    n = draw(st.integers(2, max_n))
    factors = st.lists(weight_matrices(min_n=n, max_n=n, largest=3), min_size=2, max_size=3)
    return np.asarray(np.linalg.multi_dot(draw(factors)), dtype=np.int64)


@st.composite
def spread_weights(draw: st.DrawFn, *, max_n: int = 5) -> npt.NDArray[np.float64]:
    """Small integers times powers of two far apart, as softmax gives when it saturates."""
    weights = draw(weight_matrices(max_n=max_n, largest=3)).astype(np.float64)
    powers = st.lists(st.sampled_from([0, -1, -20, -52, -130, -140]), min_size=len(weights), max_size=len(weights))
    return weights * np.exp2(draw(powers))[None, :]


@st.composite
def cancelling_rows(draw: st.DrawFn, *, max_n: int = 4) -> npt.NDArray[np.float64]:
    """Real rows in which all but a tiny positive remainder cancels, so that dividing by the sum overflows."""
    n = draw(st.integers(2, max_n))
    remainder = draw(st.sampled_from([5e-324, 2.0**-1000, 2.0**-60, 2.0**-20]))
    values = np.zeros((n, n))
    for row in values:
        first, second = draw(st.permutations(range(n)))[:2]
        row += remainder * np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
        large = draw(st.integers(0, 3))
        row[first] += large
        row[second] -= large
        if sum(map(Fraction, row.tolist())) <= 0:
            row[first] += 1
    return values


@st.composite
def mixed_sizes(draw: st.DrawFn, *, max_n: int = 4) -> npt.NDArray[np.float64]:
    """Small integers beside some beyond 2**53: sums of both round, and decide between pairs that almost tie."""
    n = draw(st.integers(3, max_n))
    entry = st.integers(0, 3).map(float) | st.sampled_from([0.0, 2.0**53, 2.0**54, 2.0**55])
    return np.array(draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)))


def all_weights() -> st.SearchStrategy[npt.NDArray[np.float64]]:
    """Non-negative matrices without zero rows, not normalised."""
    integers = weight_matrices(max_n=5) | rotated_rows() | close_rows() | layer_products()
    return integers.map(lambda w: w.astype(np.float64)) | spread_weights()


@st.composite
def stored_maps(draw: st.DrawFn, precision: Precision) -> npt.NDArray[np.float64]:
    """Stochastic up to the format's rounding; some entries then move to a neighbouring float, some are subnormal."""
    weights = draw(all_weights())
    values = rounded(weights / weights.sum(axis=1, keepdims=True), precision)
    n = len(values)
    moves = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.booleans())
    for row, column, up in draw(st.lists(moves, max_size=3, unique_by=lambda move: move[0])):
        values[row, column] = neighbour(float(values[row, column]), precision, up=up)
    return values


@st.composite
def map_cases(draw: st.DrawFn) -> MapCase:
    """Stored maps of every format, exact renormalised weights, any real matrix, and maps that must be refused."""
    kind = draw(st.sampled_from(["stored", "stored", "weights", "weights", "real", "cancelling", "raw"]))
    precision: Precision = "float64"
    match kind:
        case "stored":
            precision = draw(st.sampled_from(_FORMATS))
            values = draw(stored_maps(precision))
        case "real":
            values = draw(real_floats(max_n=4))
        case "cancelling":
            values = draw(cancelling_rows())
        case _:
            values = draw(all_weights())
    n = len(values)
    keep = tuple(draw(token_subsets(n))) if kind != "raw" and n > 2 and draw(st.booleans()) else None
    readings: list[Restriction] = ["renormalised", "submatrix", "pairs"] if keep else ["none", "renormalised"]
    return MapCase(
        values=values,
        precision=precision,
        alpha=draw(residual_weights()),
        keep=keep,
        restrict=draw(st.sampled_from(readings)),
        any_real=kind in ("weights", "real", "cancelling"),
    )


@st.composite
def filter_cases(draw: st.DrawFn) -> MapCase:
    """What floats must not decide: exact ties whose float distances differ, rows that cancel, entries far apart."""
    kind = draw(st.sampled_from(["stored", "weights", "cancelling", "mixed"]))
    match kind:
        case "cancelling":
            values = draw(cancelling_rows(max_n=3))
        case "mixed":
            values = draw(mixed_sizes())
        case _:
            values = draw(rotated_rows(max_n=5) | close_rows(max_n=4)).astype(np.float64)
    if kind == "stored":
        values = rounded(values / values.sum(axis=1, keepdims=True), "float64")
    return MapCase(
        values=values,
        precision="float64",
        alpha=draw(st.sampled_from([Fraction(1, 2), Fraction(1, 3)])),
        keep=None,
        restrict="renormalised" if kind in ("weights", "cancelling") else "none",
        any_real=kind != "stored",
    )


@dataclass(frozen=True, eq=False)
class LayersCase:
    """One call of ``dobrushin.bounds``: float64 maps of the same size, first layer first."""

    layers: tuple[npt.NDArray[np.float64], ...]
    alpha: Fraction
    keep: tuple[int, ...] | None

    @property
    def setting(self) -> str:
        """All but the matrices, in words."""
        return f"α = {self.alpha}" + ("" if self.keep is None else f", keep {list(self.keep)}")


@st.composite
def layers_cases(draw: st.DrawFn) -> LayersCase:
    """Two or three layers; every kept token has mass on the kept tokens."""
    n = draw(st.integers(2, 4))
    layers = []
    for weights in draw(st.lists(weight_matrices(min_n=n, max_n=n, largest=4), min_size=2, max_size=3)):
        layers.append(weights / weights.sum(axis=1, keepdims=True))
    keep = tuple(draw(token_subsets(n))) if n > 2 and draw(st.booleans()) else None
    if keep is not None and any((layer[np.ix_(keep, keep)].sum(axis=1) == 0).any() for layer in layers):
        keep = None
    return LayersCase(tuple(layers), draw(residual_weights()), keep)
