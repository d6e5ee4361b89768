"""What the whole check of a model costs, next to the model: DINOv2-S, batch 8, all layers, content and all tokens."""

import os
import statistics
import time
from typing import Any

import torch

from dobrushin.capture import LayerAttention, observe
from dobrushin.condition import check_layer
from dobrushin.packaged import model

BATCH = 8
READINGS = {"check": (1, 1), "head mean": (0, 0), "head mean, content": (1, 0)}
"""Which readings are checked, content and all tokens; the first is the whole check, on attention not read before."""


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
    samples: dict[str, list[float]] = {name: [] for name in ("forward", "observed", *READINGS)}
    tight = 0
    for turn in range(repeats + 1):
        with torch.inference_mode():
            start = time.perf_counter()
            adapter.model(pixels)
            forward = time.perf_counter() - start
        start = time.perf_counter()
        observe(adapter, items, lambda attention: None, batch_size=BATCH)  # noqa: ARG005
        observed = time.perf_counter() - start
        parts, tight = _checked(adapter, items)
        if turn:  # the first round warms up
            for name, seconds in {"forward": forward, "observed": observed, **parts}.items():
                samples[name].append(seconds)
    result = {name: statistics.median(times) for name, times in samples.items()}
    result["share"] = result["check"] / result["forward"]
    return {**result, "maps": 12.0 * BATCH, "verdicts": 24.0 * BATCH, "tight": float(tight), "threads": float(threads),
            "load": os.getloadavg()[0]}  # fmt: skip


def _checked(adapter: Any, items: list[Any]) -> tuple[dict[str, float], int]:
    """Check every layer when its last map of the batch has come; seconds for each choice of readings, and tight ones.

    Only ``check`` is the survey's work; the others show what it is made of.
    """
    parts = dict.fromkeys(READINGS, 0.0)
    layer: list[LayerAttention] = []
    tight = 0

    def receive(attention: LayerAttention) -> None:
        nonlocal tight
        layer.append(attention)
        if len(layer) < BATCH:
            return
        heads = [attention.values for attention in layer]
        for name, (content, whole) in READINGS.items():
            keeps = [[*[each.input.content] * content, *[None] * whole] for each in layer]
            start = time.perf_counter()
            # One thread: what is Python in a check of 0.2 ms holds the interpreter's lock, and two only wait for it.
            found = check_layer(heads, keeps=keeps, precision=attention.dtype, threads=1)
            parts[name] += time.perf_counter() - start
            tight += sum(verdict.tight for each in found for verdict in each) if name == "check" else 0
        layer.clear()

    observe(adapter, items, receive, batch_size=BATCH)
    return parts, tight
