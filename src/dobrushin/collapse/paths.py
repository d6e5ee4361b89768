"""The path decomposition: a network's output as the exact sum over paths, plus what comes from biases.

A path takes, in every layer, one head or the skip; its length is its number of heads.  With attention matrices (and
LayerNorm scales and MLP gates, where they are on) held fixed at what the network itself computes, each layer is
affine, so the output is the sum of all paths applied to the input, and the biases' part.  Without skips there are H^L
paths, all of length L; with skips (H+1)^L, of which C(L, k) H^k have length k.  For pure attention a path is
P^L_{h_L} ⋯ P^1_{h_1} X W^1_{h_1} ⋯ W^L_{h_L}, and the biases' part is 1bᵀ.

MLPs act on each token by itself and mix no tokens: they belong to every path and are no steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from dobrushin.collapse.norms import Floats
from dobrushin.collapse.trace import Trace
from dobrushin.errors import InputError

SKIP = -1
"""Stands for the skip in a path."""

Path = tuple[int, ...]
"""One number for each layer, first layer first: a head, or :data:`SKIP`."""


@dataclass(frozen=True, eq=False)
class ByLength:
    """The output taken apart by path length.

    Attributes:
        lengths: (L + 1, n, d): the sum of all paths of length k applied to the input.
        biases: (n, d): what comes from biases (and LayerNorm shifts).
    """

    lengths: Floats
    biases: Floats

    @property
    def total(self) -> Floats:
        """The sum of everything, which is the network's output up to rounding; (n, d)."""
        return np.asarray(self.lengths.sum(axis=0) + self.biases)


def heads_of(trace: Trace) -> list[int]:
    """Heads in each layer."""
    return [len(layer.P) for layer in trace.layers]


def number_of_paths(trace: Trace, length: int | None = None) -> int:
    """How many paths there are, of a given length or altogether.

    >>> from math import comb
    >>> sum(comb(6, k) * 12**k for k in range(7)) == 13**6
    True
    """
    counts = [1] + [0] * len(trace.layers)
    skip = int(trace.switches.skip)
    for heads in heads_of(trace):
        counts = [skip * same + heads * shorter for same, shorter in zip(counts, [0, *counts], strict=False)]
    return sum(counts) if length is None else counts[length]


def by_length(trace: Trace) -> ByLength:
    """The exact sum of the paths of each length, by dynamic programming over layers in O(L²) applications."""
    depth, skip = len(trace.layers), trace.switches.skip
    parts = np.zeros((depth + 1, *trace.states[0].shape))
    parts[0] = trace.states[0]
    biases = np.zeros_like(trace.states[0])
    for number, layer in enumerate(trace.layers):
        # Only these lengths occur so far: all up to the number of layers with skips, and just that number without.
        present = slice(0 if skip else number, number + 1)
        attended = layer.attended(np.concatenate([parts[present], biases[None]]))
        biases = layer.skipped(biases) + attended[-1] + layer.attention_constant()
        parts[present] = layer.skipped(parts[present])
        parts[present.start + 1 : number + 2] += attended[:-1]
        present = slice(present.start + (not skip), number + 2)
        biases = layer.mixed(biases) + layer.mlp_constant()
        parts[present] = layer.mixed(parts[present])
    return ByLength(parts, biases)


def follow(trace: Trace, path: Path) -> Floats:
    """What one path makes of the input, (n, d).

    Raises:
        InputError: a path of another length, a head that is not there, or a skip in a network without skips.
    """
    _check(trace, path)
    X = trace.states[0]
    for layer, step in zip(trace.layers, path, strict=True):
        X = layer.mixed(layer.skipped(X) if step == SKIP else layer.head(step, X))
    return X


def all_paths(trace: Trace) -> Iterator[Path]:
    """Every path, for networks small enough."""
    first = SKIP if trace.switches.skip else 0
    return product(*(range(first, heads) for heads in heads_of(trace)))


