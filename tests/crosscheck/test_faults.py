"""Seeding faults: every one applies, takes effect for all callers, and leaves no trace."""

from fractions import Fraction

import numpy as np
import pytest

import dobrushin
from dobrushin.crosscheck import faults
from dobrushin.crosscheck.fault_table import FAULTS, named
from dobrushin.crosscheck.faults import Fault, Piece, fault, seeded
from dobrushin.errors import GateError, InputError


@pytest.mark.parametrize("entry", FAULTS, ids=lambda entry: entry.name)
def test_every_fault_fits_the_code_and_is_taken_out_again(entry: Fault) -> None:
    functions = [faults.function_at(piece.where) for piece in entry.pieces]
    codes = [function.__code__ for function in functions]
    assert codes
    with seeded(entry):
        for function, code in zip(functions, codes, strict=True):
            assert function.__code__ is not code
    assert [function.__code__ for function in functions] == codes


def test_names_are_unique() -> None:
    assert len({entry.name for entry in FAULTS}) == len(FAULTS) >= 10


def test_fault_is_seen_by_callers_and_gone_after_an_exception() -> None:
    uniform = np.full((2, 2), 0.5)
    with pytest.raises(RuntimeError), seeded(named("strict dominance")):  # noqa: PT012
        assert not dobrushin.check(uniform).tight
        raise RuntimeError
    assert dobrushin.check(uniform).tight


def test_residual_weight_fault() -> None:
    with seeded(named("residual weight rounded")):
        assert dobrushin.check(np.eye(2), alpha="1/3").alpha != Fraction(1, 3)


def test_a_piece_that_is_not_there_is_an_error() -> None:
    stale = fault("stale", "nothing", Piece("condition:check", "no such text", ""))
    with pytest.raises(GateError, match=r"occurs 0 times in dobrushin\.condition:check.*has to follow"), seeded(stale):
        pass


def test_unknown_name_lists_the_choices() -> None:
    with pytest.raises(InputError, match="choose one of: strict dominance"):
        named("nothing")
