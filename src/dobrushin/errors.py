"""The errors a user can meet, one class per exit code of the command.

Every message is one sentence: what is wrong, where it is, and what to do about it.
"""


class DobrushinError(Exception):
    """Base of all errors raised on purpose; ``exit_code`` is what the command returns."""

    exit_code = 2


class InputError(DobrushinError, ValueError):
    """The input can not be used as given (exit code 2)."""

    exit_code = 2


class GateError(DobrushinError):
    """A theorem or a gate is violated: the software or the proof is wrong, not the input (exit code 1)."""

    exit_code = 1


class IncompleteError(DobrushinError):
    """Something could not be finished, and can be tried again (exit code 3)."""

    exit_code = 3


class FetchError(IncompleteError):
    """A pinned file could not be fetched; nothing else is affected."""
