"""The symbolic gate: run the computer-algebra and SMT proofs of ``proofs/symbolic``, each in its own process."""

import json
import subprocess
import sys
import time

from dobrushin.errors import IncompleteError
from dobrushin.lean.refusal import Passed, RefusedError
from dobrushin.lean.sources import Project

GATE = "symbolic"
_SECONDS = 900


def run_symbolic(project: Project, *, quick: bool) -> list[Passed]:
    """Run every script; each prints one JSON object a line, ``{"check": …, "verdict": …, "seconds": …}``.

    Raises:
        RefusedError: a script finds a false claim (``symbolic-refuted``), crashes, or checks nothing.
        IncompleteError: a solver is not installed or gives up in its time.
    """
    scripts = sorted((project.proofs / "symbolic").glob("[!_]*.py"))
    if not scripts:
        raise RefusedError(GATE, "symbolic-missing", "proofs/symbolic", "there is no proof to run")
    passed = []
    for script in scripts:
        begin = time.perf_counter()
        command = [sys.executable, str(script), *(["--quick"] if quick else [])]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise IncompleteError(f"proofs/symbolic/{script.name} took more than {_SECONDS} s") from error
        where = f"proofs/symbolic/{script.name}"
        detail = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        if done.returncode == IncompleteError.exit_code:
            raise IncompleteError(f"{where}: {detail}")
        if done.returncode != 0:
            raise RefusedError(GATE, "symbolic-refuted", where, detail)
        try:
            checks = [json.loads(line) for line in done.stdout.splitlines()]
        except ValueError as error:
            raise RefusedError(GATE, "symbolic-output", where, "it printed what is no JSON object a line") from error
        if not checks:
            raise RefusedError(GATE, "symbolic-nothing", where, "it checked nothing")
        for check in checks:
            passed.append(Passed(f"{GATE} {script.stem}", check["seconds"], f"{check['check']}: {check['verdict']}"))
        # Starting Python and loading the solver count too: they go to the script's last check.
        rest = time.perf_counter() - begin - sum(check["seconds"] for check in checks)
        passed[-1] = Passed(passed[-1].gate, passed[-1].seconds + rest, passed[-1].detail)
    return passed
