"""Small models of real timm architectures, with random weights from a fixed seed.

These tests run in an environment of their own (``make test-timm``).  Without timm they fail, on purpose.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import timm
from dobrushin.capture import Image, TimmVisionTransformer

ARCHITECTURES: dict[str, dict[str, Any]] = {
    "vit_tiny_patch16_224": {"img_size": 64, "depth": 3},
    "deit_tiny_patch16_224": {"img_size": 64, "depth": 3},
    "deit_tiny_distilled_patch16_224": {"img_size": 64, "depth": 3},
    "vit_small_patch14_dinov2": {"img_size": 56, "depth": 2},
    "vit_small_patch14_reg4_dinov2": {"img_size": 56, "depth": 2},
    "vit_small_patch16_dinov3": {"img_size": 64, "depth": 2},
    "vit_small_patch16_dinov3_qkvb": {"img_size": 64, "depth": 2},
    "eva02_tiny_patch14_224": {"img_size": 56, "depth": 2},
    "vit_base_patch16_siglip_224": {"img_size": 64, "depth": 2},
}
PREFIX = {
    "vit_tiny_patch16_224": ("[CLS]",),
    "deit_tiny_patch16_224": ("[CLS]",),
    "deit_tiny_distilled_patch16_224": ("[CLS]", "[DIST]"),
    "vit_small_patch14_dinov2": ("[CLS]",),
    "vit_small_patch14_reg4_dinov2": ("[CLS]", "[REG0]", "[REG1]", "[REG2]", "[REG3]"),
    "vit_small_patch16_dinov3": ("[CLS]", "[REG0]", "[REG1]", "[REG2]", "[REG3]"),
    "vit_small_patch16_dinov3_qkvb": ("[CLS]", "[REG0]", "[REG1]", "[REG2]", "[REG3]"),
    "eva02_tiny_patch14_224": ("[CLS]",),
    "vit_base_patch16_siglip_224": (),
}

Create = Callable[..., Any]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def create() -> Create:
    """``create(architecture, **options)``: a model in eval mode with attention that is far from uniform."""

    def make(architecture: str, **options: Any) -> Any:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            model = timm.create_model(architecture, pretrained=False, **{**ARCHITECTURES[architecture], **options})
            for block in model.blocks:
                for name in ("qkv", "q_proj", "k_proj"):
                    if (projection := getattr(block.attn, name, None)) is not None:
                        torch.nn.init.normal_(projection.weight, std=1.1 * model.embed_dim**-0.5)
        return model.eval()

    return make


@pytest.fixture
def adapter(create: Create) -> Callable[..., TimmVisionTransformer]:
    return lambda architecture, **options: TimmVisionTransformer(create(architecture, **options))


@pytest.fixture
def pictures() -> Callable[..., list[Image]]:
    """``pictures(adapter, rows, columns, count=2)``: noise of so many patches."""

    def make(adapter: TimmVisionTransformer, rows: int = 4, columns: int = 4, count: int = 2) -> list[Image]:
        rng = np.random.default_rng(3)
        shape = (rows * adapter.patch[0], columns * adapter.patch[1], 3)
        return [Image(f"i{k}", rng.integers(0, 256, shape, dtype=np.uint8)) for k in range(count)]

    return make
