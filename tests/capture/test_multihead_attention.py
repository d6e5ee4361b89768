"""torch.nn.MultiheadAttention, alone and inside torch.nn.TransformerEncoder."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import LayerAttention, ModelInput, NoMap, Text, observe
from dobrushin.capture.callables import tokens
from dobrushin.capture.multihead_attention import MultiheadAttentionAdapter, watch_multihead_attention
from dobrushin.errors import InputError

WIDTH, HEADS, TOKENS = 16, 4, 5


@pytest.fixture(autouse=True)
def _seed() -> Any:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        yield


def encoder(layers: int = 3, **options: Any) -> Any:
    layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, 32, batch_first=True, **options)
    model = torch.nn.TransformerEncoder(layer, layers)
    for parameter in model.parameters():
        if parameter.ndim == 2:
            torch.nn.init.normal_(parameter, std=0.3)
    return model.eval()


def by_hand(attention: Any, x: torch.Tensor) -> np.ndarray:
    """(batch, heads, n, n) in float64, head by head, of inputs x (batch, n, width)."""
    q_weight, k_weight, _ = attention.in_proj_weight.double().chunk(3)
    q_bias, k_bias, _ = attention.in_proj_bias.double().chunk(3)
    q, k = x.double() @ q_weight.T + q_bias, x.double() @ k_weight.T + k_bias
    width = WIDTH // HEADS
    maps = []
    for head in range(HEADS):
        part = slice(head * width, (head + 1) * width)
        maps.append(torch.softmax(q[..., part] @ k[..., part].transpose(1, 2) / width**0.5, dim=-1))
    return torch.stack(maps, dim=1).detach().numpy()


def watched(model: Any, *args: Any, **kwargs: Any) -> tuple[list[Any], Any]:
    found: list[Any] = []
    with torch.no_grad(), watch_multihead_attention(model, found.append):
        output = model(*args, **kwargs)
    return found, output


def test_pain_point_12_weights_come_by_head() -> None:
    """Item 12: average_attn_weights is True by default, (2,5,5); by head it is (2,4,5,5), as a softmax by hand says."""
    attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    x = torch.randn(2, TOKENS, WIDTH)
    with torch.no_grad():
        _, mean = attention(x, x, x)
    assert mean.shape == (2, TOKENS, TOKENS)
    found, (_, returned) = watched(attention, x, x, x)
    assert found[0].shape == (2, HEADS, TOKENS, TOKENS)
    np.testing.assert_allclose(found[0], by_hand(attention, x), rtol=0, atol=1e-6)
    # The caller still gets what it asked for.
    torch.testing.assert_close(returned, mean)


@pytest.mark.parametrize("positional", [False, True])
def test_the_caller_gets_what_it_asked_for(positional: bool) -> None:
    attention = torch.nn.MultiheadAttention(WIDTH, HEADS).eval()
    x = torch.randn(TOKENS, 2, WIDTH)
    call = (x, x, x, None, False) if positional else (x, x, x)
    wishes = {} if positional else {"need_weights": False}
    found, (output, weights) = watched(attention, *call, **wishes)
    assert weights is None
    assert found[0].shape == (2, HEADS, TOKENS, TOKENS)
    with torch.no_grad():
        torch.testing.assert_close(output, attention(x, x, x)[0])
    _, (_, by_head) = watched(attention, x, x, x, average_attn_weights=False)
    assert by_head.shape == (2, HEADS, TOKENS, TOKENS)
    unbatched, _ = watched(attention, x[:, 0], x[:, 0], x[:, 0])
    torch.testing.assert_close(unbatched[0], found[0][:1])


def test_pain_point_11_the_fast_path_of_the_encoder_hides_nothing() -> None:
    """Item 11: in eval mode TransformerEncoderLayer takes a fast path that does not call its attention module."""
    model = encoder()
    x = torch.randn(2, TOKENS, WIDTH)
    inputs: list[torch.Tensor] = []
    handles = [layer.register_forward_pre_hook(lambda _, given: inputs.append(given[0])) for layer in model.layers]
    found, output = watched(model, x)
    for handle in handles:
        handle.remove()
    assert len(found) == 3
    for layer, weights, given in zip(model.layers, found, inputs, strict=True):
        np.testing.assert_allclose(weights, by_hand(layer.self_attn, given), rtol=0, atol=1e-6)
    with torch.no_grad():
        torch.testing.assert_close(output, model(x))


def test_pain_point_11_the_switch_of_the_fast_path_is_restored() -> None:
    """Item 11: the switch is global; it is as before afterwards, also after an exception, whatever it was."""
    model, x = encoder(), torch.randn(2, TOKENS, WIDTH)
    with torch.no_grad():
        before = model(x)
    assert torch.backends.mha.get_fastpath_enabled()
    watched(model, x)
    assert torch.backends.mha.get_fastpath_enabled()
    with torch.no_grad():
        torch.testing.assert_close(model(x), before, rtol=0, atol=0)
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        watched(model, x)
        assert not torch.backends.mha.get_fastpath_enabled()
    finally:
        torch.backends.mha.set_fastpath_enabled(True)

    def broken(_: Any) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"), watch_multihead_attention(model, broken):
        model(x)
    assert torch.backends.mha.get_fastpath_enabled()
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in model.modules())


def test_only_our_own_hooks_are_removed() -> None:
    model, x = encoder(1), torch.randn(2, TOKENS, WIDTH)
    calls: list[int] = []
    model.layers[0].self_attn.register_forward_hook(lambda *_: calls.append(1))
    watched(model, x)
    with torch.no_grad():
        model(x)
    assert len(calls) == 2
    assert len(model.layers[0].self_attn._forward_hooks) == 1
    assert not model.layers[0].self_attn._forward_pre_hooks


def test_pain_point_16_training_mode_is_refused() -> None:
    """Item 16: MultiheadAttention applies dropout to the very weights that it returns."""
    model = encoder()
    model.layers[1].train()
    with pytest.raises(InputError, match=r"its part layers\.1 is in training mode"):
        watched(model, torch.randn(1, TOKENS, WIDTH))


def test_what_is_no_square_self_attention_is_no_map() -> None:
    x, other = torch.randn(2, TOKENS, WIDTH), torch.randn(2, 7, WIDTH)
    attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    assert watched(attention, x, other, other)[0] == [
        NoMap("cross attention: 5 queries attend to 7 keys of another sequence")
    ]
    assert isinstance(watched(attention, x, x + 1, x)[0][0], NoMap)
    assert watched(attention, x, x.clone(), x)[0][0].shape == (2, HEADS, TOKENS, TOKENS)
    zero = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, add_zero_attn=True).eval()
    assert watched(zero, x, x, x)[0] == [NoMap("not square: the attention adds columns of its own, 5×6")]
    with pytest.raises(InputError, match=r"Linear holds no torch\.nn\.MultiheadAttention"):
        watched(torch.nn.Linear(2, 2).eval(), torch.ones(2))


def test_the_adapter_streams_an_encoder_with_padding() -> None:
    model = encoder()
    embedding = torch.nn.Embedding(26, WIDTH)

    def prepare(item: Any) -> ModelInput:
        return tokens(item, item.text.split(), ids=[ord(word) - 97 for word in item.text.split()])

    def forward(batch: Sequence[ModelInput]) -> Any:
        longest = max(prepared.n for prepared in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        padding = np.ones((len(batch), longest), bool)
        for row, prepared in enumerate(batch):
            ids[row, : prepared.n] = prepared.features["ids"]
            padding[row, : prepared.n] = False
        return model(embedding(torch.from_numpy(ids)), src_key_padding_mask=torch.from_numpy(padding))

    adapter = MultiheadAttentionAdapter(model, prepare=prepare, forward=forward)
    items = [Text("a", "x y z"), Text("b", "u v"), Text("c", "k l m")]
    together: dict[tuple[int, int], LayerAttention] = {}
    assert observe(adapter, items, lambda a: together.__setitem__((a.index, a.layer), a), pad=True) == 3
    alone: dict[tuple[int, int], LayerAttention] = {}
    observe(adapter, items, lambda a: alone.__setitem__((a.index, a.layer), a), batch_size=1)
    assert len(together) == len(alone) == 9
    for key, attention in alone.items():
        np.testing.assert_allclose(together[key].values, attention.values, rtol=0, atol=1e-5)
        np.testing.assert_allclose(attention.values.sum(axis=-1), 1, atol=1e-6)
