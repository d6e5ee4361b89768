"""What the adapters share that watch a model through hooks of torch."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args

from dobrushin.errors import IncompleteError, InputError
from dobrushin.matrix import Precision


@contextmanager
def own_hooks() -> Iterator[list[Any]]:
    """A list for the handles of hooks; exactly these are removed on leaving, also by an exception.

    Hooks of other people stay where they are, in their order.
    """
    handles: list[Any] = []
    try:
        yield handles
    finally:
        for handle in handles:
            handle.remove()


def refuse_training(model: Any) -> None:
    """Dropout changes the weights (rows then sum to anything), so every module has to be in eval mode.

    Raises:
        InputError: the model, or the part of it that the message names, is in training mode.
    """
    for path, module in model.named_modules():
        if module.training:
            where = f"its part {path} is" if path else "it is"
            raise InputError(f"{type(model).__name__} can not be observed: {where} in training mode; call model.eval()")


def optional_module(name: str, *, extra: str, purpose: str) -> Any:
    """Import a module of an optional package.

    Raises:
        IncompleteError: it, or something that it needs, is not installed or does not import; the extra that
            brings it is named.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = (error.name or name).partition(".")[0]
        raise IncompleteError(
            f"{purpose} needs {package}, which is not installed: install dobrushin[{extra}]"
        ) from error
    except (ImportError, OSError, RuntimeError) as error:
        # E.g. a torchvision that was built for another torch.
        reason = " ".join(str(error).split())
        raise IncompleteError(
            f"{purpose} needs {name}, which does not import ({reason}): install dobrushin[{extra}] afresh"
        ) from error


def as_dtype(name: str | None) -> Any:
    """The torch dtype of a precision, None for None.

    Raises:
        InputError: it is not one of the four precisions; these are listed.
    """
    import torch

    if name is None:
        return None
    if name not in get_args(Precision):
        raise InputError(f"the dtype is {name!r}, but one of {', '.join(get_args(Precision))} is needed")
    return getattr(torch, name)


def as_device(name: str) -> Any:
    """The torch device of a name such as ``cpu`` or ``cuda:0``, which is tried with one number.

    Raises:
        InputError: torch knows no such device, or can not use it here.
    """
    import torch

    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = (" ".join(str(error).split()) or type(error).__name__).partition(". ")[0]
        raise InputError(f"the device {name!r} can not be used ({reason}): try cpu") from error
    return device
