"""What the symbolic proofs print: one JSON object a line, and exit code 1 with a reason when a claim fails."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def check(claim: str) -> Iterator[list[str]]:
    """Time the body, which appends what it found; when it ends without :func:`refuted`, print it."""
    begin, verdict = time.perf_counter(), list[str]()
    yield verdict
    line = {"check": claim, "verdict": "; ".join(verdict), "seconds": round(time.perf_counter() - begin, 3)}
    print(json.dumps(line, ensure_ascii=False), flush=True)


def refuted(reason: str) -> NoReturn:
    """A claim is false: say why, exit code 1."""
    print(reason, file=sys.stderr)
    raise SystemExit(1)


def undecided(reason: str) -> NoReturn:
    """A solver gave up, or is not installed: exit code 3."""
    print(reason, file=sys.stderr)
    raise SystemExit(3)
