"""Verdicts gathered by layer: how often the bound is attained, and how far from it the others are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from dobrushin.condition import Verdict
from dobrushin.survey.record import Record, TokenRule


@dataclass(frozen=True)
class RuleSummary:
    """Verdicts of one layer (or of all) under one token rule.

    Attributes:
        maps: how many verdicts there are.
        tight: how many of them are tight.
        skipped: how many maps had no verdict.
        kappas: κ of every map, float64.
        slacks: slack of every map, float64, zero exactly for the tight ones.
        exact_stage: how many verdicts needed the exact comparison.
    """

    maps: int
    tight: int
    skipped: int
    kappas: tuple[float, ...]
    slacks: tuple[float, ...]
    exact_stage: int

    @property
    def share(self) -> float | None:
        """Share of the maps that are tight; None without maps."""
        return self.tight / self.maps if self.maps else None

    @property
    def median_kappa(self) -> float | None:
        """Median κ; None without maps."""
        return median(self.kappas) if self.maps else None

    @property
    def median_slack(self) -> float | None:
        """Median slack over all maps, tight ones included; None without maps."""
        return median(self.slacks) if self.maps else None

    @property
    def largest_slack(self) -> float | None:
        """Largest slack; None without maps."""
        return max(self.slacks, default=None)


@dataclass(frozen=True)
class LayerSummary:
    """One layer (None: all layers together) under each token rule."""

    layer: int | None
    rules: dict[TokenRule, RuleSummary]


def summarise(records: Sequence[Record]) -> list[LayerSummary]:
    """One summary for each layer in order, then one for all layers together."""
    layers = sorted({record.layer for record in records})
    grouped = [(layer, [record for record in records if record.layer == layer]) for layer in layers]
    return [_layer(layer, members) for layer, members in [*grouped, (None, list(records))]]


def _layer(layer: int | None, records: Iterable[Record]) -> LayerSummary:
    by_rule: dict[TokenRule, list[Verdict | None]] = {}
    for record in records:
        by_rule.setdefault(record.tokens, []).append(record.verdict)
    return LayerSummary(layer, {rule: _rule(verdicts) for rule, verdicts in by_rule.items()})


def _rule(verdicts: Sequence[Verdict | None]) -> RuleSummary:
    present = [verdict for verdict in verdicts if verdict is not None]
    return RuleSummary(
        maps=len(present),
        tight=sum(verdict.tight for verdict in present),
        skipped=len(verdicts) - len(present),
        kappas=tuple(verdict.kappa for verdict in present),
        slacks=tuple(verdict.slack for verdict in present),
        exact_stage=sum(verdict.stage == "exact" for verdict in present),
    )
