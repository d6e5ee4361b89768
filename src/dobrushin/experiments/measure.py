"""Verdicts on a model's maps, and what they are by layer: for checkpoints, where a whole survey would be too much."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Literal

from dobrushin.capture import Adapter, Item, LayerAttention, observe
from dobrushin.condition import Verdict, check
from dobrushin.experiments.intervals import share_of
from dobrushin.matrix import head_mean
from dobrushin.tokens import DEFAULT_RESTRICTION, Restriction

Tokens = Literal["content", "all"]


@dataclass(frozen=True)
class Found:
    """The verdict on one map: where it is, the pair by its labels, and whether counterfactual rows took part."""

    input: int
    layer: int
    tokens: Tokens
    verdict: Verdict
    pair: tuple[str, str]
    counterfactual: bool


def verdicts_of(
    adapter: Adapter,
    items: Sequence[Item],
    *,
    tokens: Sequence[Tokens] = ("content", "all"),
    restrict: Restriction = DEFAULT_RESTRICTION,
    batch_size: int = 32,
) -> list[Found]:
    """The exact verdicts on the head-averaged maps of every input and layer.

    Maps of fewer than two chosen tokens have no pair and are left out.
    """
    found: list[Found] = []

    def receive(attention: LayerAttention) -> None:
        name = f"input {attention.input.id}, layer {attention.layer}"
        matrix = head_mean(attention.values, name=name, precision=attention.dtype)
        content = attention.input.content
        for rule in tokens:
            if (content.sum() if rule == "content" else matrix.n) < 2:
                continue
            verdict = check(matrix, keep=content, restrict=restrict) if rule == "content" else check(matrix)
            labels = attention.input.labels
            pair = labels[verdict.pair[0]], labels[verdict.pair[1]]
            used = [row for row in attention.counterfactual if rule == "all" or content[row]]
            found.append(Found(attention.index, attention.layer, rule, verdict, pair, bool(used)))

    observe(adapter, items, receive, batch_size=batch_size)
    return found


@dataclass(frozen=True)
class LayerFigures:
    """One layer under one token rule.

    ``one_side`` and ``both_sides`` count maps that are not tight by how many comparisons the first attaining pair
    fails; ``slack`` is the median over those maps, 0 without any; ``least_margin`` the smallest distance of κ from the
    next one; ``pair`` the most common reported pair of all maps and ``pair_share`` its share.
    """

    layer: int
    tokens: Tokens
    n: int
    maps: int
    tight: int
    share: float
    low: float
    high: float
    kappa: float
    slack: float
    largest_slack: float
    one_side: int
    both_sides: int
    exact_stage: int
    least_margin: float
    pair: str
    pair_share: float
    counterfactual: bool


def by_layer(found: Sequence[Found]) -> list[LayerFigures]:
    """One entry for each layer and token rule, in order."""
    places = sorted({(one.layer, one.tokens) for one in found})
    return [_figures([one for one in found if (one.layer, one.tokens) == place]) for place in places]


def as_rows(found: Sequence[Found], **labels: Any) -> list[dict[str, Any]]:
    """The figures by layer as rows of a table, each with the labels in front."""
    return [{**labels, **asdict(figures)} for figures in by_layer(found)]


def _figures(found: Sequence[Found]) -> LayerFigures:
    verdicts = [one.verdict for one in found]
    loose = [verdict for verdict in verdicts if not verdict.tight]
    failing = [sum(advantage < 0 for advantage in verdict.advantages) for verdict in loose]
    share = share_of(len(verdicts) - len(loose), len(verdicts))
    slacks = [verdict.slack for verdict in loose]
    margins = [verdict.margin for verdict in verdicts if verdict.margin is not None]
    ((pair, times),) = Counter(one.pair for one in found).most_common(1)
    return LayerFigures(
        layer=found[0].layer,
        tokens=found[0].tokens,
        n=round(median(verdict.n for verdict in verdicts)),
        maps=share.total,
        tight=share.count,
        share=share.value,
        low=share.low,
        high=share.high,
        kappa=median(verdict.kappa for verdict in verdicts),
        slack=median(slacks) if slacks else 0.0,
        largest_slack=max(slacks, default=0.0),
        one_side=failing.count(1),
        both_sides=failing.count(2),
        exact_stage=sum(verdict.stage == "exact" for verdict in verdicts),
        least_margin=min(margins, default=0.0),
        pair=" – ".join(pair),
        pair_share=times / len(found),
        counterfactual=any(one.counterfactual for one in found),
    )
