"""What the whole check of a model costs, next to the model: DINOv2-S, batch 8, all layers, content and all tokens."""

import os
import statistics
import time
from typing import Any

import torch

from dobrushin.capture import LayerAttention, observe
from dobrushin.condition import check_many
from dobrushin.matrix import AttentionMatrix, head_mean
from dobrushin.packaged import model
from dobrushin.threads import map_in_threads

BATCH = 8


def survey_overhead(*, threads: int, repeats: int) -> dict[str, float]:
    """Seconds of a forward pass, of handing the attention over, and of each part of the check; medians.

    ``forward`` is the model alone with the eager attention that has weights to look at; ``observed`` is the same pass
    with every map handed to an observer that drops it.
    """
    torch.set_num_threads(threads)
    packaged = model("dinov2")
    adapter: Any = packaged.load()
    items = list(packaged.items(BATCH))
    pixels = torch.from_numpy(adapter.pixel_values([item.pixels for item in items]))
    adapter.model.set_attn_implementation("eager")
    samples: dict[str, list[float]] = {name: [] for name in ("forward", "observed", "head mean", "all", "content")}
    tight = 0
    for turn in range(repeats + 1):
        with torch.inference_mode():
            start = time.perf_counter()
            adapter.model(pixels)
            forward = time.perf_counter() - start
        start = time.perf_counter()
        observe(adapter, items, lambda attention: None, batch_size=BATCH)  # noqa: ARG005
        observed = time.perf_counter() - start
        parts, tight = _checked(adapter, items, threads)
        if turn:  # the first round warms up
            for name, seconds in {"forward": forward, "observed": observed, **parts}.items():
                samples[name].append(seconds)
    result = {name: statistics.median(times) for name, times in samples.items()}
    result["check"] = result["head mean"] + result["all"] + result["content"]
    result["share"] = result["check"] / result["forward"]
    return {**result, "maps": 12.0 * BATCH, "verdicts": 24.0 * BATCH, "tight": float(tight), "threads": float(threads),
            "load": os.getloadavg()[0]}  # fmt: skip


def _checked(adapter: Any, items: list[Any], threads: int) -> tuple[dict[str, float], int]:
    """Check every layer when its last map of the batch has come; seconds of each part, and tight verdicts."""
    parts = {"head mean": 0.0, "all": 0.0, "content": 0.0}
    layer: list[LayerAttention] = []
    tight = 0

    def mean(attention: LayerAttention) -> AttentionMatrix:
        return head_mean(attention.values, precision=attention.dtype)

    def receive(attention: LayerAttention) -> None:
        nonlocal tight
        layer.append(attention)
        if len(layer) < BATCH:
            return
        moments = [time.perf_counter()]
        matrices = map_in_threads(mean, layer, threads)
        moments.append(time.perf_counter())
        whole = check_many(matrices, threads=threads)
        moments.append(time.perf_counter())
        content = check_many(matrices, keep=attention.input.content, threads=threads)
        moments.append(time.perf_counter())
        tight += sum(verdict.tight for verdict in (*whole, *content))
        for name, start, stop in zip(parts, moments, moments[1:], strict=False):
            parts[name] += stop - start
        layer.clear()

    observe(adapter, items, receive, batch_size=BATCH)
    return parts, tight
