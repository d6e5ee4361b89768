"""Run a network, and keep what makes it linear: attention matrices, LayerNorm scales and MLP gates.

With these held fixed, each layer is an affine map of its tokens: X ↦ skip part + attention part + constant, followed
by the MLP.  The path decomposition (:mod:`dobrushin.collapse.paths`) takes that map apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dobrushin.collapse.network import Layer, LayerNorm, Network, Switches
from dobrushin.collapse.norms import Floats, as_tokens
from dobrushin.errors import InputError

Scales = tuple[Floats | None, Floats | None]
"""1/σ of each token, (n, 1), in the LayerNorms of attention and MLP."""


@dataclass(frozen=True, eq=False)
class FrozenLayer:
    """One layer on one input, as an affine map.

    Attributes:
        layer: the weights.
        pre_norm, switches: as of the network and the run.
        P: the attention matrices, (heads, n, n).
        scales: of the LayerNorms; None where there is none.
        gates: of the MLP, (n, m); None without one.
    """

    layer: Layer
    pre_norm: bool
    switches: Switches
    P: Floats
    scales: Scales
    gates: Floats | None

    def skipped(self, X: Floats) -> Floats:
        """What the layer's skip makes of X (…, n, d), before the MLP; 0 without one."""
        if not self.switches.skip:
            return np.zeros_like(X)
        return X if self.pre_norm else _linear(self.layer.attention_norm, self.scales[0], X)

    def attended(self, X: Floats, *, P: Floats | None = None) -> Floats:
        """What the layer's heads make of X (…, n, d), before the MLP, without biases."""
        norm, scale, attention = self.layer.attention_norm, self.scales[0], self.layer.attention
        weights = self.P if P is None else P
        if self.pre_norm:
            return attention.apply(weights, _linear(norm, scale, X))
        return _linear(norm, scale, attention.apply(weights, X))

    def head(self, number: int, X: Floats) -> Floats:
        """What one head makes of X (…, n, d)."""
        attention, norm, scale = self.layer.attention, self.layer.attention_norm, self.scales[0]
        inner = _linear(norm, scale, X) if self.pre_norm else X
        found = (self.P[number] @ (inner @ attention.value[number])) @ attention.output[number]
        return found if self.pre_norm else _linear(norm, scale, found)

    def mixed(self, X: Floats) -> Floats:
        """What the MLP and its skip make of X (…, n, d), without biases; X itself without an MLP."""
        if self.gates is None:
            return X
        mlp, norm, scale = self.layer.mlp, self.layer.mlp_norm, self.scales[1]
        kept = X if self.switches.mlp_skip else np.zeros_like(X)
        if self.pre_norm:
            return kept + mlp.linear(_linear(norm, scale, X), self.gates)
        return _linear(norm, scale, kept + mlp.linear(X, self.gates))

    def attention_constant(self) -> Floats:
        """The constant of the attention part, (n, d): its biases and the LayerNorm's."""
        attention, norm, scale = self.layer.attention, self.layer.attention_norm, self.scales[0]
        n = self.P.shape[-1]
        if self.pre_norm:
            shift = np.broadcast_to(_bias(norm, scale), (n, len(attention.bias)))
            return np.asarray(attention.apply(self.P, shift) + attention.bias)
        return _linear(norm, scale, np.broadcast_to(attention.bias, (n, len(attention.bias)))) + _bias(norm, scale)

    def mlp_constant(self) -> Floats:
        """The constant of the MLP, (n, d)."""
        mlp, norm, scale = self.layer.mlp, self.layer.mlp_norm, self.scales[1]
        if self.gates is None:
            return np.zeros((self.P.shape[-1], len(self.layer.attention.output_bias)))
        if self.pre_norm:
            shift = np.broadcast_to(_bias(norm, scale), (len(self.gates), len(norm.bias)))
            return mlp.linear(shift, self.gates) + mlp.constant(self.gates)
        return _linear(norm, scale, mlp.constant(self.gates)) + _bias(norm, scale)


