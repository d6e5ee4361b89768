"""Files written whole or not at all."""

import os
import tempfile
from pathlib import Path

from dobrushin.errors import InputError


def is_utf8(name: str) -> bool:
    """Whether a name can be written as UTF-8: bytes of a path that are not are surrogates in Python."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file under a temporary name beside it and rename it, so that readers never see half of it.

    Raises:
        InputError: the folder can not be written to; an older file of that name is left as it was.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path} can not be written: {error.strerror or error}; choose another folder") from error
