"""Rows of the verdict table: one map under one head rule and one token rule."""

from collections.abc import Iterator
from typing import Any

from dobrushin.capture import LayerAttention, ModelInput, SkippedLayer
from dobrushin.condition import Verdict, check, ratio
from dobrushin.errors import InputError
from dobrushin.exact import nearest_float
from dobrushin.matrix import AttentionMatrix, attention_matrix, head_mean
from dobrushin.survey.configuration import Configuration
from dobrushin.survey.record import TokenRule
from dobrushin.tokens import Restriction

Row = dict[str, Any]

_VERDICT = ("tight", "kappa", "kappa_exact", "slack", "slack_exact", "margin", "n_attaining", "first", "second",
            "first_label", "second_label", "first_content", "second_content", "first_advantage", "second_advantage",
            "stage")  # fmt: skip


def maps_of(attention: LayerAttention, heads: str) -> Iterator[tuple[str, AttentionMatrix]]:
    """The maps of a layer under a head rule, validated, each with the name of its head.

    Raises:
        InputError: a head is no attention map; the message names the input, the layer, the head and the row.
    """
    place = f"input {attention.input.id}, layer {attention.layer}"
    if heads == "mean":
        yield "mean", head_mean(attention.values, name=place, precision=attention.dtype)
        return
    for head, values in enumerate(attention.values):
        yield str(head), attention_matrix(values, name=f"{place}, head {head}", precision=attention.dtype)


def tokens_of(rule: TokenRule, prepared: ModelInput) -> int:
    """The number of tokens that the pairs range over."""
    return int(prepared.content.sum()) if rule == "content" else prepared.n


def reading_of(rule: TokenRule, configuration: Configuration) -> Restriction:
    """How maps are read under a token rule."""
    return configuration.restrict if rule == "content" else "none"


def verdict_row(
    attention: LayerAttention, head: str, matrix: AttentionMatrix, rule: TokenRule, configuration: Configuration
) -> tuple[Row, Verdict | None]:
    """The row of one map, and its verdict unless it is skipped."""
    prepared = attention.input
    common = _place(attention, head, rule, configuration)
    common["counterfactual"] = uses_counterfactual(attention, rule)
    n = tokens_of(rule, prepared)
    if n < 2:
        kind = "token" if rule == "all" else "content token"
        return _skipped(common, f"{n} {kind}{'' if n == 1 else 's'}: there is no pair of rows"), None
    keep = prepared.content if rule == "content" else None
    try:
        verdict = check(
            matrix, alpha=configuration.alpha, keep=keep, restrict=configuration.restrict if rule == "content" else None
        )
    except InputError as error:  # the map is valid: what fails is its restriction, e.g. a row without content mass
        return _skipped(common, str(error)), None
    return common | _decided(verdict, prepared), verdict


def skipped_rows(skipped: SkippedLayer, configuration: Configuration) -> Iterator[Row]:
    """The rows of a layer that has no map."""
    for rule in configuration.tokens:
        common = _place(skipped, "mean" if configuration.heads == "mean" else "each", rule, configuration)
        yield _skipped(common | {"counterfactual": False}, skipped.reason)


def uses_counterfactual(attention: LayerAttention, rule: TokenRule) -> bool:
    """Whether a row that the model never uses is among those compared."""
    return any(rule == "all" or attention.input.content[token] for token in attention.counterfactual)


def sort_key(row: Row, rules: tuple[TokenRule, ...]) -> tuple[int, int, int, int]:
    """Input, layer, head (the mean first), and the token rules in the order asked for."""
    head = int(row["head"]) if row["head"].isdigit() else -1
    return row["input"], row["layer"], head, rules.index(row["tokens"])


def _place(found: LayerAttention | SkippedLayer, head: str, rule: TokenRule, configuration: Configuration) -> Row:
    prepared = found.input
    rows, columns = prepared.grid or (None, None)
    return {
        "input": found.index,
        "input_id": prepared.id,
        "layer": found.layer,
        "head": head,
        "tokens": rule,
        "restrict": reading_of(rule, configuration),
        "alpha": configuration.alpha,
        "n": tokens_of(rule, prepared),
        "n_tokens": prepared.n,
        "grid_rows": rows,
        "grid_columns": columns,
    }


def _skipped(common: Row, reason: str) -> Row:
    return common | dict.fromkeys(_VERDICT) | {"label": "SKIPPED", "reason": reason}


def _decided(verdict: Verdict, prepared: ModelInput) -> Row:
    first, second = verdict.pair
    advantages = [_signed(value) for value in verdict.advantages]
    return {
        "tight": verdict.tight,
        "kappa": verdict.kappa,
        "kappa_exact": ratio(verdict.kappa_exact),
        "slack": verdict.slack,
        "slack_exact": ratio(verdict.slack_exact),
        "margin": verdict.margin,
        "n_attaining": verdict.n_attaining,
        "first": first,
        "second": second,
        "first_label": prepared.labels[first],
        "second_label": prepared.labels[second],
        "first_content": bool(prepared.content[first]),
        "second_content": bool(prepared.content[second]),
        "first_advantage": advantages[0],
        "second_advantage": advantages[1],
        "stage": verdict.stage,
        "label": "EXACT",
        "reason": None,
    }


def _signed(value: Any) -> float:
    """The nearest float, but never zero for a number that is not: its sign decides."""
    found = nearest_float(value)
    return found if found or not value else (5e-324 if value > 0 else -5e-324)
