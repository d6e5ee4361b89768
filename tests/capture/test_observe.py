"""The door itself: batches, checks of what a model yields, and memory."""

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import Image, LayerAttention, ModelInput, Text, observe
from dobrushin.errors import InputError

Build = Callable[..., Any]


class Scripted:
    """An adapter that yields the tensors it was given, whatever goes in."""

    name = "scripted"

    def __init__(self, *weights: Any, layers: int = 1) -> None:
        self.weights = weights
        self.layers = layers
        self.batches: list[list[str]] = []

    def prepare(self, item: Any) -> ModelInput:
        n = len(item.text)
        return ModelInput(item.id, tuple(item.text), np.ones(n, bool), {"input_ids": np.zeros(n)})

    def run(self, batch: Sequence[ModelInput], receive: Callable[[Any], None]) -> None:
        self.batches.append([prepared.id for prepared in batch])
        for weights in self.weights:
            receive(weights)


def maps(batch: int = 1, n: int = 2) -> Any:
    return torch.full((batch, 3, n, n), 1 / n)


ONE = [Text("x", "ab")]


@pytest.mark.parametrize(
    ("weights", "layers", "message"),
    [
        ((), 1, "scripted yielded 0 attention maps for its 1 layers"),
        ((maps(),), 2, "scripted yielded 1 attention maps for its 2 layers"),
        ((maps(), maps()), 1, "scripted yields more attention maps than its 1 layers"),
        ((torch.ones(1, 2, 2),), 1, r"layer 0: the attention has shape \(1, 2, 2\), .* already be averaged"),
        ((torch.ones(1, 3, 1, 2),), 1, r"layer 0: .* shape \(1, 3, 1, 2\), which is not square: cross"),
        ((maps(n=3),), 1, r"\(1, 3, 3, 3\), but 1 inputs of 2 tokens went in"),
        ((maps(batch=2),), 1, r"\(2, 3, 2, 2\), but 1 inputs of 2 tokens went in"),
        ((maps().to(torch.int64),), 1, "layer 0: the attention is int64, but one of float16, bfloat16"),
        ((None,), 1, "layer 0: the attention is NoneType"),
    ],
)
def test_what_is_no_attention_map_is_refused(weights: Any, layers: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        observe(Scripted(*weights, layers=layers), ONE, lambda _: None)


@pytest.mark.parametrize("value", [1e-45, -1.0, float("nan")])
def test_any_weight_on_padding_is_refused(value: float) -> None:
    weights = maps(batch=2, n=3)
    weights[0, :, :, 2] = 0
    items = [Text("short", "ab"), Text("long", "abc")]
    observe(Scripted(weights), items, lambda _: None, pad=True)
    weights[0, 1, 0, 2] = value
    with pytest.raises(InputError, match=r"^input short, layer 0, head 1, row 0: the weight on padding token 2 is"):
        observe(Scripted(weights), items, lambda _: None, pad=True)


def test_rows_of_padding_do_not_matter() -> None:
    weights = maps(batch=2, n=3)
    weights[0, :, :, 2] = 0
    weights[0, :, 2, :] = float("nan")
    kept: list[LayerAttention] = []
    observe(Scripted(weights), [Text("short", "ab"), Text("long", "abc")], kept.append, pad=True)
    assert [a.values.shape for a in kept] == [(3, 2, 2), (3, 3, 3)]


def test_batches_hold_equal_lengths_in_a_fixed_order() -> None:
    items = [Text("a3", "xxx"), Text("b1", "x"), Text("c3", "xxx"), Text("d3", "xxx"), Text("e1", "x")]
    scripted = Scripted(layers=0)
    progress: list[int] = []
    assert observe(scripted, items, lambda _: None, batch_size=2, progress=progress.append) == 5
    assert scripted.batches == [["b1", "e1"], ["a3", "c3"], ["d3"]]
    assert progress == [2, 4, 5]
    scripted = Scripted(layers=0)
    observe(scripted, items, lambda _: None, batch_size=2, pad=True)
    assert scripted.batches == [["b1", "e1"], ["a3", "c3"], ["d3"]]
    scripted = Scripted(layers=0)
    observe(scripted, items, lambda _: None, batch_size=3, pad=True)
    assert scripted.batches == [["b1", "e1", "a3"], ["c3", "d3"]]


def test_a_long_stream_is_not_read_ahead_as_a_whole() -> None:
    read = 0

    def stream() -> Any:
        nonlocal read
        for read in range(1, 1001):
            yield Text(str(read), "ab")

    seen: list[int] = []
    observe(Scripted(layers=0), stream(), lambda _: None, batch_size=1, progress=lambda _: seen.append(read))
    assert seen[0] == 64
    assert len(seen) == 1000


def test_nothing_to_do_is_an_error() -> None:
    with pytest.raises(InputError, match="no inputs were given to scripted"):
        observe(Scripted(), [], lambda _: None)
    with pytest.raises(InputError, match="batch size is 0"):
        observe(Scripted(), ONE, lambda _: None, batch_size=0)


def test_a_content_mask_has_one_entry_for_each_token() -> None:
    with pytest.raises(InputError, match=r"input x has 2 token labels, but its content mask is bool of shape"):
        ModelInput("x", ("a", "b"), np.ones(3, bool), {})
    with pytest.raises(InputError, match="its content mask is int64 of shape"):
        ModelInput("x", ("a", "b"), np.ones(2, np.int64), {})


def test_the_observer_gets_its_own_copy() -> None:
    weights = maps()
    kept: list[LayerAttention] = []
    observe(Scripted(weights), ONE, kept.append)
    weights.zero_()
    assert kept[0].values.min() == 0.5
    assert kept[0].values.base is None


@pytest.mark.parametrize("keeps", [False, True])
def test_one_layers_weights_are_alive_at_a_time(keeps: bool, vision_transformer: Build, images: list[Image]) -> None:
    adapter = vision_transformer("vit", "eager", num_hidden_layers=12)
    adapter.model.config.output_attentions = keeps  # a model told to collect its maps must not do so
    born: list[weakref.ref[Any]] = []
    alive: list[int] = []
    run = adapter.run

    def watching(batch: Any, receive: Callable[[Any], None]) -> None:
        def watch(weights: Any) -> None:
            gc.collect()
            alive.append(sum(reference() is not None for reference in born))
            born.append(weakref.ref(weights))
            receive(weights)

        run(batch, watch)

    adapter.run = watching
    observe(adapter, images[:1], lambda _: None)
    assert len(born) == 12
    assert alive == [0] * 12


_PEAK = """
import resource, sys
import numpy as np, torch, transformers
from dobrushin.capture import IMAGENET_MEAN, IMAGENET_STD, Image, VisionTransformer, observe
torch.set_num_threads(1)
def run(layers):
    config = transformers.ViTConfig(hidden_size=16, num_attention_heads=4, num_hidden_layers=layers,
                                    intermediate_size=16, image_size=192, patch_size=8,
                                    output_attentions=True)
    model = transformers.ViTModel(config).eval()
    adapter = VisionTransformer(model, mean=IMAGENET_MEAN, std=IMAGENET_STD)
    images = [Image(str(k), np.zeros((192, 192, 3), np.uint8)) for k in range(4)]
    observe(adapter, images, lambda attention: None)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
run(2); shallow = run(2); deep = run(16)
print(deep - shallow)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read the Linux way")
def test_peak_memory_does_not_grow_with_depth() -> None:
    """One layer's weights of this batch are 21 MB, so 14 more layers would hold 300 MB more."""
    # Freed blocks go back to the system at once, or the peak would measure the allocator's habits.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "1000000"}
    command = [sys.executable, "-c", _PEAK]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert int(done.stdout) < 100


def test_importing_the_package_does_not_import_torch() -> None:
    code = (
        "import sys, dobrushin, dobrushin.capture, dobrushin.packaged\n"
        "print([name for name in ('torch', 'transformers', 'onnx', 'PIL', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
