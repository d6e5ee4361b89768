from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import Decoder, Image, LayerAttention, SkippedLayer, Text, observe
from dobrushin.capture.decoder import FAMILIES
from dobrushin.errors import InputError
from dobrushin.testing import tiny_models

Build = Callable[..., Any]
NO_MAP = {"lfm2": {0: "convolution", 2: "convolution"}, "qwen3_next": {0: "linear attention"}}
"""The layers of the tiny hybrids that have no attention weights."""


def observed(adapter: Decoder, texts: list[Text], **options: Any) -> tuple[dict[Any, LayerAttention], dict[Any, str]]:
    """The maps, and the reasons for skipping, by (index, layer)."""
    maps: dict[tuple[int, int], LayerAttention] = {}
    reasons: dict[tuple[int, int], str] = {}

    def skip(layer: SkippedLayer) -> None:
        reasons[layer.index, layer.layer] = layer.reason

    observe(adapter, texts, lambda a: maps.__setitem__((a.index, a.layer), a), skipped=skip, **options)
    return maps, reasons


def reference(adapter: Decoder, text: Text) -> list[np.ndarray]:
    """The maps that the model itself returns under eager attention, for one text."""
    ids = torch.from_numpy(adapter.prepare(text).features["input_ids"])[None]
    before = adapter.model.config._attn_implementation
    adapter.model.set_attn_implementation("eager")
    with torch.no_grad():
        maps = adapter.model(ids, output_attentions=True, use_cache=False).attentions
    adapter.model.set_attn_implementation(before)
    return [weights[0].numpy() for weights in maps if weights is not None]


def test_every_family_is_tested() -> None:
    assert set(FAMILIES) == set(tiny_models.DECODERS)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("attention", [None, "eager"])
def test_the_maps_are_the_models_own_and_causal(
    family: str, attention: str | None, decoder: Build, texts: list[Text]
) -> None:
    adapter = decoder(family, attention)
    before = adapter.model.config._attn_implementation
    maps, reasons = observed(adapter, texts, batch_size=1)
    assert adapter.model.config._attn_implementation == before
    without = NO_MAP.get(family, {})
    assert len(maps) == len(texts) * (3 - len(without))
    assert {layer for _, layer in reasons} == set(without)
    assert all(without[layer] in reason for (_, layer), reason in reasons.items())
    for index, text in enumerate(texts):
        own = [maps[index, layer] for layer in range(3) if layer not in without]
        for attention_map, expected in zip(own, reference(adapter, text), strict=True):
            values = attention_map.values
            np.testing.assert_array_equal(values, expected)
            assert not np.triu(values, 1).any()
            assert (values[:, 0, 0] == 1).all()
            assert np.abs(values.astype(np.float64).sum(-1) - 1).max() < 1e-6
            assert values[:, -1].min(initial=1) >= 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_padded_batch_has_the_maps_of_single_inputs(family: str, decoder: Build, texts: list[Text]) -> None:
    adapter = decoder(family)
    single, _ = observed(adapter, texts, batch_size=1)
    for padded, _ in (observed(adapter, texts, pad=True, batch_size=5), observed(adapter, texts, batch_size=5)):
        assert padded.keys() == single.keys()
        for key, attention in padded.items():
            np.testing.assert_allclose(attention.values, single[key].values, rtol=0, atol=1e-5)


def test_a_later_word_changes_no_earlier_row(decoder: Build) -> None:
    adapter = decoder("llama")
    one, _ = observed(adapter, [Text("t", "a b c d e")])
    other, _ = observed(adapter, [Text("t", "a b c d z")])
    for key, attention in one.items():
        np.testing.assert_allclose(attention.values[:, :5, :5], other[key].values[:, :5, :5], rtol=0, atol=1e-6)
        assert np.abs(attention.values[:, 5] - other[key].values[:, 5]).max() > 1e-3


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_the_dtype_of_the_model_is_kept_and_the_future_stays_zero(
    family: str, dtype: Any, decoder: Build, texts: list[Text]
) -> None:
    maps, _ = observed(decoder(family, dtype=dtype), texts, pad=True)
    assert {a.dtype for a in maps.values()} == {str(dtype).removeprefix("torch.")}
    assert not any(np.triu(a.values, 1).any() for a in maps.values())


def test_content_is_all_but_special_tokens(decoder: Build) -> None:
    prepared = decoder("llama").prepare(Text("t", "a unheard-of </s> <mask> b <pad>"))
    assert prepared.labels == ("<s>", "a", "<unk>", "</s>", "<mask>", "b", "<pad>")
    assert prepared.content.tolist() == [False, True, True, False, True, True, False]


def test_tokens_of_a_chat_are_no_content(decoder: Build) -> None:
    adapter = decoder("llama")
    adapter.tokenizer.add_special_tokens({"additional_special_tokens": ["<|turn|>"]})
    prepared = Decoder(adapter.model, adapter.tokenizer).prepare(Text("t", "<|turn|> a"))
    assert prepared.labels == ("<s>", "<|turn|>", "a")
    assert prepared.content.tolist() == [False, False, True]


