"""What a gate says when it refuses: its name, the place, the reason code, and one sentence."""

from dataclasses import dataclass

from dobrushin.errors import GateError


class RefusedError(GateError):
    """A gate of ``make prove`` refuses the development (exit code 1).

    ``gate`` is the gate's name, ``reason`` a short code (the ones that ``tests/negative`` expects), ``where`` a
    place such as ``lean/Dobrushin/Statement.lean:12``, and ``sentence`` what is wrong and what to do about it.
    """

    def __init__(self, gate: str, reason: str, where: str, sentence: str) -> None:
        self.gate = gate
        self.reason = reason
        self.where = where
        self.sentence = sentence
        super().__init__(f"gate {gate} refuses {where}: {sentence} [{reason}]")


@dataclass(frozen=True)
class Passed:
    """A gate that passed: its name, how long it took (seconds), and what exactly it looked at."""

    gate: str
    seconds: float
    detail: str
