"""Pairs on pictures: the right patch of the right picture, and the reason when there is none."""

import base64
import io
import json
from pathlib import Path

import numpy as np
from PIL import Image

from dobrushin.report.page import html_page
from dobrushin.report.pictures import pair_pictures
from dobrushin.report.run import read_run


def test_the_pair_is_where_it_was_found(pictures: Path) -> None:
    found = pair_pictures(read_run(pictures), count=2)
    assert not found.missing
    loose, other = found.loose
    assert (other.input_id, other.rule) == ("picture 1.png", "all")
    assert (loose.input_id, loose.tight, loose.slack) == ("picture 0.png", False, 0.125)
    assert (loose.width, loose.height) == (224, 224)
    first, second = loose.tokens
    assert (first.label, first.box, first.fails) == ("patch 0,1", (56.0, 0.0, 56.0, 56.0), True)
    assert (second.label, second.box, second.fails) == ("patch 1,2", (112.0, 56.0, 56.0, 56.0), False)
    assert {picture.input_id for picture in found.tight} == {"picture 1.png", "picture 2.png"}
    data = base64.b64decode(loose.data.partition(",")[2])
    with Image.open(io.BytesIO(data)) as drawn, Image.open(pictures.parent / "pictures" / "picture 0.png") as file:
        small = np.asarray(drawn.resize((8, 8)), dtype=float)
        expected = np.asarray(file.resize((8, 8)), dtype=float)
    assert np.corrcoef(small.ravel(), expected.ravel())[0, 1] > 0.7


def test_the_page_shows_them_and_special_tokens_are_named(pictures: Path) -> None:
    page = html_page([read_run(pictures)], examples=6)
    assert page.count("<image href=") > 3
    assert "i: [CLS] (not on the picture)" in page
    assert 'class="patch fails"' in page
    assert "data:image/jpeg" not in html_page([read_run(pictures)], examples=0)


def test_pictures_that_are_gone_or_others(pictures: Path) -> None:
    folder = pictures.parent / "pictures"
    Image.new("RGB", (56, 56)).save(folder / "picture 1.png")
    assert "not the ones that were surveyed" in pair_pictures(read_run(pictures), count=2).missing
    for file in folder.iterdir():
        file.unlink()
    page = html_page([read_run(pictures)])
    assert "can not be drawn on the pictures" in page
    assert "holds no image" in page
    manifest = json.loads((pictures / "manifest.json").read_text(encoding="utf-8"))
    del manifest["inputs"]["where"]
    (pictures / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "does not say where" in pair_pictures(read_run(pictures), count=2).missing


def test_texts_have_none(known: Path) -> None:
    found = pair_pictures(read_run(known), count=2)
    assert (found.loose, found.tight, found.missing) == ((), (), "")
