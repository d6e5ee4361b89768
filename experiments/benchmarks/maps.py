"""The attention maps that are timed: synthetic families, and maps of the packaged models."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Map = npt.NDArray[np.float64]


def _softmax(logits: Map) -> Map:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    rows: Map = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32).astype(np.float64)
    return rows


def random_map(rng: np.random.Generator, n: int) -> Map:
    """Dirichlet rows: all distances are alike, nothing can be pruned."""
    rows: Map = rng.dirichlet(np.ones(n), size=n)
    return rows


def band(rng: np.random.Generator, n: int) -> Map:
    """Attention that falls off with distance, over a width that grows with n."""
    offset = np.abs(np.arange(n)[:, None] - np.arange(n))
    return _softmax(rng.normal(size=(n, n)) - offset / (n / 16))


def causal(rng: np.random.Generator, n: int) -> Map:
    """Softmax over the tokens before."""
    return _softmax(np.where(np.tri(n) > 0, rng.normal(size=(n, n)), -np.inf))


def identity(rng: np.random.Generator, n: int) -> Map:  # noqa: ARG001  # one signature for all families
    """Every pair ties at 1."""
    return np.eye(n)


def uniform(rng: np.random.Generator, n: int) -> Map:  # noqa: ARG001
    """Every pair ties at 0."""
    return np.full((n, n), np.float64(np.float32(1 / n)))


def hard(rng: np.random.Generator, n: int) -> Map:
    """Three tokens a row, a third each: nearly every pair ties."""
    rows = np.zeros((n, n))
    for row in rows:
        row[rng.choice(n, 3, replace=False)] = np.float32(1 / 3)
    return rows


def block_diagonal(rng: np.random.Generator, n: int) -> Map:
    """Softmax within 8 blocks: κ is 1 but for rounding, and nearly every pair is close to it."""
    block = np.arange(n) * 8 // n
    return _softmax(np.where(block[:, None] == block, rng.normal(size=(n, n)), -np.inf))


def sharp(rng: np.random.Generator, n: int) -> Map:
    """Softmax of logits of size 30: saturated."""
    return _softmax(30 * rng.normal(size=(n, n)))


GENERIC: dict[str, Callable[[np.random.Generator, int], Map]] = {"random": random_map, "band": band, "causal": causal}
TIES: dict[str, Callable[[np.random.Generator, int], Map]] = {
    "identity": identity,
    "uniform": uniform,
    "hard": hard,
    "block-diagonal": block_diagonal,
    "sharp": sharp,
}


def real_maps() -> dict[str, Map]:
    """Head means and single heads of the packaged models.

    DINOv2-S on a photograph of 257 tokens, and MiniLM on a sentence and on reviews joined to 512 tokens, as many as it
    has positions.
    """
    from dobrushin.capture import LayerAttention, Text, TextEncoder, observe
    from dobrushin.matrix import head_mean
    from dobrushin.packaged import model

    found: dict[str, Map] = {}
    for key in ("dinov2", "minilm"):
        packaged = model(key)
        adapter: Any = packaged.load()
        sentences = list(packaged.items(64))
        items = [sorted((adapter.prepare(item).n, k, item) for k, item in enumerate(sentences))[-1][2]]
        if key == "minilm":
            adapter = TextEncoder(adapter.model, adapter.tokenizer, name=adapter.name, max_tokens=512)
            items.append(Text("joined reviews", " ".join(item.text for item in sentences if isinstance(item, Text))))

        def keep(attention: LayerAttention, key: str = key) -> None:
            if attention.layer not in (0, 5, 11):
                return
            name = f"{key} layer {attention.layer}"
            found[f"{name}, n={attention.input.n}, mean of heads"] = head_mean(
                attention.values, precision=attention.dtype
            ).values
            for head in (0, 5):
                found[f"{name}, n={attention.input.n}, head {head}"] = attention.values[head].astype(np.float64)

        observe(adapter, items, keep, batch_size=1)
    return found
