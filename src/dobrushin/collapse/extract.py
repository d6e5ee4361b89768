"""The matrices of a ``transformers`` encoder, copied out of it in float64, and the tokens that its layers get.

Supported are encoders whose attention is softmax(QKᵀ/√k) over all tokens, after or before LayerNorm.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from dobrushin.capture.adapter import Adapter
from dobrushin.capture.inputs import Item
from dobrushin.collapse.activations import activation_named
from dobrushin.collapse.network import Attention, Layer, LayerNorm, Mlp, Network, Relative
from dobrushin.collapse.norms import Floats, as_tokens
from dobrushin.errors import InputError


def network_of(model: Any, *, name: str = "") -> Network:
    """Copy the weights of a model.

    Args:
        model: a ``transformers`` encoder of one of :data:`FAMILIES`; a task head on top is not looked at.
        name: what results call it; by default the class's name.

    Raises:
        InputError: a model of another family, or an activation that is not known; the choices are listed.
    """
    family, model = _family(model), _base(model)
    copies = {id(module): family.layer(module, model.config) for module in _distinct(family.modules(model))}
    layers = tuple(copies[id(module)] for module in family.modules(model))
    return Network(name or type(model).__name__, layers, family.pre_norm)


@contextmanager
def recorded_states(model: Any) -> Iterator[list[Floats]]:
    """Collect, during one forward pass of one input, the tokens before the first layer and after each, (n, d) each.

    The hooks that listen are removed when the block is left, also by an exception.

    Raises:
        InputError: a model of another family.
    """
    family, model = _family(model), _base(model)
    axis = 1 if family.sequence_first else 0
    states: list[Floats] = []

    def before(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if not states:
            states.append(as_tokens((args[0] if args else kwargs["hidden_states"]).select(axis, 0)))

    def after(_module: Any, _args: Any, output: Any) -> None:
        states.append(as_tokens((output[0] if isinstance(output, tuple) else output).select(axis, 0)))

    hooks = []
    for module in _distinct(family.modules(model)):
        hooks.append(module.register_forward_pre_hook(before, with_kwargs=True))
        hooks.append(module.register_forward_hook(after))
    try:
        yield states
    finally:
        for hook in hooks:
            hook.remove()


def layer_states(adapter: Adapter, item: Item) -> tuple[list[Floats], tuple[str, ...]]:
    """The tokens before the first layer of the real model and after each, (n, d) each, and the tokens' labels.

    Raises:
        InputError: a model of another family, or an item that it can not take.
    """
    prepared = adapter.prepare(item)
    with recorded_states(getattr(adapter, "model", None)) as states:
        adapter.run([prepared], lambda _weights: None)
    return states, prepared.labels


@dataclass(frozen=True)
class _Family:
    """How to find the layers of a model, in the order of the forward pass, and to read one."""

    modules: Callable[[Any], list[Any]]
    layer: Callable[[Any, Any], Layer]
    pre_norm: bool
    sequence_first: bool = False


def _family(model: Any) -> _Family:
    kind = getattr(getattr(model, "config", None), "model_type", None)
    if kind not in FAMILIES:
        what = f"a {kind} model" if kind else f"{type(model).__name__}, no transformers model,"
        raise InputError(f"the weights of {what} can not be taken apart; choose one of {', '.join(FAMILIES)}")
    return FAMILIES[kind]


def _base(model: Any) -> Any:
    """The encoder inside a model with a task head; the model itself when it has none."""
    return getattr(model, "base_model", model)


def _distinct(modules: list[Any]) -> list[Any]:
    return list({id(module): module for module in modules}.values())


def _array(tensor: Any) -> Floats:
    return np.array(tensor.detach().cpu().double().numpy(), dtype=np.float64, order="C")


def _linear(module: Any) -> tuple[Floats, Floats]:
    """Weight (in, out) and bias (out,) so that the map is X @ weight + bias."""
    weight = np.ascontiguousarray(_array(module.weight).T)
    return weight, _array(module.bias) if module.bias is not None else np.zeros(weight.shape[1])


def _norm(module: Any) -> LayerNorm:
    return LayerNorm(_array(module.weight), _array(module.bias), float(module.eps))


def _attention(query: Any, key: Any, value: Any, output: Any, heads: int, *, gain: Floats | None = None) -> Attention:
    """Split linear maps into heads; ``gain`` is a LayerScale."""
    parts = [_linear(module) for module in (query, key, value)]
    width, inner = parts[0][0].shape
    k = inner // heads
    weights = [np.ascontiguousarray(weight.reshape(width, heads, k).transpose(1, 0, 2)) for weight, _ in parts]
    biases = [bias.reshape(heads, k) for _, bias in parts]
    out, out_bias = _linear(output)
    if gain is not None:
        out, out_bias = out * gain, out_bias * gain
    return Attention(
        weights[0], biases[0], weights[1], biases[1], weights[2], biases[2],
        output=out.reshape(heads, k, -1), output_bias=out_bias, scale=k**-0.5,
    )  # fmt: skip


def _mlp(inward: Any, outward: Any, activation: Any, *, gain: Floats | None = None) -> Mlp:
    if not isinstance(activation, str):
        raise InputError(f"the activation {activation!r} has no name, so that it is not known here")
    first, second = _linear(inward), _linear(outward)
    if gain is not None:
        second = (second[0] * gain, second[1] * gain)
    return Mlp(*first, *second, activation_named(activation))


def _bert(layer: Any, config: Any) -> Layer:
    own, out = layer.attention.self, layer.attention.output
    return Layer(
        _attention(own.query, own.key, own.value, out.dense, config.num_attention_heads),
        _norm(out.LayerNorm),
        _mlp(layer.intermediate.dense, layer.output.dense, config.hidden_act),
        _norm(layer.output.LayerNorm),
    )


def _distilbert(layer: Any, config: Any) -> Layer:
    own = layer.attention
    return Layer(
        _attention(own.q_lin, own.k_lin, own.v_lin, own.out_lin, config.n_heads),
        _norm(layer.sa_layer_norm),
        _mlp(layer.ffn.lin1, layer.ffn.lin2, config.activation),
        _norm(layer.output_layer_norm),
    )


def _albert(layer: Any, config: Any) -> Layer:
    own = layer.attention
    return Layer(
        _attention(own.query, own.key, own.value, own.dense, config.num_attention_heads),
        _norm(own.LayerNorm),
        _mlp(layer.ffn, layer.ffn_output, config.hidden_act),
        _norm(layer.full_layer_layer_norm),
    )


def _albert_modules(model: Any) -> list[Any]:
    encoder, config = model.encoder, model.config
    groups = encoder.albert_layer_groups
    per_group = config.num_hidden_layers / len(groups)
    return [
        layer for number in range(config.num_hidden_layers) for layer in groups[int(number / per_group)].albert_layers
    ]


def _vit_modules(model: Any) -> list[Any]:
    return list(model.layers if hasattr(model, "layers") else model.encoder.layer)


def _vit_projections(attention: Any) -> tuple[Any, Any, Any, Any]:
    """Query, key, value and output; transformers changed their names between 5.0 and 5.24, family by family."""
    if hasattr(attention, "q_proj"):
        return attention.q_proj, attention.k_proj, attention.v_proj, attention.o_proj
    own = attention.attention
    return own.query, own.key, own.value, attention.output.dense


def _vit(layer: Any, config: Any) -> Layer:
    inward, outward = (
        (layer.mlp.fc1, layer.mlp.fc2) if hasattr(layer, "mlp") else (layer.intermediate.dense, layer.output.dense)
    )
    return Layer(
        _attention(*_vit_projections(layer.attention), config.num_attention_heads),
        _norm(layer.layernorm_before),
        _mlp(inward, outward, config.hidden_act),
        _norm(layer.layernorm_after),
    )


def _clip_modules(model: Any) -> list[Any]:
    return list(getattr(model, "vision_model", model).encoder.layers)


def _clip(layer: Any, config: Any) -> Layer:
    own = layer.self_attn
    return Layer(
        _attention(own.q_proj, own.k_proj, own.v_proj, own.out_proj, config.num_attention_heads),
        _norm(layer.layer_norm1),
        _mlp(layer.mlp.fc1, layer.mlp.fc2, config.hidden_act),
        _norm(layer.layer_norm2),
    )


def _dinov2(layer: Any, config: Any) -> Layer:
    if config.use_swiglu_ffn:
        raise InputError("this DINOv2 has gated MLPs (use_swiglu_ffn), which are not supported here")
    first, second = _array(layer.layer_scale1.lambda1), _array(layer.layer_scale2.lambda1)
    return Layer(
        _attention(*_vit_projections(layer.attention), config.num_attention_heads, gain=first),
        _norm(layer.norm1),
        _mlp(layer.mlp.fc1, layer.mlp.fc2, config.hidden_act, gain=second),
        _norm(layer.norm2),
    )


_XLNET_REACH = 512


def _xlnet(layer: Any, config: Any) -> Layer:
    own, ff = layer.rel_attn, layer.ff
    heads, k, width = config.n_head, config.d_head, config.d_model
    nothing = np.zeros((heads, k))
    frequency = np.arange(0, width, 2.0) / width
    angles = np.arange(_XLNET_REACH, -_XLNET_REACH - 1, -1.0)[:, None] / 10000**frequency
    positions = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    keys = np.einsum("rd,dhk->rhk", positions, _array(own.r))
    by_head = [_array(weight).transpose(1, 0, 2) for weight in (own.q, own.k, own.v)]
    # Content logits have (q_i + r_w_bias)·k_j: a query bias.  Positional ones have q_i + r_r_bias, q_i without it.
    bias = _array(own.r_w_bias)
    attention = Attention(
        by_head[0], bias, by_head[1], nothing, by_head[2], nothing,
        output=_array(own.o).transpose(1, 2, 0), output_bias=np.zeros(width), scale=k**-0.5,
        relative=Relative(_array(own.r_r_bias) - bias, keys),
    )  # fmt: skip
    return Layer(attention, _norm(own.layer_norm), _mlp(ff.layer_1, ff.layer_2, config.ff_activation),
                 _norm(ff.layer_norm))  # fmt: skip


FAMILIES: dict[str, _Family] = {
    "albert": _Family(_albert_modules, _albert, pre_norm=False),
    "bert": _Family(lambda model: list(model.encoder.layer), _bert, pre_norm=False),
    "clip_vision_model": _Family(_clip_modules, _clip, pre_norm=True),
    "deit": _Family(_vit_modules, _vit, pre_norm=True),
    "dinov2": _Family(lambda model: list(model.encoder.layer), _dinov2, pre_norm=True),
    "dinov2_with_registers": _Family(lambda model: list(model.encoder.layer), _dinov2, pre_norm=True),
    "distilbert": _Family(lambda model: list(model.transformer.layer), _distilbert, pre_norm=False),
    "roberta": _Family(lambda model: list(model.encoder.layer), _bert, pre_norm=False),
    "vit": _Family(_vit_modules, _vit, pre_norm=True),
    "xlnet": _Family(lambda model: list(model.layer), _xlnet, pre_norm=False, sequence_first=True),
}
"""By ``model_type``."""
