"""The search: finds nothing in unchanged code, finds faults and refutes variants, and is the same for a seed."""

import pytest
from hypothesis import strategies as st

from dobrushin.crosscheck import search, variants
from dobrushin.crosscheck.fault_table import named
from dobrushin.crosscheck.faults import Probe, seeded
from dobrushin.crosscheck.variants import VARIANTS, Variant
from dobrushin.crosscheck.witness import Witness


def judge_number(number: int) -> Witness | None:
    if number < 1000:
        return None
    return Witness(claim="small", matrices=(), setting="", expected="< 1000", found=str(number))


def test_explore_shrinks() -> None:
    outcome = search.explore(judge_number, st.integers(0, 10**6), seed=0, examples=200)
    assert outcome.witness is not None
    assert outcome.witness.found == "1000"
    assert outcome.until_found is not None


def test_explore_without_a_disagreement() -> None:
    outcome = search.explore(judge_number, st.integers(0, 999), seed=0, examples=50)
    assert outcome.witness is None
    assert outcome.until_found is None
    assert outcome.examples == 50


@pytest.mark.parametrize("probe", ["verdict", "filter", "distances", "rollout"])
def test_unchanged_code(probe: Probe) -> None:
    outcome = search.probe(probe, seed=7, examples=40)
    assert outcome.witness is None, str(outcome.witness)
    assert outcome.examples >= 40


@pytest.mark.parametrize(
    "name",
    ["strict dominance", "float comparison", "no error bound", "silent renormalising", "rollout upside down",
     "distance not halved"],
)  # fmt: skip
def test_seeded_fault_is_found(name: str) -> None:
    fault = named(name)
    with seeded(fault):
        outcome = search.probe(fault.probe, seed=0, examples=3000, shrink=False)
    assert outcome.witness is not None


def test_witness_is_small_after_shrinking() -> None:
    with seeded(named("strict dominance")):
        outcome = search.probe("verdict", seed=0, examples=500)
    assert outcome.witness is not None
    assert len(outcome.witness.matrices[0]) <= 3


def test_same_seed_same_search() -> None:
    with seeded(named("every attaining pair")):
        first, second = (search.probe("verdict", seed=3, examples=300, shrink=False) for _ in range(2))
    assert (first.until_found, first.witness) == (second.until_found, second.witness)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_variant_is_refuted(variant: Variant) -> None:
    assert variants.search(variant, seed=0, examples=1000, shrink=False).witness is not None
    smallest = variants.smallest(variant)
    assert smallest is not None
    assert len(smallest.matrices[0]) <= 3


def test_true_statement_is_not_refuted() -> None:
    def sides(matrices: variants.Matrices) -> tuple[object, object]:
        (A,) = matrices
        return any(variants.brute.self_dominant(A, i, j) for i, j in variants._attaining(A)), variants._tight(A)

    theorem = Variant("T3", "the theorem", sides)
    assert variants.smallest(theorem, largest_q=2) is None
    assert variants.search(theorem, seed=0, examples=100).witness is None
