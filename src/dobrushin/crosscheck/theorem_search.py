"""Hypothesis looks for a counter-example to T1–T6 themselves, on rational matrices, by the definitions alone."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import hypothesis
from hypothesis import strategies as st

from dobrushin.crosscheck.search import Outcome, explore
from dobrushin.crosscheck.witness import Witness, rational_rows
from dobrushin.testing import brute
from dobrushin.testing.strategies import residual_weights, stochastic_rationals

_NEAR = Fraction(1, 100)


@dataclass(frozen=True, eq=False)
class TheoremCase:
    """A matrix, a residual weight and a set of pairs.

    Attributes:
        A: any square matrix of rationals.
        partner: a matrix of the same size.
        stochastic: whether the rows of both sum to 1 and no entry is negative, so that T5 and T6 apply.
        alpha: the residual weight.
        pairs: a non-empty list of pairs i < j.
    """

    A: brute.Matrix
    partner: brute.Matrix
    stochastic: bool
    alpha: Fraction
    pairs: list[brute.Pair]


@st.composite
def theorem_cases(draw: st.DrawFn) -> TheoremCase:
    """Stochastic and arbitrary real matrices as rationals, all pairs or any non-empty set of them."""
    n, stochastic = draw(st.integers(2, 5)), draw(st.booleans())
    if stochastic:
        drawn = [draw(stochastic_rationals(min_n=n, max_n=n)) for _ in range(2)]
    else:
        entry = st.integers(-3, 3).map(Fraction) | st.fractions(-2, 2, max_denominator=12)
        rows = st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)
        drawn = [draw(rows) for _ in range(2)]
    every = brute.pairs_of(range(n))
    some = draw(st.lists(st.sampled_from(every), unique=True, max_size=len(every)))
    return TheoremCase(drawn[0], drawn[1], stochastic, draw(residual_weights()), sorted(some) or every)


def search(*, seed: int, examples: int) -> Outcome:
    """Search for a counter-example to the theorems."""
    return explore(judge_theorems, theorem_cases(), seed=seed, examples=examples)


def judge_theorems(case: TheoremCase) -> Witness | None:
    """The first statement of T1–T6 that fails, or None."""
    A, pairs, alpha = case.A, case.pairs, case.alpha
    B = brute.lazy(A, alpha)
    kappa, slack = brute.kappa(A, pairs), brute.slack(A, pairs, alpha)
    shortfalls = []
    for i, j in pairs:
        deficit = sum(
            min(alpha, (1 - alpha) * max(A[q][p] - A[p][p], Fraction(0))) for p, q in ((i, j), (j, i))
        )  # min(α, (1−α)u⁻) + min(α, (1−α)v⁻)
        distance = brute.distance(A, i, j)
        claimed = alpha + (1 - alpha) * distance - deficit
        if brute.distance(B, i, j) != claimed:
            return _witness(case, f"T1 for {i, j}", claimed, brute.distance(B, i, j))
        shortfalls.append((1 - alpha) * (kappa - distance) + deficit)
    if slack < 0:
        return _witness(case, "T2", "slack ≥ 0", slack)
    condition = any(brute.self_dominant(A, i, j) for i, j in brute.attaining(A, pairs))
    if condition != (slack == 0):
        return _witness(case, "T3", condition, slack == 0)
    if slack != min(shortfalls):
        return _witness(case, "T4", min(shortfalls), slack)
    near = sum(kappa - brute.distance(A, i, j) <= _NEAR * kappa for i, j in pairs)
    hypothesis.target(float(near), label="nearly attaining pairs")
    hypothesis.target(-float(slack) if slack else -100.0, label="small positive slack")
    return _judge_stochastic(case, B) if case.stochastic else None


def _judge_stochastic(case: TheoremCase, B: brute.Matrix) -> Witness | None:
    A, alpha, every = case.A, case.alpha, brute.pairs_of(range(len(case.A)))
    for i, j in every:
        u, v = max(A[j][i] - A[i][i], Fraction(0)), max(A[i][j] - A[j][j], Fraction(0))
        if brute.distance(A, i, j) < max(u, v):
            return _witness(case, f"T6 for {i, j}", f"d ≥ {max(u, v)}", brute.distance(A, i, j))
        floor = alpha - min(alpha, (1 - alpha) * min(u, v))
        if brute.kappa(B, every) < floor:
            return _witness(case, f"T6 for {i, j}", f"κ(B) ≥ {floor}", brute.kappa(B, every))
    overlap = min(sum((min(x, y) for x, y in zip(A[i], A[j], strict=True)), start=Fraction(0)) for i, j in every)
    if brute.kappa(A, every) != 1 - overlap:
        return _witness(case, "T5 κ = 1 − smallest overlap", 1 - overlap, brute.kappa(A, every))
    together = brute.kappa(brute.product(A, case.partner), every)
    bound = brute.kappa(A, every) * brute.kappa(case.partner, every)
    if together > bound:
        return _witness(case, "T5", f"κ(AB) ≤ {bound}", together)
    if bound > 0 and _aligned(A, case.partner, every) != (together == bound):
        return _witness(case, "T5′", _aligned(A, case.partner, every), together == bound)
    return None


def _aligned(A: brute.Matrix, C: brute.Matrix, pairs: list[brute.Pair]) -> bool:
    """The equality condition of T5′: one attaining pair of A and one sign vector reach κ(C) on all of its support."""
    n, largest = len(A), brute.kappa(C, pairs)
    for i, j in brute.attaining(A, pairs):
        gains = [k for k in range(n) if A[i][k] > A[j][k]]
        losses = [k for k in range(n) if A[i][k] < A[j][k]]
        for signs in product((-1, 1), repeat=n):
            heights = [sum((s * x for s, x in zip(signs, row, strict=True)), start=Fraction(0)) for row in C]
            if all((heights[k] - heights[m]) / 2 == largest for k in gains for m in losses):
                return True
    return False


def _witness(case: TheoremCase, claim: str, expected: object, found: object) -> Witness:
    matrices = (case.A, case.partner) if claim.startswith("T5") else (case.A,)
    return Witness(
        claim=claim,
        matrices=tuple(rational_rows(A) for A in matrices),
        setting=f"α = {case.alpha}, pairs {case.pairs}",
        expected=str(expected),
        found=str(found),
    )
