"""Texts from a user's file, one a line."""

from pathlib import Path

from dobrushin.capture.inputs import Text
from dobrushin.errors import InputError


def sentences_from_file(path: str | Path) -> list[Text]:
    """The lines of a UTF-8 text file that are not blank; the id of a text is ``line N``, counted from 1.

    Raises:
        InputError: the file is missing, a folder, not UTF-8, or has no line with text.
    """
    source = Path(path)
    try:
        lines = source.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is not UTF-8 at byte {error.start}: save it as UTF-8 text") from error
    except OSError as error:
        raise InputError(f"{source} can not be read: {error.strerror}; name a text file") from error
    texts = [Text(f"line {number}", line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    if not texts:
        raise InputError(f"{source} holds no text: put one sentence on each line")
    return texts
