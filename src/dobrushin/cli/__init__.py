"""The command line: options in, results out; the logic is elsewhere.

One module for each command.  Results go to standard output, progress and errors to standard error.  Exit codes:
0 done, 1 a theorem or gate is violated, 2 bad input, 3 incomplete.
"""

from importlib import import_module

from dobrushin.cli.app import app, main

_COMMANDS = ("check", "survey", "report", "show", "certify", "demo", "collapse")  # the order in which --help lists them
for _command in _COMMANDS:
    import_module(f"{__name__}.{_command}")

__all__ = ["app", "main"]
