"""The path decomposition of a toy network, with attention matrices and MLP gates held fixed.

A path takes in every layer either one head or the skip; its length is the number of heads.  After each choice the
layer's MLP (with fixed gates a linear map for each token) and its skip apply, so MLPs do not count as steps: they
never mix tokens, which is what rank collapse is about.
"""

from collections.abc import Sequence
from math import comb

import torch
from torch import Tensor

from dobrushin.collapse.toys.network import Layer, ToyNetwork


@torch.no_grad()
def by_length(network: ToyNetwork, inputs: Tensor) -> Tensor:
    """The sum of all paths of each length, (depth + 1, batch, n, d); their sum is the head's input.

    Dynamic programming over layers: paths of length k are those of length k that take the skip, and those of length
    k − 1 that take a head.  Without skips only length ``depth`` is not zero.
    """
    start, layers = network.layers(inputs)
    found = torch.zeros(len(layers) + 1, *start.shape, dtype=start.dtype)
    found[0] = start
    for layer in layers:
        step = torch.einsum("bhij,kbjd,hde->kbie", layer.attention, found[:-1], layer.values)
        found = network.skip * found
        found[1:] += step
        found = _mlp(network, layer, found)
    return found


@torch.no_grad()
def sampled(
    network: ToyNetwork,
    fixed: tuple[Tensor, Sequence[Layer]],
    *,
    length: int,
    paths: int,
    generator: torch.Generator,
) -> tuple[Tensor, int]:
    """The sum of ``paths`` distinct random paths of a length, (batch, n, d), and how many there were.

    All paths of that length when there are no more than asked for.

    Args:
        network: the network.
        fixed: what its ``layers`` method found for a batch.
        length: number of heads on each path, at most the depth.
        paths: how many paths to draw.
        generator: of the draws.
    """
    start, layers = fixed
    chosen = _choose(len(layers), layers[0].attention.shape[1], length, paths, generator)
    total = torch.zeros_like(start)
    for path in chosen:
        total += _follow(network, start, layers, path)
    return total, len(chosen)


def _choose(depth: int, heads: int, length: int, paths: int, generator: torch.Generator) -> list[tuple[int, ...]]:
    """Distinct paths as one number for each layer: a head, or −1 for the skip."""
    available = comb(depth, length) * heads**length
    found: dict[tuple[int, ...], None] = {}
    while len(found) < min(paths, available):
        path = torch.full((depth,), -1)
        where = torch.randperm(depth, generator=generator)[:length]
        path[where] = torch.randint(heads, (length,), generator=generator)
        found[tuple(path.tolist())] = None
    return list(found)


def _follow(network: ToyNetwork, X: Tensor, layers: Sequence[Layer], path: Sequence[int]) -> Tensor:
    for layer, head in zip(layers, path, strict=True):
        X = network.skip * X if head < 0 else layer.attention[:, head] @ X @ layer.values[head]
        X = _mlp(network, layer, X)
    return X


def _mlp(network: ToyNetwork, layer: Layer, X: Tensor) -> Tensor:
    return X if layer.gates is None else network.skip * X + layer.mlp(X)
