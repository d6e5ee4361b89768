"""Seeding faults into the production code: the search has to find every one of them (``fault_table``).

A fault replaces a piece of the source of a function, and the function's code object is exchanged while the fault is in
place, so every caller sees it.  A piece that does not occur exactly once is an error: when production code changes,
the table has to follow.  While a fault is in place the path without compiled kernels is taken, unless the fault is in
what calls them; the negative tests of the kernels themselves are those of ``dobrushin.testing.fuzz``.
"""

import importlib
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Literal
from unittest import mock

import numpy as np

from dobrushin.coefficient import compiled
from dobrushin.errors import GateError

Probe = Literal["verdict", "filter", "rollout", "distances"]
"""The search that has to find it."""


@dataclass(frozen=True)
class Piece:
    """A piece of the source of one function, and what replaces it while the fault is seeded.

    Attributes:
        where: ``module:function``, inside the package.
        old: the piece; it has to occur exactly once.
        new: what replaces it.
    """

    where: str
    old: str
    new: str


@dataclass(frozen=True)
class Fault:
    """One seeded fault.

    Attributes:
        name: short name.
        breaks: what is wrong with the production code while it is seeded.
        pieces: what is replaced, in as many functions as it takes.
        probe: the search that has to find it.
        kernels: whether the compiled kernels stay in use.
    """

    name: str
    breaks: str
    pieces: tuple[Piece, ...]
    probe: Probe = "verdict"
    kernels: bool = False


def fault(name: str, breaks: str, *pieces: Piece, probe: Probe = "verdict", kernels: bool = False) -> Fault:
    """A fault in the form in which tables are easy to read."""
    return Fault(name, breaks, pieces, probe, kernels)


@contextmanager
def seeded(chosen: Fault) -> Iterator[None]:
    """Put the fault into the running production code; take it out again at the end."""
    with ExitStack() as undo:
        undo.enter_context(np.errstate(all="ignore"))  # of faulty arithmetic
        if not chosen.kernels:
            undo.enter_context(mock.patch.object(compiled, "available", return_value=False))
        elif not compiled.available():
            raise GateError(
                f"the fault '{chosen.name}' is one of the compiled kernels: install numba (the 'fast' extra)"
            )
        for piece in chosen.pieces:
            function = function_at(piece.where)
            faulty = _with_fault(function, piece, chosen.name).__code__
            undo.callback(setattr, function, "__code__", function.__code__)
            function.__code__ = faulty
        yield


def function_at(where: str) -> FunctionType:
    """The function at ``module:name``; for methods and properties, the function that they wrap."""
    module_name, _, path = where.partition(":")
    target: Any = importlib.import_module(f"dobrushin.{module_name}")
    for part in path.split("."):
        target = inspect.getattr_static(target, part)
    target = getattr(target, "__func__", getattr(target, "func", getattr(target, "fget", target)))
    if not isinstance(target, FunctionType):
        raise GateError(f"faults are seeded into Python functions, and dobrushin.{where} is none")
    return target


def _with_fault(function: FunctionType, piece: Piece, name: str) -> FunctionType:
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(piece.old) != 1:
        raise GateError(
            f"the fault '{name}' replaces {piece.old!r}, which occurs {source.count(piece.old)} times in "
            f"dobrushin.{piece.where}: the table of faults has to follow the production code"
        )
    definition = source[source.index("def ") :]  # decorators stay on the function that is patched
    names: dict[str, Any] = {}
    exec(compile(definition.replace(piece.old, piece.new), f"<{name}>", "exec"), function.__globals__, names)
    faulty = names[function.__name__]
    assert isinstance(faulty, FunctionType)
    return faulty
