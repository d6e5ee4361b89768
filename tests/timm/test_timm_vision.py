"""The maps of timm's vision transformers against a softmax written out from each block's own projections."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from timm.layers import apply_rot_embed_cat

import timm
from dobrushin.capture import Image, LayerAttention, Text, TimmVisionTransformer, observe
from dobrushin.capture.patches import normalised
from dobrushin.errors import InputError

from .conftest import ARCHITECTURES, PREFIX

Build = Callable[..., TimmVisionTransformer]
Pictures = Callable[..., list[Image]]
Maps = dict[tuple[int, int], LayerAttention]


def captured(adapter: TimmVisionTransformer, images: list[Image], batch_size: int = 8) -> Maps:
    maps: Maps = {}
    observe(adapter, images, lambda a: maps.__setitem__((a.index, a.layer), a), batch_size=batch_size)
    return maps


def tensor_of(adapter: TimmVisionTransformer, images: list[Image]) -> torch.Tensor:
    config = adapter.model.pretrained_cfg
    return torch.from_numpy(normalised([image.pixels for image in images], config["mean"], config["std"]))


def calls_of(adapter: TimmVisionTransformer, images: list[Image]) -> list[tuple[Any, torch.Tensor, Any]]:
    """Each block's attention module, with the tokens and the rotary embedding that it is called with."""
    calls: list[tuple[Any, torch.Tensor, Any]] = []
    handles = [
        block.attn.register_forward_pre_hook(
            lambda module, args, kwargs: calls.append((module, args[0], kwargs.get("rope"))), with_kwargs=True
        )
        for block in adapter.model.blocks
    ]
    with torch.no_grad():
        adapter.model.forward_features(tensor_of(adapter, images))
    for handle in handles:
        handle.remove()
    return calls


