"""A map as natural numbers, and the pair of tokens that proves its verdict.

A stored map is ``N · 2**e`` with natural numbers N, so the certificate holds integers only, and nothing is rounded.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dobrushin.condition import check
from dobrushin.errors import InputError
from dobrushin.exact import integers
from dobrushin.matrix import AttentionMatrix
from dobrushin.tokens import Restriction, restricted_rows


@dataclass(frozen=True)
class Line:
    """One row: the column of its own token, what its numerators are divided by, and the numerators."""

    token: int
    weight: int
    numerators: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the numerators."""
        return sum(self.numerators)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a certificate states and what it takes to prove it.

    Attributes:
        restrict: the reading of the map, as in a :class:`~dobrushin.condition.Verdict`.
        tokens: the tokens that were kept, as indices of the whole map; line by line.
        columns: number of columns that distances sum over, and the n of the Lean statement.
        exponent: the unit of the numerators is ``2**exponent``.
        lines: the rows.
        tight: the claim.
        pair: columns of the two tokens of a pair that attains κ; mutually self-dominant when ``tight``.
        distance: Σ_k |x_ik − x_jk| of that pair times ``weight``, in units of ``2**exponent`` (of 1 if renormalised).
        weight: the product of the two lines' weights.
    """

    restrict: Restriction
    tokens: tuple[int, ...]
    columns: int
    exponent: int
    lines: tuple[Line, ...]
    tight: bool
    pair: tuple[int, int]
    distance: int
    weight: int


def evidence(
    matrix: AttentionMatrix, *, keep: Iterable[int] | None = None, restrict: Restriction | None = None
) -> Evidence:
    """The numbers of a map under a reading, its verdict, and the pair that proves it.

    Raises:
        InputError: the map has negative entries, or keep and restrict do not fit it.
    """
    tokens = None if keep is None else list(keep)
    verdict = check(matrix, keep=tokens, restrict=restrict)
    rows, reading = restricted_rows(matrix, keep=tokens, restrict=restrict)
    numbers, exponent = integers(rows.values)
    if (numbers < 0).any():
        raise InputError(f"{matrix.name} has negative entries; certificates are about attention, which has none")
    lines = tuple(
        Line(int(own), sum(row) if rows.normalised else 1, tuple(row))
        for own, row in zip(rows.own_column, numbers.tolist(), strict=True)
    )
    i, j = (lines[rows.tokens.index(token)] for token in verdict.pair)
    distance, weight = cross_distance(i, j)
    return Evidence(
        restrict=reading,
        tokens=tuple(rows.tokens),
        columns=rows.width,
        exponent=exponent,
        lines=lines,
        tight=verdict.tight,
        pair=(i.token, j.token),
        distance=distance,
        weight=weight,
    )


def cross_distance(first: Line, second: Line) -> tuple[int, int]:
    """Σ_k |x_k w' − x'_k w| of two lines with the weights w and w', and w · w'."""
    pairs: Sequence[tuple[int, int]] = list(zip(first.numerators, second.numerators, strict=True))
    distance = sum(abs(a * second.weight - b * first.weight) for a, b in pairs)
    return distance, first.weight * second.weight
