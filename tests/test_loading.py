"""Files of every kind: the maps in them, their names, and one sentence for whatever is wrong."""

import os
import struct
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from dobrushin import InputError
from dobrushin.loading import Layout, load_maps

RNG = np.random.default_rng(0)
ATTENTION = RNG.dirichlet(np.ones(5), size=(2, 3, 5)).astype(np.float32)  # (layers, heads, n, n)


def names(path: Path, **layout: object) -> list[str]:
    return [matrix.name for matrix in load_maps(path, layout=Layout(**layout))]  # type: ignore[arg-type]


def test_four_dimensions_are_layers_and_heads(tmp_path: Path) -> None:
    np.save(tmp_path / "maps.npy", ATTENTION)
    assert names(tmp_path / "maps.npy") == ["maps[layer=0, head=mean]", "maps[layer=1, head=mean]"]
    each = list(load_maps(tmp_path / "maps.npy", layout=Layout(heads="each")))
    assert each[4].name == "maps[layer=1, head=1]"
    assert np.array_equal(each[4].values, ATTENTION[1, 1])


def test_three_dimensions_have_to_be_named(tmp_path: Path) -> None:
    path = tmp_path / "maps.npy"
    np.save(path, ATTENTION[0])
    with pytest.raises(InputError, match="--axis layers or --axis heads"):
        names(path)
    assert names(path, axis="layers") == ["maps[layer=0]", "maps[layer=1]", "maps[layer=2]"]
    assert names(path, axis="heads") == ["maps[head=mean]"]
    assert names(path, axis="heads", heads="each") == ["maps[head=0]", "maps[head=1]", "maps[head=2]"]


def test_npz_keeps_its_names_and_order(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "maps.npz", layer_1=ATTENTION[1, 0], layer_0=ATTENTION[0, 0], all=ATTENTION)
    assert names(tmp_path / "maps.npz")[:2] == ["layer_1", "layer_0"]


