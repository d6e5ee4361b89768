"""The integers of a certificate are the stored floats, and its pair attains the distance that it states."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobrushin import InputError, attention_matrix, check
from dobrushin.certificate import Evidence, evidence
from dobrushin.tokens import Restriction


def random_map(seed: int, n: int, dtype: type[np.floating]) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(n, 0.3), size=n).astype(dtype)


@given(st.integers(0, 10_000), st.integers(2, 9), st.sampled_from([np.float32, np.float64]))
def test_the_numerators_are_the_stored_floats(seed: int, n: int, dtype: type[np.floating]) -> None:
    values = random_map(seed, n, dtype)
    proof = evidence(attention_matrix(values))
    unit = Fraction(2) ** proof.exponent
    assert [[Fraction(x) * unit for x in line.numerators] for line in proof.lines] == [
        [Fraction(float(x)) for x in row] for row in values
    ]
    assert {line.weight for line in proof.lines} == {1}


def kappa(proof: Evidence) -> Fraction:
    """κ from the certificate's pair."""
    unit = Fraction(1) if proof.restrict == "renormalised" else Fraction(2) ** proof.exponent
    return Fraction(proof.distance, 2 * proof.weight) * unit


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from(["renormalised", "submatrix", "pairs"]))
def test_the_pair_attains_kappa(seed: int, restrict: Restriction) -> None:
    matrix = attention_matrix(random_map(seed, 7, np.float64))
    keep = [1, 2, 4, 6]
    proof = evidence(matrix, keep=keep, restrict=restrict)
    verdict = check(matrix, keep=keep, restrict=restrict)
    assert (proof.tight, kappa(proof)) == (verdict.tight, verdict.kappa_exact)
    assert proof.tokens == (1, 2, 4, 6)
    assert proof.columns == (7 if restrict == "pairs" else 4)
    assert [line.token for line in proof.lines] == ([1, 2, 4, 6] if restrict == "pairs" else [0, 1, 2, 3])
    assert all(line.weight == (line.total if restrict == "renormalised" else 1) for line in proof.lines)


def test_negative_entries_are_refused() -> None:
    matrix = attention_matrix(np.array([[2.0, -1.0], [0.5, 0.5]]), any_real=True)
    with pytest.raises(InputError, match="negative"):
        evidence(matrix)
