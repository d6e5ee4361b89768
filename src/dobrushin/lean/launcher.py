"""Run Lean out of a shared library: ``python launcher.py libleanshared.so ARGUMENT…``, without a C compiler.

``lean_main`` ends the process itself, so Lean always gets a process of its own.  This file imports nothing of
the project: it is run as a script.
"""

import ctypes
import os
import sys


def main() -> None:
    """Hand the arguments to ``lean_main`` and leave with its exit code."""
    library, *arguments = sys.argv[1:]
    lean = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    lean.lean_main.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    lean.lean_main.restype = ctypes.c_int
    argv = [b"lean", *map(os.fsencode, arguments)]
    array = (ctypes.c_char_p * (len(argv) + 1))(*argv, None)
    os._exit(lean.lean_main(len(argv), array) & 0xFF)


if __name__ == "__main__":
    main()
