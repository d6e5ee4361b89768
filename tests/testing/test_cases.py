"""The cases of the search: what they cover, and that refusals are foreseen."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis.errors import NoSuchExample

import dobrushin
from dobrushin.testing import brute
from dobrushin.testing.cases import MapCase, filter_cases, map_cases

QUICK = settings(max_examples=2000, derandomize=True, database=None, phases=[Phase.generate])


def case(values: list[list[float]], **options: object) -> MapCase:
    defaults = {"precision": "float64", "alpha": Fraction(1, 2), "keep": None, "restrict": "none", "any_real": False}
    return MapCase(values=np.array(values), **(defaults | options))  # type: ignore[arg-type]


@pytest.mark.parametrize("precision", ["float16", "bfloat16", "float32", "float64"])
def test_every_format_occurs(precision: str) -> None:
    find(map_cases(), lambda drawn: drawn.precision == precision, settings=QUICK)


@pytest.mark.parametrize("restrict", ["none", "renormalised", "submatrix", "pairs"])
def test_every_reading_occurs(restrict: str) -> None:
    find(map_cases(), lambda drawn: drawn.restrict == restrict, settings=QUICK)


@pytest.mark.parametrize("refused", [True, False])
def test_invalid_and_valid_maps_occur(refused: bool) -> None:
    find(map_cases(), lambda drawn: drawn.must_be_refused() is refused, settings=QUICK)


def test_subnormal_entries_occur() -> None:
    find(map_cases(), lambda drawn: bool((drawn.values < 1e-38)[drawn.values > 0].any()), settings=QUICK)


def test_filter_cases_tie() -> None:
    def tied(drawn: MapCase) -> bool:
        A, tokens = drawn.matrix_and_tokens()
        return len(brute.attaining(A, brute.pairs_of(tokens))) > 2

    try:
        find(filter_cases(), tied, settings=QUICK)
    except NoSuchExample:
        pytest.fail("no ties among the tied cases")


def test_refusals() -> None:
    assert case([[1.0, 0.5], [0.0, 1.0]]).must_be_refused() is True
    assert case([[1.5, -0.5], [0.0, 1.0]]).must_be_refused() is True
    assert case([[1.5, -0.5], [0.0, 1.0]], any_real=True).must_be_refused() is False
    assert case([[0.0, 0.0], [0.0, 1.0]], any_real=True, restrict="renormalised").must_be_refused() is True


def test_expected_fields_name_tokens_of_the_whole_map() -> None:
    drawn = case([[1, 0, 0], [0, 1, 0], [0.0, 0.5, 0.5]], keep=(0, 2), restrict="pairs")
    expected = drawn.expected()
    assert expected["pair"] == (0, 2)
    assert expected["kappa_exact"] == 1
    assert expected["advantages"] == (1, Fraction(1, 2))


@given(map_cases())
def test_refusals_are_foreseen(drawn: MapCase) -> None:
    refused = drawn.must_be_refused()
    if refused is None or drawn.precision == "bfloat16":
        return
    array = drawn.values.astype(drawn.precision)
    options = {"keep": drawn.keep, "restrict": drawn.restrict, "any_real": drawn.any_real}
    if refused:
        with pytest.raises(dobrushin.InputError):
            dobrushin.check(array, **options)
    else:
        dobrushin.check(array, **options)
