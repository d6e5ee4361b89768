"""Data that Debian ships: an installed package's files, or those of the ``.deb`` unpacked into the user's cache.

Nothing is installed and no right of the administrator is needed: ``apt-get download`` brings the package, with the
signatures of the archive checked as always, and ``dpkg-deb -x`` unpacks it.  The version is the one of the user's
release, so it is not pinned here; results carry the hash of every input's content instead.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dobrushin.errors import FetchError
from dobrushin.wheels import cache_directory

_ROOT = Path("/")


@dataclass(frozen=True)
class DebianData:
    """Files of a Debian package.

    Attributes:
        package: its name.
        folder: where it installs its data, without the leading slash.
        instead: what a user without Debian can name, as the end of a sentence.
    """

    package: str
    folder: str
    instead: str


def data_folder(data: DebianData) -> Path:
    """The folder of the package's data: installed, cached, or fetched now.

    Raises:
        FetchError: it is not here and can not be fetched.
    """
    for root in (_ROOT, _unpacked(data)):
        if (root / data.folder).is_dir():
            return root / data.folder
    _fetch(data)
    return _unpacked(data) / data.folder


def _unpacked(data: DebianData) -> Path:
    return cache_directory() / "debian" / data.package


def _fetch(data: DebianData) -> None:
    """Unpack beside the target and rename, so that what is there is whole."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise _failed(data, "this is no Debian system (apt-get and dpkg-deb are needed)")
    target = _unpacked(data)
    print(f"fetching the Debian package {data.package}, once, into {target}", file=sys.stderr)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetching-") as scratch:
            archive = _download(data, Path(scratch))
            content = Path(scratch) / "content"
            _run(data, ["dpkg-deb", "-x", str(archive), str(content)], Path(scratch))
            if not (content / data.folder).is_dir():
                raise _failed(data, f"{archive.name} holds no folder {data.folder}")
            if not target.is_dir():
                content.rename(target)
    except OSError as error:
        raise _failed(data, f"{target.parent}: {error.strerror or error}") from error


def _download(data: DebianData, scratch: Path) -> Path:
    """With the system's package lists, or, where there are none, with lists of our own."""
    download = ["apt-get", "--quiet", "download", data.package]
    try:
        _run(data, download, scratch)
    except FetchError:
        own = _own_lists(scratch)
        _run(data, ["apt-get", "--quiet", *own, "update"], scratch)
        _run(data, ["apt-get", "--quiet", *own, "download", data.package], scratch)
    archives = sorted(scratch.glob("*.deb"))
    if not archives:
        raise _failed(data, "apt-get brought no package")
    return archives[0]


def _own_lists(scratch: Path) -> list[str]:
    """Options that keep apt's lists and caches below a folder of ours."""
    for name in ("lists/partial", "cache/archives/partial"):
        (scratch / name).mkdir(parents=True, exist_ok=True)
    return ["-o", f"Dir::State::lists={scratch / 'lists'}", "-o", f"Dir::Cache={scratch / 'cache'}",
            "-o", "APT::Sandbox::User=root"]  # fmt: skip


def _run(data: DebianData, command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("W:")]
        raise _failed(data, lines[-1].removeprefix("E: ").strip() if lines else f"{command[0]} failed")


def _failed(data: DebianData, reason: str) -> FetchError:
    return FetchError(
        f"{data.package} is neither installed nor can it be fetched ({reason}): install it, or {data.instead}"
    )
