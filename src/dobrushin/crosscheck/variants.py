"""False variants of the theorem: each must be refuted, by the search and by its smallest counter-example.

A variant is a claim about one or two matrices.  The smallest counter-example is found by going through all matrices
W/q of its domain in order of n, then q, then size of the entries, so no smaller (n, q) has one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np
from hypothesis import strategies as st

from dobrushin.crosscheck.orbits import Family
from dobrushin.crosscheck.search import Outcome, explore
from dobrushin.crosscheck.witness import Witness, rational_rows
from dobrushin.testing import brute
from dobrushin.testing.strategies import weight_matrices

HALF = Fraction(1, 2)
Domain = Literal["stochastic", "non-negative"]
Matrices = tuple[brute.Matrix, ...]


@dataclass(frozen=True)
class Variant:
    """One false claim.

    Attributes:
        name: how it differs from the theorem.
        claim: the claim, in symbols.
        sides: for matrices of the domain, what the claim says and what is true, or None where it claims nothing.
        matrices: how many matrices it speaks of.
        domain: which matrices.
        smallest_n: the smallest number of tokens it is claimed for.
    """

    name: str
    claim: str
    sides: Callable[[Matrices], tuple[object, object] | None]
    matrices: int = 1
    domain: Domain = "stochastic"
    smallest_n: int = 2

    def judge(self, matrices: Matrices) -> Witness | None:
        """A witness when the claim is false of the matrices."""
        sides = self.sides(matrices)
        if sides is None or sides[0] == sides[1]:
            return None
        return Witness(
            claim=self.claim,
            matrices=tuple(rational_rows(A) for A in matrices),
            setting="",
            expected=f"{sides[1]} in truth",
            found=f"{sides[0]} by the claim",
        )


def _tight(A: brute.Matrix, alpha: Fraction = HALF) -> bool:
    return brute.slack(A, brute.pairs_of(range(len(A))), alpha) == 0


def _attaining(A: brute.Matrix) -> list[brute.Pair]:
    return brute.attaining(A, brute.pairs_of(range(len(A))))


def _strict(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices
    return any(A[i][i] > A[j][i] and A[j][j] > A[i][j] for i, j in _attaining(A)), _tight(A)


def _every(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices
    return all(brute.self_dominant(A, i, j) for i, j in _attaining(A)), _tight(A)


def _one_sided(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices
    return any(A[i][i] >= A[j][i] or A[j][j] >= A[i][j] for i, j in _attaining(A)), _tight(A)


def _any_pair(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices
    return any(brute.self_dominant(A, i, j) for i, j in brute.pairs_of(range(len(A)))), _tight(A)


def _with_equal_indices(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices
    pairs = [(i, j) for i in range(len(A)) for j in range(len(A))]
    condition = any(brute.self_dominant(A, i, j) for i, j in brute.attaining(A, pairs))
    return condition, brute.slack(A, pairs, HALF) == 0


def _defect_with_equal_indices(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices  # u = v = 0 for i = j, so T1 would say d_B(i, i) = α
    return HALF + brute.distance(A, 0, 0) / 2, brute.distance(brute.lazy(A, HALF), 0, 0)


def _whole_identity(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices  # α = 1: B = I, whose κ is 1 = α + (1−α)κ(A) whatever A is
    return any(brute.self_dominant(A, i, j) for i, j in _attaining(A)), _tight(A, Fraction(1))


def _without_stochastic_rows(matrices: Matrices) -> tuple[object, object]:
    A, B = matrices
    pairs = brute.pairs_of(range(len(A)))
    return True, brute.kappa(brute.product(A, B), pairs) <= brute.kappa(A, pairs) * brute.kappa(B, pairs)


def _overlap_without_stochastic_rows(matrices: Matrices) -> tuple[object, object]:
    (A,) = matrices
    pairs = brute.pairs_of(range(len(A)))
    overlaps = [sum((min(x, y) for x, y in zip(A[i], A[j], strict=True)), start=Fraction(0)) for i, j in pairs]
    return 1 - min(overlaps), brute.kappa(A, pairs)


def _tight_rollout(matrices: Matrices) -> tuple[object, object] | None:
    if not all(_tight(A) for A in matrices):
        return None
    pairs = brute.pairs_of(range(len(matrices[0])))
    first, second = (brute.lazy(A, HALF) for A in matrices)
    return brute.kappa(first, pairs) * brute.kappa(second, pairs), brute.kappa(brute.product(second, first), pairs)


VARIANTS: tuple[Variant, ...] = (
    Variant("strict self-dominance", "tight iff an attaining pair has A_ii > A_ji and A_jj > A_ij", _strict),
    Variant("every attaining pair", "tight iff every attaining pair is self-dominant", _every),
    Variant("one-sided dominance", "tight iff an attaining pair has A_ii ≥ A_ji or A_jj ≥ A_ij", _one_sided),
    Variant("any pair", "tight iff some pair, attaining or not, is self-dominant", _any_pair),
    Variant("T3 with i = j", "T3 with pairs i = j allowed", _with_equal_indices, smallest_n=1),
    Variant("T1 with i = j", "T1 for i = j", _defect_with_equal_indices, smallest_n=1),
    Variant("T3 with α = 1", "T3 for residual weight 1", _whole_identity),
    Variant("T5 without stochastic rows", "κ(AB) ≤ κ(A)κ(B) for non-negative matrices", _without_stochastic_rows,
            matrices=2, domain="non-negative"),
    Variant("overlap without stochastic rows", "κ(A) = 1 − smallest overlap for non-negative matrices",
            _overlap_without_stochastic_rows, domain="non-negative"),
    Variant("tight layers, tight rollout", "κ(B₂B₁) = κ(B₁)κ(B₂) when both layers are tight", _tight_rollout,
            matrices=2),
)  # fmt: skip


def search(variant: Variant, *, seed: int, examples: int, shrink: bool = True) -> Outcome:
    """Let hypothesis refute the variant."""
    return explore(variant.judge, _matrices(variant), seed=seed, examples=examples, shrink=shrink)


def smallest(variant: Variant, *, largest_n: int = 3, largest_q: int = 4) -> Witness | None:
    """The first counter-example in order of n, then q, then number of non-zero entries; None when there is none."""
    for n, q in product(range(variant.smallest_n, largest_n + 1), range(1, largest_q + 1)):
        for matrices in product(_domain(variant, n, q), repeat=variant.matrices):
            witness = variant.judge(matrices)
            if witness is not None:
                return witness
    return None


def _domain(variant: Variant, n: int, q: int) -> list[brute.Matrix]:
    if variant.domain == "stochastic":
        family = Family(n, q)
        numerators = family.matrices(np.arange(family.size)).tolist()
    else:
        numerators = [np.reshape(entries, (n, n)).tolist() for entries in product(range(q + 1), repeat=n * n)]
    numerators.sort(key=lambda rows: sum(x > 0 for row in rows for x in row))
    return [[[Fraction(x, q) for x in row] for row in rows] for rows in numerators]


def _matrices(variant: Variant) -> st.SearchStrategy[Matrices]:
    @st.composite
    def draw_matrices(draw: st.DrawFn) -> Matrices:
        n = draw(st.integers(variant.smallest_n, 4))
        drawn: list[brute.Matrix] = []
        for _ in range(variant.matrices):
            weights = draw(weight_matrices(min_n=n, max_n=n, largest=3)).tolist()
            normalise = variant.domain == "stochastic"
            drawn.append([[Fraction(x, sum(row) if normalise else 1) for x in row] for row in weights])
        return tuple(drawn)

    return draw_matrices()
