"""One survey as a report tells it: summaries of its tables, and what it says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.errors import InputError
from dobrushin.report.chain import Link, find_chain
from dobrushin.report.layers import Layers, by_layer, shares_by_head
from dobrushin.report.pairs import PairFindings, find_pairs
from dobrushin.report.source import SurveyFolder, open_survey
from dobrushin.report.verdicts import Rule, Verdicts, read_verdicts
from dobrushin.report.words import percent

_SKIPPED_HEADS = "each"
"""The head rule of a layer that has no map, in a survey of single heads."""

LABELS = ("PROVED", "EXACT", "FLOAT", "SKIPPED")


@dataclass(frozen=True, eq=False)
class Run:
    """One survey, summarised.

    Attributes:
        path: where it is.
        title: the model's title, or the file's name.
        kind: ``text``, ``image`` or ``table``; empty when unknown.
        inputs: how many inputs have rows.
        inputs_title: what they are.
        manifest: what the survey says of itself.
        complete: whether everything planned is there.
        heads: the head rules that the summaries range over: ``("mean",)``, or the heads taken one by one.
        other_heads: head rules that are in the survey and not in the summaries.
        restrict: the reading of content tokens.
        alpha: the residual weight, as p/q.
        layers: summaries by layer and token rule.
        head_shares: with single heads, the share tight of each, shape (layers, heads), by token rule; else empty.
        labels: rows by label.
        reasons: skipped rows by reason.
        counterfactual: rows in which rows of the map took part that the model never uses.
        pairs: which tokens make the pairs.
        chain: the chain of bounds by depth.
        survey: the folder, for what is read later.
    """

    path: Path
    title: str
    kind: str
    inputs: int
    inputs_title: str
    manifest: Mapping[str, Any]
    complete: bool
    heads: tuple[str, ...]
    other_heads: tuple[str, ...]
    restrict: str
    alpha: str
    layers: Layers
    head_shares: dict[Rule, NDArray[np.float64]]
    labels: dict[str, int]
    reasons: dict[str, int]
    counterfactual: int
    pairs: PairFindings
    chain: tuple[Link, ...]
    survey: SurveyFolder

    @property
    def unit(self) -> str:
        """What one verdict of the summaries is about."""
        return "input-layer pairs" if self.heads == ("mean",) else "single-head maps"

    @property
    def chain_rows(self) -> int:
        """Rows of the chain's table."""
        return sum(link.inputs for link in self.chain)

    def headline(self) -> str:
        """The result in one sentence."""
        parts = []
        for rule in self.layers.rules:
            share = self.layers.groups[None, rule].share
            if share.maps:
                parts.append(f"{share.tight} of {share.maps} {self.unit} ({percent(share.value)}) with {rule} tokens")
        if not parts:
            return f"{self.title}: every map was skipped, so there is no verdict"
        return f"{self.title}: the bound is attained by {' and by '.join(parts)}"


def read_run(path: Path) -> Run:
    """Open and summarise a survey.

    Raises:
        InputError: as :func:`~dobrushin.report.source.open_survey`; or it has no rows.
    """
    survey = open_survey(path)
    verdicts = read_verdicts(survey)
    if not len(verdicts):
        raise InputError(f"{path} holds a survey without a single row: name inputs that the model can take")
    heads, rows = _heads(verdicts)
    layers = by_layer(verdicts, rows)
    model, inputs = survey.manifest.get("model") or {}, survey.manifest.get("inputs") or {}
    return Run(
        path=path,
        title=str(model.get("title") or path.name),
        kind=str(model.get("kind") or ""),
        inputs=len(np.unique(verdicts.input[rows])),
        inputs_title=str(inputs.get("title") or "inputs"),
        manifest=survey.manifest,
        complete=survey.complete,
        heads=heads,
        other_heads=tuple(sorted(set(verdicts.head.present()) - set(heads), key=_head_order)),
        restrict=", ".join(reading for reading in verdicts.restrict.present() if reading != "none") or "none",
        alpha=", ".join(verdicts.alpha.present()),
        layers=layers,
        head_shares=shares_by_head(verdicts, heads, layers) if heads != ("mean",) else {},
        labels=_labels(verdicts, rows),
        reasons=verdicts.reason.counts(rows & ~verdicts.decided),
        counterfactual=int((rows & verdicts.counterfactual).sum()),
        pairs=find_pairs(survey, heads),
        chain=find_chain(survey),
        survey=survey,
    )


def _heads(verdicts: Verdicts) -> tuple[tuple[str, ...], NDArray[np.bool_]]:
    """The head average where there is one, else all heads one by one; and the rows that belong to it."""
    mean = verdicts.head.equals("mean")
    if mean.any():
        return ("mean",), mean
    heads = sorted(set(verdicts.head.present()) - {_SKIPPED_HEADS}, key=_head_order) or [_SKIPPED_HEADS]
    return tuple(heads), np.ones(len(verdicts), dtype=bool)


def _head_order(head: str) -> tuple[int, str]:
    return (int(head), "") if head.isdecimal() else (-1, head)


def _labels(verdicts: Verdicts, rows: NDArray[np.bool_]) -> dict[str, int]:
    """Counts of the four labels, zeros too, then of any other."""
    found = verdicts.label.counts(rows)
    return dict.fromkeys(LABELS, 0) | found
