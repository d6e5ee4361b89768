"""Weights for each head out of ``torch.nn.MultiheadAttention``, also inside ``torch.nn.TransformerEncoder``.

The module returns the mean over heads unless it is asked not to, and nothing at all inside an encoder layer, whose
fast path in eval mode does not even call it.  While :func:`watch_multihead_attention` is active the fast path is
off, each module is asked for its weights by head, and gives its caller what the caller asked for.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dobrushin.capture.adapter import NoMap, Receive
from dobrushin.capture.hooks import own_hooks, refuse_training
from dobrushin.capture.inputs import Item, ModelInput
from dobrushin.errors import InputError


class MultiheadAttentionAdapter:
    """A model made of ``torch.nn.MultiheadAttention``, e.g. a ``torch.nn.TransformerEncoder``.

    Args:
        model: in eval mode; each call of an attention module is one layer, in their order.
        prepare: turns an item into a :class:`~dobrushin.capture.inputs.ModelInput`.
        forward: runs the model on a batch of these; its result is not looked at.
        name: what results call the model; default: its class.
        layers: how many calls there are; default: one for each attention module.

    Raises:
        InputError: the model has no such attention module.
    """

    def __init__(
        self,
        model: Any,
        *,
        prepare: Callable[[Item], ModelInput],
        forward: Callable[[Sequence[ModelInput]], Any],
        name: str = "",
        layers: int | None = None,
    ) -> None:
        self.model = model
        self.name = name or type(model).__name__
        self.layers = layers or len(_modules(model))
        self._prepare = prepare
        self._forward = forward

    def prepare(self, item: Item) -> ModelInput:
        """Call the user's ``prepare``."""
        return self._prepare(item)

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run the batch forward, watched."""
        import torch

        with torch.inference_mode(), watch_multihead_attention(self.model, receive):
            self._forward(batch)


@contextmanager
def watch_multihead_attention(module: Any, receive: Receive) -> Iterator[None]:
    """While active, each call of an attention module in ``module`` hands ``receive`` its weights by head.

    ``receive`` gets a tensor (batch, heads, n, n), of which padding rows may be NaN; or a
    :class:`~dobrushin.capture.adapter.NoMap` for cross attention and for added bias or zero columns.  The caller of
    the attention module gets what it asked for, up to rounding: asking for weights takes torch's plain path.  On
    leaving, also by an exception, hooks and the global fast-path switch are as they were.

    Raises:
        InputError: ``module`` holds no attention module, or a part of it is in training mode.
    """
    import torch

    refuse_training(module)
    watched = _modules(module)
    before = torch.backends.mha.get_fastpath_enabled()
    try:
        torch.backends.mha.set_fastpath_enabled(False)
        with own_hooks() as handles:
            for attention in watched:
                ask, take = _hooks(receive)
                handles.append(attention.register_forward_pre_hook(ask, with_kwargs=True))
                handles.append(attention.register_forward_hook(take, with_kwargs=True))
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


def _modules(module: Any) -> list[Any]:
    import torch

    found = [part for part in module.modules() if isinstance(part, torch.nn.MultiheadAttention)]
    if not found:
        raise InputError(f"{type(module).__name__} holds no torch.nn.MultiheadAttention: nothing can be watched")
    return found


def _hooks(receive: Receive) -> tuple[Any, Any]:
    """The hook that asks an attention module for its weights by head, and the one that takes them."""
    wishes: list[tuple[bool, bool]] = []

    def ask(attention: Any, args: Any, kwargs: Any) -> tuple[tuple[()], dict[str, Any]]:
        bound = inspect.signature(attention.forward).bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        wishes.append((given["need_weights"], given["average_attn_weights"]))
        return (), {**given, "need_weights": True, "average_attn_weights": False}

    def take(attention: Any, _: Any, kwargs: Any, output: tuple[Any, Any]) -> tuple[Any, Any]:
        needed, averaged = wishes.pop()
        weights = output[1]
        by_head = weights if weights.ndim == 4 else weights[None]
        receive(_reason(attention, kwargs["query"], kwargs["key"], by_head) or by_head)
        if not needed:
            return output[0], None
        return output[0], weights.mean(dim=-3) if averaged else weights

    return ask, take


def _reason(attention: Any, query: Any, key: Any, weights: Any) -> NoMap | None:
    """Why these weights are no square map of self-attention, or None."""
    if query is not key and not (query.shape == key.shape and bool((query == key).all())):
        return NoMap(
            f"cross attention: {weights.shape[-2]} queries attend to {weights.shape[-1]} keys of another sequence"
        )
    if attention.bias_k is not None or attention.add_zero_attn:
        return NoMap(f"not square: the attention adds columns of its own, {weights.shape[-2]}×{weights.shape[-1]}")
    return None
