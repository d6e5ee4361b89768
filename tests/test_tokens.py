"""Choosing tokens: indices, slices, masks, the readings, and what is refused."""

import numpy as np
import pytest

from dobrushin import InputError, attention_matrix, check
from dobrushin.tokens import parse_tokens, restricted_rows, token_indices

A = np.array([[0.5, 0.25, 0.25, 0.0], [0.25, 0.5, 0.0, 0.25], [0.0, 0.5, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1,2,5", [1, 2, 5]), ("1:4", [1, 2, 3]), ("5,0", [0, 5]), (":2,-1", [0, 1, 7]), ("1:-1", [1, 2, 3, 4, 5, 6])],
)
def test_keep_option(text: str, expected: list[int]) -> None:
    assert parse_tokens(text, 8).tolist() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no token"),
        ("a", "names no token"),
        ("1,,2", "names no token"),
        ("1:2:3", "names no token"),
        ("1.5", "names no token"),
        ("8", "out of range"),
        ("99999999999999999999,1", "out of range"),
        ("-9", "out of range"),
        ("1:13", "reaches beyond"),
        ("4:4", "keeps no token"),
        ("1,1", "twice"),
        ("1,0:3", "twice"),
    ],
)
def test_keep_option_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_tokens(text, 8)


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ([0, 4], "out of range"),
        ([0, 0], "twice"),
        ([1, -3], "twice"),
        ([0.5, 1.0], "whole numbers"),
        (np.array([True, False]), "mask has shape"),
        (3, "whole numbers"),
        ([[0], [1, 2]], "whole numbers"),
        ([0], "no pair"),
        ([], "no pair"),
    ],
)
def test_bad_choices(keep: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(A, keep=keep)  # type: ignore[arg-type]


def test_mask_and_indices_are_the_same_choice() -> None:
    mask = np.array([True, False, True, True])
    assert token_indices(mask, 4).tolist() == token_indices([3, 0, 2], 4).tolist() == [0, 2, 3]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint64])
def test_indices_of_any_integer_type(dtype: type[np.integer]) -> None:
    assert token_indices(np.array([100, 2], dtype=dtype), 300).tolist() == [2, 100]


def test_the_default_reading_is_named() -> None:
    assert check(A).restrict == "none"
    assert check(A, keep=[0, 1, 2]).restrict == "renormalised"
    assert check(A, keep=[0, 1, 2], restrict="pairs").restrict == "pairs"
    with pytest.raises(InputError, match="renormalised, submatrix, pairs"):
        check(A, restrict="cut")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="contradicts"):
        check(A, keep=[0, 1], restrict="none")


def test_readings_select_the_right_numbers() -> None:
    matrix = attention_matrix(A)
    rows, _ = restricted_rows(matrix, keep=[1, 2], restrict="submatrix")
    assert rows.values.tolist() == [[0.5, 0.0], [0.5, 0.5]]
    assert not rows.normalised
    rows, _ = restricted_rows(matrix, keep=[1, 2], restrict="pairs")
    assert rows.values.tolist() == [[0.25, 0.5, 0.0, 0.25], [0.0, 0.5, 0.5, 0.0]]
    assert rows.own_column.tolist() == [1, 2]
    rows, _ = restricted_rows(matrix, keep=[1, 2])
    assert rows.normalised


def test_row_without_mass_is_named_by_its_token() -> None:
    with pytest.raises(InputError, match="row 3 has no mass on the kept tokens"):
        check(A, keep=[1, 2, 3])
    assert check(A, keep=[1, 2, 3], restrict="submatrix").n == 3


def test_subnormal_mass_is_mass() -> None:
    values = np.array([[1.0, 5e-324, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    verdict = check(values, keep=[1, 2])  # row 1 and 2; row 0 is dropped
    assert verdict.kappa == 1.0
    values = np.array([[1.0, 0.0, 0.0], [1.0, 5e-324, 1e-323], [0.0, 0.0, 1.0]])
    assert check(values, keep=[1, 2]).kappa_exact.limit_denominator(10) == check(values, keep=[1, 2]).kappa_exact
