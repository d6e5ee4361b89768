"""Attention maps from files: .npy, .npz and .safetensors, read without running anything that is in them."""

import json
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from dobrushin.errors import InputError
from dobrushin.matrix import AttentionMatrix, Precision, as_float_array, attention_matrix, head_mean

Axis = Literal["layers", "heads"]
"""What the first axis of a three-dimensional array counts."""

Heads = Literal["mean", "each"]
"""Whether a layer's heads are averaged or taken one by one."""

MAX_ARRAY_BYTES = 8 << 30
"""A larger array is refused before it is read: a small compressed file can claim any size."""


@dataclass(frozen=True)
class _Stored:
    """One array of a file: its name, how to read it, and its format where numpy has no name for it."""

    name: str
    read: Callable[[], npt.NDArray[Any]]
    precision: Precision | None = None


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How the arrays of a file are to be read.

    Attributes:
        axis: what the first axis of a three-dimensional array counts; None refuses such arrays.
        heads: average a layer's heads, or take each.
        precision: see :func:`dobrushin.attention_matrix`.
        any_real: see :func:`dobrushin.attention_matrix`.
    """

    axis: Axis | None = None
    heads: Heads = "mean"
    precision: Precision | None = None
    any_real: bool = False

    def __post_init__(self) -> None:
        if self.axis is not None and self.axis not in get_args(Axis):
            raise InputError(f"unknown axis {self.axis!r}; choose layers or heads")
        if self.heads not in get_args(Heads):
            raise InputError(f"unknown treatment of heads {self.heads!r}; choose mean or each")


def load_maps(path: str | Path, *, layout: Layout | None = None) -> Iterator[AttentionMatrix]:
    """The attention maps of a file, one after the other.

    Arrays are (n, n), (layers, heads, n, n), or, when ``layout.axis`` says which, (layers, n, n) or (heads, n, n).
    Maps are named after their array and place, e.g. ``attentions[layer=3, head=mean]``.

    Args:
        path: a .npy, .npz or .safetensors file.
        layout: how to read the arrays.

    Raises:
        InputError: the file can not be read, holds no maps, or an array is no attention; raised before the first
            map of the offending array is given out.
    """
    path = Path(path)
    layout = layout or Layout()
    for stored in _arrays(path):
        own = replace(layout, precision=layout.precision or stored.precision)
        yield from split_maps(stored.read(), name=stored.name, layout=own)


def split_maps(array: Any, *, name: str, layout: Layout) -> Iterator[AttentionMatrix]:
    """The maps of one array, named after it; see :func:`load_maps` for the shapes."""
    values, source = as_float_array(array, name=name)
    precision = layout.precision or source
    options: dict[str, Any] = {"precision": precision, "any_real": layout.any_real}
    match values.ndim, layout.axis:
        case 2, _:
            yield attention_matrix(values, name=name, **options)
        case 3, None:
            raise InputError(
                f"{name} has shape {values.shape}, which can mean (layers, n, n), one map per layer, or (heads, n, n), "
                "the heads of one layer; say which with --axis layers or --axis heads"
            )
        case 3, "layers":
            _refuse_empty(values, name)
            for index, layer in enumerate(values):
                yield attention_matrix(layer, name=f"{name}[layer={index}]", **options)
        case 3, "heads":
            yield from _heads(values, name=name, place="", layout=layout, options=options)
        case 4, _:
            _refuse_empty(values, name)
            for index, layer in enumerate(values):
                yield from _heads(layer, name=name, place=f"layer={index}, ", layout=layout, options=options)
        case _:
            raise InputError(
                f"{name} has shape {values.shape}; attention is (n, n), (layers, heads, n, n), or with --axis "
                "(layers, n, n) or (heads, n, n)"
            )


def _heads(
    layer: npt.NDArray[Any], *, name: str, place: str, layout: Layout, options: dict[str, Any]
) -> Iterator[AttentionMatrix]:
    _refuse_empty(layer, name)
    if layout.heads == "mean":
        yield head_mean(layer, name=f"{name}[{place}head=mean]", **options)
        return
    for index, head in enumerate(layer):
        yield attention_matrix(head, name=f"{name}[{place}head={index}]", **options)


def _refuse_empty(values: npt.NDArray[Any], name: str) -> None:
    if 0 in values.shape:
        raise InputError(f"{name} has shape {values.shape}: it holds no attention map")


def _arrays(path: Path) -> Iterator[_Stored]:
    """The file's arrays, to be read one at a time."""
    readers = {".npy": _npy, ".npz": _npz, ".safetensors": _safetensors}
    try:
        status = path.stat()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except OSError as error:
        raise InputError(f"{path} can not be opened: {error.strerror or error}") from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{path} is a folder; name a file ending in {', '.join(readers)}")
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path} is no ordinary file; name a file ending in {', '.join(readers)}")
    if path.suffix.lower() not in readers:
        raise InputError(
            f"{path} does not end in {', '.join(readers)}; save the maps in one of these formats "
            "(pickled formats such as .pt can run code when they are read)"
        )
    if status.st_size == 0:
        raise InputError(f"{path} is empty")
    return readers[path.suffix.lower()](path)


