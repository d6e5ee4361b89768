"""Assemble a tiny Lean project: the base, the files in which a case differs, and the project's own bootstrap.

A case is a folder below ``cases`` with the files that differ (``NAME.append`` is added to the end of NAME) and
``expected.json``: ``why`` it is a cheat, the ``gate`` and the ``reason`` that must refuse it, ``where``, and

- ``without_scan``: the gate and reason that refuse it when the token scan is left out;
- ``edit_lock``: a ``path`` into ``statements.lock``, its new ``value``, and whether to ``seal`` the lock again;
- ``relock``: locks that the cheat writes anew; ``delete``: files that it deletes.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from dobrushin.lean.gates import current_locks
from dobrushin.lean.lockfile import render
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

HERE = Path(__file__).parent
CASES = sorted(path for path in (HERE / "cases").iterdir() if path.is_dir())
BOOTSTRAP = HERE.parents[1] / "lean" / "bootstrap"


def expected(case: Path) -> dict[str, Any]:
    return dict(json.loads((case / "expected.json").read_text(encoding="utf-8")))


def assemble(case: Path | None, folder: Path, locks: dict[str, str]) -> Project:
    """The project of a case, or of the base alone, in ``folder``."""
    shutil.copytree(HERE / "base", folder, dirs_exist_ok=True)
    shutil.copytree(BOOTSTRAP, folder / "lean" / "bootstrap")
    for name, text in locks.items():
        (folder / "proofs" / name).write_text(text, encoding="utf-8")
    for source in sorted(case.rglob("*")) if case else []:
        target = folder / source.relative_to(case or source)
        if source.is_dir() or source.name == "expected.json":
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".append":
            target = target.with_suffix("")
            target.write_text(target.read_text("utf-8") + source.read_text("utf-8"), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    return Project.at(folder)


def lock_texts(project: Project, lean: Lean) -> dict[str, str]:
    """What ``make prove-lock`` would write, by file name."""
    return {path.name: render(content) for path, content in current_locks(project, lean).items()}


def cheat(project: Project, lean: Lean, how: dict[str, Any]) -> None:
    """Do to the locks and files what a case says."""
    for name in how.get("delete", []):
        (project.root / name).unlink()
    if how.get("relock"):
        fresh = lock_texts(project, lean)
        for name in how["relock"]:
            (project.proofs / name).write_text(fresh[name], encoding="utf-8")
    if edit := how.get("edit_lock"):
        path = project.proofs / "statements.lock"
        content = json.loads(path.read_text(encoding="utf-8"))
        entry = content
        for step in edit["path"][:-1]:
            entry = entry[step]
        entry[edit["path"][-1]] = edit["value"]
        if edit["seal"]:
            del content["sealed"]
            path.write_text(render(content), encoding="utf-8")
        else:
            path.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")


def table() -> str:
    """The table of tests/negative/README.md."""
    lines = ["| case | how it cheats | refused by | reason | without the scan |", "|---|---|---|---|---|"]
    for case in CASES:
        how = expected(case)
        behind = how.get("without_scan")
        second = f"{behind['gate']}: `{behind['reason']}`" if behind else ""
        lines.append(f"| {case.name} | {how['why']} | {how['gate']} | `{how['reason']}` | {second} |")
    return "\n".join(lines) + "\n"
