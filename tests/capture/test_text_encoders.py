from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import Image, LayerAttention, Text, TextEncoder, observe
from dobrushin.errors import InputError
from dobrushin.testing import tiny_models

Build = Callable[..., Any]
FAMILIES = tuple(tiny_models.TEXT)


def observed(adapter: TextEncoder, texts: list[Text], **options: Any) -> dict[tuple[int, int], LayerAttention]:
    """All maps by (index, layer)."""
    maps: dict[tuple[int, int], LayerAttention] = {}

    def keep(attention: LayerAttention) -> None:
        assert (attention.index, attention.layer) not in maps
        maps[attention.index, attention.layer] = attention

    assert observe(adapter, texts, keep, **options) == len(texts)
    return maps


def reference(adapter: TextEncoder, text: Text) -> list[np.ndarray]:
    """The maps that the model itself returns under eager attention, for one text."""
    ids = torch.from_numpy(adapter.prepare(text).features["input_ids"])[None]
    before = adapter.model.config._attn_implementation
    adapter.model.set_attn_implementation("eager")
    with torch.no_grad():
        maps = adapter.model(ids, output_attentions=True).attentions
    adapter.model.set_attn_implementation(before)
    return [weights[0].numpy() for weights in maps]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("attention", [None, "eager"])
def test_the_maps_are_the_models_own(
    family: str, attention: str | None, text_encoder: Build, texts: list[Text]
) -> None:
    adapter = text_encoder(family, attention)
    before = adapter.model.config._attn_implementation
    maps = observed(adapter, texts, batch_size=1)
    assert adapter.model.config._attn_implementation == before == (attention or "sdpa")
    assert len(maps) == len(texts) * 3
    for index, text in enumerate(texts):
        for layer, expected in enumerate(reference(adapter, text)):
            np.testing.assert_array_equal(maps[index, layer].values, expected)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_padded_batch_has_the_maps_of_single_inputs(family: str, text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder(family)
    single = observed(adapter, texts, batch_size=1)
    for padded in (observed(adapter, texts, pad=True, batch_size=5), observed(adapter, texts, batch_size=5)):
        assert padded.keys() == single.keys()
        for key, attention in padded.items():
            assert attention.values.shape == (4, attention.input.n, attention.input.n)
            np.testing.assert_allclose(attention.values, single[key].values, rtol=0, atol=1e-5)


def test_padding_really_goes_in_and_has_exactly_no_weight(text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert")
    widths, weights_on_padding = [], []
    run = adapter.run

    def spy(batch: Any, receive: Any) -> None:
        lengths = [prepared.n for prepared in batch]

        def look(weights: Any) -> None:
            widths.append(weights.shape[-1])
            weights_on_padding.extend(weights[k, :, :n, n:].abs().sum().item() for k, n in enumerate(lengths))
            receive(weights)

        run(batch, look)

    adapter.run = spy
    observed(adapter, texts, pad=True, batch_size=5)
    assert widths == [14] * 3
    assert weights_on_padding == [0.0] * 15


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_dtype_of_the_model_is_kept(dtype: Any, text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert", dtype=dtype)
    name = str(dtype).removeprefix("torch.")
    maps = observed(adapter, texts, pad=True)
    for attention in maps.values():
        assert attention.dtype == name
        assert attention.values.dtype == (np.float32 if name == "bfloat16" else np.dtype(name))
        assert np.abs(attention.values.astype(np.float64).sum(-1) - 1).max() < 0.02
    if name == "bfloat16":
        for attention in maps.values():
            exact = torch.from_numpy(attention.values)
            assert torch.equal(exact.bfloat16().float(), exact)


def test_special_tokens_are_no_content(text_encoder: Build) -> None:
    prepared = text_encoder("bert").prepare(Text("t", "a unheard-of [SEP] [MASK] b"))
    assert prepared.labels == ("[CLS]", "a", "[UNK]", "[SEP]", "[MASK]", "b", "[SEP]")
    assert prepared.content.tolist() == [False, True, True, False, True, True, False]
    assert prepared.n == 7


def test_truncation_and_padding_of_the_tokenizer_file_are_overruled(text_encoder: Build) -> None:
    adapter = text_encoder("bert")
    assert adapter.prepare(Text("long", "a " * 20)).n == 22
    assert adapter.prepare(Text("short", "a")).n == 3
    short = TextEncoder(adapter.model, adapter.tokenizer, max_tokens=5)
    assert short.prepare(Text("long", "a " * 20)).labels == ("[CLS]", "a", "a", "a", "[SEP]")


def test_a_text_longer_than_the_positions_is_refused(text_encoder: Build) -> None:
    with pytest.raises(InputError, match=r"text t has 102 tokens, but tiny bert has 64 positions: shorten it"):
        text_encoder("bert").prepare(Text("t", "a " * 100))
    assert text_encoder("roberta").prepare(Text("t", "a " * 61)).n == 63
    with pytest.raises(InputError, match="has 64 tokens, but tiny roberta has 63 positions"):
        text_encoder("roberta").prepare(Text("t", "a " * 62))


def test_the_longest_text_that_is_accepted_runs(text_encoder: Build) -> None:
    for family, words in (("bert", 62), ("roberta", 61)):
        assert len(observed(text_encoder(family), [Text("t", "a " * words)])) == 3


def test_a_text_without_content_is_refused(text_encoder: Build) -> None:
    with pytest.raises(InputError, match="text t has no content token"):
        text_encoder("bert").prepare(Text("t", "  "))


def test_an_image_is_refused(text_encoder: Build) -> None:
    with pytest.raises(InputError, match="tiny bert takes texts, but i is no text"):
        text_encoder("bert").prepare(Image("i", np.zeros((8, 8, 3), np.uint8)))


def test_shared_layers_are_counted_by_calls(text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("albert", num_hidden_layers=5, inner_group_num=2)
    assert adapter.layers == 10
    maps = observed(adapter, texts[:1])
    assert [layer for _, layer in maps] == list(range(10))
    assert not np.array_equal(maps[0, 0].values, maps[0, 2].values)


def test_decoders_and_unknown_families_are_refused(text_encoder: Build, vision_transformer: Build) -> None:
    with pytest.raises(InputError, match="this bert is configured as a decoder"):
        text_encoder("bert", is_decoder=True)
    adapter = text_encoder("bert")
    with pytest.raises(
        InputError,
        match=r"^a vit model can not be observed as a text encoder; "
        r"choose one of albert, bert, distilbert, electra, roberta, xlm-roberta$",
    ):
        TextEncoder(vision_transformer("vit").model, adapter.tokenizer)
    with pytest.raises(InputError, match="Linear, no transformers model, can not be observed"):
        TextEncoder(torch.nn.Linear(2, 2), adapter.tokenizer)


def test_without_a_padding_token_only_equal_lengths_go_together(text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert")
    adapter.tokenizer.pad_token = None
    assert len(observed(adapter, texts)) == 15
    with pytest.raises(InputError, match="the tokenizer of tiny bert has no padding token: run with pad=False"):
        observed(adapter, texts, pad=True)
