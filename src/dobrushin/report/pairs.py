"""Which tokens make the reported pair, and on which side self-dominance fails when a map is not tight."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.report.source import SurveyFolder
from dobrushin.report.verdicts import RULES, Rule, Texts, numbers, texts

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

_COLUMNS = ("head", "tokens", "tight", "first", "second", "n_tokens", "grid_rows", "grid_columns", "first_label",
            "second_label", "first_content", "second_content", "first_advantage", "second_advantage")  # fmt: skip

TOKENS_SHOWN = 12
"""How many tokens the table of tokens lists."""

BINS = 10
"""The positions of a sequence are counted in so many equal parts."""


@dataclass(frozen=True)
class PairKind:
    """Pairs of one kind under one token rule.

    Attributes:
        rule: the token rule.
        name: ``content + content``, ``special + content`` or ``special + special``.
        maps: verdicts whose reported pair is of this kind.
        loose: those among them that are not tight.
        earlier, later, both: of these, where self-dominance fails: only at the token that comes first in the input,
            only at the other, or at both.
    """

    rule: Rule
    name: str
    maps: int
    loose: int
    earlier: int
    later: int
    both: int


@dataclass(frozen=True)
class TokenCount:
    """How often a token is in the reported pair: with failing self-dominance, in maps not tight, in all maps."""

    label: str
    special: bool
    fails: int
    loose: int
    maps: int


@dataclass(frozen=True, eq=False)
class Positions:
    """Where the tokens of pairs lie, for sequences; shares of the tokens in :data:`BINS` equal parts of the input."""

    fails: NDArray[np.float64] | None
    tight: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class PatchCounts:
    """For images of one grid: how often each patch is in the reported pair, shape (rows, columns)."""

    pairs: NDArray[np.int64]
    fails: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairFindings:
    """Everything about pairs in one run; ``tokens`` are those of maps that are not tight, most failures first."""

    kinds: tuple[PairKind, ...]
    tokens: tuple[TokenCount, ...]
    positions: dict[Rule, Positions]
    patches: dict[Rule, PatchCounts]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs of the verdicts of one rule: arrays of shape (maps, 2), the earlier token first."""

    tight: NDArray[np.bool_]
    position: NDArray[np.int64]
    special: NDArray[np.bool_]
    fails: NDArray[np.bool_]
    label: NDArray[np.int64]
    n_tokens: NDArray[np.int64]
    grid: NDArray[np.float64]


def find_pairs(survey: SurveyFolder, heads: tuple[str, ...]) -> PairFindings:
    """Read and count the pairs of the maps whose head rule is one of ``heads``."""
    table = survey.read_verdicts(_COLUMNS)
    columns = {name: table.column(name) for name in _COLUMNS}
    head, tokens = texts(columns["head"]), texts(columns["tokens"])
    chosen = numbers(columns["tight"].is_valid()) & np.any([head.equals(name) for name in heads], axis=0)
    names, labels = _joined_labels(texts(columns["first_label"]), texts(columns["second_label"]))
    parts: dict[Rule, _Pairs] = {}
    for rule in RULES:
        rows = np.flatnonzero(chosen & tokens.equals(rule))
        if len(rows):
            parts[rule] = _pairs({name: column.take(rows) for name, column in columns.items()}, labels[rows])
    return PairFindings(
        kinds=tuple(kind for rule, part in parts.items() for kind in _kinds(rule, part)),
        tokens=_token_counts(list(parts.values()), names),
        positions={rule: _positions(part) for rule, part in parts.items()},
        patches={rule: counts for rule, part in parts.items() if (counts := _patches(part)) is not None},
    )


def _joined_labels(first: Texts, second: Texts) -> tuple[list[str], NDArray[np.int64]]:
    """One numbering for the labels of both tokens; shape (rows, 2), −1 where there is none."""
    names = list(dict.fromkeys((*first.values, *second.values)))
    number = {name: index for index, name in enumerate(names)}
    columns = []
    for column in (first, second):
        translation = np.array([*(number[name] for name in column.values), -1], dtype=np.int64)
        columns.append(translation[column.codes])
    return names, np.stack(columns, axis=1)


