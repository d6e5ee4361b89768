"""The equality condition (T3) and its verdict: is the layerwise inequality tight, exactly, and why."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from dobrushin import scratch
from dobrushin.coefficient import Solution, Stage, solve
from dobrushin.errors import InputError
from dobrushin.exact import nearest_float
from dobrushin.matrix import AttentionMatrix, Precision, attention_matrix, head_mean
from dobrushin.residual import ROLLOUT_WEIGHT, ResidualWeight, residual_weight
from dobrushin.slack import exact_slack
from dobrushin.threads import map_in_threads
from dobrushin.tokens import Restriction, restricted_rows

ATTAINING_SHOWN = 16
"""How many attaining pairs a verdict lists; it always carries their number."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is true of one stored attention map A under the chosen reading; nothing here is within a tolerance.

    Attributes:
        map: the map's name.
        n: number of tokens that the pairs range over.
        alpha: the residual weight.
        restrict: the reading: ``none``, ``renormalised``, ``submatrix`` or ``pairs``.
        tight: κ(αI + (1−α)A) = α + (1−α)κ(A), by T3.
        kappa_exact: the Dobrushin coefficient κ_P(A).
        slack_exact: α + (1−α)κ_P(A) − κ_P(αI + (1−α)A), by T4; zero exactly when tight.
        n_attaining: number of pairs at distance κ.
        attaining: the first of them (at most 16), in lexicographic order, as token indices of the whole map.
        pair: the first mutually self-dominant attaining pair; the first attaining pair when there is none.
        advantages: (A_ii − A_ji, A_jj − A_ij) of that pair, exactly: both ≥ 0 is mutual self-dominance.
        margin_exact: κ minus the largest distance below it; None when all pairs attain κ.  A margin of the size of
            the model's rounding means that the stored floats, not the model, choose the attaining pair.
        stage: ``float`` when a single pair attains κ and float64 arithmetic, with its proved error bound, tells it
            from the others; ``exact`` when it takes integers.
    """

    map: str
    n: int
    alpha: Fraction
    restrict: Restriction
    tight: bool
    kappa_exact: Fraction
    slack_exact: Fraction
    n_attaining: int
    attaining: tuple[tuple[int, int], ...]
    pair: tuple[int, int]
    advantages: tuple[Fraction, Fraction]
    margin_exact: Fraction | None
    stage: Stage

    @property
    def kappa(self) -> float:
        """The float64 nearest to κ."""
        return nearest_float(self.kappa_exact)

    @property
    def slack(self) -> float:
        """The float64 nearest to the slack."""
        return nearest_float(self.slack_exact)

    @property
    def margin(self) -> float | None:
        """The float64 nearest to the margin."""
        return None if self.margin_exact is None else nearest_float(self.margin_exact)

    @property
    def lazy_kappa_exact(self) -> Fraction:
        """κ of the lazy factor αI + (1−α)A, exactly."""
        return self.alpha + (1 - self.alpha) * self.kappa_exact - self.slack_exact

    def to_json(self) -> dict[str, Any]:
        """The fields of ``dobrushin check --json``, exact values as ``"p/q"``; a float beyond float64 is None."""
        return {
            "map": self.map,
            "n": self.n,
            "alpha": ratio(self.alpha),
            "restrict": self.restrict,
            "tight": self.tight,
            "kappa": _finite(self.kappa),
            "kappa_exact": ratio(self.kappa_exact),
            "slack": _finite(self.slack),
            "slack_exact": ratio(self.slack_exact),
            "n_attaining": self.n_attaining,
            "pair": list(self.pair),
            "margin": None if self.margin is None else _finite(self.margin),
            "stage": self.stage,
        }


def check(
    A: Any,
    *,
    alpha: ResidualWeight = ROLLOUT_WEIGHT,
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
    name: str = "the map",
) -> Verdict:
    """Decide whether κ(αI + (1−α)A) = α + (1−α)κ(A), exactly for the floats in A, by the theorem.

    T3: equality holds if and only if some pair i ≠ j attaining κ(A) is mutually self-dominant, A_ii ≥ A_ji and
    A_jj ≥ A_ij.

    Args:
        A: one attention map, shape (n, n): numpy array, torch tensor or :class:`AttentionMatrix`; float16,
            bfloat16, float32 or float64.
        alpha: the residual weight, strictly between 0 and 1; tightness does not depend on it, the slack does.
        keep: content tokens, as indices or as a boolean mask; None keeps all tokens.
        restrict: the reading of the restriction: ``renormalised`` (default when tokens are chosen), ``submatrix``
            or ``pairs``; see :mod:`dobrushin.tokens`.
        precision: the format in which the rows were computed, if coarser than the dtype of A.
        any_real: lift the checks for negative entries and row sums.
        name: what messages and the verdict call this map.

    Returns:
        The :class:`Verdict`.

    Raises:
        InputError: A is not an attention map, or an option does not fit it.

    >>> import numpy as np
    >>> check(np.eye(3)).tight
    True
    >>> verdict = check(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> verdict.tight, verdict.kappa, verdict.slack_exact
    (False, 1.0, Fraction(1, 1))
    """
    weight = residual_weight(alpha)
    matrix = as_matrix(A, precision=precision, any_real=any_real, name=name)
    rows, reading = restricted_rows(matrix, keep=keep, restrict=restrict)
    return verdict_of(solve(rows), weight, name=matrix.name, restrict=reading)


def check_many(
    maps: Sequence[Any] | npt.NDArray[Any],
    *,
    alpha: ResidualWeight = ROLLOUT_WEIGHT,
    keep: Iterable[int] | None = None,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
    threads: int | None = None,
) -> list[Verdict]:
    """Check many maps on several threads: the verdicts of :func:`check`, in order.

    Args:
        maps: attention maps as :func:`check` takes them, or an array of shape (maps, n, n).
        alpha: as in :func:`check`, like all that follow but the last; the same for all maps.
        keep: content tokens.
        restrict: the reading of the restriction.
        precision: the format in which the rows were computed.
        any_real: lift the checks for negative entries and row sums.
        threads: how many; None for the cores that this process may use.  Buffers are kept for each thread, not for
            each map.

    Raises:
        InputError: as :func:`check`, for the first map that is refused.

    >>> import numpy as np
    >>> [verdict.tight for verdict in check_many([np.eye(3), np.eye(3)[::-1]], threads=1)]
    [True, True]
    """
    weight = residual_weight(alpha)
    tokens = keep if keep is None or isinstance(keep, np.ndarray) else list(keep)

    def one(item: tuple[int, Any]) -> Verdict:
        index, A = item
        label = "the map" if isinstance(A, AttentionMatrix) else f"map {index}"  # a validated map has a name
        return check(A, alpha=weight, keep=tokens, restrict=restrict, precision=precision, any_real=any_real,
                     name=label)  # fmt: skip

    return map_in_threads(one, enumerate(maps), threads)


def check_layer(
    heads: Sequence[Any] | npt.NDArray[Any],
    *,
    keeps: Sequence[Sequence[Iterable[int] | None]],
    alpha: ResidualWeight = ROLLOUT_WEIGHT,
    restrict: Restriction | None = None,
    precision: Precision | None = None,
    any_real: bool = False,
    names: Sequence[str] | None = None,
    observer: Callable[[int, AttentionMatrix], None] | None = None,
    threads: int | None = 1,
) -> list[tuple[Verdict, ...]]:
    """Check the mean of the heads of one layer for every input of a batch, in as many readings as wanted.

    The verdicts are those of :func:`check` on :func:`dobrushin.matrix.head_mean`.  Memory is used again from one
    input to the next, so a layer costs little more than reading its attention once.

    Args:
        heads: for each input the heads of the layer, shape (heads, n, n); or one array (batch, heads, n, n).
        keeps: for each input the content tokens of each reading, as :func:`check` takes them; None for all tokens.
        alpha: as in :func:`check`, like ``precision`` and ``any_real``.
        restrict: how the map is read where tokens are chosen: ``renormalised`` (default), ``submatrix`` or ``pairs``.
        precision: the format in which the rows were computed, the same for all inputs.
        any_real: lift the checks for negative entries and row sums.
        names: what messages and verdicts call each input; by default ``input 0``, ``input 1``, ….
        observer: called with the position of an input and its mean, an array of its own, which is kept by whoever
            wants it; from several threads, in any order.
        threads: how many; None for the cores that this process may use.  More than one pays for maps of a thousand
            tokens and more: below, most of a check is Python, one thread at a time.

    Returns:
        For each input its verdicts, in the order of its readings.

    Raises:
        InputError: as :func:`check` and :func:`~dobrushin.matrix.head_mean`, for the first input that is refused; or
            the inputs, ``keeps`` and ``names`` differ in number.

    >>> import numpy as np
    >>> [[both]] = [check_layer(np.eye(3)[None, None], keeps=[(None, [0, 1])], threads=1)]
    >>> [(verdict.restrict, verdict.tight) for verdict in both]
    [('none', True), ('renormalised', True)]
    """
    weight = residual_weight(alpha)
    for what, given in (("choices of tokens", keeps), ("names", names)):
        if given is not None and len(given) != len(heads):
            raise InputError(f"{len(heads)} inputs of a layer came with {len(given)} {what}; each needs its own")

    def one(index: int) -> tuple[Verdict, ...]:
        name = names[index] if names is not None else f"input {index}"
        with nullcontext() if observer is not None else scratch.reused():
            matrix = head_mean(heads[index], name=name, precision=precision, any_real=any_real)
            if observer is not None:
                observer(index, matrix)
            return tuple(
                check(matrix, alpha=weight, keep=keep, restrict=None if keep is None else restrict)
                for keep in keeps[index]
            )

    return map_in_threads(one, range(len(heads)), threads)


def verdict_of(solution: Solution, alpha: Fraction, *, name: str, restrict: Restriction) -> Verdict:
    """The verdict on solved rows."""
    dominant = solution.first_self_dominant()
    at = 0 if dominant is None else dominant
    i, j = solution.attaining[at].tolist()
    tokens = solution.rows.tokens
    runner_up = solution.runner_up
    return Verdict(
        map=name,
        n=len(solution.rows),
        alpha=alpha,
        restrict=restrict,
        tight=dominant is not None,
        kappa_exact=solution.kappa,
        slack_exact=exact_slack(solution, alpha) if dominant is None else Fraction(0),
        n_attaining=len(solution.attaining),
        attaining=tuple((tokens[i], tokens[j]) for i, j in solution.attaining[:ATTAINING_SHOWN].tolist()),
        pair=(tokens[i], tokens[j]),
        advantages=solution.exact.advantages(i, j),
        margin_exact=None if runner_up is None else solution.kappa - runner_up,
        stage=solution.stage,
    )


def as_matrix(A: Any, *, precision: Precision | None, any_real: bool, name: str = "the map") -> AttentionMatrix:
    """A validated map as it is, anything else validated now.

    Raises:
        InputError: not an attention map; or a validated map together with options that were settled when it was made.
    """
    if not isinstance(A, AttentionMatrix):
        return attention_matrix(A, name=name, precision=precision, any_real=any_real)
    if precision is not None or any_real:
        raise InputError(
            f"{A.name} is validated already: precision and any_real are given to attention_matrix or head_mean"
        )
    return A if name == "the map" else replace(A, name=name)


def ratio(value: Fraction) -> str:
    """A rational as ``p/q``, also when q is 1."""
    return f"{value.numerator}/{value.denominator}"


def _finite(value: float) -> float | None:
    """JSON has no infinity; the exact field has the value."""
    return value if isfinite(value) else None
