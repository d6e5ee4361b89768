"""What the symbolic proofs print: one JSON object a line, and exit code 1 with a reason when a claim fails."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn


@dataclass
class Outcome:
    """The verdict on one claim, and what was seen besides (a witness, say); the verdict is compared with the lock."""

    verdict: str = ""
    detail: str = ""


@contextmanager
def check(claim: str, *, long: bool = False) -> Iterator[Outcome]:
    """Time the body, which sets the verdict; when it ends without :func:`refuted`, print it.

    ``long`` marks a check that ``--quick`` leaves out.
    """
    begin, outcome = time.perf_counter(), Outcome()
    yield outcome
    seconds = round(time.perf_counter() - begin, 3)
    line = {"claim": claim, "verdict": outcome.verdict, "detail": outcome.detail, "seconds": seconds, "long": long}
    print(json.dumps(line, ensure_ascii=False), flush=True)


def refuted(reason: str) -> NoReturn:
    """A claim is false: say why, exit code 1."""
    print(reason, file=sys.stderr)
    raise SystemExit(1)


def undecided(reason: str) -> NoReturn:
    """A solver gave up, or is not installed: exit code 3."""
    print(reason, file=sys.stderr)
    raise SystemExit(3)
