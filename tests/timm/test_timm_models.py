"""Models of timm by name and from a folder; the hub is a folder in the layout of its cache."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from timm.models import save_for_hf

import timm
from dobrushin.capture import Image, LayerAttention, TimmVisionTransformer, observe, open_timm, timm_folder
from dobrushin.errors import FetchError, InputError

NAME = "vit_small_patch14_reg4_dinov2"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def saved(create: Any, tmp_path: Path) -> tuple[Path, Any]:
    """A model that timm saved itself, and the model."""
    model = create(NAME)
    folder = tmp_path / "saved"
    save_for_hf(model, str(folder), safe_serialization=True)
    return folder, model


@pytest.fixture
def picture() -> Image:
    return Image("i", np.random.default_rng(0).integers(0, 256, (56, 56, 3), dtype=np.uint8))


def maps_of(adapter: Any, picture: Image) -> list[np.ndarray]:
    found: list[LayerAttention] = []
    observe(adapter, [picture], found.append)
    return [attention.values for attention in found]


@pytest.mark.parametrize("spelling", ["{}", "local-dir:{}"])
def test_a_folder_that_timm_saved_comes_back(spelling: str, saved: tuple[Path, Any], picture: Image) -> None:
    folder, model = saved
    adapter = open_timm(spelling.format(folder))
    assert adapter.layers == 2
    assert adapter.prefix == ("[CLS]", "[REG0]", "[REG1]", "[REG2]", "[REG3]")
    assert adapter.size is None
    for key, value in model.state_dict().items():
        assert torch.equal(adapter.model.state_dict()[key], value)
    for one, other in zip(maps_of(adapter, picture), maps_of(TimmVisionTransformer(model), picture), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (adapter.kind, adapter.image_size) == ("image", 56)
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert adapter.provenance == {
        "versions": {"timm": timm.__version__},
        "architecture": NAME,
        "weights_sha256": {"model.safetensors": digest},
        "licence": "apache-2.0",
        "folder": str(folder),
    }
    double = open_timm(folder, dtype="float64", name="mine")
    assert double.name == "mine"
    assert {weights.dtype for weights in maps_of(double, picture)} == {np.dtype("float64")}


def test_a_name_with_random_weights() -> None:
    adapter = open_timm("vit_tiny_patch16_224", pretrained=False, depth=1)
    assert adapter.name == "vit_tiny_patch16_224 with random weights"
    assert not adapter.model.training
    assert adapter.prepare(Image("i", np.zeros((32, 48, 3), np.uint8))).grid == (2, 3)


def damaged_weights(folder: Path) -> None:
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])


def missing_tensor(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights["blocks.1.attn.qkv.weight"]
    save_file(weights, folder / "model.safetensors")


def changed(**entries: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        config.update(entries)
        (folder / "config.json").write_text(json.dumps(config))

    return change


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damaged_weights, r"can not be opened by timm \("),
        (missing_tensor, r"can not be opened by timm \(.*Missing key.*blocks\.1\.attn\.qkv\.weight"),
        (lambda folder: (folder / "model.safetensors").unlink(), r"has no model\.safetensors: a folder in the layout"),
        (lambda folder: (folder / "config.json").unlink(), r"has no config\.json"),
        (lambda folder: (folder / "config.json").write_text("{"), r"config\.json can not be read as JSON"),
        (lambda folder: (folder / "config.json").write_text('{"model_type": "vit"}'), "names no architecture: it is"),
        (changed(architecture="resnet18"), "resnet18 is of timm's resnet"),
        (changed(architecture="no_such_vit"), r"timm 1\..* knows no architecture no_such_vit"),
        (changed(num_classes=5), "has 0 classes, but its weights 5|can not be opened by timm"),
    ],
)
def test_a_damaged_folder_is_one_sentence(damage: Any, message: str, saved: tuple[Path, Any]) -> None:
    folder, _ = saved
    damage(folder)
    with pytest.raises(InputError, match=message) as caught:
        open_timm(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./nowhere", r"\./nowhere is no folder"),
        ("local-dir:nowhere", "nowhere is no folder"),
        ("a/b/c", "a/b/c is no folder"),
        ("no_such_vit", "knows no architecture no_such_vit"),
        ("swin_tiny_patch4_window7_224", "swin_tiny_patch4_window7_224 is of timm's swin_transformer, whose blocks"),
        (
            "vit_tiny_patch16_224.nobody",
            r"knows no weights .*\.nobody: choose one of vit_tiny_patch16_224\.augreg_in21k",
        ),
    ],
)
def test_a_wrong_name_is_one_sentence_without_the_network(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_timm(name, offline=True)


def test_an_unknown_option_is_one_sentence() -> None:
    with pytest.raises(InputError, match=r"can not be opened by timm \(.*colour"):
        open_timm("vit_tiny_patch16_224", pretrained=False, colour=3)


@pytest.fixture
def cache(saved: tuple[Path, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub's cache on this machine, with one model at one commit; asking the network is an error."""
    import huggingface_hub.constants

    root = tmp_path / "hub"
    for repository in (f"models--timm--{NAME}.lvd142m", "models--me--mine"):
        shutil.copytree(saved[0], root / repository / "snapshots" / COMMIT)
        (root / repository / "refs").mkdir()
        (root / repository / "refs" / "main").write_text(COMMIT)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(root))

    def network(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("huggingface_hub.file_download.get_hf_file_metadata", network)
    monkeypatch.setattr("huggingface_hub.HfApi.repo_info", network)
    return root


@pytest.mark.parametrize(
    ("name", "revision"),
    [
        (NAME, None),
        (f"{NAME}.lvd142m", COMMIT),
        ("me/mine", None),
        (f"me/mine@{COMMIT}", None),
        ("hf-hub:me/mine", "main"),
    ],
)
def test_what_is_in_the_cache_is_opened_without_the_network(
    name: str, revision: str | None, cache: Path, saved: tuple[Path, Any], picture: Image
) -> None:
    folder = timm_folder(name, revision=revision)
    assert folder.name == COMMIT
    assert folder.is_relative_to(cache)
    adapter = open_timm(name, revision=revision)
    assert adapter.provenance["revision"] == COMMIT
    assert adapter.provenance["repository"] == ("me/mine" if "me/mine" in name else f"timm/{NAME}.lvd142m")
    assert len(maps_of(adapter, picture)) == 2
    assert torch.equal(adapter.model.cls_token, saved[1].cls_token)


def test_what_is_not_in_the_cache_is_not_fetched_offline(cache: Path) -> None:
    with pytest.raises(FetchError, match=r"the files of me/other are not on this machine .* \(offline was asked for\)"):
        open_timm("me/other", offline=True)
    with pytest.raises(FetchError, match="me/mine are not on this machine"):
        open_timm("me/mine", revision="f" * 40, offline=True)


def test_what_is_not_in_the_cache_is_asked_for(cache: Path) -> None:
    with pytest.raises(AssertionError, match="the network was asked"):
        open_timm("me/other")


def test_timm_is_the_pinned_version() -> None:
    pins = (Path(__file__).parents[2] / "requirements/timm.txt").read_text()
    assert f"timm=={timm.__version__}\n" in pins
    assert f"torch=={torch.__version__.partition('+')[0]}\n" in pins
