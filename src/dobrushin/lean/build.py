"""Compile a development from nothing into a fresh folder; warnings are errors, no cache and no mtime is trusted."""

import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from dobrushin.lean.messages import Message, parse
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Module, Project, modules_in_order
from dobrushin.lean.toolchain import Lean

_SORRY = "hasSorry"


@dataclass
class Build:
    """A compiled development: where the ``.olean`` files are, the modules in order, and seconds for each."""

    folder: Path
    modules: list[Module] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def olean(self, module: str) -> Path:
        """The compiled form of a module."""
        return self.folder.joinpath(*module.split(".")).with_suffix(".olean")


def build(project: Project, lean: Lean, folder: Path, *, compiled_bootstrap: Build | None = None) -> Build:
    """Compile every module of ``project`` into the empty folder ``folder``.

    ``compiled_bootstrap`` is an earlier build of the same stand-in in the same process; the many small projects
    of the tests share one.  ``make prove`` never passes it.

    Raises:
        RefusedError: Lean reports an error (``lean-error``), a warning (``lean-warning``) or a ``sorry``.
    """
    if any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty")
    result = Build(folder)
    for module in modules_in_order(project, stand_in=lean.stand_in):
        begin = time.perf_counter()
        if module.bootstrap and compiled_bootstrap is not None:
            _copy(compiled_bootstrap.olean(module.name), result.olean(module.name))
        else:
            _compile(project, lean, module, result)
        result.modules.append(module)
        result.seconds[module.name] = time.perf_counter() - begin
    return result


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _compile(project: Project, lean: Lean, module: Module, result: Build) -> None:
    target = result.olean(module.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    arguments = ["--json", "-R", str(module.root), "-o", str(target), str(module.file)]
    done = lean.run(arguments, path=result.folder, cwd=module.root)
    found, strange = parse(done.stdout)
    refuse_complaints(found, project, module.file)
    if done.returncode != 0 or strange or not target.is_file():
        detail = (strange or done.stderr.strip().splitlines() or ["no message"])[0][:300]
        raise RefusedError("build", "lean-crash", project.where(module.file), f"Lean gave up: {detail}")


def refuse_complaints(found: Iterable[Message], project: Project, file: Path) -> None:
    """Refuse the first error, ``sorry`` or warning among the messages of one file."""
    complaints = [message for message in found if message.severity != "information"]
    for message in sorted(complaints, key=lambda m: (m.kind == _SORRY, m.severity != "error")):
        if message.kind == _SORRY:
            reason, say = "sorry", "a proof is left out with sorry"
        elif message.severity == "error":
            reason, say = "lean-error", "Lean reports an error"
        else:
            reason, say = "lean-warning", "Lean warns, and warnings are errors here"
        raise RefusedError("build", reason, project.where(file, message.line), f"{say}: {message.first_line}")
