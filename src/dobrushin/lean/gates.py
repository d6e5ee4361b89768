"""All gates in order, as one function: what ``make prove`` runs, and what ``tests/negative`` must turn red."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dobrushin.lean import bootstrap, compiled, headlines, paper, replay, scan, statements, symbolic
from dobrushin.lean.build import Build, build
from dobrushin.lean.declarations import Environment
from dobrushin.lean.headlines import Headline
from dobrushin.lean.refusal import Passed
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

ALL = (
    "bootstrap files", "scan", "build", "bootstrap", "compiled", "axioms", "replay", "statements", "prose", "symbolic"
)  # fmt: skip
"""The gates in the order in which they run; each stops the run when it refuses."""

Listener = Callable[[Passed], None]


@dataclass
class Report:
    """What a green run looked at."""

    lean: Lean
    headlines: list[Headline] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)
    gates: list[Passed] = field(default_factory=list)


class _Run:
    """One run: times each gate, and tells the listener."""

    def __init__(self, report: Report, listener: Listener) -> None:
        self.report, self._listener = report, listener

    def passed(self, gate: Passed) -> None:
        self.report.gates.append(gate)
        self._listener(gate)

    @contextmanager
    def gate(self, name: str) -> Iterator[list[str]]:
        """Time the body, which appends what it looked at."""
        begin, detail = time.perf_counter(), list[str]()
        yield detail
        self.passed(Passed(name, time.perf_counter() - begin, "; ".join(detail)))


def compile_fresh(
    project: Project, lean: Lean, folder: Path, compiled_bootstrap: Build | None = None
) -> tuple[Build, Environment]:
    """Compile the development and read what was compiled."""
    built = build(project, lean, folder, compiled_bootstrap=compiled_bootstrap)
    return built, Environment((module.name, built.olean(module.name)) for module in built.modules)


def run_gates(
    project: Project,
    lean: Lean,
    *,
    gates: tuple[str, ...] = ALL,
    quick: bool = False,
    compiled_bootstrap: Build | None = None,
    listener: Listener = lambda _: None,
) -> Report:
    """Run the gates on a project; ``gates`` leaves some out (the tests do, to show what stands behind a gate).

    Raises:
        RefusedError: a gate refuses; the first one that does ends the run.
    """
    run = _Run(Report(lean), listener)
    if "bootstrap files" in gates:
        with run.gate("bootstrap files") as said:
            said.append(f"{bootstrap.check_files(project)} files as locked")
    if "scan" in gates:
        with run.gate("scan") as said:
            said.append(f"{scan.scan(project)} files without a forbidden word, option or token")
    with tempfile.TemporaryDirectory(prefix="dobrushin-lean-") as folder:
        with run.gate("build") as said:
            built, environment = compile_fresh(project, lean, Path(folder), compiled_bootstrap)
            said.append(f"{len(built.modules)} modules from nothing, no error, no warning")
        _compiled_gates(run, project, built, environment, gates)
    if "symbolic" in gates:
        for passed in symbolic.run_symbolic(project, quick=quick):
            run.passed(passed)
    return run.report


def _compiled_gates(
    run: _Run, project: Project, built: Build, environment: Environment, gates: tuple[str, ...]
) -> None:
    lean = run.report.lean
    if "bootstrap" in gates and lean.stand_in:
        with run.gate("bootstrap") as said:
            said.append(bootstrap.check_contents(project, lean, built, environment))
    if "compiled" in gates:
        with run.gate("compiled") as said:
            count = compiled.check_compiled(project, built, environment)
            said.append(f"{count} declarations outside the bootstrap: no axiom, nothing unsafe, no core name taken")
    if "axioms" in gates:
        with run.gate("axioms") as said:
            allowed = headlines.allowed_axioms(project)
            run.report.headlines = headlines.check_axioms(project, lean, built, environment, allowed)
            said.append(f"{len(run.report.headlines)} theorems; allowed axioms: {', '.join(allowed) or 'none'}")
    if "replay" in gates:
        with run.gate("replay") as said:
            said.append(replay.replay(lean, built, environment))
    if "statements" in gates:
        with run.gate("statements") as said:
            now = statements.current(project, lean, built, environment)
            statements.check_statements(project, environment, now)
            run.report.hashes = statements.hashes(now)
            said.append(f"{len(now['theorems'])} statements, {len(now['definitions'])} definitions as locked")
    if "prose" in gates:
        with run.gate("prose") as said:
            said.append(f"{paper.check_prose(project, environment)} Lean names in proofs/README.md, all there")


def current_locks(project: Project, lean: Lean) -> dict[Path, dict[str, Any]]:
    """What both locks would hold now; the bootstrap's only when it is compiled here."""
    with tempfile.TemporaryDirectory(prefix="dobrushin-lean-") as folder:
        built, environment = compile_fresh(project, lean, Path(folder))
        locks = {statements.lock_path(project): statements.current(project, lean, built, environment)}
        if lean.stand_in:
            locks[bootstrap.lock_path(project)] = bootstrap.current(project, built, environment)
    return locks
