"""Run a model over inputs and check the head-averaged attention of every layer."""

from collections.abc import Callable, Iterable, Sequence

from dobrushin.capture import Adapter, Item, LayerAttention, observe
from dobrushin.condition import check
from dobrushin.matrix import AttentionMatrix, head_mean
from dobrushin.residual import ROLLOUT_WEIGHT, ResidualWeight, residual_weight
from dobrushin.survey.record import Record, TokenRule
from dobrushin.tokens import DEFAULT_RESTRICTION, Restriction


def survey(
    adapter: Adapter,
    items: Iterable[Item],
    *,
    token_rules: Sequence[TokenRule] = ("content", "all"),
    restrict: Restriction = DEFAULT_RESTRICTION,
    alpha: ResidualWeight = ROLLOUT_WEIGHT,
    batch_size: int = 8,
    progress: Callable[[int], None] | None = None,
) -> list[Record]:
    """The verdicts of all inputs, layers and token rules, in that order.

    Args:
        adapter: a model behind the interface of :mod:`dobrushin.capture`.
        items: texts or images.
        token_rules: ``content`` restricts the map to content tokens, ``all`` takes it as computed.
        restrict: how maps are read when they are restricted to content tokens.
        alpha: the residual weight.
        batch_size: at most so many inputs in one forward pass.
        progress: called after each batch with the number of inputs done.

    Raises:
        InputError: no items, an item that the model can not take, or attention that is no attention; the message
            names the input, the layer and the head.
    """
    weight = residual_weight(alpha)
    records: list[Record] = []

    def receive(attention: LayerAttention) -> None:
        name = f"input {attention.input.id}, layer {attention.layer}"
        matrix = head_mean(attention.values, name=name, precision=attention.dtype)
        for rule in token_rules:
            records.append(_record(attention, matrix, rule, restrict, weight))

    observe(adapter, items, receive, batch_size=batch_size, progress=progress)
    order = {rule: position for position, rule in enumerate(token_rules)}
    return sorted(records, key=lambda record: (record.index, record.layer, order[record.tokens]))


def _record(
    attention: LayerAttention,
    matrix: AttentionMatrix,
    rule: TokenRule,
    restrict: Restriction,
    alpha: ResidualWeight,
) -> Record:
    content = attention.input.content
    n = int(content.sum()) if rule == "content" else matrix.n
    verdict = skipped = None
    if n < 2:
        skipped = f"{n} {rule} token{'' if n == 1 else 's'}: there is no pair of rows"
    elif rule == "content":
        verdict = check(matrix, keep=content, restrict=restrict, alpha=alpha)
    else:
        verdict = check(matrix, alpha=alpha)
    return Record(
        index=attention.index,
        input=attention.input.id,
        layer=attention.layer,
        tokens=rule,
        verdict=verdict,
        skipped=skipped,
    )
