"""The copied network is the model: every family, in float64, to rounding; and nothing of the model is kept."""

import numpy as np
import pytest
import torch
from tests.collapse.conftest import Build, call, random_network, tokens

from dobrushin.collapse.extract import FAMILIES, network_of, recorded_states
from dobrushin.collapse.network import FULL, PURE, Switches
from dobrushin.collapse.trace import run
from dobrushin.errors import InputError


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_with_everything_on_it_is_the_model(tiny: Build, family: str) -> None:
    model = tiny(family)
    with recorded_states(model) as states:
        call(model, family)
    network = network_of(model)
    found = run(network, states[0], FULL)
    assert len(states) == len(network.layers) + 1 == 4
    for mine, theirs in zip(found.states, states, strict=True):
        # XLNet's sinusoids are computed in float32.
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=3e-6 if family == "xlnet" else 1e-11)


@pytest.mark.parametrize("family", ["bert", "dinov2"])
def test_a_changed_weight_is_noticed(tiny: Build, family: str) -> None:
    model = tiny(family)
    with recorded_states(model) as states:
        call(model, family)
    with torch.no_grad():
        next(p for name, p in model.named_parameters() if "value.weight" in name or "v_proj.weight" in name).add_(1e-3)
    changed = run(network_of(model), states[0], FULL)
    assert np.abs(changed.states[-1] - states[-1]).max() > 1e-6


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_coarser_models_are_copied_exactly(tiny: Build, dtype: torch.dtype) -> None:
    model = tiny("bert", dtype=dtype)
    network = network_of(model)
    weight = model.encoder.layer[0].attention.self.query.weight
    assert network.layers[0].attention.query.dtype == np.float64
    assert (weight[:4].detach().double().numpy() == network.layers[0].attention.query[0].T).all()
    with recorded_states(model) as states:
        call(model, "bert")
    rounding = {torch.float16: 1e-2, torch.bfloat16: 1e-1, torch.float32: 1e-5}[dtype]
    np.testing.assert_allclose(run(network, states[0], FULL).states[-1], states[-1], rtol=0, atol=10 * rounding)


def test_no_gradient_graph_or_hook_is_kept(tiny: Build) -> None:
    model = tiny("bert").train(False)
    assert all(parameter.requires_grad for parameter in model.parameters())
    with recorded_states(model) as states:
        call(model, "bert")
    network = network_of(model)
    found = run(network, states[0], FULL)
    kept = [*states, *found.states, network.layers[0].attention.query, network.layers[0].mlp.inward]
    assert all(type(value) is np.ndarray for value in kept)  # no tensor, so no graph
    assert all(parameter.grad is None for parameter in model.parameters())
    for module in model.modules():
        assert not module._forward_hooks
        assert not module._forward_pre_hooks
    with torch.no_grad():  # an own copy of the weights
        before = network.layers[0].attention.query.copy()
        for parameter in model.parameters():
            parameter.zero_()
    assert (network.layers[0].attention.query == before).all()


def test_hooks_go_when_the_model_raises(tiny: Build) -> None:
    model = tiny("bert")
    with pytest.raises(IndexError), recorded_states(model):
        model(input_ids=torch.tensor([[10_000]]))
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_shared_layers_are_copied_once(tiny: Build) -> None:
    network = network_of(tiny("albert"))
    assert network.layers[0] is network.layers[1]


def test_pure_attention_is_the_formula() -> None:
    """X ← Σ_h softmax((XW_Q + b_Q)(XW_K + b_K)ᵀ/√k) X W_h + 1bᵀ, written out."""
    network, X = random_network(0), tokens(0)
    states = run(network, X, PURE).states
    for layer, before, after in zip(network.layers, states, states[1:], strict=False):
        a = layer.attention
        total = np.tile(a.output_bias, (4, 1))
        for h in range(2):
            logits = (before @ a.query[h] + a.query_bias[h]) @ (before @ a.key[h] + a.key_bias[h]).T / np.sqrt(3)
            P = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
            total += P @ (before @ a.value[h] + a.value_bias[h]) @ a.output[h]
        np.testing.assert_allclose(after, total, atol=1e-12)


def test_one_token_passes_through() -> None:
    for switches in (PURE, FULL, Switches(skip=True, mlp=False, mlp_skip=False)):
        assert np.isfinite(run(random_network(1), tokens(1, n=1), switches).states[-1]).all()


def test_what_does_not_fit_is_refused(tiny: Build) -> None:
    network = random_network(0)
    with pytest.raises(InputError, match="width 4"):
        run(network, np.ones((3, 4)), PURE)
    with pytest.raises(InputError, match="scales of another run"):
        run(network, tokens(0), Switches(skip=True, mlp=False, mlp_skip=False, norm="fixed"))
    with pytest.raises(InputError, match="on, off, fixed"):
        Switches(skip=True, mlp=True, mlp_skip=True, norm="half")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="albert, bert"):
        network_of(torch.nn.Linear(2, 2))


def test_held_scales_are_those_of_the_full_run() -> None:
    network, X = random_network(2), tokens(2)
    full = run(network, X, FULL)
    held = run(network, X, Switches(skip=True, mlp=True, mlp_skip=True, norm="fixed"), scales=full.scales)
    np.testing.assert_allclose(held.states[-1], full.states[-1], atol=1e-12)
