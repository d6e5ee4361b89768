"""Tiny encoders with random weights, and networks made of random matrices."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from dobrushin.collapse.network import Attention, Layer, LayerNorm, Mlp, Network

Build = Callable[..., Any]

SHAPE = {"vocab_size": 40, "hidden_size": 12, "num_hidden_layers": 3, "num_attention_heads": 3,
         "intermediate_size": 20, "max_position_embeddings": 32}  # fmt: skip
PICTURE = {"hidden_size": 12, "num_hidden_layers": 3, "num_attention_heads": 3, "image_size": 8, "patch_size": 4}


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def tiny() -> Build:
    """``tiny(family)``: a model in eval mode with weights large enough to attend unevenly."""
    import torch
    import transformers

    def build(family: str, *, dtype: Any = torch.float64) -> Any:
        name, settings = {
            "albert": ("Albert", {**SHAPE, "embedding_size": 8}),
            "bert": ("Bert", SHAPE),
            "clip_vision_model": ("CLIPVision", {**PICTURE, "intermediate_size": 20}),
            "deit": ("DeiT", {**PICTURE, "intermediate_size": 20}),
            "dinov2": ("Dinov2", {**PICTURE, "mlp_ratio": 2, "layerscale_value": 0.7}),
            "dinov2_with_registers": ("Dinov2WithRegisters", {**PICTURE, "mlp_ratio": 2, "num_register_tokens": 2}),
            "distilbert": ("DistilBert", {"vocab_size": 40, "dim": 12, "n_layers": 3, "n_heads": 3, "hidden_dim": 20}),
            "roberta": ("Roberta", SHAPE),
            "vit": ("ViT", {**PICTURE, "intermediate_size": 20}),
            "xlnet": ("XLNet", {"vocab_size": 40, "d_model": 12, "n_layer": 3, "n_head": 3, "d_inner": 20}),
        }[family]
        torch.manual_seed(0)
        model = getattr(transformers, f"{name}Model")(getattr(transformers, f"{name}Config")(**settings))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.3 * torch.randn_like(parameter))
        return model.to(dtype).eval()

    return build


def call(model: Any, family: str) -> None:
    """One forward pass of one input, with gradients switched on as a user may have them."""
    import torch

    torch.manual_seed(1)
    if hasattr(model.config, "patch_size"):
        model(torch.randn(1, 3, 8, 8, dtype=model.dtype))
    elif family == "xlnet":
        model(torch.arange(5, 14)[None])
    else:
        model(input_ids=torch.arange(5, 14)[None])


def random_network(
    seed: int, *, layers: int = 3, heads: int = 2, width: int = 5, scale: float = 1.0, pre_norm: bool = False
) -> Network:  # fmt: skip
    """A network of random matrices, biases and LayerNorms included."""
    draw = np.random.default_rng(seed)
    k = 3

    def of(*shape: int) -> Any:
        return scale * draw.standard_normal(shape) / np.sqrt(shape[-2] if len(shape) > 1 else 1)

    def layer() -> Layer:
        attention = Attention(
            of(heads, width, k), of(heads, k), of(heads, width, k), of(heads, k), of(heads, width, k), of(heads, k),
            of(heads, k, width), of(width), k**-0.5,
        )  # fmt: skip
        norms = [LayerNorm(1 + 0.1 * of(width), 0.1 * of(width), 1e-6) for _ in range(2)]
        return Layer(attention, norms[0], Mlp(of(width, 7), of(7), of(7, width), of(width), "gelu"), norms[1])

    return Network("random", tuple(layer() for _ in range(layers)), pre_norm)


def tokens(seed: int, n: int = 4, width: int = 5) -> Any:
    return np.random.default_rng(seed + 1000).standard_normal((n, width))
