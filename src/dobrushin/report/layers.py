"""Summaries by layer and token rule: shares, κ and slack."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dobrushin.report.intervals import Share, clustered_share
from dobrushin.report.verdicts import RULES, Rule, Verdicts

_DRAWN = 60
"""At most so many slacks of one layer are drawn as points: evenly spaced ones in their order, the ends among them."""


@dataclass(frozen=True)
class Spread:
    """Smallest, quartiles and largest of some numbers."""

    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float


@dataclass(frozen=True, eq=False)
class Group:
    """The maps of one layer (None: of all layers) under one token rule.

    Attributes:
        layer: counted from 0, or None.
        rule: the token rule.
        share: the share tight, with its interval.
        skipped: maps without a verdict.
        kappa: of the maps with a verdict; None when there are none.
        slack: of the same maps, tight ones (whose slack is 0) included.
        loose: slacks of maps that are not tight, in order, thinned to what a figure can show.
        exact_stage: verdicts that took the exact comparison.
    """

    layer: int | None
    rule: Rule
    share: Share
    skipped: int
    kappa: Spread | None
    slack: Spread | None
    loose: tuple[float, ...]
    exact_stage: int


@dataclass(frozen=True, eq=False)
class Layers:
    """All groups of a run: ``groups[layer, rule]``, where layer None stands for all layers."""

    numbers: tuple[int, ...]
    rules: tuple[Rule, ...]
    groups: dict[tuple[int | None, Rule], Group]


def by_layer(verdicts: Verdicts, rows: NDArray[np.bool_]) -> Layers:
    """Summarise these rows."""
    exact = verdicts.stage.equals("exact")
    groups: dict[tuple[int | None, Rule], Group] = {}
    present: list[Rule] = []
    layers: tuple[int, ...] = tuple(np.unique(verdicts.layer[rows]).tolist())
    for rule in RULES:
        members = np.flatnonzero(rows & verdicts.tokens.equals(rule))
        if not len(members):
            continue
        present.append(rule)
        order = members[np.argsort(verdicts.layer[members], kind="stable")]
        ends = np.searchsorted(verdicts.layer[order], layers, side="right")
        starts = np.searchsorted(verdicts.layer[order], layers, side="left")
        for layer, start, end in zip(layers, starts, ends, strict=True):
            groups[layer, rule] = _group(verdicts, order[start:end], exact, layer, rule)
        groups[None, rule] = _group(verdicts, members, exact, None, rule)
    return Layers(layers, tuple(present), groups)


def _group(
    verdicts: Verdicts, members: NDArray[np.int64], exact: NDArray[np.bool_], layer: int | None, rule: Rule
) -> Group:
    decided = members[verdicts.decided[members]]
    tight, slack = verdicts.tight[decided], verdicts.slack[decided]
    return Group(
        layer=layer,
        rule=rule,
        share=clustered_share(verdicts.input[decided], tight),
        skipped=len(members) - len(decided),
        kappa=spread(verdicts.kappa[decided]),
        slack=spread(slack),
        loose=_thinned(slack[~tight]),
        exact_stage=int(exact[decided].sum()),
    )


def spread(values: NDArray[np.float64]) -> Spread | None:
    """The quartiles; None without values.

    >>> spread(np.array([1.0, 2.0, 4.0])).median
    2.0
    """
    if not len(values):
        return None
    return Spread(*np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist())


def _thinned(values: NDArray[np.float64]) -> tuple[float, ...]:
    ordered = np.sort(values)
    if len(ordered) > _DRAWN:
        ordered = ordered[np.linspace(0, len(ordered) - 1, _DRAWN).round().astype(int)]
    return tuple(ordered.tolist())


def shares_by_head(verdicts: Verdicts, heads: Sequence[str], layers: Layers) -> dict[Rule, NDArray[np.float64]]:
    """Share tight of each head in each layer, shape (layers, heads) for each rule; NaN without verdicts."""
    numbers = np.searchsorted(layers.numbers, verdicts.layer)
    translation = np.full(len(verdicts.head.values) + 1, -1)
    for place, head in enumerate(heads):
        translation[verdicts.head.values.index(head)] = place
    columns = translation[verdicts.head.codes]
    shares: dict[Rule, NDArray[np.float64]] = {}
    for rule in layers.rules:
        rows = verdicts.decided & verdicts.tokens.equals(rule) & (columns >= 0)
        cells = numbers[rows] * len(heads) + columns[rows]
        size = len(layers.numbers) * len(heads)
        maps = np.bincount(cells, minlength=size).astype(float)
        tight = np.bincount(cells, weights=verdicts.tight[rows], minlength=size)
        shares[rule] = np.divide(tight, maps, out=np.full(size, np.nan), where=maps > 0).reshape(-1, len(heads))
    return shares
