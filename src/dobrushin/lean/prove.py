"""``make prove`` and ``make prove-lock``: run the gates, show the table, write ``proofs/axioms.json``."""

import difflib
import json
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dobrushin.errors import DobrushinError, GateError, IncompleteError, InputError
from dobrushin.files import write_atomically
from dobrushin.lean import lockfile, toolchain
from dobrushin.lean.gates import Report, current_locks, run_gates
from dobrushin.lean.refusal import Passed
from dobrushin.lean.sources import Project

app = typer.Typer(add_completion=False, help="The Lean development: check it, or lock its statements.")

_Root = Annotated[Path, typer.Option("--project", help="The folder that holds lean/ and proofs/.")]
_progress = Console(stderr=True)


@app.command()
def prove(
    project: _Root = Path(),
    quick: Annotated[bool, typer.Option("--quick", help="Leave the longest SMT proofs out.")] = False,
) -> None:
    """Build everything from nothing, run every gate, and print one row per theorem.

    ``proofs/axioms.json`` holds what the last run found, green or red; a run that could not be finished leaves it.
    """
    found = _project(project)
    try:
        lean = toolchain.find(root=found.lean)
        _progress.print(escape(str(lean)))
        report = run_gates(found, lean, quick=quick, listener=_show_gate)
        _write_axioms(found, _axioms_json(report))
    except GateError as error:
        _write_axioms(found, json.dumps({"verdict": "red", "reason": str(error)}, indent=1, ensure_ascii=False) + "\n")
        _leave(error)
    except (DobrushinError, OSError) as error:
        _leave(error)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(_table(report))
    seconds = sum(gate.seconds for gate in report.gates)
    left_out = ", without the longest SMT proofs (quick)" if quick else ""
    console.print(escape(f"Green: every gate, {seconds:.1f} s{left_out}; {lean}"))


@app.command()
def lock(project: _Root = Path()) -> None:
    """Write the locks of the statements, the bootstrap and the symbolic proofs anew, and show what changed."""
    found = _project(project)
    try:
        for path, content in current_locks(found, toolchain.find(root=found.lean)).items():
            _rewrite(path, lockfile.render(content))
    except (DobrushinError, OSError) as error:
        _leave(error)


def _rewrite(path: Path, after: str) -> None:
    """Write a lock, and show on stdout how it differs from what was there."""
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    shown = f"proofs/{path.name}"
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), shown, shown, lineterm="", n=2):
        print(line)
    write_atomically(path, after)
    _progress.print(f"{shown}: " + ("unchanged" if before == after else "written; review the difference above"))


def _write_axioms(project: Project, after: str) -> None:
    """Write ``proofs/axioms.json`` if it says something else, and say so."""
    path = project.proofs / "axioms.json"
    if path.is_file() and path.read_text(encoding="utf-8") == after:
        return
    try:
        write_atomically(path, after)
    except DobrushinError as error:
        _leave(error)
    say = "proofs/axioms.json: not what it was; see the difference, and commit it with what caused it"
    _progress.print(say, soft_wrap=True)


def _project(root: Path) -> Project:
    if not (root / "lean" / "lakefile.toml").is_file():
        _leave(InputError(f"{root.resolve()} holds no lean/lakefile.toml; use --project"))
    return Project.at(root.resolve())


def _leave(error: DobrushinError | OSError) -> NoReturn:
    """One sentence on stderr, and the exit code of the error's kind (a full disk and the like: incomplete)."""
    mark = "red" if isinstance(error, GateError) else "not run"
    _progress.print(f"make prove: {mark}: {escape(str(error))}", style="bold red", soft_wrap=True)
    raise typer.Exit(error.exit_code if isinstance(error, DobrushinError) else IncompleteError.exit_code)


def _show_gate(passed: Passed) -> None:
    _progress.print(escape(f"  {passed.gate:<20} {passed.seconds:7.2f} s  {passed.detail}"), soft_wrap=True)


def _table(report: Report) -> Table:
    table = Table(title="Theorems", title_justify="left")
    for column in ("theorem", "file:line", "axioms", "statement"):
        table.add_column(column, overflow="fold")
    table.add_column("seconds", justify="right")
    for headline in report.headlines:
        axioms = ", ".join(headline.axioms) or "none"
        short = report.hashes[headline.name][:12]
        table.add_row(headline.name, headline.where, axioms, short, f"{headline.seconds:.1f}")
    table.caption = "seconds: compiling from nothing the modules that the theorem rests on"
    table.caption_justify = "left"
    return table


def _axioms_json(report: Report) -> str:
    """No times in it: the file changes only when the theorems do."""
    theorems = [
        {"theorem": h.name, "where": h.where, "axioms": list(h.axioms), "constants": h.constants,
         "statement_sha256": report.hashes[h.name]}
        for h in report.headlines
    ]  # fmt: skip
    lean = {"version": report.lean.version, "commit": report.lean.commit, "stand_in_for_Init": report.lean.stand_in}
    return json.dumps({"verdict": "green", "lean": lean, "theorems": theorems}, indent=1, ensure_ascii=False) + "\n"