def projected(attention: Any, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Queries and keys (batch, n, width) in float64, from whichever projections the module has."""
    if attention.qkv is None:
        pairs = [(attention.q_proj.weight, attention.q_proj.bias), (attention.k_proj.weight, attention.k_proj.bias)]
    else:
        weights = attention.qkv.weight.chunk(3)
        if getattr(attention, "q_bias", None) is not None:
            biases: Any = (attention.q_bias, attention.k_bias)
        else:
            biases = (None, None) if attention.qkv.bias is None else attention.qkv.bias.chunk(3)[:2]
        pairs = list(zip(weights[:2], biases, strict=True))
    q, k = (x @ weight.double().T + (0 if bias is None else bias.double()) for weight, bias in pairs)
    return q, k


def softmax_by_hand(attention: Any, tokens: torch.Tensor, rope: Any) -> np.ndarray:
    """(batch, heads, n, n) in float64, head by head."""
    q, k = projected(attention, tokens.double())
    width = attention.head_dim
    maps = []
    for head in range(attention.num_heads):
        part = slice(head * width, (head + 1) * width)
        pair = [attention.q_norm(q[..., part]), attention.k_norm(k[..., part])]
        if rope is not None:
            # Prefix tokens have no place in the picture, so they are not rotated.
            prefix = attention.num_prefix_tokens
            half = getattr(attention, "rotate_half", False)
            pair = [
                torch.cat([x[:, :prefix], apply_rot_embed_cat(x[:, prefix:], rope.double(), half=half)], dim=1)
                for x in pair
            ]
        maps.append(torch.softmax(pair[0] @ pair[1].transpose(1, 2) / width**0.5, dim=-1))
    return torch.stack(maps, dim=1).detach().numpy()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_maps_are_the_softmax_of_each_block(architecture: str, adapter: Build, pictures: Pictures) -> None:
    model = adapter(architecture)
    images = pictures(model)
    maps = captured(model, images)
    n = len(PREFIX[architecture]) + 16
    assert len(maps) == 2 * model.layers
    differences, calls = [], calls_of(model, images)
    assert len(calls) == model.layers
    for layer, (attention, tokens, rope) in enumerate(calls):
        expected = softmax_by_hand(attention, tokens, rope)
        assert expected.shape == (2, attention.num_heads, n, n)
        # Far from uniform, and different in each head and input: mixed-up ones would be seen.
        assert expected.max() > 3 / n
        assert np.abs(expected - np.roll(expected, 1, axis=1)).max() > 0.02
        assert np.abs(expected[0] - expected[1]).max() > 0.02
        for index in range(2):
            assert maps[index, layer].values.dtype == np.float32
            differences.append(np.abs(maps[index, layer].values - expected[index]).max())
    # The tokens of the second block were computed by the fused kernel, so they differ in their last bits.
    assert max(differences) < 2e-6


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_weights_are_those_that_the_values_are_multiplied_with(
    architecture: str, adapter: Build, pictures: Pictures
) -> None:
    """On the plain path of a model made without fused attention, bit for bit."""
    model = adapter(architecture)
    images = pictures(model)
    maps = captured(model, images)
    seen: list[np.ndarray] = []
    for block in model.model.blocks:
        block.attn.fused_attn = False
        block.attn.attn_drop.register_forward_hook(lambda _, __, output: seen.append(output.numpy().copy()))
    with torch.no_grad():
        model.model.forward_features(tensor_of(model, images))
    for layer, weights in enumerate(seen):
        for index in range(2):
            np.testing.assert_array_equal(maps[index, layer].values, weights[index])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_output_is_the_same_before_and_after(architecture: str, adapter: Build, pictures: Pictures) -> None:
    model = adapter(architecture)
    images = pictures(model)
    with torch.no_grad():
        before = model.model(tensor_of(model, images))
        captured(model, images)
        after = model.model(tensor_of(model, images))
    assert torch.equal(before, after)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_batches_have_the_maps_of_single_images(architecture: str, adapter: Build, pictures: Pictures) -> None:
    model = adapter(architecture)
    images = pictures(model, count=3)
    single, batched = captured(model, images, 1), captured(model, images)
    for key, attention in batched.items():
        np.testing.assert_allclose(attention.values, single[key].values, rtol=0, atol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_mean_and_std_are_those_of_the_models_configuration(architecture: str, adapter: Build) -> None:
    model = adapter(architecture)
    config = model.model.pretrained_cfg
    assert (model._mean, model._std) == (tuple(config["mean"]), tuple(config["std"]))


def test_mean_and_std_are_not_guessed(create: Any) -> None:
    model = create("vit_tiny_patch16_224")
    assert TimmVisionTransformer(model)._mean == (0.5, 0.5, 0.5)  # not ImageNet's
    assert TimmVisionTransformer(model, mean=[0.1] * 3, std=[0.2] * 3)._std == (0.2, 0.2, 0.2)
    del model.pretrained_cfg["std"]
    with pytest.raises(InputError, match="pretrained_cfg has no std, and it is not guessed"):
        TimmVisionTransformer(model)
    with pytest.raises(InputError, match="the mean has 1 channels, but images have 3"):
        TimmVisionTransformer(model, mean=[0.5], std=[0.5] * 3)


def test_patch_labels_name_the_right_patch(adapter: Build) -> None:
    """Changing the pixels of one patch changes the first layer's keys of that token alone."""
    model = adapter("vit_small_patch14_reg4_dinov2", dynamic_img_size=True)
    plain = np.full((3 * 14, 5 * 14, 3), 128, np.uint8)
    marked = plain.copy()
    marked[2 * 14 : 3 * 14, 3 * 14 : 4 * 14] = 255
    maps = captured(model, [Image("plain", plain), Image("marked", marked)])
    # Log-odds against a fixed patch cancel the softmax's normalisation, so only the marked column moves.
    odds = [np.log(maps[index, 0].values[:, 0] / maps[index, 0].values[:, 0, 5:6]) for index in range(2)]
    moved = np.abs(odds[0] - odds[1]).max(axis=0)
    labels = maps[0, 0].input.labels
    assert labels[int(moved.argmax())] == "patch 2,3"
    assert np.sort(moved)[-2] < 1e-5 < 1e-4 < moved.max()


def test_an_image_of_a_size_that_the_model_does_not_take_is_one_sentence(adapter: Build, pictures: Pictures) -> None:
    model = adapter("vit_tiny_patch16_224")
    with pytest.raises(InputError, match=r"image i0 is 64×96 pixels, but .* was made for 64×64: resize it, or make"):
        captured(model, pictures(model, 4, 6))
    dynamic = adapter("vit_tiny_patch16_224", dynamic_img_size=True)
    with pytest.raises(InputError, match=r"image odd is 65×64 pixels, which is no whole number of the 16×16 patches"):
        dynamic.prepare(Image("odd", np.zeros((65, 64, 3), np.uint8)))
    with pytest.raises(InputError, match="takes images, but t is no image"):
        dynamic.prepare(Text("t", "words"))


REFUSED = {
    "swin_tiny_patch4_window7_224": r"swin_transformer\.SwinTransformer can not be observed .* windowed, linear",
    "xcit_nano_12_p16_224": r"timm\.models\.xcit\.Xcit can not be observed as a timm vision transformer",
    "resnet18": r"timm\.models\.resnet\.ResNet can not be observed",
    "beit_base_patch16_224": r"timm\.models\.beit\.Beit can not be observed",
    "vit_base_patch16_xp_224": r"block 0 of the VisionTransformer is a timm\.models\.vision_transformer\.ParallelScali",
    "vit_dlittle_patch16_reg1_gap_256": r"Block with timm\.layers\.diff_attention\.DiffAttention: only blocks with one",
}


@pytest.mark.parametrize("architecture", REFUSED)
def test_other_attention_is_refused_with_what_was_found(architecture: str) -> None:
    small = {} if architecture in ("resnet18", "swin_tiny_patch4_window7_224") else {"depth": 1}
    model = timm.create_model(architecture, pretrained=False, **small).eval()
    with pytest.raises(InputError, match=REFUSED[architecture]):
        TimmVisionTransformer(model)


def test_one_unknown_block_among_many_is_refused(create: Any) -> None:
    model = create("vit_tiny_patch16_224")

    class Mine(type(model.blocks[1].attn)):  # type: ignore[misc]
        """A subclass may compute anything."""

    model.blocks[1].attn.__class__ = Mine
    with pytest.raises(InputError, match=r"block 1 of the VisionTransformer is a .*Block with .*Mine"):
        TimmVisionTransformer(model)


def test_an_exception_of_the_model_is_not_hidden_and_leaves_no_trace(adapter: Build, pictures: Pictures) -> None:
    model = adapter("vit_tiny_patch16_224")
    model.model.blocks[1].mlp.register_forward_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        captured(model, pictures(model))
    assert all(block.attn.fused_attn is True for block in model.model.blocks)
    assert not any(block.attn.attn_drop._forward_pre_hooks for block in model.model.blocks)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_other_precisions(dtype: str, adapter: Build, pictures: Pictures) -> None:
    model = adapter("vit_small_patch16_dinov3")
    model.model.to(getattr(torch, dtype))
    for attention in captured(model, pictures(model)).values():
        assert attention.dtype == dtype
        np.testing.assert_allclose(attention.values.sum(axis=-1), 1, atol=2e-2)
