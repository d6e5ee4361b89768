"""``dobrushin.check`` on W/q, compared with the integers of the theorems' tables, field by field.

W/q is rarely a float matrix, but V = W/2**k is, where 2**k is the power of two above q (so that the entries are at
most 1, as in attention).  With c = q/2**k < 1, two calls read exactly the matrix W/q = V/c:

* ``renormalised``: check V with restrict="renormalised": every row is divided by its sum, c, exactly;
* ``scaled``: check V as it stands, with α' = αc/(αc + 1−α).  Then α'I + (1−α')V is proportional to αI + (1−α)V/c,
  κ(V) = c·κ(V/c), and the slack is multiplied by c/(αc + 1−α).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

import dobrushin
from dobrushin.condition import ATTAINING_SHOWN, Verdict
from dobrushin.crosscheck.theorems import LazyTable
from dobrushin.crosscheck.witness import Witness, rational_rows
from dobrushin.tokens import Restriction

Reading = Literal["renormalised", "scaled"]
"""How the production code is made to read W/q; see the module."""

READINGS: tuple[Reading, ...] = get_args(Reading)


@dataclass(frozen=True)
class Scale:
    """The rationals that the integers of the tables stand for, under one reading and one residual weight."""

    alpha: Fraction
    distance: Fraction
    advantage: Fraction
    slack: Fraction
    restrict: Restriction

    @classmethod
    def of(cls, reading: Reading, q: int, alpha: Fraction) -> "Scale":
        """The scale of the fields of the verdict for W with row sums q."""
        slack = Fraction(1, 2 * alpha.denominator * q)
        unit = stored_unit(q)
        if reading == "renormalised":
            return cls(alpha, Fraction(1, 2 * q), Fraction(1, q), slack, "renormalised")
        row_sum = q * unit
        total = alpha * row_sum + 1 - alpha
        return cls(alpha * row_sum / total, unit / 2, unit, slack * row_sum / total, "none")


def stored_unit(q: int) -> Fraction:
    """What one unit of W is in the stored matrix: one over the power of two above q."""
    return Fraction(1, 1 << q.bit_length())


def expected_fields(lazy: LazyTable, index: int, scale: Scale) -> dict[str, Any]:
    """What the definitions say about matrix number ``index`` of the table, in the terms of :class:`Verdict`."""
    table = lazy.table
    pairs = list(combinations(range(table.matrices.shape[1]), 2))
    distances = table.distances[index].tolist()
    top = max(distances)
    attaining = [k for k, d in enumerate(distances) if d == top]
    u, v = table.u[index].tolist(), table.v[index].tolist()
    dominant = [k for k in attaining if u[k] >= 0 and v[k] >= 0]
    slack = int(lazy.slack[index])
    shown = (dominant or attaining)[0]
    below = max((d for d in distances if d < top), default=None)
    return {
        "tight": slack == 0,
        "kappa_exact": top * scale.distance,
        "slack_exact": slack * scale.slack,
        "n_attaining": len(attaining),
        "attaining": tuple(pairs[k] for k in attaining[:ATTAINING_SHOWN]),
        "pair": pairs[shown],
        "advantages": (u[shown] * scale.advantage, v[shown] * scale.advantage),
        "margin_exact": None if below is None else (top - below) * scale.distance,
    }


def differing_fields(verdict: Verdict, expected: dict[str, Any]) -> list[str]:
    """Names of the fields of the verdict that are not as expected."""
    return [name for name, value in expected.items() if getattr(verdict, name) != value]


def compare(lazy: LazyTable, indices: Iterable[int], reading: Reading) -> list[Witness]:
    """Ask ``dobrushin.check`` about the matrices with the given indices; one witness for each that differs."""
    scale = Scale.of(reading, lazy.table.q, lazy.alpha)
    unit, witnesses = float(stored_unit(lazy.table.q)), []
    for index in indices:
        matrix = lazy.table.matrices[index]
        expected = expected_fields(lazy, index, scale)
        try:
            verdict = dobrushin.check(matrix * unit, alpha=scale.alpha, restrict=scale.restrict, any_real=True)
            wrong = differing_fields(verdict, expected)
            found = ", ".join(f"{name} = {shown(getattr(verdict, name))}" for name in wrong)
        except Exception as error:  # a crash on a valid matrix is a disagreement like any other
            wrong, found = ["tight"], f"{type(error).__name__}: {error}"
        if wrong:
            witnesses.append(
                Witness(
                    claim=f"verdict of dobrushin.check, read as {reading}",
                    matrices=(stochastic_text(matrix, lazy.table.q),),
                    setting=f"α = {lazy.alpha}",
                    expected=", ".join(f"{name} = {shown(expected[name])}" for name in wrong),
                    found=found,
                )
            )
    return witnesses


def stochastic_text(matrix: np.ndarray, q: int) -> tuple[tuple[str, ...], ...]:
    """The rows of W/q as text."""
    return rational_rows([[Fraction(int(x), q) for x in row] for row in matrix])


def shown(value: Any) -> str:
    """A field's value with rationals as ``p/q``."""
    if isinstance(value, tuple):
        return "(" + ", ".join(shown(x) for x in value) + ")"
    return str(value)
