"""Inputs by key, by folder, by file and column; samples and fingerprints that are the same everywhere."""

import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image as Pillow

from dobrushin.capture.inputs import Image, Row, Text
from dobrushin.errors import InputError
from dobrushin.sources.inputs import open_inputs


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    (folder / "sub").mkdir(parents=True)
    rng = np.random.default_rng(0)
    for name in ("b.png", "a.png", "sub/c.png"):
        Pillow.fromarray(rng.integers(0, 255, (40, 60, 3), dtype=np.uint8)).save(folder / name)
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("age,work,price\n30,farm,1.5\n41,office,2\n52,farm,3\n")
    return path


def test_a_folder_of_images_is_read_lazily_and_survives_pickling(pictures: Path) -> None:
    opened = open_inputs(str(pictures), kind="image", size=28)
    (pictures / "b.png").write_bytes(b"broken")
    items = pickle.loads(pickle.dumps(opened.items))
    assert len(items) == 3
    assert isinstance(items[0], Image)
    assert (items[0].id, items[2].id, items[0].pixels.shape) == ("a.png", "sub/c.png", (28, 28, 3))
    with pytest.raises(InputError, match=r"b\.png can not be read as an image"):
        items[1]


def test_one_image(pictures: Path) -> None:
    opened = open_inputs(str(pictures / "a.png"), kind="image")
    assert [item.id for item in opened.items] == ["a.png"]


def test_the_fingerprint_tells_content_and_order_but_not_the_place(pictures: Path, tmp_path: Path) -> None:
    before = open_inputs(str(pictures), kind="image").fingerprint
    moved = pictures.rename(tmp_path / "moved")
    assert open_inputs(str(moved), kind="image").fingerprint == before
    assert open_inputs(str(moved), kind="image", size=28).fingerprint != before
    assert open_inputs(str(moved), kind="image", limit=2).fingerprint != before
    Pillow.new("RGB", (40, 40)).save(moved / "b.png")
    assert open_inputs(str(moved), kind="image").fingerprint != before


def test_lines_of_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n\n two \n")
    opened = open_inputs(str(tmp_path / "a.txt"), kind="text")
    assert list(opened.items) == [Text("line 1", "one"), Text("line 3", "two")]
    assert opened.title == "lines of a.txt"


