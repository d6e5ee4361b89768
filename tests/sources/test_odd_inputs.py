"""Inputs that are named or encoded oddly: each is one sentence, or is read as it is meant."""

import os
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from dobrushin.errors import InputError
from dobrushin.sources.inputs import Kind, open_inputs
from dobrushin.survey import Configuration

NOT_UTF8 = os.fsdecode(b"\xff\xfe")


def refused(where: object, kind: Kind = "text", column: str | None = None) -> str:
    """The one sentence that opening ends in."""
    with pytest.raises(InputError) as caught:
        open_inputs(str(where), kind=kind, column=column)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_name_that_is_too_long_or_empty() -> None:
    assert "can not be read: File name too long; name a text file" in refused("x" * 300)
    assert "the inputs have an empty name" in refused("")


@pytest.mark.parametrize(("kind", "ending"), [("text", ".txt"), ("image", ".png")])
def test_a_file_whose_name_is_not_utf8(kind: Kind, ending: str, tmp_path: Path) -> None:
    (tmp_path / (NOT_UTF8 + ending)).write_text("a text")
    assert "whose name is not UTF-8 as the results are: rename the file" in refused(tmp_path, kind)


@pytest.mark.parametrize("option", ["model", "inputs", "column"])
def test_an_option_that_is_not_utf8(option: str) -> None:
    with pytest.raises(InputError, match=f"the {option} .* is not UTF-8"):
        Configuration(**{"model": "m", "inputs": "i", option: NOT_UTF8})


def test_a_seed_without_a_limit_chooses_nothing() -> None:
    with pytest.raises(InputError, match="the seed 3 chooses a sample, but no limit says of how many inputs"):
        Configuration(model="m", inputs="i", seed=3)


def test_threads_without_measure() -> None:
    with pytest.raises(InputError, match="threads is 100000000000, but at most 1024"):
        Configuration(model="m", inputs="i", threads=10**11)


@pytest.mark.parametrize("kind", ["text", "table"])
def test_a_table_whose_columns_are_not_named_in_utf8(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("caf\xe9,t\n1,a b\n".encode("latin-1"))
    assert "a.csv is not UTF-8 in the names of its columns: save it as UTF-8" in refused(
        tmp_path / "a.csv", kind, "t" if kind == "text" else None
    )


def test_cells_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("t,x\ncaf\xe9,1\n".encode("latin-1"))
    assert "a.csv is not UTF-8 (" in refused(tmp_path / "a.csv", "text", "t")
    cells = pyarrow.Array.from_buffers(pyarrow.string(), 1, pyarrow.array([b"\xff\xfe"], pyarrow.binary()).buffers())
    parquet.write_table(pyarrow.table({"t": cells}), tmp_path / "a.parquet")
    for kind, column in (("text", "t"), ("table", None)):
        assert "a.parquet, column t: a text is not UTF-8 (" in refused(tmp_path / "a.parquet", kind, column)  # type: ignore[arg-type]


def test_a_file_in_no_known_format_is_named_without_addresses(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(InputError, match=r"a\.png can not be read as an image \(its format is not known\)"):
        open_inputs(str(tmp_path), kind="image").items[0]
