"""A transformer encoder as plain float64 matrices, with switches for skips, MLPs and LayerNorm.

Everything is a matrix of numbers that was copied out of a model (:mod:`dobrushin.collapse.extract`): nothing here
knows torch, so that no gradient can be kept.  With every switch on, the network is the model up to rounding; with all
off it is the pure attention of the rank-collapse paper, X ← Σ_h P_h X W_h + 1bᵀ.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from dobrushin.collapse.activations import Activation, gate
from dobrushin.collapse.norms import Floats
from dobrushin.errors import InputError

NormRule = Literal["on", "off", "fixed"]
"""LayerNorm as it is; left out; or with the scale 1/σ of each token held fixed at given numbers."""


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """(x − mean)/√(var + epsilon)·weight + bias over the d coordinates of a token; weight and bias (d,)."""

    weight: Floats
    bias: Floats
    epsilon: float

    def scale(self, X: Floats) -> Floats:
        """1/√(var + epsilon) of each token, shape (n, 1)."""
        return np.asarray(1 / np.sqrt(X.var(axis=-1, keepdims=True) + self.epsilon))

    def linear(self, X: Floats, scale: Floats) -> Floats:
        """The part that is linear in X (…, n, d) once the scale is held fixed."""
        return np.asarray((X - X.mean(axis=-1, keepdims=True)) * scale * self.weight)


@dataclass(frozen=True, eq=False)
class Relative:
    """Relative positions as in Transformer-XL and XLNet: logits also have (q_i + bias)·R_{i−j}.

    XLNet's third term, on segments, is the same for all j when there is one segment, so that softmax does not see it.

    Attributes:
        bias: (heads, k), added to queries (before scaling) for these logits.
        keys: (2·reach + 1, heads, k), the keys R of i − j = reach, …, −reach.
    """

    bias: Floats
    keys: Floats

    def logits(self, query: Floats) -> Floats:
        """(heads, n, n) of queries (heads, n, k)."""
        n, reach = query.shape[1], (len(self.keys) - 1) // 2
        if n > reach:
            raise InputError(f"{n} tokens, but the relative positions reach {reach}")
        distance = np.arange(n)[:, None] - np.arange(n)[None, :]
        by_distance = np.einsum("hik,rhk->hir", query + self.bias[:, None, :], self.keys)
        return np.asarray(np.take_along_axis(by_distance, (reach - distance)[None].repeat(len(query), 0), axis=2))


@dataclass(frozen=True, eq=False)
class Attention:
    """Multi-head self-attention; queries, keys and values are X @ weight + bias, per head.

    Attributes:
        query, key, value: (heads, d, k); query_bias, key_bias, value_bias: (heads, k).
        output: (heads, k, d), with a LayerScale folded in; output_bias: (d,).
        scale: what logits are multiplied by, 1/√k.
        relative: relative positions, if the model has them.
    """

    query: Floats
    query_bias: Floats
    key: Floats
    key_bias: Floats
    value: Floats
    value_bias: Floats
    output: Floats
    output_bias: Floats
    scale: float
    relative: Relative | None = None

    @property
    def heads(self) -> int:
        """The number H of heads."""
        return len(self.query)

    def logits(self, X: Floats) -> Floats:
        """(heads, n, n)."""
        query = X @ self.query + self.query_bias[:, None, :]
        key = X @ self.key + self.key_bias[:, None, :]
        found = query @ key.transpose(0, 2, 1)
        if self.relative is not None:
            found = found + self.relative.logits(query)
        return np.asarray(self.scale * found)

    def matrices(self, X: Floats) -> Floats:
        """P_h, (heads, n, n), rows that sum to 1 up to rounding."""
        return softmax(self.logits(X))

    def apply(self, P: Floats, X: Floats) -> Floats:
        """Σ_h P_h X W_h for X (…, n, d), without biases."""
        heads = P @ (X[..., None, :, :] @ self.value)
        return np.asarray((heads @ self.output).sum(axis=-3))

    @cached_property
    def bias(self) -> Floats:
        """The bias b of the paper, Σ_h b_V W_O + b_O: rows of P_h sum to 1, so it is the same for all tokens."""
        return np.asarray(np.einsum("hk,hkd->d", self.value_bias, self.output) + self.output_bias)

    def value_output(self, head: int) -> Floats:
        """W_h = W_V W_O of one head, (d, d)."""
        return np.asarray(self.value[head] @ self.output[head])

    def query_key(self, head: int) -> Floats:
        """W_QK = W_Q W_Kᵀ of one head, (d, d), not scaled."""
        return np.asarray(self.query[head] @ self.key[head].T)


@dataclass(frozen=True, eq=False)
class Mlp:
    """a(X inward + inward_bias) outward + outward_bias with matrices (d, m) and (m, d); a LayerScale is folded in."""

    inward: Floats
    inward_bias: Floats
    outward: Floats
    outward_bias: Floats
    activation: Activation

    def forward(self, X: Floats) -> tuple[Floats, Floats]:
        """The MLP's output (n, d), and its gates a(z)/z (n, m): with them held fixed it is linear for each token."""
        inner = X @ self.inward + self.inward_bias
        gates = gate(self.activation, inner)
        return (inner * gates) @ self.outward + self.outward_bias, gates

    def linear(self, X: Floats, gates: Floats) -> Floats:
        """The part that is linear in X (…, n, d)."""
        return np.asarray(((X @ self.inward) * gates) @ self.outward)

    def constant(self, gates: Floats) -> Floats:
        """The rest, (n, d)."""
        return np.asarray((self.inward_bias * gates) @ self.outward + self.outward_bias)


@dataclass(frozen=True, eq=False)
class Layer:
    """One encoder layer; the norms stand before (``pre``) or after (post) the sums, as the network says."""

    attention: Attention
    attention_norm: LayerNorm
    mlp: Mlp
    mlp_norm: LayerNorm


@dataclass(frozen=True, eq=False)
class Network:
    """L layers of width d.

    Attributes:
        name: what results call it.
        layers: first layer first; layers that share weights are the same object.
        pre_norm: True for X + f(norm(X)), False for norm(X + f(X)).
    """

    name: str
    layers: tuple[Layer, ...]
    pre_norm: bool

    @property
    def width(self) -> int:
        """The width d of the tokens."""
        return len(self.layers[0].attention.output_bias)


@dataclass(frozen=True)
class Switches:
    """Which parts of the network are there.

    Attributes:
        skip: the skip connection around attention.
        mlp: the MLP of each layer, with its LayerNorm if ``norm`` is not ``off``.
        mlp_skip: the skip connection around the MLP.
        norm: ``on``: LayerNorm; ``off``: none; ``fixed``: the scale of each token is what it is in the full model,
            whatever the tokens now are (centring, weight and bias stay).
    """

    skip: bool
    mlp: bool
    mlp_skip: bool
    norm: NormRule = "off"

    def __post_init__(self) -> None:
        if self.norm not in get_args(NormRule):
            raise InputError(f"norm is {self.norm}, but one of {', '.join(get_args(NormRule))} is needed")


PURE = Switches(skip=False, mlp=False, mlp_skip=False)
FULL = Switches(skip=True, mlp=True, mlp_skip=True, norm="on")


def softmax(logits: Floats) -> Floats:
    """Over the last axis."""
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
