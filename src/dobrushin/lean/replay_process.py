"""Replay every declaration through the kernel: ``python replay_process.py libleanshared.so MODULE…``.

This is what Lean's ``leanchecker --fresh`` does, called in the shared library itself: read the compiled
modules, and send each declaration to the kernel again, starting from an empty environment.  The library's
functions take and give Lean objects; ``box`` writes a small number as one.  Run as a script, in a process of
its own; ``LEAN_PATH`` names the folder of the compiled modules.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

_POINTER = ctypes.c_void_p
_HEADER = 8
_PRIVATE_LEVEL = 2


def box(number: int) -> int:
    """A small number, or a constant constructor, as a Lean object."""
    return number << 1 | 1


class Runtime:
    """The Lean runtime in a shared library, initialised."""

    def __init__(self, library: str) -> None:
        self._library = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        for name in ("lean_initialize", "lean_io_mark_end_initialization", "lean_init_task_manager"):
            self.function(name, 0, None)()
        self.result(self.function("lean_init_search_path", 0)())

    def function(self, name: str, arity: int, result: Any = _POINTER) -> Callable[..., Any]:
        """A function of the library that takes ``arity`` objects."""
        found = getattr(self._library, name)
        found.argtypes, found.restype = [_POINTER] * arity, result
        return found  # type: ignore[no-any-return]

    def constant(self, name: str) -> int:
        """A constant of the library."""
        return int(_POINTER.in_dll(self._library, name).value or 0)

    def field(self, object_: int, index: int) -> int:
        """Pointer ``index`` of a constructor object."""
        return int(_POINTER.from_address(object_ + _HEADER + 8 * index).value or 0)

    def result(self, object_: int) -> int:
        """The value of an ``IO`` result; an error is shown on stderr and ends the process with exit code 1."""
        if ctypes.c_uint8.from_address(object_ + 7).value != 0:
            self.function("lean_io_result_show_error", 1, None)(object_)
            sys.stderr.flush()
            os._exit(1)
        return self.field(object_, 0)

    def name(self, dotted: str) -> int:
        """A ``Name``; every part is a string."""
        make_string = self.function("lean_mk_string", 0)
        make_string.argtypes = [ctypes.c_char_p]  # type: ignore[attr-defined]
        add = self.function("lean_name_mk_string", 2)
        name = box(0)
        for part in dotted.split("."):
            name = add(name, make_string(part.encode()))
        return name

    def imports(self, modules: list[str]) -> int:
        """An ``Array Import`` that names ``modules``: one pointer and the flags all, exported, meta."""
        array = self.function("lean_mk_array", 2)(box(0), box(0))
        allocate = self.function("lean_alloc_object", 0)
        allocate.argtypes = [ctypes.c_size_t]  # type: ignore[attr-defined]
        push = self.function("lean_array_push", 2)
        for module in modules:
            entry = allocate(24)
            ctypes.c_int.from_address(entry).value = 1  # reference count
            ctypes.c_uint32.from_address(entry + 4).value = 24 | 1 << 16  # size, one pointer, constructor 0
            _POINTER.from_address(entry + 8).value = self.name(module)
            ctypes.c_uint64.from_address(entry + 16).value = 1 << 8  # exported
            array = push(array, entry)
        return int(array)


def replay(runtime: Runtime, modules: list[str]) -> int:
    """Send all declarations of ``modules`` and of what they import to a fresh kernel; returns how many."""
    no_plugins = runtime.function("lean_mk_array", 2)(box(0), box(0))
    options, no_artifacts = runtime.constant("l_Lean_Options_empty"), runtime.constant("l_Lean_NameSet_empty")
    # imports, options, trust level, plugins, leak, load extensions, level of detail, artifacts
    environment = runtime.result(
        runtime.function("l_Lean_importModules___boxed", 8)(
            runtime.imports(modules), options, box(0), no_plugins, box(0), box(0), box(_PRIVATE_LEVEL), no_artifacts
        )
    )
    constants = runtime.field(runtime.function("l_Lean_Environment_constants", 1)(environment), 0)
    count = runtime.field(constants, 0) >> 1
    empty = runtime.result(runtime.function("l_Lean_mkEmptyEnvironment___boxed", 1)(box(0)))
    runtime.result(runtime.function("l_Lean_Environment_replay", 2)(constants, empty))
    return count


if __name__ == "__main__":
    print(replay(Runtime(sys.argv[1]), sys.argv[2:]), flush=True)
    os._exit(0)
