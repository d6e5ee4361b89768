"""Hypothesis looks for a disagreement, guided by targets, and shrinks what it finds."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st

import dobrushin
from dobrushin.crosscheck.faults import Probe
from dobrushin.crosscheck.production import differing_fields, shown
from dobrushin.crosscheck.witness import DisagreementError, Witness, rational_rows
from dobrushin.errors import InputError
from dobrushin.exact import nearest_float
from dobrushin.testing import brute
from dobrushin.testing.cases import LayersCase, MapCase, filter_cases, layers_cases, map_cases
from dobrushin.testing.formats import stored

Case = TypeVar("Case")

_NEAR = Fraction(1, 10**6)  # pairs within this of κ count as nearly attaining


@dataclass(frozen=True)
class Outcome:
    """What one search did.

    Attributes:
        examples: cases tried, those of the shrinking included.
        until_found: cases tried until the first disagreement, or None.
        witness: the smallest disagreement found, or None.
        seconds: processor time.
    """

    examples: int
    until_found: int | None
    witness: Witness | None
    seconds: float


def explore(
    judge: Callable[[Case], Witness | None],
    strategy: st.SearchStrategy[Case],
    *,
    seed: int,
    examples: int,
    shrink: bool = True,
) -> Outcome:
    """Try up to ``examples`` cases; on a disagreement, shrink it (if asked) and stop."""
    tried, first, last = 0, None, None
    phases = [Phase.generate, Phase.target] + [Phase.shrink] * shrink

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=phases,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def attempt(case: Case) -> None:
        nonlocal tried, first, last
        tried += 1
        witness = judge(case)
        if witness is not None:
            first, last = first or tried, witness
            raise DisagreementError(witness)

    begin = time.process_time()
    try:
        attempt()
    except DisagreementError as found:  # hypothesis raises the simplest one last
        last = found.witness
    return Outcome(tried, first, last, time.process_time() - begin)


def probe(name: Probe, *, seed: int, examples: int, shrink: bool = True) -> Outcome:
    """Search for a disagreement of the production code with the definitions."""
    if name == "verdict":
        return explore(judge_verdict, map_cases(), seed=seed, examples=examples, shrink=shrink)
    if name == "filter":
        return explore(judge_verdict, filter_cases(), seed=seed, examples=examples, shrink=shrink)
    if name == "rollout":
        return explore(judge_rollout, layers_cases(), seed=seed, examples=examples, shrink=shrink)
    return explore(judge_distances, map_cases(), seed=seed, examples=examples, shrink=shrink)


def judge_verdict(case: MapCase) -> Witness | None:
    """``dobrushin.check`` against the definitions, every field, refusals included."""
    refused = case.must_be_refused()
    try:
        verdict = _call(dobrushin.check, case, alpha=case.alpha)
    except InputError as error:
        return None if refused is not False else _map_witness(case, "a verdict", f"InputError: {error}")
    except Exception as error:  # a crash is a disagreement
        return _map_witness(case, "a refusal" if refused else "a verdict", f"{type(error).__name__}: {error}")
    if refused:
        return _map_witness(case, "a refusal", f"tight = {verdict.tight}")
    if refused is None:
        return None
    expected = case.expected()
    _aim(case, expected)
    wrong = differing_fields(verdict, expected)
    if not wrong:
        return None
    return _map_witness(
        case,
        ", ".join(f"{name} = {shown(expected[name])}" for name in wrong),
        ", ".join(f"{name} = {shown(getattr(verdict, name))}" for name in wrong),
    )


def judge_distances(case: MapCase) -> Witness | None:
    """``kappa`` and ``pair_distances``, exact and in float64 with the error that their docstring promises."""
    if case.must_be_refused() is not False:
        return None
    A, tokens = case.matrix_and_tokens()
    exact = {pair: brute.distance(A, *pair) for pair in brute.pairs_of(tokens)}
    place = {token: index for index, token in enumerate(tokens)}
    try:
        kappa = _call(dobrushin.kappa, case, exact=True)
        rationals = _call(dobrushin.pair_distances, case, exact=True)
        with np.errstate(over="ignore"):
            floats = _call(dobrushin.pair_distances, case)
    except Exception as error:  # a crash is a disagreement
        return _map_witness(case, "distances", f"{type(error).__name__}: {error}")
    if kappa != max(exact.values()):
        return _map_witness(case, f"κ = {max(exact.values())}", f"κ = {kappa}")
    mass = max(sum(abs(x) for x in row) for row in A) if case.restrict == "renormalised" else Fraction(0)
    relative = Fraction(len(A[0]) + 8) * Fraction(101, 100) / 2**53
    for (i, j), distance in exact.items():
        at = place[i], place[j]
        if rationals[at] != distance:
            return _map_witness(case, f"d{i, j} = {distance}", f"{rationals[at]}")
        if not np.isfinite(floats[at]):
            continue  # beyond the largest float64
        allowed = relative * distance + Fraction(41, 10) * mass / 2**53 + Fraction(1, 2**1000)
        off = abs(Fraction(float(floats[at])) - distance)
        if off > allowed:
            return _map_witness(
                case, f"d{i, j} within {nearest_float(allowed):.3g} of {distance}", f"{float(floats[at])}"
            )
    return None


def judge_rollout(case: LayersCase) -> Witness | None:
    """``dobrushin.bounds`` against products of rational matrices, and T5 itself."""
    layers = [brute.to_rationals(layer) for layer in case.layers]
    tokens = list(range(len(layers[0])) if case.keep is None else case.keep)
    layers = [brute.restricted(layer, tokens, renormalise=True) for layer in layers]
    pairs = brute.pairs_of(range(len(tokens)))
    factors = [brute.lazy(layer, case.alpha) for layer in layers]
    rollout = factors[0]
    for factor in factors[1:]:
        rollout = brute.product(factor, rollout)
    value = brute.kappa(rollout, pairs)
    by_factors, by_layers = Fraction(1), Fraction(1)
    for layer, factor in zip(layers, factors, strict=True):
        by_factors *= brute.kappa(factor, pairs)
        by_layers *= case.alpha + (1 - case.alpha) * brute.kappa(layer, pairs)
    if not value <= by_factors <= by_layers:
        return _layers_witness(case, "T5: κ(R) ≤ Πκ(B) ≤ Π(α + (1−α)κ(A))", f"{value}, {by_factors}, {by_layers}")
    try:
        chain = dobrushin.bounds(case.layers, alpha=case.alpha, keep=case.keep, exact=True)
    except Exception as error:  # a crash is a disagreement
        return _layers_witness(case, f"κ(R) = {value}", f"{type(error).__name__}: {error}")
    low, high = (Fraction(bound) for bound in chain.kappa_rollout)
    found = (chain.kappa_rollout_exact, chain.product_of_factors, chain.product_of_layers)
    if found != (value, by_factors, by_layers):
        return _layers_witness(case, shown((value, by_factors, by_layers)), shown(found))
    if not low <= value <= high:
        return _layers_witness(case, f"an interval that contains κ(R) = {value}", f"{chain.kappa_rollout}")
    return None


def _call(function: Callable[..., Any], case: MapCase, **options: Any) -> Any:
    array, precision = stored(case.values, case.precision)
    return function(
        array, keep=case.keep, restrict=case.restrict, precision=precision, any_real=case.any_real, **options
    )


def _aim(case: MapCase, expected: dict[str, Any]) -> None:
    """Guide the search towards small positive slack, many near ties, and large float errors."""
    A, tokens = case.matrix_and_tokens()
    largest = expected["kappa_exact"]
    distances = {pair: brute.distance(A, *pair) for pair in brute.pairs_of(tokens)}
    near = sum(largest - d <= _NEAR * largest for d in distances.values())
    hypothesis.target(float(near), label="nearly attaining pairs")
    slack = expected["slack_exact"]
    hypothesis.target(-float(min(slack, 1)) if slack else -2.0, label="small positive slack")
    floats = [[float(x) for x in row] for row in A] if largest < 10**6 else []
    if floats and largest > Fraction(1, 10**9):
        gaps = [abs(Fraction(_float_distance(floats, i, j)) - d) / largest for (i, j), d in distances.items()]
        hypothesis.target(float(max(gaps)) * 2.0**53, label="gap between float and exact distance")


def _float_distance(rows: Sequence[Sequence[float]], i: int, j: int) -> float:
    return sum(abs(x - y) for x, y in zip(rows[i], rows[j], strict=True)) / 2


def _map_witness(case: MapCase, expected: str, found: str) -> Witness:
    matrix = rational_rows(brute.to_rationals(case.values))
    return Witness(claim="production", matrices=(matrix,), setting=case.setting, expected=expected, found=found)


def _layers_witness(case: LayersCase, expected: str, found: str) -> Witness:
    matrices = tuple(rational_rows(brute.to_rationals(layer)) for layer in case.layers)
    return Witness(claim="rollout", matrices=matrices, setting=case.setting, expected=expected, found=found)
