"""One run in a folder at a time: a lock that the operating system gives up when the process ends, however it ends."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dobrushin.errors import InputError

NAME = ".lock"
_HELD = (errno.EAGAIN, errno.EACCES)
"""What a lock that another process holds fails with."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock while the block runs.

    Raises:
        InputError: another run holds it, and the message says which, as far as it is known; or nothing can be locked.
    """
    import fcntl  # not on Windows, where a survey is refused by this import's error

    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} can not be written: {error.strerror or error}; choose another folder") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _HELD:
                raise InputError(
                    f"{path} can not be locked: {error.strerror or error}; choose a folder on a file system with locks"
                ) from error
            stream.seek(0)
            holder = stream.read().strip() or "another process"
            raise InputError(
                f"{folder} is in use by {holder}: wait for it or stop it, or choose another folder"
            ) from error
        with suppress(OSError):  # a full disk: the name of the holder is only for the message
            os.ftruncate(stream.fileno(), 0)
            os.write(stream.fileno(), f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
