"""Data out of Debian packages: found, fetched whole or not at all, and read as they are."""

import gzip
import struct
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest

from dobrushin.errors import FetchError, InputError
from dobrushin.packaged import debian, fashion_mnist, gcompris
from dobrushin.packaged.debian import DebianData, data_folder
from dobrushin.packaged.qres import ResourceFile
from dobrushin.sources.inputs import open_inputs

DATA = DebianData("some-data", "usr/share/some", "name a folder of images instead")


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOBRUSHIN_CACHE", str(tmp_path / "cache"))


def test_without_debian_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "_ROOT", Path("/nowhere"))
    monkeypatch.setattr(debian.shutil, "which", lambda _: None)
    with pytest.raises(FetchError, match=r"no Debian system .*: install it, or name a folder of images instead$"):
        open_inputs("gcompris", kind="image")


def test_an_installed_package_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "_ROOT", tmp_path)
    (tmp_path / DATA.folder).mkdir(parents=True)
    assert data_folder(DATA) == tmp_path / DATA.folder


def fake_apt(content: dict[str, bytes], fail: tuple[str, ...] = ()) -> object:
    """A stand-in for apt-get and dpkg-deb that writes what they would."""

    def run(command: list[str], cwd: Path, **_: object) -> subprocess.CompletedProcess[str]:
        text = " ".join(command)
        if any(word in text for word in fail):
            return subprocess.CompletedProcess(
                command, 100, "", "W: a warning\nE: Unable to locate package some-data\n"
            )
        if command[0] == "apt-get" and "download" in command:
            (cwd / "some-data_1_all.deb").write_bytes(b"deb")
        if command[0] == "dpkg-deb":
            for name, data in content.items():
                path = Path(command[3]) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        return subprocess.CompletedProcess(command, 0, "", "")

    return run


def test_a_package_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian.shutil, "which", lambda name: name)
    monkeypatch.setattr(debian.subprocess, "run", fake_apt({"usr/share/some/a": b"1"}))
    folder = data_folder(DATA)
    assert (folder / "a").read_bytes() == b"1"
    assert folder.is_relative_to(tmp_path / "cache")
    monkeypatch.setattr(debian.subprocess, "run", fake_apt({}, fail=("apt-get",)))
    assert data_folder(DATA) == folder


@pytest.mark.parametrize(
    ("content", "fail", "message"),
    [
        ({"usr/share/some/a": b"1"}, ("apt-get",), r"can it be fetched \(Unable to locate package some-data\)"),
        ({"usr/share/other/a": b"1"}, (), r"some-data_1_all\.deb holds no folder usr/share/some"),
        ({}, ("dpkg-deb",), "can it be fetched"),
    ],
)
def test_a_failed_fetch_leaves_nothing(
    content: dict[str, bytes], fail: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian.shutil, "which", lambda name: name)
    monkeypatch.setattr(debian.subprocess, "run", fake_apt(content, fail))
    with pytest.raises(FetchError, match=message):
        data_folder(DATA)
    assert not list((tmp_path / "cache" / "debian").iterdir())


def resource(files: dict[str, bytes], *, version: int = 3, compress: bool = False) -> bytes:
    """A resource file with one folder of files, as Qt's rcc lays it out."""
    names, name_at = b"", {}
    for name in ("pictures", *files):
        name_at[name] = len(names)
        names += struct.pack(">HI", len(name), 0) + name.encode("utf-16-be")
    data, data_at = b"", {}
    for name, content in files.items():
        data_at[name] = len(data)
        stored = struct.pack(">I", len(content)) + zlib.compress(content) if compress else content
        data += struct.pack(">I", len(stored)) + stored
    tail = b"" if version == 1 else bytes(8)
    tree = struct.pack(">IHII", 0, 2, 1, 1) + tail
    tree += struct.pack(">IHII", name_at["pictures"], 2, len(files), 2) + tail
    for name in files:
        tree += struct.pack(">IHHHI", name_at[name], int(compress), 0, 0, data_at[name]) + tail
    header = 20 if version < 3 else 24
    offsets = (header, header + len(tree), header + len(tree) + len(data))
    return b"qres" + struct.pack(">4I", version, *offsets) + bytes(header - 20) + tree + data + names


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("compress", [False, True])
def test_resource_files_of_every_version(version: int, compress: bool, tmp_path: Path) -> None:
    files = {"a.webp": b"first", "é.webp": b"second"}
    path = tmp_path / "a.rcc"
    path.write_bytes(resource(files, version=version, compress=compress))
    opened = ResourceFile(path)
    assert opened.names == ["pictures/a.webp", "pictures/é.webp"]
    assert [opened.read(name) for name in opened.names] == [b"first", b"second"]
    with pytest.raises(InputError, match=r"a\.rcc holds no file pictures/b\.webp$"):
        opened.read("pictures/b.webp")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PNG?" + bytes(40), "does not begin with qres"),
        (b"qres" + struct.pack(">4I", 9, 20, 20, 20), "version 9 is not known"),
        (b"qres" + bytes(3), "no Qt resource file that can be read"),
        (resource({"a": b"1"})[:30], "no Qt resource file that can be read"),
        (b"qres" + struct.pack(">4I", 1, 20, 0, 0) + struct.pack(">IHII", 0, 2, 1, 0), "its tree has a cycle"),
    ],
)
def test_a_damaged_resource_file_is_one_sentence(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.rcc").write_bytes(content)
    with pytest.raises(InputError, match=message):
        ResourceFile(tmp_path / "a.rcc")


def test_drawings_are_left_out_of_the_photographs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gcompris, "data_folder", lambda _: tmp_path)
    for file in gcompris._FILES:
        (tmp_path / f"{file}.rcc").write_bytes(resource({f"{file}.webp": b"1", "README": b"2"}))
    assert [entry[0] for entry in gcompris.photograph_files()] == sorted(f"pictures/{f}.webp" for f in gcompris._FILES)
    assert gcompris._short("gcompris/src/activities/erase/resource/a.webp") == "erase/a.webp"


def idx(array: np.ndarray) -> bytes:
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()


def test_fashion_mnist_reads_the_idx_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fashion_mnist, "data_folder", lambda _: tmp_path)
    pixels = np.arange(2 * 28 * 28, dtype=np.uint64).astype(np.uint8).reshape(2, 28, 28)
    (tmp_path / "t10k-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(pixels)))
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(np.array([3, 9], np.uint8))))
    pictures = fashion_mnist.fashion_mnist("test")
    assert np.array_equal(pictures.pixels, pixels)
    assert pictures.labels.tolist() == [3, 9]
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(np.array([3], np.uint8))))
    with pytest.raises(InputError, match="do not go together"):
        fashion_mnist.fashion_mnist("test")
    (tmp_path / "t10k-images-idx3-ubyte.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="can not be read as idx data"):
        fashion_mnist.fashion_mnist("test")


@pytest.mark.slow
def test_the_real_photographs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetches 44 MB from the Debian archive unless the package is installed or cached."""
    monkeypatch.delenv("DOBRUSHIN_CACHE")
    opened = open_inputs("gcompris", kind="image", size=56)
    assert len(opened.items) >= 200
    assert len({item.id for item in opened.items}) == len(opened.items)
    for item in opened.items:
        assert item.pixels.shape == (56, 56, 3)  # type: ignore[union-attr]
