"""The residual weight α of the lazy factor αI + (1−α)A, as an exact rational in (0, 1)."""

import re
from fractions import Fraction

import numpy as np

from dobrushin.errors import InputError
from dobrushin.exact import as_fraction

ResidualWeight = Fraction | float | str
"""A rational, a float (taken as the dyadic rational that it is) or text such as ``1/2`` or ``0.9``."""

ROLLOUT_WEIGHT = Fraction(1, 2)
"""Attention rollout averages the map and the identity (Abnar & Zuidema 2020)."""

# Longer numbers can be spelt in a few letters (1e-999999999) and would take for ever.
_LONGEST_BITS = 4096
_SHORT_NUMBER = re.compile(r"[+-]?[\d._]{1,999}(/\d{1,999}|[eE][+-]?\d{1,3})?")


def residual_weight(alpha: ResidualWeight) -> Fraction:
    """Return α exactly.

    Text is read as the decimal or rational that it spells; a float is taken for the binary number that it is.

    >>> residual_weight("0.9"), residual_weight(0.5)
    (Fraction(9, 10), Fraction(1, 2))

    Raises:
        InputError: not a number, or not strictly between 0 and 1.
    """
    if isinstance(alpha, np.floating):
        alpha = float(alpha)
    if isinstance(alpha, str) and not _SHORT_NUMBER.fullmatch(alpha.strip()):
        raise InputError(f"the residual weight {alpha[:40]!r} is not a number; write a rational such as 1/2 or 0.9")
    try:
        exact = as_fraction(alpha) if isinstance(alpha, float) and 0 < alpha < 1 else Fraction(alpha)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise InputError(
            f"the residual weight {alpha!r} is not a number; write a rational such as 1/2 or 0.9"
        ) from None
    if exact.denominator.bit_length() > _LONGEST_BITS or exact.numerator.bit_length() > _LONGEST_BITS:
        raise InputError(f"the residual weight is a fraction of more than {_LONGEST_BITS} bits; choose a simpler one")
    if not 0 < exact < 1:
        raise InputError(f"the residual weight must lie strictly between 0 and 1, and {alpha} does not")
    return exact
