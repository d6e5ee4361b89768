"""The frozen bootstrap: the stand-in for Lean's ``Init`` is trusted, so it is listed and may not change unseen.

Frozen are the SHA-256 of each file, and the list of what a reader has to look at: its axioms, its unsafe and
opaque constants, the functions whose compiled code comes from Lean's library, and the functions on ``Nat`` that
the kernel computes by name.  The latter must satisfy the official defining equations, checked on variables,
where the kernel's arithmetic on numerals can not help.
"""

from pathlib import Path
from typing import Any

from dobrushin.lean.audit import FIRST_LINE, refused
from dobrushin.lean.build import Build
from dobrushin.lean.compiled import KERNEL_NAT
from dobrushin.lean.declarations import Declaration, Environment
from dobrushin.lean.lockfile import read
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project, bootstrap_files
from dobrushin.lean.toolchain import Lean
from dobrushin.wheels import sha256_of

GATE = "bootstrap"
_ABOUT = "What lean/bootstrap is made of. Written by `make prove-lock`; `make prove` compares."

NAT_EQUATIONS = {
    "Nat.succ": [],
    "Nat.pred": ["(Nat.pred Nat.zero) Nat.zero", "(Nat.pred (Nat.succ n)) n"],
    "Nat.add": ["(Nat.add n Nat.zero) n", "(Nat.add n (Nat.succ m)) (Nat.succ (Nat.add n m))"],
    "Nat.sub": ["(Nat.sub n Nat.zero) n", "(Nat.sub n (Nat.succ m)) (Nat.pred (Nat.sub n m))"],
    "Nat.mul": ["(Nat.mul n Nat.zero) Nat.zero", "(Nat.mul n (Nat.succ m)) (Nat.add (Nat.mul n m) n)"],
    "Nat.pow": ["(Nat.pow n Nat.zero) (Nat.succ Nat.zero)", "(Nat.pow n (Nat.succ m)) (Nat.mul (Nat.pow n m) n)"],
    "Nat.beq": ["(Nat.beq Nat.zero Nat.zero) Bool.true", "(Nat.beq Nat.zero (Nat.succ m)) Bool.false",
                "(Nat.beq (Nat.succ n) Nat.zero) Bool.false", "(Nat.beq (Nat.succ n) (Nat.succ m)) (Nat.beq n m)"],
    "Nat.ble": ["(Nat.ble Nat.zero m) Bool.true", "(Nat.ble (Nat.succ n) Nat.zero) Bool.false",
                "(Nat.ble (Nat.succ n) (Nat.succ m)) (Nat.ble n m)"],
}  # fmt: skip
"""The defining equations in Lean's core; each pair of sides is ``Eq side side``, for all n and m, by ``rfl``."""


_KERNEL_TYPES = {"Nat": ("Nat.zero", "Nat.succ"), "Bool": ("Bool.false", "Bool.true")}


def lock_path(project: Project) -> Path:
    """Where the lock is."""
    return project.proofs / "bootstrap.lock"


def file_hashes(project: Project) -> dict[str, str]:
    """SHA-256 by file name below ``lean/bootstrap``."""
    return {f.relative_to(project.bootstrap).as_posix(): sha256_of(f) for f in bootstrap_files(project)}


def check_files(project: Project) -> int:
    """Compare the files with the lock, before anything is compiled; returns how many there are."""
    locked = read(lock_path(project), GATE)["files"]
    now = file_hashes(project)
    for name in sorted({*locked, *now}):
        if locked.get(name) != now.get(name):
            what = "is new" if name not in locked else "is gone" if name not in now else "is not what is locked"
            say = f"this file of the trusted base {what}; check it against core, then make prove-lock"
            raise RefusedError(GATE, "bootstrap-changed", f"lean/bootstrap/{name}", say)
    return len(now)


def contents(build: Build, environment: Environment) -> dict[str, list[str]]:
    """What a reader of the bootstrap has to look at, from its compiled modules."""
    modules = [module.name for module in build.modules if module.bootstrap]
    declared = [declaration for module in modules for declaration in environment.of_module(module)]

    def names(found: list[Declaration]) -> list[str]:
        return sorted(declaration.name for declaration in found)

    return {
        "axioms": names([d for d in declared if d.kind == "axiom"]),
        "opaque": names([d for d in declared if d.kind == "opaque"]),
        "unsafe": names([d for d in declared if d.unsafe and d.parts[-1] != "_unsafe_rec"]),
        "extern": sorted(n for m in modules for n in environment.marked(m, "Lean.externAttr")),
        "implemented_by": sorted(n for m in modules for n in environment.marked(m, "Lean.Compiler.implementedByAttr")),
        "computed_by_the_kernel": sorted(KERNEL_NAT & {d.name for d in declared}),
    }


def current(project: Project, build: Build, environment: Environment) -> dict[str, Any]:
    """The lock's content as the bootstrap stands now."""
    return {"about": _ABOUT, "files": file_hashes(project), **contents(build, environment)}


def check_contents(project: Project, lean: Lean, build: Build, environment: Environment) -> str:
    """Compare what the compiled bootstrap declares with the lock, and check the functions on ``Nat``.

    Raises:
        RefusedError: ``bootstrap-content`` or ``bootstrap-nat``.
    """
    locked, now = read(lock_path(project), GATE), contents(build, environment)
    for kind, names in now.items():
        if locked.get(kind) != names:
            changed = sorted(set(names).symmetric_difference(locked.get(kind, [])))
            say = f"its list {kind} is not what is locked ({', '.join(changed[:3])}); read it, then make prove-lock"
            raise RefusedError(GATE, "bootstrap-content", "lean/bootstrap", say)
    for name, constructors in _KERNEL_TYPES.items():
        if environment.declarations[name].constructors != constructors:
            say = f"{name} does not have the constructors {' and '.join(constructors)}, in this order"
            raise RefusedError(GATE, "bootstrap-nat", "lean/bootstrap", say)
    count = check_nat(lean, build, now["computed_by_the_kernel"])
    return f"{len(now['axioms'])} axioms, {len(now['extern'])} extern, {count} equations of Nat functions"


def check_nat(lean: Lean, build: Build, declared: list[str]) -> int:
    """Check the official equations of the declared kernel-computed functions; returns how many equations."""
    for name in declared:
        if name not in NAT_EQUATIONS:
            say = f"the kernel computes {name} by name and no official equations of it are known here; do without it"
            raise RefusedError(GATE, "bootstrap-nat", "lean/bootstrap", say)
    equations = [(name, sides) for name in declared for sides in NAT_EQUATIONS[name]]
    theorems = [f"theorem audit{i} (n m : Nat) : Eq {sides} := rfl" for i, (_, sides) in enumerate(equations)]
    for message in refused(lean, build, "Init", theorems, GATE):
        name, sides = equations[message.line - FIRST_LINE]
        say = f"{name} is not the official function: Eq {sides} fails, so the kernel's arithmetic would prove False"
        raise RefusedError(GATE, "bootstrap-nat", "lean/bootstrap", say)
    return len(equations)
