"""Columns of ``.csv`` and ``.parquet`` files: one of them as texts, or all but the target as rows of a table."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dobrushin.capture.inputs import Row, Text
from dobrushin.errors import IncompleteError, InputError

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]


def texts_of_column(path: Path, column: str | None) -> list[Text]:
    """The cells of a column as texts; the id is ``row N``, counted from 1 without the header.

    Blank cells are left out, as blank lines of a text file are.

    Raises:
        InputError: the file can not be read, has no such column, or the column holds no text.
    """
    names = _column_names(path)
    if column is None:
        raise InputError(f"{path} has several columns: name the one with the text, --column {_choices(names)}")
    _require(path, column, names)
    values = _read(path, text=column).column(column)
    import pyarrow

    if pyarrow.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not (pyarrow.types.is_string(values.type) or pyarrow.types.is_large_string(values.type)):
        raise InputError(f"{path}, column {column}: it holds {values.type}, not text; name another column")
    texts = [
        Text(f"row {number}", text.strip())
        for number, text in enumerate(_cells(path, column, values), 1)
        if text is not None and text.strip()
    ]
    if not texts:
        raise InputError(f"{path}, column {column}: all of its cells are blank")
    return texts


def rows_of_table(path: Path, *, target: str | None = None) -> "TableRows":
    """All rows of a table, every column but ``target`` as a feature; the id is ``row N``, counted from 1.

    Numbers of any width become float64, texts, truth values and categories stay text.

    Raises:
        InputError: the file can not be read, has no rows, no such target, no feature, or a column of another type; or
            a cell is empty, not finite.
    """
    table = _read(path)
    _column_names(path)  # also refuses those that are not UTF-8
    for name in table.column_names if target is None else (target, *table.column_names):
        _require(path, name, table.column_names)
    if target is not None:
        table = table.drop_columns([target])
    if table.num_columns == 0 or table.num_rows == 0:
        raise InputError(f"{path} has {table.num_rows} rows and {table.num_columns} features: nothing to take")
    return TableRows(path, {name: _values(path, name, table.column(name)) for name in table.column_names})


class TableRows(Sequence[Row]):
    """The rows of a table that is held by columns; a row is made when it is asked for."""

    def __init__(self, path: Path, columns: dict[str, list[float] | list[str]], indices: range | None = None) -> None:
        self._path = path
        self._columns = columns
        self._indices = range(len(next(iter(columns.values())))) if indices is None else indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> "TableRows": ...
    def __getitem__(self, index: int | slice) -> "Row | TableRows":
        if isinstance(index, slice):
            return TableRows(self._path, self._columns, self._indices[index])
        row = self._indices[index]
        return Row(f"row {row + 1}", {name: values[row] for name, values in self._columns.items()})


def _values(path: Path, name: str, column: "pyarrow.ChunkedArray") -> list[float] | list[str]:
    import pyarrow

    kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    types = pyarrow.types
    if column.null_count:
        row = next(number for number, valid in enumerate(column.is_valid().to_pylist(), 1) if not valid)
        raise _empty(path, row, name)
    if types.is_string(kind) or types.is_large_string(kind) or types.is_boolean(kind):
        return list(_filled(path, name, _cells(path, name, column)))
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return list(_finite(path, name, column.to_pylist()))
    raise InputError(f"{path}, column {name}: it holds {kind}, but numbers or texts are needed; leave the column out")


def _cells(path: Path, name: str, column: "pyarrow.ChunkedArray") -> list[Any]:
    """The cells; Parquet files can hold texts that are not UTF-8."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, column {name}: a text is not UTF-8 ({error}); write the file anew") from error


def _filled(path: Path, name: str, values: list[str | bool]) -> Iterator[str]:
    for number, value in enumerate(values, 1):
        if value == "":
            raise _empty(path, number, name)
        yield str(value)


def _empty(path: Path, row: int, name: str) -> InputError:
    return InputError(f"{path}, row {row}, column {name}: the cell is empty; fill it or leave the row out")


def _finite(path: Path, name: str, values: list[float]) -> Iterator[float]:
    for number, value in enumerate(values, 1):
        if not math.isfinite(value):
            raise InputError(f"{path}, row {number}, column {name}: the number is {value}, not finite")
        yield float(value)


def _read(path: Path, text: str | None = None) -> "pyarrow.Table":
    """The table; ``text`` is a column of a ``.csv`` that is text whatever it looks like, and the only one read."""
    pyarrow = _pyarrow()
    try:
        if _is_parquet(path):
            from pyarrow import parquet

            return parquet.read_table(path, columns=None if text is None else [text])
        from pyarrow import csv

        convert = csv.ConvertOptions(
            include_columns=None if text is None else [text],
            column_types=None if text is None else {text: pyarrow.string()},
            strings_can_be_null=False,
        )
        # On one thread the message about a bad row has its number.
        return csv.read_csv(
            path,
            read_options=csv.ReadOptions(use_threads=False),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=convert,
        )
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except (OSError, pyarrow.ArrowException) as error:
        if "invalid UTF8" in str(error):
            raise _not_utf8(path, f" ({_one_line(error)})") from error
        raise InputError(f"{path} can not be read as a table: {_one_line(error)}") from error


def _not_utf8(path: Path, where: str = " in the names of its columns") -> InputError:
    return InputError(f"{path} is not UTF-8{where}: save it as UTF-8")


def _column_names(path: Path) -> list[str]:
    pyarrow = _pyarrow()
    try:
        if _is_parquet(path):
            from pyarrow import parquet

            return list(parquet.read_schema(path).names)
        from pyarrow import csv

        options = csv.ParseOptions(newlines_in_values=True)
        with csv.open_csv(path, parse_options=options) as stream:
            return list(stream.schema.names)
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{path} can not be read as a table: {_one_line(error)}") from error


def _is_parquet(path: Path) -> bool:
    """Also with the name of a compression behind: ``.parquet.brotli``."""
    return ".parquet" in (suffix.lower() for suffix in path.suffixes)


def _require(path: Path, column: str, names: Sequence[str]) -> None:
    if column not in names:
        raise InputError(f"{path} has no column {column}: choose one of {_choices(names)}")
    if names.count(column) > 1:
        raise InputError(f"{path} has {names.count(column)} columns called {column}: rename all but one")


def _choices(names: Sequence[str], shown: int = 12) -> str:
    return ", ".join(names[:shown]) + (", …" if len(names) > shown else "")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        raise IncompleteError("pyarrow is not installed, which reads tables: install dobrushin[survey]") from error
    return pyarrow
