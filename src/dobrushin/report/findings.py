"""What a report says about one model: its verdicts by layer, and what was done to get them."""

from collections.abc import Sequence
from dataclasses import dataclass

from dobrushin.survey import LayerSummary, Record, TokenRule, summarise


@dataclass(frozen=True)
class Findings:
    """One model's part of a report.

    Attributes:
        model: the model's title.
        what: what the inputs are, e.g. ``photographs``.
        inputs: how many inputs there were.
        restrict: the reading used for content tokens.
        alpha: the residual weight, as text.
        notes: sentences to print below the table.
        layers: one summary for each layer.
        total: all layers together.
    """

    model: str
    what: str
    inputs: int
    restrict: str
    alpha: str
    notes: tuple[str, ...]
    layers: tuple[LayerSummary, ...]
    total: LayerSummary

    def headline(self) -> str:
        """The result in one sentence."""
        parts = [_share_phrase(self.total, rule) for rule in ("content", "all")]
        return f"{self.model}: the bound is attained {' and '.join(part for part in parts if part)}"


def findings(model: str, what: str, records: Sequence[Record], *, notes: Sequence[str] = ()) -> Findings:
    """Summarise the records of one model for a report.

    Args:
        model: the model's title.
        what: what the inputs are.
        records: at least one of them with a verdict.
        notes: sentences to print below the table.
    """
    *layers, total = summarise(records)
    content = next((r.verdict for r in records if r.verdict and r.tokens == "content"), None)
    any_verdict = next(record.verdict for record in records if record.verdict)
    return Findings(
        model=model,
        what=what,
        inputs=len({record.index for record in records}),
        restrict=content.restrict if content else any_verdict.restrict,
        alpha=str(any_verdict.alpha),
        notes=tuple(notes),
        layers=tuple(layers),
        total=total,
    )


def _share_phrase(total: LayerSummary, rule: TokenRule) -> str:
    summary = total.rules.get(rule)
    if summary is None or not summary.maps:
        return ""
    return f"by {summary.tight} of {summary.maps} input-layer pairs ({percent(summary.share)}) with {rule} tokens"


def percent(share: float | None) -> str:
    """A share as text, never rounded up to 100% or down to 0%.

    >>> percent(0.9999), percent(1.0), percent(None)
    ('99.9%', '100%', '–')
    """
    if share is None:
        return "–"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}%"


def number(value: float | None) -> str:
    """A κ or a slack as text: an exact zero is printed as 0."""
    if value is None:
        return "–"
    return "0" if value == 0 else f"{value:.3g}"