def test_safetensors_with_bfloat16(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file as save_tensors

    tensors = {kind: torch.softmax(torch.tensor(ATTENTION[0, 0] * 9).double(), -1).to(getattr(torch, kind))
               for kind in ("float16", "bfloat16", "float32", "float64")}  # fmt: skip
    save_tensors(tensors, tmp_path / "maps.safetensors")
    maps = {matrix.name: matrix for matrix in load_maps(tmp_path / "maps.safetensors")}
    assert maps.keys() == tensors.keys()
    for kind, tensor in tensors.items():
        assert maps[kind].precision == kind
        assert maps[kind].values.tolist() == tensor.double().tolist()


def damaged(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        names(path)
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message or path.stem in message
    return message


def test_missing_folder_empty_and_unknown(tmp_path: Path) -> None:
    assert "does not exist" in damaged(tmp_path / "none.npy")
    assert "is a folder" in damaged(tmp_path)
    (tmp_path / "empty.npz").touch()
    assert "is empty" in damaged(tmp_path / "empty.npz")
    (tmp_path / "model.pt").write_bytes(b"PK")
    assert "can run code" in damaged(tmp_path / "model.pt")
    (tmp_path / "maps.csv").write_text("1,0\n0,1\n")
    assert ".npy, .npz, .safetensors" in damaged(tmp_path / "maps.csv")


class Bomb:
    """Unpickling this writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.path,))


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_pickles_are_not_run(tmp_path: Path, suffix: str) -> None:
    witness, path = tmp_path / "exploded", tmp_path / f"maps{suffix}"
    array = np.array([Bomb(witness)], dtype=object)
    if suffix == ".npy":
        np.save(path, array, allow_pickle=True)
    else:
        np.savez(path, maps=array)
    assert "run code" in damaged(path)
    assert not witness.exists()


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".safetensors"])
def test_truncated_and_scrambled_files(tmp_path: Path, suffix: str) -> None:
    whole = tmp_path / f"whole{suffix}"
    if suffix == ".npy":
        np.save(whole, ATTENTION)
    elif suffix == ".npz":
        np.savez_compressed(whole, maps=ATTENTION)
    else:
        save_file({"maps": ATTENTION}, whole)
    content = whole.read_bytes()
    path = tmp_path / f"cut{suffix}"
    for length in (1, 7, 9, 40, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        damaged(path)
    path.write_bytes(b"\xff" * 500)
    damaged(path)


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".safetensors"])
def test_flipped_bytes_never_crash(tmp_path: Path, suffix: str) -> None:
    """Whatever single byte is damaged, there is a result or one sentence, and no other exception."""
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"cut{suffix}"
    values = np.eye(2, dtype=np.float16)
    if suffix == ".npy":
        np.save(whole, values)
    elif suffix == ".npz":
        np.savez_compressed(whole, maps=values)
    else:
        save_file({"maps": values}, whole)
    content = bytearray(whole.read_bytes())
    refused = 0
    for at in range(len(content)):
        content[at] ^= 0xFF
        path.write_bytes(content)
        content[at] ^= 0xFF
        try:
            names(path)
        except InputError:
            refused += 1
    assert refused > 0


@pytest.mark.parametrize("header", [b"{'descr': (((", b"-" * 4000, b"{'descr': '<f8'}", b"\x00" * 30])
def test_hostile_headers(tmp_path: Path, header: bytes) -> None:
    body = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 64
    (tmp_path / "maps.npy").write_bytes(body)
    damaged(tmp_path / "maps.npy")
    with zipfile.ZipFile(tmp_path / "maps.npz", "w") as archive:
        archive.writestr("maps.npy", body)
    damaged(tmp_path / "maps.npz")


def test_paths_that_can_not_be_opened(tmp_path: Path) -> None:
    loop = tmp_path / "loop.npy"
    loop.symlink_to(loop)
    assert "can not be opened" in damaged(loop)
    pipe = tmp_path / "pipe.npy"
    os.mkfifo(pipe)
    assert "no ordinary file" in damaged(pipe)
    assert "can not be opened" in damaged(tmp_path / ("x" * 300 + ".npy"))


def test_archives_with_folders_and_doubles(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.eye(2))
    with zipfile.ZipFile(tmp_path / "maps.npz", "w") as archive:
        archive.mkdir("layers")
        archive.write(tmp_path / "a.npy", "layers/a.npy")
    assert names(tmp_path / "maps.npz") == ["layers/a"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(tmp_path / "twice.npz", "w") as archive:
            archive.write(tmp_path / "a.npy", "a.npy")
            archive.write(tmp_path / "a.npy", "a.npy")
    assert "twice" in damaged(tmp_path / "twice.npz")


def test_oversized_claims_are_refused_before_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.savez_compressed(tmp_path / "bomb.npz", maps=np.zeros((600, 600)))
    monkeypatch.setattr("dobrushin.loading.MAX_ARRAY_BYTES", 1 << 20)
    assert "limit" in damaged(tmp_path / "bomb.npz")


def test_npz_whose_directory_lies_about_the_size(tmp_path: Path) -> None:
    """An array header that claims more than the file holds."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (900000, 900000), }"
    header += b" " * (118 - len(header)) + b"\n"
    with zipfile.ZipFile(tmp_path / "lie.npz", "w") as archive:
        archive.writestr("maps.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 64)
    damaged(tmp_path / "lie.npz")


def test_archives_without_arrays(tmp_path: Path) -> None:
    np.savez(tmp_path / "none.npz")
    assert "no arrays" in damaged(tmp_path / "none.npz")
    save_file({}, tmp_path / "none.safetensors")
    assert "no tensors" in damaged(tmp_path / "none.safetensors")
    np.save(tmp_path / "zero.npy", np.empty((0, 3, 5, 5)))
    assert "no attention map" in damaged(tmp_path / "zero.npy")


def test_integers_and_odd_shapes(tmp_path: Path) -> None:
    np.save(tmp_path / "ints.npy", np.eye(3, dtype=int))
    assert "int64" in damaged(tmp_path / "ints.npy")
    np.save(tmp_path / "vector.npy", np.ones(4))
    assert "(n, n)" in damaged(tmp_path / "vector.npy")
    np.save(tmp_path / "five.npy", np.ones((1, 1, 1, 2, 2)))
    assert "(n, n)" in damaged(tmp_path / "five.npy")
    save_file({"maps": np.eye(3, dtype=np.int32)}, tmp_path / "ints.safetensors")
    assert "I32" in damaged(tmp_path / "ints.safetensors")


def test_bad_layout() -> None:
    with pytest.raises(InputError, match="layers or heads"):
        Layout(axis="rows")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="mean or each"):
        Layout(heads="max")  # type: ignore[arg-type]
