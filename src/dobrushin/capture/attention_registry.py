"""Attention weights out of a ``transformers`` model, through the library's own attention-function registry.

A model looks its attention function up in ``ALL_ATTENTION_FUNCTIONS`` at each call, by the name that its
configuration holds.  While :func:`attention_weights` is active that name is ours: the function registered
under it calls the ``eager_attention_forward`` of the model's own file and passes the weights on.  The name
is also registered as a mask function, without which the library would silently build no padding mask.
"""

import inspect
import itertools
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dobrushin.capture.adapter import Receive
from dobrushin.errors import InputError

_OURS = "dobrushin_observed_"
_counter = itertools.count()


@dataclass(frozen=True, eq=False)
class AttentionCall:
    """One call of a model's attention function.

    Attributes:
        module: the attention module that called.
        weights: a tensor (batch, heads, n, n).
        window: how many tokens, itself included, a token sees at most; None when there is no limit.
    """

    module: Any
    weights: Any
    window: int | None


@contextmanager
def attention_weights(model: Any, receive: Receive) -> Iterator[None]:
    """:func:`attention_calls` for models without windows: ``receive`` gets the weights alone."""

    def weights_only(call: AttentionCall) -> None:
        if call.window is not None:
            raise InputError(f"{type(call.module).__name__} attends within a window: its map is not of all tokens")
        receive(call.weights)

    with attention_calls(model, weights_only):
        yield


@contextmanager
def attention_calls(model: Any, receive: Callable[[AttentionCall], None]) -> Iterator[None]:
    """While active, each attention call of ``model`` is handed to ``receive``.

    The weights are the ones that the model multiplies its values with.  They are not returned to the model,
    so that ``output_attentions`` can not pile them up.  On leaving, also by an exception, every configuration
    and both registries are as they were.

    Raises:
        InputError: the model, or a part of it, is in training mode; or it is being observed already.
    """
    from transformers import AttentionInterface
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, AttentionMaskInterface

    _refuse_training(model)
    configurations = _configurations(model)
    before = [configuration._attn_implementation for configuration in configurations]
    if any(str(name).startswith(_OURS) for name in before):
        raise InputError(f"{type(model).__name__} is being observed already: finish that run first")
    name = f"{_OURS}{next(_counter)}"
    try:
        AttentionInterface.register(name, _handing_on(receive))
        AttentionMaskInterface.register(name, ALL_MASK_ATTENTION_FUNCTIONS["eager"])
        for configuration in configurations:
            # The public setter also writes to sub-configurations, which would spoil an exact restoration.
            configuration._attn_implementation_internal = name
        yield
    finally:
        for configuration, implementation in zip(configurations, before, strict=True):
            configuration._attn_implementation_internal = implementation
        AttentionInterface._global_mapping.pop(name, None)
        AttentionMaskInterface._global_mapping.pop(name, None)


def family_of(model: Any, known: Collection[str], kind: str) -> Any:
    """The configuration of a model whose ``model_type`` is one of ``known``.

    Raises:
        InputError: it is no ``transformers`` model, or of another type; the choices are listed.
    """
    config = getattr(model, "config", None)
    family = getattr(config, "model_type", None)
    if family not in known:
        what = f"a {family} model" if family else f"{type(model).__name__}, no transformers model,"
        raise InputError(f"{what} can not be observed as a {kind}; choose one of {', '.join(sorted(known))}")
    return config


def _handing_on(receive: Callable[[AttentionCall], None]) -> Callable[..., tuple[Any, None]]:
    """The attention function that runs the model file's own eager attention and hands on its weights."""

    def forward(module: Any, *args: Any, **kwargs: Any) -> tuple[Any, None]:
        if "CrossAttention" in type(module).__name__ or getattr(module, "is_cross_attention", False):
            raise InputError(
                f"{type(module).__name__} attends to another sequence: only self-attention has a square map"
            )
        output, weights = _eager_forward_of(module)(module, *args, **kwargs)
        if weights is None:
            raise InputError(f"the eager attention of {type(module).__name__} yields no weights")
        receive(AttentionCall(module, weights, kwargs.get("sliding_window")))
        return output, None

    return forward


def _eager_forward_of(module: Any) -> Callable[..., tuple[Any, Any]]:
    """The ``eager_attention_forward`` that ``module.forward`` itself would fall back to."""
    namespace = inspect.unwrap(type(module).forward).__globals__
    eager = namespace.get("eager_attention_forward")
    if eager is None:
        raise InputError(
            f"{type(module).__module__} defines no eager_attention_forward: the weights of "
            f"{type(module).__name__} can not be had"
        )
    return eager  # type: ignore[no-any-return]


def _refuse_training(model: Any) -> None:
    """Dropout changes the weights (rows then sum to anything), so every module has to be in eval mode."""
    for path, module in model.named_modules():
        if module.training:
            where = f"its part {path} is" if path else "it is"
            raise InputError(f"{type(model).__name__} can not be observed: {where} in training mode; call model.eval()")


def _configurations(model: Any) -> list[Any]:
    """Every distinct configuration that a module of the model consults, with the sub-configurations."""
    found: dict[int, Any] = {}

    def add(configuration: Any) -> None:
        if hasattr(configuration, "_attn_implementation_internal") and id(configuration) not in found:
            found[id(configuration)] = configuration
            for key in configuration.sub_configs:
                add(getattr(configuration, key, None))

    for module in model.modules():
        add(getattr(module, "config", None))
    if not found:
        raise InputError(
            f"{type(model).__name__} is no transformers model: no configuration names its attention function"
        )
    return list(found.values())
