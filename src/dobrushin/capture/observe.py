"""The one door of this room: run a model, and hand each layer's attention to an observer, then drop it.

At no time is more than one layer's attention of one batch held here, so memory does not grow with depth.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.adapter import Adapter, LayerMaps, NoMap
from dobrushin.capture.inputs import Item, LayerAttention, ModelInput, SkippedLayer
from dobrushin.errors import InputError
from dobrushin.matrix import Precision

Observer = Callable[[LayerAttention], None]
SkippedObserver = Callable[[SkippedLayer], None]
Indexed = tuple[int, ModelInput]

_BATCHES_PER_WINDOW = 64
"""Inputs are prepared this many batches at a time, so a long stream of inputs is never held as a whole."""


def observe(
    adapter: Adapter,
    items: Iterable[Item],
    observer: Observer,
    *,
    batch_size: int = 8,
    pad: bool = False,
    skipped: SkippedObserver | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Run the model on all items and call ``observer`` once per input and layer; return the number of inputs.

    Within an input the layers come in order.  The inputs of a batch have equal length, unless ``pad`` allows
    different lengths, which are padded on the right and trimmed again; so inputs may come in another order
    than given, and :attr:`LayerAttention.index` says which one it is.

    The last bits of a map depend on how the matrix products are rounded, hence on the batch that an input was
    in; results that are to be repeated to the bit need the same items and the same batch size.

    Args:
        adapter: a model behind the interface of :class:`~dobrushin.capture.adapter.Adapter`.
        items: texts or images.
        observer: called with a :class:`LayerAttention`; its exceptions pass through.
        batch_size: at most so many inputs in one forward pass.
        pad: whether inputs of different lengths may share a batch.
        skipped: called with a :class:`SkippedLayer` for each input in a layer that has no square map of attention
            weights; without it such a layer is an error.
        progress: called after each batch with the number of inputs done.

    Raises:
        InputError: no items; an item the model can not take; a model in training mode; a layer that yields no
            map, a map that is not (batch, heads, n, n), or one with weight on padding.
    """
    if batch_size < 1:
        raise InputError(f"the batch size is {batch_size}, but it has to be at least 1")
    done = 0
    for batch in _batches(adapter, items, batch_size, pad):
        observe_batch(adapter, batch, observer, skipped=skipped)
        done += len(batch)
        if progress is not None:
            progress(done)
    if done == 0:
        raise InputError(f"no inputs were given to {adapter.name}: name at least one text or image")
    return done


def _batches(adapter: Adapter, items: Iterable[Item], size: int, pad: bool) -> Iterator[list[Indexed]]:
    """Group prepared inputs by length, window by window; the same inputs and sizes give the same batches."""
    stream = enumerate(items)
    while window := [(index, adapter.prepare(item)) for index, item in islice(stream, size * _BATCHES_PER_WINDOW)]:
        yield from batches_of(window, size, pad=pad)


def batches_of(prepared: Sequence[Indexed], size: int, *, pad: bool = False) -> Iterator[list[Indexed]]:
    """Group inputs by length into batches of at most ``size``; every input is in one batch."""
    batch: list[Indexed] = []
    for entry in sorted(prepared, key=lambda entry: (entry[1].n, _shapes(entry[1]), entry[0])):
        if batch and (len(batch) == size or not _may_share(batch[0][1], entry[1], pad)):
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch


def _may_share(one: ModelInput, other: ModelInput, pad: bool) -> bool:
    """Whether two inputs can be in one batch: same shapes, or any lengths of text when padding is allowed."""
    return _shapes(one) == _shapes(other) or (pad and one.grid is None and other.grid is None)


def _shapes(prepared: ModelInput) -> tuple[tuple[int, ...], ...]:
    return tuple(prepared.features[name].shape for name in sorted(prepared.features))


