"""Lean's messages as data: one JSON object a line, with the position that Lean itself gives."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    """One message of Lean; ``line`` counts from 1."""

    severity: str
    kind: str
    line: int
    text: str

    @property
    def first_line(self) -> str:
        """What to show in one sentence."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        return " ".join(lines[:4])[:300] if lines else "no message"


def parse(stdout: str) -> tuple[list[Message], list[str]]:
    """The messages in order, and every line that is no message (there should be none)."""
    found: list[Message] = []
    strange: list[str] = []
    for line in filter(str.strip, stdout.splitlines()):
        try:
            raw = json.loads(line)
            found.append(Message(raw["severity"], raw["kind"], int(raw["pos"]["line"]), raw["data"]))
        except (ValueError, KeyError, TypeError):
            strange.append(line)
    return found, strange
