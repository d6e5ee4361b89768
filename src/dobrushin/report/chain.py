"""The chain κ(R) ≤ Π κ(B_l) ≤ Π (α + (1−α)κ(A_l)) by depth."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dobrushin.report.layers import Spread, spread
from dobrushin.report.source import SurveyFolder
from dobrushin.report.verdicts import RULES, Rule, numbers, texts

_COLUMNS = ("tokens", "depth", "kappa_rollout_low", "kappa_rollout_high", "product_of_factors", "product_of_layers")


@dataclass(frozen=True)
class Link:
    """One depth under one token rule: quartiles over the inputs.

    Attributes:
        rule: the token rule.
        depth: how many layers are multiplied.
        inputs: how many inputs there are.
        rollout_low, rollout_high: of the ends of the intervals that contain κ(R).
        factors: of Π κ(B_l).
        layers: of Π (α + (1−α)κ(A_l)).
        unresolved: inputs whose interval begins at 0: rounding hides how small κ(R) is.
    """

    rule: Rule
    depth: int
    inputs: int
    rollout_low: Spread
    rollout_high: Spread
    factors: Spread
    layers: Spread
    unresolved: int


def find_chain(survey: SurveyFolder) -> tuple[Link, ...]:
    """The links in order of rule and depth; empty when the survey has no chain."""
    table = survey.read_chain(_COLUMNS)
    if table is None or not table.num_rows:
        return ()
    rules = texts(table.column("tokens"))
    columns = {name: numbers(table.column(name)) for name in _COLUMNS[1:]}
    links = []
    for rule in RULES:
        of_rule = rules.equals(rule)
        for depth in np.unique(columns["depth"][of_rule]).tolist():
            rows = of_rule & (columns["depth"] == depth)
            links.append(_link(rule, depth, {name: values[rows] for name, values in columns.items()}))
    return tuple(links)


def _link(rule: Rule, depth: int, columns: dict[str, NDArray[np.float64]]) -> Link:
    low, high, factors, layers = (spread(columns[name]) for name in _COLUMNS[2:])
    assert low is not None
    assert high is not None
    assert factors is not None
    assert layers is not None
    unresolved = int((columns["kappa_rollout_low"] <= 0).sum())
    return Link(rule, depth, len(columns["depth"]), low, high, factors, layers, unresolved)
