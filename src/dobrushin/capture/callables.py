"""The user's own model: a function that yields attention maps, or a file that names it.

The shortest form is a function under :func:`attention_maps`::

    @attention_maps(layers=2, prepare=lambda item: tokens(item, item.text.split()))
    def toy(batch):
        for layer in range(2):
            yield numpy_or_torch_array  # (batch, heads, n, n)
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, cast, get_args

import numpy as np

from dobrushin.capture.adapter import Adapter, LayerMaps, NoMap, Receive
from dobrushin.capture.inputs import Item, ModelInput
from dobrushin.errors import DobrushinError, InputError
from dobrushin.wheels import sha256_of

Kind = Literal["text", "image", "table"]

Maps = Callable[[Sequence[ModelInput]], Iterable[Any]]
"""Takes prepared inputs of equal length; yields for each layer, in order, an array or tensor (batch, heads, n, n), a
:class:`~dobrushin.capture.adapter.LayerMaps`, a :class:`~dobrushin.capture.adapter.NoMap` or a :class:`HeadMean`."""


@dataclass(frozen=True, eq=False)
class HeadMean:
    """The label that a map (batch, n, n) without a head dimension needs: it is the mean over heads.

    What is said about it afterwards is about this mean as it was computed, in its own precision.
    """

    weights: Any


class CallableAdapter:
    """A function that yields attention maps, behind the interface of the other adapters.

    Args:
        function: see :data:`Maps`; a generator keeps one layer in memory at a time.
        layers: how many maps it yields for a batch.
        prepare: turns an item into a :class:`~dobrushin.capture.inputs.ModelInput`, e.g. by :func:`tokens`.
        name: what results call the model; default: the function's name.
        kind: what ``prepare`` takes.
    """

    def __init__(
        self,
        function: Maps,
        *,
        layers: int,
        prepare: Callable[[Item], ModelInput],
        name: str = "",
        kind: Kind = "text",
    ) -> None:
        if kind not in get_args(Kind):
            raise InputError(f"the kind is {kind!r}, but one of {', '.join(get_args(Kind))} is needed")
        if layers < 1:
            raise InputError(f"a model of {layers} layers has no attention: name how many maps the function yields")
        self.function = function
        self.layers = layers
        self.name = name or str(getattr(function, "__name__", type(function).__name__))
        self.kind = kind
        self._prepare = prepare

    def prepare(self, item: Item) -> ModelInput:
        """Call the user's ``prepare``, whose errors become one sentence that names the item."""
        with _one_sentence(f"{self.name} can not take the input {item.id}"):
            prepared = self._prepare(item)
        if not isinstance(prepared, ModelInput):
            raise InputError(
                f"prepare of {self.name} returned {type(prepared).__name__} for the input {item.id}, "
                "but a ModelInput is needed: tokens(item, labels) makes one"
            )
        return prepared

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Hand on what the function yields for inputs of equal length."""
        import torch

        lengths = sorted({prepared.n for prepared in batch})
        if len(lengths) > 1:
            raise InputError(
                f"{self.name} is a function, which pads nothing, but got inputs of {lengths[0]} and {lengths[-1]} "
                "tokens together: run it with pad=False"
            )
        where = f"{self.name} failed on the inputs {', '.join(prepared.id for prepared in batch)}"
        with torch.inference_mode():
            with _one_sentence(where):
                found = iter(self.function(batch))
            layer = 0
            while True:
                with _one_sentence(f"{where} in layer {layer}"):
                    value = next(found, _END)
                if value is _END:
                    return
                receive(_four_dimensional(value, self.name, layer))
                layer += 1


def attention_maps(
    *, layers: int, prepare: Callable[[Item], ModelInput], name: str = "", kind: Kind = "text"
) -> Callable[[Maps], CallableAdapter]:
    """The decorator that makes a :class:`CallableAdapter` of a function."""
    return lambda function: CallableAdapter(function, layers=layers, prepare=prepare, name=name, kind=kind)


def tokens(item: Item, labels: Sequence[str], *, content: Sequence[bool] | None = None, **features: Any) -> ModelInput:
    """A prepared input with one label for each token.

    Args:
        item: whose id the input gets.
        labels: one for each token.
        content: which tokens are content; default: all, so name the class, separator and padding tokens here.
        features: arrays for the model, without the batch dimension.

    Raises:
        InputError: ``content`` has another length than ``labels``.
    """
    mask = np.ones(len(labels), dtype=bool) if content is None else np.asarray(content, dtype=bool)
    arrays = {name: np.asarray(values) for name, values in features.items()}
    # Inputs share a batch when their arrays have equal shapes, so the number of tokens has to be seen in one.
    return ModelInput(item.id, tuple(labels), mask, {"token": np.arange(len(labels)), **arrays})


def open_callable(reference: str, *, device: str = "cpu", dtype: str | None = None, name: str = "") -> Adapter:
    """The model that the user's own code makes.

    Args:
        reference: ``MODULE:NAME`` of an importable module, or ``FILE.py:NAME``; the name is an adapter, e.g. a
            function under :func:`attention_maps`, or a function without required arguments that returns one.  The
            code is run, with everything that it does.
        device: passed on to a function that has an argument of this name; else only ``cpu`` is taken.
        dtype: likewise; else only None.
        name: what results call the model; default: the adapter's own name.

    Raises:
        InputError: no such file, module or name; the code fails; what it gives is no adapter; or a device or dtype
            that it does not take.
    """
    place, _, attribute = reference.rpartition(":")
    if not place or not attribute:
        raise InputError(f"{reference} is no reference to a function: write MODULE:FUNCTION or FILE.py:FUNCTION")
    module = _from_file(Path(place)) if place.endswith(".py") else _from_name(place)
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise InputError(f"{place} has no {attribute}: choose one of {_choices(module)}")
        found = getattr(found, part)
    given = {"device": device, "dtype": dtype}
    if not _is_adapter(found):
        found = _called(found, reference, given)
    elif given != _USUAL:
        raise InputError(f"{reference} is made already: its device and dtype can not be chosen")
    kind = getattr(found, "kind", "text")
    if kind not in get_args(Kind):
        raise InputError(f"{reference} takes {kind!r}, but its kind has to be one of {', '.join(get_args(Kind))}")
    if name:
        found.name = name
    return cast(Adapter, found)


def code_sha256(reference: str) -> str | None:
    """The SHA-256 of the file that a reference of :func:`open_callable` names; what it imports is not in it."""
    place = reference.rpartition(":")[0]
    module = None if place.endswith(".py") else sys.modules.get(place)
    file = place if module is None else getattr(module, "__file__", None)
    return sha256_of(Path(file)) if file and Path(file).is_file() else None


def _called(function: Any, reference: str, given: dict[str, Any]) -> Any:
    if not callable(function):
        raise InputError(f"{reference} is {type(function).__name__}, but an adapter or a function is needed")
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    with _one_sentence(f"{reference} can not be called"):
        parameters = inspect.signature(function).parameters
    named = {key: value for key, value in parameters.items() if value.kind not in variable}
    if missing := [key for key, value in named.items() if value.default is value.empty and key not in given]:
        raise InputError(
            f"{reference} needs the arguments {', '.join(missing)}: a function that yields maps has to stand under "
            "@attention_maps(layers=…, prepare=…), and one that returns an adapter takes no arguments"
        )
    if refused := [key for key, value in given.items() if key not in named and value != _USUAL[key]]:
        raise InputError(f"{reference} has no argument {' and '.join(refused)}, so that it can not be chosen")
    with _one_sentence(f"{reference} failed"):
        found = function(**{key: value for key, value in given.items() if key in named})
    if not _is_adapter(found):
        raise InputError(
            f"{reference} returned {type(found).__name__}, which is no adapter: it needs name, layers, prepare and "
            "run, as CallableAdapter(function, layers=…, prepare=…) has them"
        )
    return found


_USUAL = {"device": "cpu", "dtype": None}


def _choices(module: ModuleType) -> str:
    """The models and the functions that a module defines itself."""
    names = [
        key
        for key, value in vars(module).items()
        if _is_adapter(value) or (inspect.isfunction(value) and value.__module__ == module.__name__)
    ]
    return ", ".join(names) or "the functions that it should define: there are none"


def _is_adapter(value: Any) -> bool:
    return (
        not isinstance(value, type)
        and isinstance(getattr(value, "name", None), str)
        and isinstance(getattr(value, "layers", None), int)
        and all(callable(getattr(value, method, None)) for method in ("prepare", "run"))
    )


def _from_name(name: str) -> ModuleType:
    with _one_sentence(f"the module {name} can not be imported"):
        return importlib.import_module(name)


def _from_file(path: Path) -> ModuleType:
    """Run a file as a module of its own, known by its path."""
    if not path.is_file():
        raise InputError(f"{path} is {'no file' if path.exists() else 'missing'}: name a Python file")
    name = f"dobrushin_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    # Neither is None for a name that ends in .py.
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickle look their module up here.
    sys.modules[name] = module
    with _one_sentence(f"{path} can not be run"):
        spec.loader.exec_module(module)
    return module


def _four_dimensional(value: Any, name: str, layer: int) -> Any:
    """A tensor (batch, heads, n, n) with what is said about it, or why there is none."""
    if isinstance(value, NoMap):
        return value
    if isinstance(value, LayerMaps):
        return LayerMaps(_four_dimensional(value.weights, name, layer), value.counterfactual)
    labelled = isinstance(value, HeadMean)
    weights = _tensor(value.weights if labelled else value, name, layer)
    if labelled:
        if weights.ndim != 3:
            raise InputError(f"{name}, layer {layer}: a HeadMean has shape (batch, n, n), not {tuple(weights.shape)}")
        return weights[:, None]
    if weights.ndim == 3:
        raise InputError(
            f"{name}, layer {layer}: a map of shape {tuple(weights.shape)} can be (heads, n, n) of one input or the "
            "mean over heads of a batch: yield (batch, heads, n, n), or HeadMean(map) if it is the mean"
        )
    return weights


def _tensor(value: Any, name: str, layer: int) -> Any:
    import torch

    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, np.ndarray):
        native = np.array(value, dtype=value.dtype.newbyteorder("="))
        with _one_sentence(f"{name}, layer {layer}: an array of {value.dtype} can not be taken"):
            return torch.from_numpy(native)
    raise InputError(f"{name}, layer {layer}: {type(value).__name__} is no numpy array and no torch tensor")


@contextmanager
def _one_sentence(what: str) -> Iterator[None]:
    """What the user's code raises, as one sentence; our own errors pass.

    What it prints goes to standard error, for standard output holds results; and it can not end the command, which
    would look like success.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except DobrushinError:
        raise
    except (Exception, SystemExit) as error:
        reason = " ".join(str(error).split())[:300]
        raise InputError(f"{what} ({type(error).__name__}{': ' + reason if reason else ''})") from error


_END = object()
