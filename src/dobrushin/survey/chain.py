"""The chain κ(R) ≤ Π κ(B_l) ≤ Π (α + (1−α)κ(A_l)) of each input, depth by depth, without keeping its layers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dobrushin.capture import LayerAttention, SkippedLayer
from dobrushin.condition import Verdict, check
from dobrushin.errors import GateError, InputError
from dobrushin.exact import as_fraction, nearest_float
from dobrushin.matrix import AttentionMatrix
from dobrushin.residual import residual_weight
from dobrushin.rollout import RunningRollout
from dobrushin.survey.configuration import Configuration
from dobrushin.survey.record import TokenRule
from dobrushin.survey.rows import tokens_of, uses_counterfactual
from dobrushin.tokens import restricted_rows


@dataclass
class _Running:
    """One input under one token rule, up to some layer."""

    rollout: RunningRollout
    factors: Fraction = Fraction(1)
    layers: Fraction = Fraction(1)
    counterfactual: bool = False
    rows: list[dict[str, Any]] = field(default_factory=list)


class Chains:
    """The chains of the inputs of one batch; rows are divided by their sums, as T5 needs it.

    A layer without a map, or a token without mass on the kept ones, ends the chain of that input: what comes after
    it is no product of all layers.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._rules = configuration.tokens if configuration.chain else ()
        self._alpha = residual_weight(configuration.alpha)
        self._running: dict[tuple[int, TokenRule], _Running] = {}
        self._ended: set[tuple[int, TokenRule]] = set()

    def take(self, attention: LayerAttention, matrix: AttentionMatrix, verdicts: dict[TokenRule, Verdict]) -> None:
        """One more layer of an input; ``verdicts`` are those that were found already."""
        for rule in self._rules:
            key = (attention.index, rule)
            if tokens_of(rule, attention.input) < 2 or key in self._ended:
                continue
            keep = attention.input.content if rule == "content" else None
            try:
                rows, _ = restricted_rows(matrix, keep=keep, restrict="renormalised")
            except InputError:  # the verdict's row says why
                self._ended.add(key)
                continue
            known = verdicts.get(rule)
            if known is None or known.restrict != "renormalised":
                known = check(matrix, alpha=self._alpha, keep=keep, restrict="renormalised")
            running = self._running.setdefault(key, _Running(RunningRollout(self._alpha)))
            running.rollout.multiply(rows)
            running.factors *= known.lazy_kappa_exact
            running.layers *= self._alpha + (1 - self._alpha) * known.kappa_exact
            running.counterfactual |= uses_counterfactual(attention, rule)
            running.rows.append(self._row(attention, rule, len(rows), running))

    def end(self, skipped: SkippedLayer) -> None:
        """An input has a layer without a map."""
        self._ended |= {(skipped.index, rule) for rule in self._rules}

    def rows(self) -> Iterator[dict[str, Any]]:
        """All rows so far, by input, token rule and depth."""
        for _, running in sorted(self._running.items(), key=lambda item: (item[0][0], self._rules.index(item[0][1]))):
            yield from running.rows

    def _row(self, attention: LayerAttention, rule: TokenRule, n: int, running: _Running) -> dict[str, Any]:
        low, high = running.rollout.kappa()
        if as_fraction(low) > running.factors or running.factors > running.layers:
            raise GateError(
                f"input {attention.input.id}, layer {attention.layer}: the chain of bounds is violated, which "
                "contradicts theorems T2 and T5: please report this map"
            )
        return {
            "input": attention.index,
            "input_id": attention.input.id,
            "tokens": rule,
            "depth": running.rollout.depth,
            "n": n,
            "kappa_rollout_low": low,
            "kappa_rollout_high": high,
            "product_of_factors": nearest_float(running.factors),
            "product_of_layers": nearest_float(running.layers),
            "counterfactual": running.counterfactual,
            "label": "FLOAT",
        }
