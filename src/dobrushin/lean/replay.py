"""The replay gate: the kernel checks every declaration of the compiled modules once more, from nothing.

Elaboration writes the ``.olean`` files; replay does not trust that it went through the kernel on the way.
The wheel has no ``leanchecker``, but the library holds the function behind it, which
:mod:`dobrushin.lean.replay_process` calls; an official toolchain brings the program itself.
"""

import sys
from pathlib import Path

from dobrushin.lean.build import Build
from dobrushin.lean.compiled import project_modules
from dobrushin.lean.declarations import Environment
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.toolchain import Lean, run

GATE = "replay"


def replay(lean: Lean, build: Build, environment: Environment) -> str:
    """Replay the development; returns what was done, for the report.

    Raises:
        RefusedError: the kernel refuses a declaration (``replay-refused``), not everything was replayed
            (``replay-incomplete``), or this Lean can not replay (``replay-unavailable``).
    """
    if lean.stand_in:
        return _replay_all(lean, build, environment)
    return _leanchecker(lean, build)


def _replay_all(lean: Lean, build: Build, environment: Environment) -> str:
    modules = [module.name for module in build.modules]
    script = Path(__file__).with_name("replay_process.py")
    done = run([sys.executable, str(script), str(lean.library), *modules], path=build.folder)
    if done.returncode != 0:
        detail = " ".join(done.stderr.split())[:300] or f"exit code {done.returncode}"
        raise RefusedError(
            GATE, "replay-refused", "the compiled modules", f"the kernel refuses a declaration: {detail}"
        )
    count = int(done.stdout)
    if count != len(environment.declarations):
        raise RefusedError(
            GATE, "replay-incomplete", "the compiled modules",
            f"{count} declarations were replayed, but the modules hold {len(environment.declarations)}",
        )  # fmt: skip
    skipped = sum(d.unsafe or d.partial for d in environment.declarations.values())
    return f"{count - skipped} declarations checked again by a fresh kernel ({skipped} unsafe ones are not)"


def _leanchecker(lean: Lean, build: Build) -> str:
    program = (lean.prefix or Path()) / "bin" / "leanchecker"
    if not program.is_file():
        raise RefusedError(
            GATE, "replay-unavailable", str(program), "this toolchain has no leanchecker (4.28 or newer)"
        )
    for module in project_modules(build):
        done = run([str(program), module.name], path=build.folder)
        if done.returncode != 0:
            detail = " ".join((done.stderr or done.stdout).split())[:300]
            raise RefusedError(GATE, "replay-refused", module.name, f"leanchecker refuses it: {detail}")
    return "every module by leanchecker, on top of core"
