"""The compiled Lean development that certificates import, kept in the cache."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from dobrushin.errors import InputError
from dobrushin.lean import bootstrap, compiled, scan, statements
from dobrushin.lean.build import Build
from dobrushin.lean.gates import compile_fresh
from dobrushin.lean.sources import Project, bootstrap_files, modules_in_order, project_files
from dobrushin.lean.toolchain import Lean
from dobrushin.wheels import cache_directory

Announce = Callable[[str], None]
"""Told what is going on, a sentence at a time."""


def find_project(start: Path | None = None) -> Project:
    """The repository that holds the Lean files: around this file, or around ``start`` (the working directory).

    Raises:
        InputError: there is none; an installed package does not contain the Lean files.
    """
    for folder in (*Path(__file__).resolve().parents, *_and_parents(start or Path.cwd())):
        if (folder / "lean" / "lakefile.toml").is_file() and (folder / "proofs" / "statements.lock").is_file():
            return Project.at(folder)
    raise InputError(
        "the Lean files are not here: the installed package does not contain them; "
        "run dobrushin verify inside a clone of the repository"
    )


def _and_parents(folder: Path) -> tuple[Path, ...]:
    folder = folder.resolve()
    return (folder, *folder.parents)


def compiled_development(project: Project, lean: Lean, announce: Announce) -> Build:
    """The development compiled, from the cache when the same files were compiled by the same Lean before.

    A new build passes the gates that give its statements their meaning before it is kept: the bootstrap and the
    statements are the locked ones, and no declaration is an axiom, unsafe, or takes a core name.

    Raises:
        RefusedError: the development does not compile, or a gate refuses it.
    """
    store = cache_directory() / "lean"
    target = store / _key(project, lean)
    if target.is_dir():
        return Build(target, modules_in_order(project, stand_in=lean.stand_in))
    announce("compiling the Lean development, once")
    try:
        store.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=store, prefix=".compiling-") as scratch:
            folder = Path(scratch) / "build"
            folder.mkdir()
            build = _gated_build(project, lean, folder)
            _publish(folder, target)
    except OSError as error:
        raise InputError(f"{store} can not be written to: {error.strerror or error}; set DOBRUSHIN_CACHE") from error
    return Build(target, build.modules, build.seconds)


def _gated_build(project: Project, lean: Lean, folder: Path) -> Build:
    bootstrap.check_files(project)
    scan.scan(project)
    build, environment = compile_fresh(project, lean, folder)
    if lean.stand_in:
        bootstrap.check_contents(project, lean, build, environment)
    compiled.check_compiled(project, build, environment)
    statements.check_statements(project, environment, statements.current(project, lean, build, environment))
    return build


def _key(project: Project, lean: Lean) -> str:
    """SHA-256 over the names and contents of all Lean files and locks, and over the Lean that compiles them."""
    digest = hashlib.sha256(f"{lean.version} {lean.commit} {lean.stand_in}".encode())
    locks = [statements.lock_path(project), bootstrap.lock_path(project)]
    for file in [*bootstrap_files(project), *project_files(project), *locks]:
        content = file.read_bytes() if file.is_file() else b""
        digest.update(f"\n{file.relative_to(project.root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:32]


def _publish(folder: Path, target: Path) -> None:
    """Rename into place; when another process was faster, its build of the same files is as good."""
    try:
        folder.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        shutil.rmtree(folder)
