"""The integer statements of the theorems: against brute force, and able to be false."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobrushin.crosscheck import theorems
from dobrushin.crosscheck.orbits import Family
from dobrushin.crosscheck.theorem_search import judge_theorems, theorem_cases
from dobrushin.crosscheck.theorems import LazyTable, PairTable
from dobrushin.testing import brute

STATEMENTS = [
    theorems.exact_defect,
    theorems.layerwise_inequality,
    theorems.equality_condition,
    theorems.exact_slack,
    theorems.floor,
]


@given(st.data())
def test_tables_equal_brute_force(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from([Family(2, 9), Family(3, 5), Family(4, 3)]))
    alpha = data.draw(st.fractions(Fraction(1, 30), Fraction(29, 30), max_denominator=30))
    matrices = family.matrices(np.array([data.draw(st.integers(0, family.size - 1))]))
    lazy = LazyTable.of(PairTable.of(matrices, family.q), alpha)
    A = [[Fraction(int(x), family.q) for x in row] for row in matrices[0]]
    pairs = brute.pairs_of(range(family.n))
    unit = Fraction(1, 2 * family.q)
    assert [int(d) * unit for d in lazy.table.distances[0]] == [brute.distance(A, i, j) for i, j in pairs]
    assert lazy.table.attaining[0].tolist() == [pair in brute.attaining(A, pairs) for pair in pairs]
    assert lazy.table.dominant[0].tolist() == [brute.self_dominant(A, i, j) for i, j in pairs]
    assert int(lazy.slack[0]) * unit / alpha.denominator == brute.slack(A, pairs, alpha)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.__name__)
def test_statements_hold(statement: object) -> None:
    family = Family(3, 3)
    table = PairTable.of(family.matrices(np.arange(family.size)), family.q)
    for alpha in (Fraction(1, 2), Fraction(1, 5), Fraction(6, 7)):
        assert statement(LazyTable.of(table, alpha)).all()  # type: ignore[operator]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.__name__)
def test_statements_can_be_false(statement: object) -> None:
    """With the identity's share left out of the lazy factor, every statement fails for some matrix."""
    family = Family(3, 3)
    table = PairTable.of(family.matrices(np.arange(family.size)), family.q)
    right = LazyTable.of(table, Fraction(1, 2))
    distances = theorems.doubled_distances(table.matrices) // 2
    wrong = LazyTable(table, right.alpha, distances, right.deficits, 2 * table.q * 0 + table.largest - 3)
    assert not statement(wrong).all()  # type: ignore[operator]


def test_contraction_and_its_equality() -> None:
    left, right = Family(3, 2), Family(3, 1)
    index = np.arange(left.size * right.size)
    first = PairTable.of(left.matrices(index // right.size), 2)
    second = PairTable.of(right.matrices(index % right.size), 1)
    assert theorems.contraction(first, second).all()
    assert theorems.contraction_equality(first, second).all()
    products = theorems.doubled_distances(first.matrices @ second.matrices).max(axis=1)
    equal = 2 * products == first.largest * second.largest
    positive = (first.largest > 0) & (second.largest > 0)
    assert (equal & positive).any()
    assert (~equal & positive).any()


def test_contraction_is_false_without_stochastic_rows() -> None:
    spike = PairTable.of(np.array([[[0, 0], [0, 1]]]), 1)
    assert not theorems.contraction(spike, spike).any()
    assert not theorems.overlap(PairTable.of(np.array([[[0, 0], [0, 0]]]), 1)).any()


@settings(max_examples=50)
@given(theorem_cases())
def test_no_counter_example_among_rationals(case: object) -> None:
    assert judge_theorems(case) is None  # type: ignore[arg-type]
