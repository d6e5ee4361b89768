"""Known traps of other software around timm, by the number that each has in the project's list."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import timm.layers.config
from timm.layers import set_fused_attn, use_fused_attn

import timm
from dobrushin.capture import Image, LayerAttention, TimmVisionTransformer, observe
from dobrushin.errors import InputError

from .conftest import ARCHITECTURES, PREFIX

Build = Callable[..., TimmVisionTransformer]
Pictures = Callable[..., list[Image]]


@pytest.fixture(autouse=True)
def _global_flag() -> Iterator[None]:
    before = timm.layers.config._USE_FUSED_ATTN
    yield
    assert before == timm.layers.config._USE_FUSED_ATTN


def captured(adapter: TimmVisionTransformer, images: list[Image]) -> list[LayerAttention]:
    maps: list[LayerAttention] = []
    observe(adapter, images, maps.append)
    return maps


def hooks(model: Any) -> int:
    return sum(len(module._forward_hooks) + len(module._forward_pre_hooks) for module in model.modules())


def test_pain_point_5_a_model_made_with_defaults_works(pictures: Pictures) -> None:
    """Item 5: fused attention skips attn_drop, so hooks there see nothing and explainers index an empty list."""
    model = timm.create_model("vit_tiny_patch16_224").eval()
    assert all(block.attn.fused_attn for block in model.blocks)
    adapter = TimmVisionTransformer(model)
    maps = captured(adapter, pictures(adapter, 14, 14, 1))
    assert len(maps) == 12
    for attention in maps:
        assert attention.values.shape == (3, 197, 197)
        np.testing.assert_allclose(attention.values.sum(axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("flag", [0, 1, 2])
def test_pain_point_5_the_switches_are_restored(flag: int, create: Any, pictures: Pictures) -> None:
    """Item 5: the advice is to set TIMM_FUSED_ATTN or the global flag, which stays set for everything made later."""
    before = timm.layers.config._USE_FUSED_ATTN
    try:
        set_fused_attn(flag > 0, experimental=flag > 1)
        model = create("vit_tiny_patch16_224")
        model.blocks[1].attn.fused_attn = not model.blocks[1].attn.fused_attn  # someone's own choice for one block
        switches = [block.attn.fused_attn for block in model.blocks]
        adapter = TimmVisionTransformer(model)
        captured(adapter, pictures(adapter))
        assert [block.attn.fused_attn for block in model.blocks] == switches
        assert flag == timm.layers.config._USE_FUSED_ATTN
        assert use_fused_attn() == (flag > 0)

        def broken(_: LayerAttention) -> None:
            raise RuntimeError("mine")

        with pytest.raises(RuntimeError, match="mine"):
            observe(adapter, pictures(adapter), broken)
        assert [block.attn.fused_attn for block in model.blocks] == switches
        assert flag == timm.layers.config._USE_FUSED_ATTN
    finally:
        timm.layers.config._USE_FUSED_ATTN = before


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("grid", [(4, 4), (3, 5)])
def test_pain_point_6_prefix_tokens_are_the_models_and_patches_are_h_times_w(
    architecture: str, grid: tuple[int, int], adapter: Build, pictures: Pictures
) -> None:
    """Item 6: register and distillation tokens were taken for patches (845 for 841, 260 for 256, 197 for 196)."""
    model = adapter(architecture, dynamic_img_size=True)
    assert model.prefix == PREFIX[architecture]
    assert len(model.prefix) == model.model.num_prefix_tokens
    for attention in captured(model, pictures(model, *grid, count=1)):
        prepared = attention.input
        assert prepared.grid == grid
        assert prepared.n == len(model.prefix) + grid[0] * grid[1] == attention.values.shape[1]
        assert prepared.labels[: len(model.prefix)] == model.prefix
        assert prepared.labels[len(model.prefix)] == "patch 0,0"
        assert prepared.labels[-1] == f"patch {grid[0] - 1},{grid[1] - 1}"
        assert prepared.content.tolist() == [False] * len(model.prefix) + [True] * (grid[0] * grid[1])


def test_pain_point_6_a_prefix_that_can_not_be_named_is_refused(create: Any) -> None:
    """Item 6: what the model says and what it holds have to agree; nothing is guessed."""
    model = create("vit_tiny_patch16_224")
    model.num_prefix_tokens = 2
    with pytest.raises(InputError, match=r"says that it has 2 prefix tokens, but 1 were found \(\[CLS\]\)"):
        TimmVisionTransformer(model)


def test_pain_point_9_hooks_are_counted_before_and_after(adapter: Build, pictures: Pictures) -> None:
    """Item 9: a second explainer made the first one hold 24 maps, because hooks were never removed."""
    first = adapter("vit_tiny_patch16_224")
    second = TimmVisionTransformer(first.model)
    others: list[int] = []
    first.model.blocks[0].attn.attn_drop.register_forward_pre_hook(lambda *_: others.append(1))
    images = pictures(first)
    assert hooks(first.model) == 1
    for adapter_of_both in (first, second, first):
        assert len(captured(adapter_of_both, images)) == 2 * 3
        assert hooks(first.model) == 1

    def broken(_: LayerAttention) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        observe(first, images, broken)
    assert hooks(first.model) == 1
    assert len(others) == 4


def test_pain_point_9_windowed_attention_is_refused_and_not_a_shape_error() -> None:
    """Item 9: swin went through the hooks and ended in a shape error."""
    model = timm.create_model("swin_tiny_patch4_window7_224").eval()
    with pytest.raises(InputError, match="windowed"):
        TimmVisionTransformer(model)


def test_pain_point_16_training_mode_is_refused(adapter: Build, pictures: Pictures) -> None:
    """Item 16: in training mode dropout makes rows sum to anything; weights are taken before dropout."""
    model = adapter("vit_tiny_patch16_224", attn_drop_rate=0.5)
    model.model.blocks[2].attn.train()
    with pytest.raises(InputError, match=r"its part blocks\.2\.attn is in training mode; call model\.eval"):
        captured(model, pictures(model))
    model.model.eval()
    for attention in captured(model, pictures(model)):
        np.testing.assert_allclose(attention.values.sum(axis=-1), 1, atol=1e-6)


def test_pain_point_27_one_layer_is_held_at_a_time(adapter: Build, pictures: Pictures) -> None:
    """Item 27: other tools keep every layer's map; here only the observer decides what is kept."""
    import weakref

    model = adapter("vit_tiny_patch16_224", depth=8)
    alive: list[Any] = []
    most = 0

    def observer(attention: LayerAttention) -> None:
        nonlocal most
        alive.append(weakref.ref(attention))
        most = max(most, sum(reference() is not None for reference in alive))

    observe(model, pictures(model, count=1), observer)
    assert len(alive) == 8
    assert most <= 2
