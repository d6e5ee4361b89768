"""Images and sentences of the user's own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from dobrushin.capture import images_from_folder, sentences_from_file
from dobrushin.capture.images import open_picture, square
from dobrushin.errors import InputError


def gradient(height: int, width: int) -> Any:
    """A picture whose red rises from left to right and whose green rises downwards."""
    rows, columns = np.mgrid[0:height, 0:width]
    pixels = np.stack([columns * 255 // width, rows * 255 // height, np.zeros_like(rows)], axis=-1)
    return Pillow.fromarray(pixels.astype(np.uint8))


def test_images_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.png", "a.JPG", "sub/c.webp"):
        gradient(30, 50).save(tmp_path / name)
    (tmp_path / "notes.txt").write_text("no image")
    folder = images_from_folder(tmp_path, size=28)
    assert len(folder) == 3
    assert [image.id for image in folder] == ["a.JPG", "b.png", "sub/c.webp"]
    assert all(image.pixels.shape == (28, 28, 3) for image in folder)
    assert [image.id for image in folder[1:]] == ["b.png", "sub/c.webp"]


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "CMYK", "1"])
def test_every_colour_mode_becomes_rgb(mode: str, tmp_path: Path) -> None:
    gradient(30, 30).convert("L").convert(mode).save(tmp_path / "a.tif")
    (image,) = images_from_folder(tmp_path, size=28)
    assert image.pixels.shape == (28, 28, 3)
    assert image.pixels.std() > 20, "a picture turned white or black"


@pytest.mark.parametrize(("dtype", "mode"), [(np.uint16, "I;16"), (np.int32, "I"), (np.float32, "F")])
def test_more_than_8_bits_are_refused_not_clipped(dtype: Any, mode: str, tmp_path: Path) -> None:
    Pillow.fromarray(np.full((30, 30), 30_000, dtype)).save(tmp_path / "a.tif")
    with pytest.raises(InputError, match=rf"\(its pixels have more than 8 bits, mode {mode}\): repair, convert"):
        list(images_from_folder(tmp_path))


def test_the_central_square_is_kept(tmp_path: Path) -> None:
    pixels = square(gradient(100, 300), 50)
    assert abs(int(pixels[25, 0, 0]) - 85) < 4  # red from one third
    assert abs(int(pixels[25, -1, 0]) - 170) < 4  # to two thirds
    assert pixels[0, 25, 1] < 6
    assert pixels[-1, 25, 1] > 249


def test_pictures_are_turned_upright(tmp_path: Path) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6  # turn clockwise by a quarter to see it upright
    gradient(40, 80).save(tmp_path / "a.jpg", exif=exif)
    assert open_picture(tmp_path / "a.jpg").size == (40, 80)


@pytest.mark.parametrize("content", [b"", b"no image at all", "half"])
def test_a_bad_file_is_named_in_one_sentence(content: Any, tmp_path: Path) -> None:
    gradient(64, 64).save(tmp_path / "good.png")
    good = (tmp_path / "good.png").read_bytes()
    bad = tmp_path / "x.png"
    bad.write_bytes(good[: len(good) // 2] if content == "half" else content)
    folder = images_from_folder(tmp_path)
    assert folder[0].id == "good.png"
    with pytest.raises(InputError) as caught:
        list(folder)
    assert str(caught.value).startswith(f"{bad} can not be read as an image (")
    assert "\n" not in str(caught.value)


def test_a_picture_too_large_to_open_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gradient(64, 64).save(tmp_path / "a.png")
    monkeypatch.setattr(Pillow, "MAX_IMAGE_PIXELS", 1000)
    with pytest.raises(InputError, match=r"a\.png can not be read as an image"):
        list(images_from_folder(tmp_path))


def test_folders_without_images_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no image: files ending in \.bmp"):
        images_from_folder(tmp_path)
    (tmp_path / "a.txt").touch()
    with pytest.raises(InputError, match="holds no image"):
        images_from_folder(tmp_path)
    with pytest.raises(InputError, match=r"a\.txt is not a folder"):
        images_from_folder(tmp_path / "a.txt")
    with pytest.raises(InputError, match="none is missing: name a folder of images"):
        images_from_folder(tmp_path / "none")


def test_sentences_are_the_lines_with_text(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffOne sentence.\r\n\r\n  Another one, naïve.  \n".encode())
    texts = sentences_from_file(file)
    assert [(text.id, text.text) for text in texts] == [
        ("line 1", "One sentence."),
        ("line 3", "Another one, naïve."),
    ]


def test_files_without_sentences_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n\n")
    with pytest.raises(InputError, match=r"empty\.txt holds no text"):
        sentences_from_file(tmp_path / "empty.txt")
    (tmp_path / "latin.txt").write_bytes("naïve".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.txt is not UTF-8 at byte 2"):
        sentences_from_file(tmp_path / "latin.txt")
    with pytest.raises(InputError, match="can not be read: Is a directory"):
        sentences_from_file(tmp_path)
    with pytest.raises(InputError, match="can not be read: No such file"):
        sentences_from_file(tmp_path / "none.txt")