def _pairs(columns: "Mapping[str, pyarrow.ChunkedArray]", labels: NDArray[np.int64]) -> _Pairs:
    def both(names: str, null: float | bool) -> NDArray[Any]:
        filled = (columns[names.format(side)].fill_null(null) for side in ("first", "second"))
        return np.stack([numbers(column) for column in filled], axis=1)

    position = both("{}", 0).astype(np.int64)
    order = np.argsort(position, axis=1)

    def ordered(values: NDArray[Any]) -> NDArray[Any]:
        return np.take_along_axis(values, order, axis=1)

    return _Pairs(
        tight=numbers(columns["tight"]).astype(bool),
        position=ordered(position),
        special=ordered(~both("{}_content", True).astype(bool)),
        fails=ordered(both("{}_advantage", 0.0) < 0),
        label=ordered(labels),
        n_tokens=numbers(columns["n_tokens"]).astype(np.int64),
        grid=np.stack([numbers(columns[f"grid_{axis}"]) for axis in ("rows", "columns")], axis=1).astype(float),
    )


def _kinds(rule: Rule, part: _Pairs) -> list[PairKind]:
    kinds = []
    for specials, name in enumerate(("content + content", "special + content", "special + special")):
        of_kind = part.special.sum(axis=1) == specials
        loose = of_kind & ~part.tight
        earlier, later = part.fails[:, 0] & loose, part.fails[:, 1] & loose
        if of_kind.any():
            kinds.append(
                PairKind(
                    rule=rule,
                    name=name,
                    maps=int(of_kind.sum()),
                    loose=int(loose.sum()),
                    earlier=int((earlier & ~later).sum()),
                    later=int((later & ~earlier).sum()),
                    both=int((earlier & later).sum()),
                )
            )
    return kinds


def _token_counts(parts: list[_Pairs], names: list[str]) -> tuple[TokenCount, ...]:
    """The tokens of maps that are not tight, over all rules."""
    fails, loose, maps, special = (np.zeros(len(names), dtype=np.int64) for _ in range(4))
    for part in parts:
        known = part.label >= 0
        not_tight = np.broadcast_to(~part.tight[:, None], known.shape)
        chosen = (not_tight & part.fails, not_tight, known, part.special)
        for counts, rows in zip((fails, loose, maps, special), chosen, strict=True):
            counts += np.bincount(part.label[known & rows], minlength=len(names))
    order = sorted(np.flatnonzero(loose).tolist(), key=lambda index: (-fails[index], -loose[index], names[index]))
    return tuple(
        TokenCount(names[index], bool(special[index]), int(fails[index]), int(loose[index]), int(maps[index]))
        for index in order[:TOKENS_SHOWN]
    )


def _positions(part: _Pairs) -> Positions:
    relative = part.position / np.maximum(part.n_tokens - 1, 1)[:, None]

    def shares(chosen: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        if not chosen.any():
            return None
        counts: NDArray[np.float64] = np.histogram(relative[chosen], bins=BINS, range=(0, 1))[0] / chosen.sum()
        return counts

    loose = ~part.tight[:, None]
    return Positions(shares(part.fails & loose), shares(np.broadcast_to(~loose, part.fails.shape)))


def _patches(part: _Pairs) -> PatchCounts | None:
    """Counts on the grid, when all maps with a grid share one."""
    with_grid = ~np.isnan(part.grid[:, 0])
    shapes = np.unique(part.grid[with_grid], axis=0)
    if len(shapes) != 1:
        return None
    rows, columns = (int(size) for size in shapes[0])
    patch = part.position - (part.n_tokens - rows * columns)[:, None]
    on_grid = with_grid[:, None] & (patch >= 0)

    def count(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(patch[chosen], minlength=rows * columns).reshape(rows, columns)

    return PatchCounts(count(on_grid), count(on_grid & part.fails & ~part.tight[:, None]))