def test_a_folder_of_texts(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.txt").write_text("second\n")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "sub" / "c.TXT").write_text("third")
    (tmp_path / "notes.md").write_text("no text")
    assert list(open_inputs(str(tmp_path), kind="text").items) == [Text("b.txt", "second"), Text("sub/c.TXT", "third")]
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"bad\.txt is not UTF-8 at byte 0: save it as UTF-8 text$"):
        open_inputs(str(tmp_path), kind="text")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_column_of_texts(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"texts.{suffix}"
    if suffix == "csv":
        path.write_text('id,review\n1,"good,\nreally"\n2,\n3, 12 \n')
    else:
        pq.write_table(pa.table({"id": [1, 2, 3], "review": ["good,\nreally", None, "12"]}), path)
    opened = open_inputs(str(path), kind="text", column="review")
    assert list(opened.items) == [Text("row 1", "good,\nreally"), Text("row 3", "12")]
    with pytest.raises(InputError, match=rf"texts\.{suffix} has no column text: choose one of id, review$"):
        open_inputs(str(path), kind="text", column="text")
    with pytest.raises(InputError, match="name the one with the text, --column id, review"):
        open_inputs(str(path), kind="text")


def test_a_column_of_numbers_holds_no_text(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet, column id: it holds int64, not text; name another column$"):
        open_inputs(str(tmp_path / "a.parquet"), kind="text", column="id")


def test_rows_of_a_table_without_the_target(table: Path) -> None:
    opened = open_inputs(str(table), kind="table", column="price")
    row = opened.items[1]
    assert isinstance(row, Row)
    assert (row.id, dict(row.values)) == ("row 2", {"age": 41.0, "work": "office"})
    assert set(open_inputs(str(table), kind="table").items[0].values) == {"age", "work", "price"}  # type: ignore[union-attr]
    assert [item.id for item in opened.items[1:]] == ["row 2", "row 3"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("age,work\n30,farm\n,farm\n", r"row 2, column age: the cell is empty; fill it or leave the row out$"),
        ("age,work\n30,farm\n31,\n", r"row 2, column work: the cell is empty"),
        ("age,work\n30,farm\ninf,farm\n", r"row 2, column age: the number is inf, not finite$"),
        ("age,work\n30,farm\n31\n", r"can not be read as a table: CSV parse error: Row #3: Expected 2 columns"),
        ("age,work\n", r"has 0 rows and 2 features: nothing to take$"),
        ("", r"can not be read as a table: Empty CSV file"),
    ],
)
def test_a_bad_table_is_one_sentence_that_names_the_row(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message) as caught:
        open_inputs(str(path), kind="table")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_column_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,a\n1,2\n")
    with pytest.raises(InputError, match="2 columns called a"):
        open_inputs(str(tmp_path / "t.csv"), kind="table", column="a")
    with pytest.raises(InputError, match="2 columns called a"):
        open_inputs(str(tmp_path / "t.csv"), kind="table")


def test_limit_takes_the_first_and_with_a_seed_a_sample_in_order(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(f"text {number}" for number in range(50)))
    where = str(tmp_path / "a.txt")

    def ids(limit: int | None, seed: int | None) -> list[str]:
        return [item.id for item in open_inputs(where, kind="text", limit=limit, seed=seed).items]

    assert ids(3, None) == ["line 1", "line 2", "line 3"]
    five = ids(5, 1)
    assert five == sorted(five, key=lambda name: int(name.split()[1]))
    assert five == ["line 1", "line 13", "line 21", "line 31", "line 32"], "the same on every machine"
    assert set(five) < set(ids(10, 1))
    assert five != ids(5, 2)
    assert len(ids(1000, 1)) == len(ids(None, 7)) == 50


def test_a_sample_of_pictures_reads_none(pictures: Path) -> None:
    opened = open_inputs(str(pictures), kind="image", limit=2, seed=3)
    assert len(opened.items) == 2
    assert opened.items[0].id < opened.items[1].id


@pytest.mark.parametrize(
    ("where", "options", "message"),
    [
        (
            "nothing.txt",
            {"kind": "text"},
            "nothing.txt is missing: .* one of the packaged reviews, reactions, antibodies$",
        ),
        ("nothing", {"kind": "image"}, "nothing is missing: .* one of the packaged photographs, gcompris$"),
        ("reviews", {"kind": "image"}, "the packaged reviews are texts, but the model takes images: .* one of photog"),
        ("reviews", {"kind": "text", "column": "x"}, "have their column already: leave --column x out$"),
        ("photographs", {"kind": "image", "limit": 0}, "the limit is 0, but at least 1 input is needed$"),
        ("photographs", {"kind": "image", "size": 0}, "the size is 0 pixels"),
        ("reviews", {"kind": "text", "size": 224}, "a size is for images, but the model takes texts"),
    ],
)
def test_options_that_do_not_fit(where: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_inputs(where, **options)  # type: ignore[arg-type]


def test_files_of_the_wrong_kind(table: Path, pictures: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pictures is no table: name a \.csv or \.parquet file$"):
        open_inputs(str(pictures), kind="table")
    with pytest.raises(InputError, match="has no columns, so --column x does not fit"):
        open_inputs(str(pictures), kind="image", column="x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty holds no image"):
        open_inputs(str(tmp_path / "empty"), kind="image")
    with pytest.raises(InputError, match=r"empty holds no \.txt file with text"):
        open_inputs(str(tmp_path / "empty"), kind="text")


@pytest.mark.parametrize(("key", "kind", "count", "first"), [
    ("reviews", "text", 74_191, "review "),
    ("reactions", "text", 12, "Fischer esterification"),
    ("photographs", "image", 72, "astronaut crop 0"),
    ("california", "table", 20_640, "row 1"),
    ("adult", "table", 48_842, "row 1"),
])  # fmt: skip
def test_packaged_data(key: str, kind: str, count: int, first: str) -> None:
    opened = open_inputs(key, kind=kind)  # type: ignore[arg-type]
    assert len(opened.items) >= count
    assert opened.items[0].id.startswith(first)
    assert opened.fingerprint == open_inputs(key, kind=kind).fingerprint  # type: ignore[arg-type]


def test_the_target_of_a_packaged_table_is_no_feature() -> None:
    row = open_inputs("adult", kind="table", limit=1).items[0]
    assert isinstance(row, Row)
    assert len(row.values) == 14
    assert "income" not in row.values
    assert row.values["age"] == 25.0