def _unreadable(path: Path, error: Exception) -> InputError:
    """One sentence for whatever numpy, zipfile and the decompressors raise on a damaged or hostile file."""
    if isinstance(error, PermissionError):
        return InputError(f"{path} can not be opened: permission denied")
    if any(phrase in str(error) for phrase in ("Python objects in dtype", "Object arrays cannot be loaded")):
        return InputError(f"{path} holds Python objects, which can run code when they are read; save plain arrays")
    first_line = (str(error).strip() or type(error).__name__).splitlines()[0]
    return InputError(f"{path} is damaged or not a {path.suffix} file ({first_line[:120]}); write it again")


def _npy(path: Path) -> Iterator[_Stored]:
    def read() -> npt.NDArray[Any]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of files written by Python 2
                return np.lib.format.open_memmap(path, mode="r")
        except Exception as error:
            raise _unreadable(path, error) from None

    yield _Stored(path.stem, read)


def _npz(path: Path) -> Iterator[_Stored]:
    # Not np.load: it leaves the file open when the archive is damaged.
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except Exception as error:
        raise _unreadable(path, error) from None
    members = [member for member in members if not member.is_dir()]
    if not members:
        raise InputError(f"{path} holds no arrays")
    names = [member.filename for member in members]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path} holds {twice} twice; write it again")
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name == member.filename:
            raise InputError(f"{path} holds {name}, which is no array: an .npz archive holds .npy files only")
        _refuse_oversized(member.file_size, f"{name} in {path}")
        yield _Stored(name, partial(_npz_array, path, member))


def _npz_array(path: Path, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of files written by Python 2
            array: npt.NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as error:
        raise _unreadable(path, error) from None
    return array


def _safetensors(path: Path) -> Iterator[_Stored]:
    from safetensors import safe_open

    try:
        with safe_open(path, framework="numpy") as tensors:  # checks the header, the offsets and the length
            names = list(tensors.keys())
    except Exception as error:
        raise _unreadable(path, error) from None
    if not names:
        raise InputError(f"{path} holds no tensors")
    header, start = _safetensors_header(path)
    for key in names:
        precision: Precision | None = "bfloat16" if header[key]["dtype"] == "BF16" else None
        yield _Stored(key, partial(_safetensors_array, path, key, header[key], start), precision)


def _safetensors_header(path: Path) -> tuple[dict[str, Any], int]:
    with path.open("rb") as stream:
        (length,) = struct.unpack("<Q", stream.read(8))
        header: dict[str, Any] = json.loads(stream.read(length))
    return header, 8 + length


_SAFETENSORS_DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "BF16": "<u2"}


def _safetensors_array(path: Path, key: str, entry: dict[str, Any], start: int) -> npt.NDArray[Any]:
    """Map a tensor's bytes; numpy has no bfloat16, so its bits are widened to the float32 that they begin."""
    if entry["dtype"] not in _SAFETENSORS_DTYPES:
        raise InputError(
            f"{key} in {path} holds {entry['dtype']} numbers; attention is one of {', '.join(get_args(Precision))}"
        )
    begin, end = entry["data_offsets"]
    _refuse_oversized(end - begin, f"{key} in {path}")
    dtype = np.dtype(_SAFETENSORS_DTYPES[entry["dtype"]])
    if begin == end:
        return np.empty(entry["shape"], dtype=np.float32)
    raw = np.memmap(path, dtype=dtype, mode="r", offset=start + begin, shape=tuple(entry["shape"]))
    if entry["dtype"] != "BF16":
        return raw
    return (raw.astype(np.uint32) << 16).view(np.float32)


def _refuse_oversized(size: int, what: str) -> None:
    if size > MAX_ARRAY_BYTES:
        raise InputError(
            f"{what} would take {size / 2**30:.0f} GiB of memory, and the limit is {MAX_ARRAY_BYTES / 2**30:.0f} GiB; "
            "store fewer layers per array"
        )
