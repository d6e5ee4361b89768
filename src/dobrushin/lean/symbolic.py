"""The symbolic gate: run the computer-algebra and SMT proofs of ``proofs/symbolic``, each in its own process.

``proofs/symbolic.lock`` holds the SHA-256 of every file of the folder, and every claim with its verdict, so that a
script that is gone, hollow, or says less than it did turns the gate red.  ``make prove-lock`` writes it.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobrushin.errors import IncompleteError
from dobrushin.lean.lockfile import read
from dobrushin.lean.refusal import Passed, RefusedError
from dobrushin.lean.sources import Project
from dobrushin.wheels import sha256_of

GATE = "symbolic"
VERDICTS = ("proved", "unsat", "refuted")
"""How a verdict may begin; ``refuted`` is for false variants, whose claims say so."""

_ABOUT = (
    "The symbolic proofs: every file, and every claim with its verdict; `long` ones are left out by QUICK=1. "
    "Written by `make prove-lock`; `make prove` compares."
)
_SECONDS = 900
# The folder stands last on the path, so that no file in it can pass for a module of Python or of a solver.
_RUN = (
    "import runpy, sys; sys.path.append(sys.argv[1]); del sys.argv[:2]; runpy.run_path(sys.argv[0], None, '__main__')"
)


@dataclass(frozen=True)
class Check:
    """One line that a script prints: a claim, its verdict, what it saw, and seconds; ``long`` if quick omits it."""

    claim: str
    verdict: str
    detail: str
    seconds: float
    long: bool

    @property
    def locked(self) -> dict[str, Any]:
        """What the lock keeps of it: not the detail, such as a witness, which another solver may choose otherwise."""
        return {"claim": self.claim, "verdict": self.verdict, "long": self.long}


def lock_path(project: Project) -> Path:
    """Where the lock is."""
    return project.proofs / "symbolic.lock"


def current(project: Project) -> dict[str, Any]:
    """The lock's content as the proofs stand now; runs all of them."""
    files = _files(project)
    runs = {script: _run(project, script, quick=False) for script in _scripts(list(files))}
    checks = {script: [check.locked for check in found] for script, found in runs.items()}
    return {"about": _ABOUT, "files": files, "checks": checks}


def run_symbolic(project: Project, *, quick: bool) -> list[Passed]:
    """Run every script; each prints one JSON object a line, see :class:`Check`.

    Raises:
        RefusedError: a script is gone (``symbolic-missing``), not the locked one (``symbolic-changed``), or new
            (``symbolic-foreign``); it finds a false claim or crashes (``symbolic-refuted``), prints something else
            (``symbolic-output``), or its claims and verdicts are not the locked ones (``symbolic-claims``).
        IncompleteError: a solver is not installed or gives up in its time.
    """
    locked = read(lock_path(project), GATE)
    try:
        _compare_files(locked["files"], _files(project))
        expected = {script: list(locked["checks"][script]) for script in _scripts(list(locked["files"]))}
    except (KeyError, TypeError) as error:
        raise RefusedError(
            GATE, "lock-tampered", "proofs/symbolic.lock", f"the entry {error} is missing; run make prove-lock"
        ) from error
    passed = []
    for script, claims in expected.items():
        begin = time.perf_counter()
        checks = _run(project, script, quick=quick)
        _compare_claims(script, [claim for claim in claims if not (quick and claim["long"])], checks)
        name = f"{GATE} {Path(script).stem}"
        passed += [Passed(name, c.seconds, f"{c.claim}: {c.verdict}{c.detail and f' ({c.detail})'}") for c in checks]
        # Starting Python and loading the solver count too: they go to the script's last check.
        rest = time.perf_counter() - begin - sum(check.seconds for check in checks)
        passed[-1] = Passed(passed[-1].gate, passed[-1].seconds + rest, passed[-1].detail)
    return passed


def _files(project: Project) -> dict[str, str]:
    """SHA-256 of every file of the folder; there is nothing else in it."""
    folder = project.proofs / "symbolic"
    found = [path for path in sorted(folder.glob("*")) if path.name != "__pycache__"]  # compiled files are not read
    for path in found:
        if not path.is_file():
            say = "only files belong here: a folder could pass for a module that a proof imports"
            raise RefusedError(GATE, "symbolic-foreign", f"proofs/symbolic/{path.name}", say)
    files = {path.name: sha256_of(path) for path in found}
    if not _scripts(list(files)):
        raise RefusedError(GATE, "symbolic-missing", "proofs/symbolic", "there is no proof to run")
    return files


def _scripts(files: list[str]) -> list[str]:
    return [name for name in files if name.endswith(".py") and not name.startswith("_")]


def _compare_files(locked: dict[str, str], now: dict[str, str]) -> None:
    for name in sorted({*locked, *now}):
        if locked.get(name) == now.get(name):
            continue
        reason, what = (
            ("symbolic-foreign", "is new") if name not in locked
            else ("symbolic-missing", "is gone") if name not in now
            else ("symbolic-changed", "is not what is locked")
        )  # fmt: skip
        raise RefusedError(GATE, reason, f"proofs/symbolic/{name}", f"this file {what}; read it, then make prove-lock")


def _compare_claims(script: str, locked: list[dict[str, Any]], found: list[Check]) -> None:
    now = [check.locked for check in found]
    if now != locked:
        gone = [claim for claim in locked if claim not in now]
        first = (gone or [claim for claim in now if claim not in locked] or now)[0]
        what = "is locked, but not what it says now" if gone else "is not in the lock, or not in this place"
        say = f"its claim {first['claim']!r} with the verdict {first['verdict']!r} {what}; see make prove-lock"
        raise RefusedError(GATE, "symbolic-claims", f"proofs/symbolic/{script}", say)


def _run(project: Project, script: str, *, quick: bool) -> list[Check]:
    """Run one script, isolated from the environment and from compiled files that lie about, and read its checks."""
    where, folder = f"proofs/symbolic/{script}", project.proofs / "symbolic"
    with tempfile.TemporaryDirectory() as cache:
        isolated = [sys.executable, "-I", "-X", f"pycache_prefix={cache}", "-c", _RUN]
        command = [*isolated, str(folder), str(folder / script), *(["--quick"] if quick else [])]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise IncompleteError(f"{where} took more than {_SECONDS} s") from error
    detail = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    if done.returncode == IncompleteError.exit_code:
        raise IncompleteError(f"{where}: {detail}")
    if done.returncode != 0:
        raise RefusedError(GATE, "symbolic-refuted", where, detail)
    try:
        checks = list(_parsed(done.stdout))
    except (ValueError, KeyError, TypeError) as error:
        say = "it printed what is no check: one JSON object a line, with a claim, a verdict and seconds"
        raise RefusedError(GATE, "symbolic-output", where, say) from error
    if not checks:
        raise RefusedError(GATE, "symbolic-claims", where, "it checked nothing")
    for check in checks:
        if not check.verdict.startswith(VERDICTS):
            raise RefusedError(GATE, "symbolic-refuted", where, f"{check.claim}: {check.verdict}")
    return checks


def _parsed(stdout: str) -> Iterator[Check]:
    for line in stdout.splitlines():
        raw = json.loads(line)
        yield Check(
            claim=str(raw["claim"]),
            verdict=str(raw["verdict"]),
            detail=str(raw.get("detail", "")),
            seconds=float(raw["seconds"]),
            long=bool(raw.get("long", False)),
        )
