"""The model is left as it was found, whatever happens, and what can not be observed is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface

from dobrushin.capture import Image, LayerAttention, Text, observe
from dobrushin.capture.attention_registry import _eager_forward_of, attention_weights
from dobrushin.errors import InputError

Build = Callable[..., Any]


def state(model: Any) -> dict[str, Any]:
    """Everything that observing touches: each module's configuration, hooks, and both registries."""
    return {
        "attention": dict(AttentionInterface._global_mapping),
        "masks": dict(AttentionMaskInterface._global_mapping),
        "configurations": [
            module.config._attn_implementation for module in model.modules() if hasattr(module, "config")
        ],
        "json": model.config.to_dict(),
        "hooks": sum(len(module._forward_hooks) + len(module._forward_pre_hooks) for module in model.modules()),
        "training": [module.training for module in model.modules()],
    }


@pytest.mark.parametrize("attention", [None, "eager", "sdpa"])
def test_everything_is_restored(attention: str | None, text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert", attention)
    before = state(adapter.model)
    observe(adapter, texts, lambda _: None)
    assert state(adapter.model) == before


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, InputError])
@pytest.mark.parametrize("layer", [0, 2])
def test_everything_is_restored_after_an_exception_in_the_observer(
    error: type[BaseException], layer: int, text_encoder: Build, texts: list[Text]
) -> None:
    adapter = text_encoder("bert")
    before = state(adapter.model)

    def observer(attention: LayerAttention) -> None:
        if attention.layer == layer:
            raise error("enough")

    with pytest.raises(error, match="enough"):
        observe(adapter, texts, observer)
    assert state(adapter.model) == before
    assert observe(adapter, texts, lambda _: None) == 5


def test_everything_is_restored_after_an_exception_in_the_model(
    text_encoder: Build, texts: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = text_encoder("bert")
    before = state(adapter.model)

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken layer")

    with monkeypatch.context() as patch:
        patch.setattr(adapter.model.encoder.layer[1].output, "forward", broken)
        with pytest.raises(RuntimeError, match="broken layer"):
            observe(adapter, texts, lambda _: None)
    assert state(adapter.model) == before


def test_parts_with_configurations_of_their_own_are_switched_and_restored(
    text_encoder: Build, texts: list[Text]
) -> None:
    import copy

    adapter = text_encoder("bert")
    part = adapter.model.encoder.layer[1].attention.self
    part.config = copy.deepcopy(part.config)
    part.config._attn_implementation = "eager"
    maps: list[LayerAttention] = []
    observe(adapter, texts[:1], maps.append)
    assert [a.layer for a in maps] == [0, 1, 2]
    assert part.config._attn_implementation == "eager"
    assert adapter.model.config._attn_implementation == "sdpa"


def test_the_hidden_states_are_those_of_a_plain_run(text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert", "eager")
    ids = torch.from_numpy(adapter.prepare(texts[0]).features["input_ids"])[None]

    def states() -> list[Any]:
        with torch.no_grad():
            return list(adapter.model(ids, output_hidden_states=True).hidden_states)

    plain = states()
    with attention_weights(adapter.model, lambda _: None):
        watched = states()
    assert len(plain) == 4
    assert all(torch.equal(one, other) for one, other in zip(plain, watched, strict=True))
    adapter.model.set_attn_implementation("sdpa")
    for one, other in zip(plain, states(), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=2e-5)


def test_training_mode_is_refused_and_named(text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert")
    adapter.model.encoder.layer[1].attention.self.dropout.train()
    with pytest.raises(
        InputError,
        match=r"its part encoder\.layer\.1\.attention\.self\.dropout is in training mode; call model\.eval",
    ):
        observe(adapter, texts, lambda _: None)
    adapter.model.train()
    with pytest.raises(InputError, match="BertModel can not be observed: it is in training mode"):
        observe(adapter, texts, lambda _: None)


def test_observing_twice_at_once_is_refused(text_encoder: Build, texts: list[Text]) -> None:
    adapter = text_encoder("bert")
    before = state(adapter.model)
    with pytest.raises(InputError, match="BertModel is being observed already"):
        observe(adapter, texts, lambda _: observe(adapter, texts, lambda _: None))
    assert state(adapter.model) == before


def test_cross_attention_is_refused() -> None:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        hidden_size=32, num_attention_heads=4, num_hidden_layers=1, intermediate_size=32, vocab_size=40,
        is_decoder=True, add_cross_attention=True, use_cache=False,
    )  # fmt: skip
    model = BertModel(config).eval()
    ids = torch.zeros((1, 4), dtype=torch.int64)
    with (
        torch.no_grad(),
        attention_weights(model, lambda _: None),
        pytest.raises(InputError, match="BertCrossAttention attends to another sequence"),
    ):
        model(ids, encoder_hidden_states=torch.zeros(1, 4, 32))


def test_a_model_that_bypasses_the_registry_yields_an_error_not_nothing(
    text_encoder: Build, texts: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = text_encoder("bert")

    def private(hidden_states: Any, *_: Any, **__: Any) -> Any:
        return hidden_states, None

    monkeypatch.setattr(adapter.model.encoder.layer[2].attention.self, "forward", private)
    with pytest.raises(InputError, match="tiny bert yielded 2 attention maps for its 3 layers"):
        observe(adapter, texts, lambda _: None)


def test_a_file_without_eager_attention_is_named() -> None:
    with pytest.raises(InputError, match=r"torch\.nn\.modules\.linear defines no eager_attention_forward"):
        _eager_forward_of(torch.nn.Linear(2, 2))


def test_what_is_no_transformers_model_is_refused() -> None:
    with (
        pytest.raises(InputError, match="Linear is no transformers model"),
        attention_weights(torch.nn.Linear(2, 2).eval(), lambda _: None),
    ):
        pass


def test_gradients_are_not_kept(vision_transformer: Build, images: list[Image]) -> None:
    adapter = vision_transformer("vit")
    run = adapter.run
    needs_gradient: list[bool] = []

    def watching(batch: Any, receive: Callable[[Any], None]) -> None:
        def watch(weights: Any) -> None:
            needs_gradient.append(weights.requires_grad)
            receive(weights)

        run(batch, watch)

    adapter.run = watching
    observe(adapter, images[:1], lambda a: np.sum(a.values))
    assert needs_gradient == [False] * 3