def test_no_padding_token_is_needed(decoder: Build, texts: list[Text]) -> None:
    adapter = decoder("gpt2")
    expected, _ = observed(adapter, texts, batch_size=1)
    adapter.tokenizer.pad_token = None
    maps, _ = observed(adapter, texts, pad=True)
    for key, attention in maps.items():
        np.testing.assert_allclose(attention.values, expected[key].values, rtol=0, atol=1e-5)


WINDOWED = {
    "mistral": ({"sliding_window": 4}, {0, 1, 2}),
    "phi3": ({"sliding_window": 4}, {0, 1, 2}),
    "qwen2": ({"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}, {1, 2}),
    "gemma2": ({"sliding_window": 4, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]},
               {0, 2}),
    "smollm3": ({"use_sliding_window": True, "sliding_window": 4,
                 "layer_types": ["sliding_attention", "full_attention", "full_attention"]}, {0}),
}  # fmt: skip


@pytest.mark.parametrize("family", WINDOWED)
def test_windows_are_skipped_and_counted_when_they_cut_anything_off(family: str, decoder: Build) -> None:
    settings, windowed = WINDOWED[family]
    adapter = decoder(family, **settings)
    texts = [Text("long", "a b c d e f"), Text("short", "a b c")]
    maps, reasons = observed(adapter, texts)
    assert {layer for index, layer in reasons if index == 0} == windowed
    assert all("sliding window: a token sees the 4 tokens up to itself" in reason for reason in reasons.values())
    # With the begin token the short text has 4 tokens, so that the window cuts nothing off.
    assert {layer for index, layer in maps if index == 1} == {0, 1, 2}
    for layer, expected in enumerate(reference(adapter, texts[1])):
        np.testing.assert_allclose(maps[1, layer].values, expected, rtol=0, atol=1e-6)
    with pytest.raises(InputError, match="only some texts of the batch are longer than its window of 4 tokens"):
        observed(adapter, texts, pad=True)
    with pytest.raises(InputError, match=rf"^tiny {family}, layer {min(windowed)}: sliding window"):
        observe(adapter, texts[:1], lambda _: None)


def test_cross_attention_is_refused() -> None:
    model = tiny_models.model("gpt2", add_cross_attention=True)
    with pytest.raises(InputError, match="this gpt2 has cross attention"):
        Decoder(model, tiny_models.tokenizer(begins=True))


def test_attention_to_the_future_is_refused(decoder: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = decoder("llama")
    layer = adapter.model.layers[1].self_attn
    forward = layer.forward
    monkeypatch.setattr(layer, "forward", lambda *args, **kwargs: forward(*args, **{**kwargs, "attention_mask": None}))
    with pytest.raises(
        InputError, match=r"^tiny llama, layer 1, head 0, row 0: the weight on the later token 1 is 0\."
    ):
        observed(adapter, [Text("t", "a b")])


def test_layers_that_pass_elsewhere_are_an_error(decoder: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = decoder("llama")
    monkeypatch.setattr(adapter.model.layers[1].self_attn, "forward", lambda hidden_states, **_: (hidden_states, None))
    with pytest.raises(InputError, match="tiny llama, layer 1: its attention does not pass where this adapter looks"):
        observed(adapter, [Text("t", "a b")])


def test_layers_out_of_order_are_an_error(decoder: Build) -> None:
    adapter = decoder("llama")
    adapter.model.layers[2].self_attn.layer_idx = 0
    with pytest.raises(InputError, match="does not call its layers once and in order"):
        observed(adapter, [Text("t", "a b")])


def test_a_head_is_left_out(decoder: Build, texts: list[Text]) -> None:
    with_head = tiny_models.model("llama", head="ForCausalLM")
    adapter = Decoder(with_head, tiny_models.tokenizer(begins=True))
    assert adapter.model is with_head.model
    assert len(observed(adapter, texts)[0]) == 15


def test_other_families_images_and_long_texts_are_refused(decoder: Build, text_encoder: Build) -> None:
    with pytest.raises(
        InputError, match=r"^a bert model can not be observed as a decoder; choose one of gemma2, gpt2, "
    ):
        Decoder(text_encoder("bert").model, tiny_models.tokenizer())
    with pytest.raises(InputError, match="tiny gpt2 takes texts, but i is no text"):
        decoder("gpt2").prepare(Image("i", np.zeros((8, 8, 3), np.uint8)))
    with pytest.raises(InputError, match="text t has 101 tokens, but tiny gpt2 has 64 positions"):
        decoder("gpt2").prepare(Text("t", "a " * 100))
    with pytest.raises(InputError, match="cut off after 0 tokens"):
        Decoder(decoder("gpt2").model, tiny_models.tokenizer(begins=True), max_tokens=0)