def observe_batch(
    adapter: Adapter, batch: Sequence[Indexed], observer: Observer, *, skipped: SkippedObserver | None = None
) -> None:
    """One forward pass: ``batch`` holds prepared inputs with their positions; the rest is as in :func:`observe`."""
    inputs = [prepared for _, prepared in batch]
    layer = 0

    def receive(found: Any) -> None:
        nonlocal layer
        if layer >= adapter.layers:
            raise InputError(f"{adapter.name} yields more attention maps than its {adapter.layers} layers")
        if isinstance(found, NoMap):
            _skip(adapter.name, layer, found.reason, batch, skipped)
        else:
            _hand_out(adapter.name, layer, found, batch, observer)
        layer += 1

    adapter.run(inputs, receive)
    if layer < adapter.layers:
        raise InputError(
            f"{adapter.name} yielded {layer} attention maps for its {adapter.layers} layers: its attention "
            "does not pass where this adapter looks, so nothing can be said about it"
        )


def _hand_out(model: str, layer: int, found: Any, batch: Sequence[Indexed], observer: Observer) -> None:
    maps = found if isinstance(found, LayerMaps) else LayerMaps(found)
    values, dtype = _as_numpy(maps.weights, model, layer)
    _check_shape(values.shape, len(batch), max(prepared.n for _, prepared in batch), model, layer)
    for position, (index, prepared) in enumerate(batch):
        if odd := [token for token in maps.counterfactual if not 0 <= token < prepared.n]:
            raise InputError(
                f"{model}, layer {layer}: token {odd[0]} is said to be counterfactual, but input {prepared.id} has "
                f"{prepared.n} tokens, counted from 0"
            )
        trimmed = _trimmed(values[position], prepared, layer)
        observer(LayerAttention(layer, trimmed, dtype, prepared, index, maps.counterfactual))


def _skip(model: str, layer: int, reason: str, batch: Sequence[Indexed], skipped: SkippedObserver | None) -> None:
    if skipped is None:
        raise InputError(f"{model}, layer {layer}: {reason}")
    for index, prepared in batch:
        skipped(SkippedLayer(layer, reason, prepared, index))


def _as_numpy(weights: Any, model: str, layer: int) -> tuple[NDArray[np.floating], Precision]:
    """A numpy view of the tensor and the name of its dtype; bfloat16, which numpy lacks, widens exactly."""
    dtype = str(getattr(weights, "dtype", type(weights).__name__)).removeprefix("torch.")
    if dtype not in get_args(Precision):
        known = ", ".join(get_args(Precision))
        raise InputError(f"{model}, layer {layer}: the attention is {dtype}, but one of {known} is needed")
    tensor = weights.detach()
    return (tensor.float() if dtype == "bfloat16" else tensor).cpu().numpy(), cast(Precision, dtype)


def _check_shape(shape: tuple[int, ...], batch: int, n: int, model: str, layer: int) -> None:
    if len(shape) != 4:
        raise InputError(
            f"{model}, layer {layer}: the attention has shape {shape}, but (batch, heads, n, n) is needed; "
            "maps without a head dimension may already be averaged"
        )
    if shape[2] != shape[3]:
        raise InputError(
            f"{model}, layer {layer}: the attention has shape {shape}, which is not square: cross attention "
            "and attention to a cache have no residual connection from column to row"
        )
    if shape[0] != batch or shape[2] != n:
        raise InputError(
            f"{model}, layer {layer}: the attention has shape {shape}, but {batch} inputs of {n} tokens "
            "went in: the configuration does not account for every token"
        )


def _trimmed(values: NDArray[np.floating], prepared: ModelInput, layer: int) -> NDArray[np.floating]:
    """Cut the padding off (heads, longest, longest), after checking that no token attends to it."""
    n = prepared.n
    padding = values[:, :n, n:]
    if padding.any():  # NaN counts as weight too
        head, row, column = (int(axis[0]) for axis in np.nonzero(padding))
        raise InputError(
            f"input {prepared.id}, layer {layer}, head {head}, row {row}: the weight on padding token "
            f"{n + column} is {padding[head, row, column]}, not zero; run inputs of equal length (pad=False)"
        )
    return np.array(values[:, :n, :n], order="C")
