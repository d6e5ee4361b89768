"""One of each orbit: against plain enumeration, Burnside's lemma, and orbit-stabiliser."""

from itertools import permutations

import numpy as np
import pytest

from dobrushin.crosscheck.orbits import Family, number_of_orbits

FAMILIES = [Family(2, 1), Family(2, 7), Family(3, 1), Family(3, 4), Family(4, 1), Family(4, 2), Family(5, 1)]


def identity(family: Family) -> str:
    return f"n={family.n} q={family.q}"


@pytest.mark.parametrize("family", FAMILIES, ids=identity)
def test_representatives_number_as_burnside_says_and_fill_the_family(family: Family) -> None:
    codes, sizes = family.representatives(0, family.size)
    assert len(codes) == number_of_orbits(family)
    assert sizes.sum() == family.size


@pytest.mark.parametrize("family", [Family(2, 4), Family(3, 2), Family(4, 1)], ids=identity)
def test_orbits_are_what_relabelling_gives(family: Family) -> None:
    """Plain enumeration: collect orbits by permuting rows and columns, without numbers for matrices."""
    left = {matrix.tobytes(): matrix for matrix in family.matrices(np.arange(family.size))}
    assert len(left) == family.size
    expected = []
    while left:
        _, matrix = next(iter(left.items()))
        orbit = {matrix[np.ix_(order, order)].tobytes() for order in permutations(range(family.n))}
        expected.append(len(orbit))
        for key in orbit:
            del left[key]
    codes, sizes = family.representatives(0, family.size)
    assert sorted(sizes.tolist()) == sorted(expected)
    keys = set()
    for matrix in family.matrices(codes):
        keys |= {matrix[np.ix_(order, order)].tobytes() for order in permutations(range(family.n))}
    assert len(keys) == family.size


def test_ranges_of_numbers_can_be_cut_anywhere() -> None:
    family = Family(3, 3)
    whole, _ = family.representatives(0, family.size)
    parts = [family.representatives(start, min(start + 37, family.size))[0] for start in range(0, family.size, 37)]
    assert np.array_equal(np.concatenate(parts), whole)


def test_rows_sum_to_the_denominator() -> None:
    family = Family(4, 3)
    assert (family.matrices(np.arange(0, family.size, 997)).sum(axis=2) == 3).all()
