from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import Image, LayerAttention, Text, VisionTransformer, observe
from dobrushin.errors import InputError

Build = Callable[..., Any]
PREFIX = {
    "clip_vision_model": ("[CLS]",),
    "deit": ("[CLS]", "[DIST]"),
    "dinov2": ("[CLS]",),
    "dinov2_with_registers": ("[CLS]", "[REG0]", "[REG1]", "[REG2]"),
    "dinov3_vit": ("[CLS]", "[REG0]", "[REG1]", "[REG2]"),
    "vit": ("[CLS]",),
}


def reference(adapter: VisionTransformer, image: Image) -> list[np.ndarray]:
    """The maps that the model itself returns under eager attention, for one image."""
    before = adapter.model.config._attn_implementation
    adapter.model.set_attn_implementation("eager")
    pixels = torch.from_numpy(adapter.pixel_values([image.pixels])).to(adapter.model.dtype)
    sizes = {} if image.pixels.shape[:2] == (32, 32) or "dino" in adapter.name else {"interpolate_pos_encoding": True}
    with torch.no_grad():
        maps = adapter.model(pixels, output_attentions=True, **sizes).attentions
    adapter.model.set_attn_implementation(before)
    return [weights[0].numpy() for weights in maps]


@pytest.mark.parametrize("family", PREFIX)
@pytest.mark.parametrize("attention", [None, "eager"])
def test_the_maps_are_the_models_own(
    family: str, attention: str | None, vision_transformer: Build, images: list[Image]
) -> None:
    adapter = vision_transformer(family, attention)
    maps: list[LayerAttention] = []
    assert observe(adapter, images, maps.append, batch_size=1) == 4
    assert adapter.model.config._attn_implementation == (attention or "sdpa")
    assert len(maps) == 12
    for attention_map in maps:
        expected = reference(adapter, images[attention_map.index])[attention_map.layer]
        np.testing.assert_array_equal(attention_map.values, expected)


@pytest.mark.parametrize("family", PREFIX)
def test_batches_have_the_maps_of_single_images(family: str, vision_transformer: Build, images: list[Image]) -> None:
    adapter = vision_transformer(family)
    single: dict[tuple[int, int], Any] = {}
    observe(adapter, images, lambda a: single.__setitem__((a.index, a.layer), a.values), batch_size=1)
    batched: dict[tuple[int, int], Any] = {}
    # Images of different sizes never share a batch, also when padding is allowed.
    observe(adapter, images, lambda a: batched.__setitem__((a.index, a.layer), a.values), pad=True)
    assert batched.keys() == single.keys()
    for key, values in batched.items():
        np.testing.assert_allclose(values, single[key], rtol=0, atol=1e-5)


@pytest.mark.parametrize("family", PREFIX)
def test_prefix_tokens_come_from_the_configuration(family: str, vision_transformer: Build, images: list[Image]) -> None:
    prepared = vision_transformer(family).prepare(images[1])
    prefix = PREFIX[family]
    assert prepared.grid == (4, 6)
    assert prepared.labels[: len(prefix)] == prefix
    assert prepared.labels[len(prefix) :][:7] == (*(f"patch 0,{column}" for column in range(6)), "patch 1,0")
    assert prepared.n == len(prefix) + 24
    assert prepared.content.tolist() == [False] * len(prefix) + [True] * 24


def test_patch_labels_name_the_right_patch(vision_transformer: Build) -> None:
    """Changing the pixels of one patch changes the first layer's keys of that token alone."""
    adapter = vision_transformer("dinov2_with_registers")
    plain = np.full((32, 48, 3), 128, np.uint8)
    marked = plain.copy()
    marked[16:24, 40:48] = 255  # row 2, column 5 of 8×8 patches
    maps: list[LayerAttention] = []
    observe(adapter, [Image("plain", plain), Image("marked", marked)], maps.append)
    rows = {a.input.id: a.values[:, 0, :] for a in maps if a.layer == 0}
    # Log-odds against a fixed patch cancel the softmax's normalisation, so only the marked column moves.
    odds = {name: np.log(row / row[:, 4:5]) for name, row in rows.items()}
    moved = np.abs(odds["plain"] - odds["marked"]).max(axis=0) > 1e-3
    labels = np.array(maps[0].input.labels)
    assert labels[moved].tolist() == ["patch 2,5"]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_models_run(dtype: Any, vision_transformer: Build, images: list[Image]) -> None:
    maps: list[LayerAttention] = []
    observe(vision_transformer("dinov2", dtype=dtype), images, maps.append)
    assert {a.dtype for a in maps} == {str(dtype).removeprefix("torch.")}
    assert len(maps) == 12


@pytest.mark.parametrize(("height", "width"), [(33, 32), (32, 40 + 7), (4, 32)])
def test_a_size_that_is_no_whole_number_of_patches_is_refused(
    height: int, width: int, vision_transformer: Build
) -> None:
    image = Image("i", np.zeros((height, width, 3), np.uint8))
    with pytest.raises(
        InputError, match=f"image i is {height}×{width} pixels, which is no whole number of the 8×8 patches"
    ):
        vision_transformer("dinov2").prepare(image)


def test_a_configuration_that_does_not_count_every_token_is_an_error(
    vision_transformer: Build, images: list[Image]
) -> None:
    adapter = vision_transformer("dinov2_with_registers")
    adapter.prefix = ("[CLS]",)  # as a tool that does not know registers would have it
    with pytest.raises(InputError, match=r"shape \(3, 4, 20, 20\), but 3 inputs of 17 tokens went in"):
        observe(adapter, [images[0], images[2], images[3]], lambda _: None)


def test_non_square_patches_and_positions(vision_transformer: Build) -> None:
    adapter = vision_transformer("vit", image_size=[32, 48], patch_size=[16, 8])
    image = Image("i", np.arange(32 * 48 * 3).reshape(32, 48, 3).astype(np.uint8))
    maps: list[LayerAttention] = []
    observe(adapter, [image], maps.append)
    assert maps[0].input.grid == (2, 6)
    assert maps[0].values.shape == (4, 13, 13)


def test_texts_and_wrong_pixels_are_refused(vision_transformer: Build) -> None:
    with pytest.raises(InputError, match="tiny vit takes images, but t is no image"):
        vision_transformer("vit").prepare(Text("t", "a"))
    for pixels in (np.zeros((8, 8)), np.zeros((8, 8, 3)), np.zeros((3, 8, 8), np.uint8)):
        with pytest.raises(InputError, match="image i: pixels are"):
            Image("i", pixels)  # type: ignore[arg-type]


def test_a_text_model_is_refused(text_encoder: Build) -> None:
    with pytest.raises(
        InputError,
        match="a bert model can not be observed as a vision transformer; "
        "choose one of clip_vision_model, deit, dinov2, dinov2_with_registers, dinov3_vit, vit",
    ):
        VisionTransformer(text_encoder("bert").model, mean=(0, 0, 0), std=(1, 1, 1))