def path_matrices(trace: Trace, path: Path) -> tuple[Floats, Floats]:
    """P_path = P^L ⋯ P^1 (n, n) and W_path = W^1 ⋯ W^L (d, d) of a path, skips standing for identities.

    Raises:
        InputError: the network has LayerNorm or MLPs, whose paths are no such product; or a wrong path.
    """
    _check(trace, path)
    if trace.switches.mlp or trace.switches.norm != "off":
        raise InputError("only paths of attention alone are products of matrices: switch MLPs and LayerNorm off")
    P, W = np.eye(len(trace.states[0])), np.eye(trace.network.width)
    for layer, step in zip(trace.layers, path, strict=True):
        if step != SKIP:
            P, W = layer.P[step] @ P, W @ layer.layer.attention.value_output(step)
    return P, W


@dataclass(frozen=True, eq=False)
class Estimate:
    """A Monte-Carlo estimate of the sum of the paths of one length.

    Attributes:
        value: unbiased, (n, d).
        standard_error: of each entry, (n, d); the standard deviation of the paths' terms over √samples, times the
            number of paths.
        samples: how many paths were drawn, with replacement.
    """

    value: Floats
    standard_error: Floats
    samples: int


def sample(trace: Trace, *, length: int, samples: int, seed: int) -> Estimate:
    """Estimate the sum of all paths of a length from paths drawn uniformly, with replacement.

    Raises:
        InputError: fewer than two samples, or no paths of that length.
    """
    if samples < 2:
        raise InputError(f"{samples} samples give no standard error: draw at least 2")
    available = number_of_paths(trace, length) if 0 <= length <= len(trace.layers) else 0
    if not available:
        raise InputError(f"there are no paths of length {length} in this network of {len(trace.layers)} layers")
    generator = np.random.default_rng(seed)
    mean, squares = np.zeros_like(trace.states[0]), np.zeros_like(trace.states[0])
    for count in range(1, samples + 1):  # Welford's recurrence
        term = follow(trace, _drawn(trace, length, generator))
        difference = term - mean
        mean += difference / count
        squares += difference * (term - mean)
    deviation = np.sqrt(squares / (samples - 1))
    return Estimate(available * mean, available * deviation / np.sqrt(samples), samples)


def without(parts: ByLength, deleted: Sequence[int]) -> Floats:
    """The output with the paths of some lengths deleted, (n, d); biases stay."""
    kept = [length for length in range(len(parts.lengths)) if length not in set(deleted)]
    return np.asarray(parts.lengths[kept].sum(axis=0) + parts.biases)


def length_shares(layers: int, heads: int) -> list[float]:
    """Share of the paths of length 0 to L among all with skips, C(L, k) H^k / (H+1)^L.

    >>> length_shares(2, 1)
    [0.25, 0.5, 0.25]
    """
    return [comb(layers, k) * heads**k / (heads + 1) ** layers for k in range(layers + 1)]


def _drawn(trace: Trace, length: int, generator: np.random.Generator) -> Path:
    """One path of a length, all equally likely when layers have equally many heads."""
    heads = heads_of(trace)
    if len(set(heads)) > 1:
        raise InputError("layers with different numbers of heads are not sampled")
    where = set(generator.choice(len(heads), size=length, replace=False).tolist())
    return tuple(int(generator.integers(count)) if number in where else SKIP for number, count in enumerate(heads))


def _check(trace: Trace, path: Path) -> None:
    heads = heads_of(trace)
    if len(path) != len(heads):
        raise InputError(f"the path {path} has {len(path)} steps, but the network {len(heads)} layers")
    for layer, (step, count) in enumerate(zip(path, heads, strict=True)):
        if step == SKIP and not trace.switches.skip:
            raise InputError(f"the path {path} skips layer {layer}, but this network has no skips")
        if not SKIP <= step < count:
            raise InputError(f"the path {path} takes head {step} of layer {layer}, which has heads 0 to {count - 1}")
