"""A self-attention network whose output is exactly a sum over paths: no biases, no LayerNorm, ReLU MLPs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from math import sqrt
from typing import cast

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Layer:
    """What one layer did to a batch, held fixed.

    Attributes:
        attention: (batch, heads, n, n), the matrices P_h.
        values: (heads, d, d), the matrices W_h of value and output projection: the layer adds Σ_h P_h X W_h.
        gates: (batch, n, hidden), 1 where the MLP's ReLU let through; None without an MLP.
        inward, outward: (d, hidden) and (hidden, d), the MLP's matrices; None without an MLP.
    """

    attention: Tensor
    values: Tensor
    gates: Tensor | None
    inward: Tensor | None
    outward: Tensor | None

    def mlp(self, X: Tensor) -> Tensor:
        """The MLP with its gates held fixed: linear in X (…, batch, n, d)."""
        assert self.inward is not None
        assert self.outward is not None
        assert self.gates is not None
        return ((X @ self.inward) * self.gates) @ self.outward


class _Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value, self.output = (
            nn.Parameter(torch.randn(width, width) / sqrt(width)) for _ in range(4)
        )

    def matrices(self, X: Tensor) -> Tensor:
        """The attention matrices (batch, heads, n, n)."""
        query, key = (self._split(X @ weight) for weight in (self.query, self.key))
        return torch.softmax(query @ key.transpose(-1, -2) / sqrt(self.size), dim=-1)

    def forward(self, X: Tensor) -> Tensor:
        mixed: Tensor = self.matrices(X) @ self._split(X @ self.value)
        return mixed.transpose(1, 2).flatten(2) @ self.output

    def value_matrices(self) -> Tensor:
        """W_h, (heads, d, d)."""
        return torch.stack(
            [
                self.value[:, h * self.size : (h + 1) * self.size] @ self.output[h * self.size : (h + 1) * self.size]
                for h in range(self.heads)
            ]
        )

    def _split(self, X: Tensor) -> Tensor:
        return X.reshape(*X.shape[:2], self.heads, self.size).transpose(1, 2)


class _Mlp(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.inward = nn.Parameter(torch.randn(width, width) * sqrt(2 / width))
        self.outward = nn.Parameter(torch.randn(width, width) / sqrt(width))

    def forward(self, X: Tensor) -> Tensor:
        return torch.relu(X @ self.inward) @ self.outward


class ToyNetwork(nn.Module):
    """Embedding, ``depth`` layers, and a linear head on every token.

    A layer is X ← sX + Σ_h P_h X W_h and then, with an MLP, X ← sX + MLP(X), where s is 1 with skips and 0 without.

    Args:
        width: d, a multiple of ``heads``; the MLP's hidden width is d too.
        depth, heads: layers, and heads in each.
        skip, mlp: whether the layers have skip connections and MLPs.
        outputs: numbers that the head gives for each token.
        vocabulary: token numbers; or ``features``, the length of a token's feature vector.
        positions: for how many positions an embedding is learnt; 0 for none.
    """

    def __init__(
        self,
        *,
        width: int,
        depth: int,
        heads: int,
        skip: bool,
        mlp: bool,
        outputs: int,
        vocabulary: int | None = None,
        features: int = 2,
        positions: int = 0,
    ) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"the width {width} is no multiple of the {heads} heads")
        self.skip = float(skip)
        self.embedding: nn.Module = (
            nn.Linear(features, width) if vocabulary is None else nn.Embedding(vocabulary, width)
        )
        self.positions = nn.Parameter(torch.randn(positions, width)) if positions else None
        self.attention = nn.ModuleList(_Attention(width, heads) for _ in range(depth))
        self.mlps = nn.ModuleList(_Mlp(width) for _ in range(depth if mlp else 0))
        self.head = nn.Linear(width, outputs)
        if skip:  # the sum of all layers starts at the size of the embedding
            with torch.no_grad():
                for attention, block in self._layers():
                    attention.output.mul_(1 / sqrt(depth))
                    if block is not None:
                        block.outward.mul_(1 / sqrt(depth))

    def embed(self, inputs: Tensor) -> Tensor:
        """X of layer 0, (batch, n, d)."""
        X = cast(Tensor, self.embedding(inputs))
        return X if self.positions is None else X + self.positions[: inputs.shape[1]]

    def forward(self, inputs: Tensor) -> Tensor:
        """The outputs of the head, (batch, n, outputs)."""
        X = self.embed(inputs)
        for attention, mlp in self._layers():
            X = self.skip * X + attention(X)
            X = X if mlp is None else self.skip * X + mlp(X)
        return cast(Tensor, self.head(X))

    @torch.no_grad()
    def layers(self, inputs: Tensor) -> tuple[Tensor, list[Layer]]:
        """X of layer 0 and what every layer did to this batch, without gradients."""
        start = X = self.embed(inputs)
        found = []
        for attention, mlp in self._layers():
            matrices, values = attention.matrices(X), attention.value_matrices()
            X = self.skip * X + attention(X)
            gates = inward = outward = None
            if mlp is not None:
                inward, outward = mlp.inward, mlp.outward
                gates = ((X @ inward) > 0).to(X.dtype)
                X = self.skip * X + mlp(X)
            found.append(Layer(matrices, values, gates, inward, outward))
        return start, found

    def _layers(self) -> Iterator[tuple[_Attention, _Mlp | None]]:
        return cast(Iterator[tuple[_Attention, _Mlp | None]], zip_longest(self.attention, self.mlps))


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Torch's default generator seeded inside the block, and as it was outside."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