@dataclass(frozen=True, eq=False)
class Trace:
    """A run: the states X_0, …, X_L, each (n, d), and the frozen layers between them."""

    network: Network
    switches: Switches
    states: tuple[Floats, ...]
    layers: tuple[FrozenLayer, ...]

    @property
    def scales(self) -> list[Scales]:
        """The LayerNorm scales layer by layer, for a run with ``norm="fixed"``."""
        return [layer.scales for layer in self.layers]


def run(network: Network, X: Any, switches: Switches, *, scales: Sequence[Scales] | None = None) -> Trace:
    """Run the network on n tokens.

    Args:
        network: the weights.
        X: the tokens after the embedding, (n, d); any floating dtype, numpy or torch.
        switches: which parts are there.
        scales: for ``norm="fixed"``: :attr:`Trace.scales` of the run whose scales are held fixed.

    Raises:
        InputError: tokens of another width, or scales given without need or not given when needed.
    """
    state = as_tokens(X)
    if state.shape[1] != network.width:
        raise InputError(f"the tokens have width {state.shape[1]}, but {network.name} has width {network.width}")
    if (switches.norm == "fixed") != (scales is not None):
        raise InputError('norm="fixed" needs the scales of another run, and only it takes them')
    states, layers = [state], []
    for number, layer in enumerate(network.layers):
        given = scales[number] if scales is not None else (None, None)
        state, frozen = _step(network, layer, state, switches, given)
        states.append(state)
        layers.append(frozen)
    return Trace(network, switches, tuple(states), tuple(layers))


def _step(network: Network, layer: Layer, X: Floats, switches: Switches, given: Scales) -> tuple[Floats, FrozenLayer]:
    """One layer, and what it did."""
    X, P, first = _attention(network, layer, X, switches, given[0])
    if not switches.mlp:
        return X, FrozenLayer(layer, network.pre_norm, switches, P, (first, None), None)
    X, gates, second = _mlp(network, layer, X, switches, given[1])
    return X, FrozenLayer(layer, network.pre_norm, switches, P, (first, second), gates)


def _attention(
    network: Network, layer: Layer, X: Floats, switches: Switches, given: Floats | None
) -> tuple[Floats, Floats, Floats | None]:
    attention, kept = layer.attention, X if switches.skip else 0
    if network.pre_norm:
        inner, scale = _normed(layer.attention_norm, switches, X, given)
        P = attention.matrices(inner)
        return kept + attention.apply(P, inner) + attention.bias, P, scale
    P = attention.matrices(X)
    outer, scale = _normed(layer.attention_norm, switches, kept + attention.apply(P, X) + attention.bias, given)
    return outer, P, scale


def _mlp(
    network: Network, layer: Layer, X: Floats, switches: Switches, given: Floats | None
) -> tuple[Floats, Floats, Floats | None]:
    kept = X if switches.mlp_skip else 0
    if network.pre_norm:
        inner, scale = _normed(layer.mlp_norm, switches, X, given)
        found, gates = layer.mlp.forward(inner)
        return kept + found, gates, scale
    found, gates = layer.mlp.forward(X)
    outer, scale = _normed(layer.mlp_norm, switches, kept + found, given)
    return outer, gates, scale


def _normed(norm: LayerNorm, switches: Switches, X: Floats, given: Floats | None) -> tuple[Floats, Floats | None]:
    if switches.norm == "off":
        return X, None
    scale = norm.scale(X) if switches.norm == "on" else given
    return _linear(norm, scale, X) + norm.bias, scale


def _linear(norm: LayerNorm, scale: Floats | None, X: Floats) -> Floats:
    return X if scale is None else norm.linear(X, scale)


def _bias(norm: LayerNorm, scale: Floats | None) -> Floats:
    return np.zeros_like(norm.bias) if scale is None else norm.bias
