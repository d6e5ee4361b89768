"""What a folder may not be: code, pickles with code, damaged or ill-fitting weights, and guesses."""

import json
import pickle
import struct
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import CONFIG_MAPPING

from dobrushin.errors import InputError
from dobrushin.sources.models import open_model
from dobrushin.testing import tiny_models

Save = Callable[..., Path]
Edit = Callable[..., None]


def change(folder: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    """Rewrite the weights after ``edit`` changed the state dict in place."""
    state = load_file(folder / "model.safetensors")
    edit(state)
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})


def refused(folder: Path, error: type[Exception] = InputError) -> str:
    """The one sentence that opening the folder ends in."""
    with pytest.raises(error) as caught:
        open_model(str(folder))
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_code_of_its_own_is_never_run(name: str, save: Save, edit: Edit, tmp_path: Path) -> None:
    folder = save("bert")
    (folder / "modeling_own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Own: pass\n")
    edit(folder / name, auto_map={"AutoModel": "modeling_own.Own", "AutoConfig": "modeling_own.Own"})
    assert f"{name} asks for code of its own (auto_map), which is never run" in refused(folder)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("what", "changed"),
    [
        ("missing: encoder.layer.1.attention.self.query.weight",
         lambda state: state.pop("encoder.layer.1.attention.self.query.weight")),
        ("unexpected: encoder.layer.3.attention.self.query.weight",
         lambda state: state.update({"encoder.layer.3.attention.self.query.weight": torch.zeros(32, 32)})),
        ("unexpected: something.else", lambda state: state.update({"something.else": torch.zeros(2)})),
        ("of another shape: encoder.layer.0.output.dense.weight",
         lambda state: state.update({"encoder.layer.0.output.dense.weight": torch.zeros(32, 63)})),
        ("missing: embeddings.LayerNorm.bias, embeddings.LayerNorm.weight",
         lambda state: [state.pop(f"embeddings.LayerNorm.{name}") for name in ("weight", "bias")]),
    ],
)  # fmt: skip
def test_weights_that_do_not_fit_are_refused(what: str, changed: Callable[[Any], Any], save: Save) -> None:
    folder = save("bert")
    change(folder, changed)
    message = refused(folder)
    assert message.startswith("the weights of tiny-bert do not fit BertModel (")
    assert what in message


def test_renamed_attention_is_refused(save: Save) -> None:
    """The trap of ``strict=False``: attention under other names would stay random."""
    folder = save("vit")

    def rename(state: dict[str, Any]) -> None:
        for key in [key for key in state if ".attention." in key]:
            state[key.replace(".attention.", ".mixer.")] = state.pop(key)

    change(folder, rename)
    message = refused(folder)
    assert "missing: " in message
    assert "unexpected: " in message


def test_more_layers_than_the_weights_have_are_refused(save: Save, edit: Edit) -> None:
    folder = save("llama")
    edit(folder / "config.json", num_hidden_layers=4, layer_types=None)
    assert "missing: layers.3." in refused(folder)


class Bomb:
    """Pickled, it makes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (open, (str(self.path), "w"))


def as_pickle(folder: Path, extra: Any = None) -> None:
    """Replace the safetensors file by ``pytorch_model.bin``."""
    state = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save({**state, "extra": extra} if extra is not None else state, folder / "pytorch_model.bin")


def test_a_pickle_of_tensors_opens_with_a_warning(save: Save) -> None:
    folder = save("bert")
    as_pickle(folder)
    opened = open_model(str(folder))
    adapter: Any = opened.adapter
    expected = tiny_models.model("bert").state_dict()
    assert all(torch.equal(value, expected[key]) for key, value in adapter.model.state_dict().items())
    assert opened.provenance["warnings"] == ["the weights come from a pickle, read with tensors only"]
    assert list(opened.provenance["weights_sha256"]) == ["pytorch_model.bin"]


def test_a_pickle_bomb_does_not_go_off(save: Save, tmp_path: Path) -> None:
    folder = save("bert")
    as_pickle(folder, Bomb(tmp_path / "boom"))
    assert "pytorch_model.bin is damaged or holds more than tensors" in refused(folder)
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(tmp_path / "boom")))
    assert "it was not loaded; convert it to safetensors" in refused(folder)
    assert not (tmp_path / "boom").exists()
    torch.save([torch.zeros(2)], folder / "pytorch_model.bin")
    assert "pytorch_model.bin is no state dict of tensors" in refused(folder)


def test_safetensors_win_over_a_pickle(save: Save, tmp_path: Path) -> None:
    folder = save("bert")
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(tmp_path / "boom")))
    assert list(open_model(str(folder)).provenance["weights_sha256"]) == ["model.safetensors"]
    assert not (tmp_path / "boom").exists()


@pytest.mark.parametrize("damage", ["half", "header", "empty", "overlap"])
def test_damaged_safetensors_are_one_sentence(damage: str, save: Save) -> None:
    folder = save("bert")
    file = folder / "model.safetensors"
    good = file.read_bytes()
    overlap = json.dumps({name: {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]} for name in "ab"}).encode()
    file.write_bytes({
        "half": good[: len(good) // 2],
        "header": struct.pack("<Q", 200_000_000) + good[8:],
        "empty": b"",
        "overlap": struct.pack("<Q", len(overlap)) + overlap + bytes(4),
    }[damage])  # fmt: skip
    assert "model.safetensors is no intact safetensors file" in refused(folder)


def test_shards_stay_in_the_folder(save: Save, tmp_path: Path) -> None:
    folder = save("bert")
    (folder / "model.safetensors").rename(tmp_path / "outside.safetensors")
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "../outside.safetensors"}}))
    assert "names ../outside.safetensors, which is not a file beside it" in refused(folder)
    index.write_text(json.dumps({"weight_map": {"a": "model-00001-of-00002.safetensors"}}))
    assert "names model-00001-of-00002.safetensors, which is missing" in refused(folder)
    index.write_text("{}")
    assert "has no weight_map" in refused(folder)


def test_a_key_in_two_shards_is_refused(save: Save) -> None:
    folder = save("bert")
    state = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    for number in (1, 2):
        save_file(state, folder / f"model-{number}.safetensors")
    names = dict(zip(state, ["model-1.safetensors", "model-2.safetensors"] * len(state), strict=False))
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}))
    assert "which another file of the folder holds too" in refused(folder)


def test_incomplete_folders_are_named(save: Save) -> None:
    folder = save("bert")
    (folder / "model.safetensors").unlink()
    assert "holds no weights: one of model.safetensors, model.safetensors.index.json, pytorch_model.bin" in refused(
        folder
    )
    (folder / "config.json").write_text("{")
    assert "config.json is no JSON" in refused(folder)
    (folder / "config.json").write_text("[]")
    assert "config.json holds no JSON object" in refused(folder)
    (folder / "config.json").unlink()
    assert "holds no config.json" in refused(folder)
    (folder / "adapter_config.json").write_text("{}")
    assert "holds only changes to another model (adapter_config.json): merge them first" in refused(folder)


def test_families_that_were_never_tested_are_refused(save: Save, edit: Edit) -> None:
    folder = save("bert")
    edit(folder / "config.json", model_type="deberta-v2")
    message = refused(folder)
    assert "holds a deberta-v2 model, which was never tested here; choose one of albert, bert, clip, " in message
    edit(folder / "config.json", model_type=None)
    assert "a model of no stated family (model_type)" in refused(folder)


@pytest.mark.parametrize("family", ["bert", "clip", "dinov3_vit", "qwen3_next"])
def test_a_family_that_the_installed_transformers_lacks_is_one_sentence(
    family: str, save: Save, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest supported release has every family; the next family added may not be so lucky."""
    folder = save("bert")
    edit(folder / "config.json", model_type=family)
    monkeypatch.delitem(CONFIG_MAPPING._mapping, family)
    assert refused(folder) == (
        f"{folder} holds a {family} model, which transformers {version('transformers')} does not have: "
        "install a release that has it"
    )


@pytest.mark.parametrize("wrong", [{"num_hidden_layers": "three"}, {"hidden_act": "none of these"}])
def test_a_configuration_that_transformers_refuses_is_one_sentence(
    wrong: dict[str, Any], save: Save, edit: Edit
) -> None:
    """Some are refused when the file is read, others, and in older releases all, when the model is built."""
    folder = save("bert")
    edit(folder / "config.json", **wrong)
    message = refused(folder)
    assert "config.json" in message
    assert "is no configuration for transformers" in message or "can be built from the configuration" in message


def test_the_normalisation_is_never_guessed(save: Save, edit: Edit) -> None:
    folder = save("vit")
    file = folder / "preprocessor_config.json"
    edit(file, image_mean=None)
    assert "states no image_mean of three numbers, and the normalisation is never guessed" in refused(folder)
    edit(file, image_mean=[0.5, 0.5, 0.5], image_std=[0.5])
    assert "states no image_std of three numbers" in refused(folder)
    edit(file, image_std=[0.5, 0.5, 0.5], rescale_factor=1 / 127.5)
    assert "does not scale pixels by 1/255" in refused(folder)
    file.unlink()
    assert (
        "preprocessor_config.json is missing: without it the normalisation of the images would be a guess"
        in refused(folder)
    )


def test_a_folder_without_a_tokenizer_is_refused(save: Save) -> None:
    folder = save("bert")
    (folder / "tokenizer.json").unlink()
    assert "holds no tokenizer: one of tokenizer.json, vocab.txt" in refused(folder)
    (folder / "tokenizer.json").write_text("{}")
    assert "can not be loaded" in refused(folder)


def test_a_decoder_configured_encoder_is_refused(save: Save, edit: Edit) -> None:
    folder = save("bert")
    edit(folder / "config.json", is_decoder=True)
    assert "this bert is configured as a decoder" in refused(folder)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"num_attention_heads": 3}, "ValueError: The hidden size"),
        ({"num_attention_heads": 0}, "ZeroDivisionError: "),
        ({"hidden_act": "nope"}, "KeyError: 'nope'"),
        ({"vocab_size": -4}, "RuntimeError: "),
        ({"pad_token_id": 1000}, "AssertionError: "),
        ({"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True}}, ": "),
    ],
)
def test_no_model_of_such_a_configuration_is_one_sentence(
    settings: dict[str, Any], reason: str, save: Save, edit: Edit
) -> None:
    folder = save("bert")
    edit(folder / "config.json", **settings)
    message = refused(folder)
    assert message.startswith("no BertModel can be built from the configuration of tiny-bert (")
    assert reason in message


def test_odd_files_of_a_folder_are_one_sentence(save: Save, edit: Edit) -> None:
    folder = save("bert")
    edit(folder / "config.json", model_type=["bert"])
    assert "has the model_type ['bert'], which is no name" in refused(folder)
    (folder / "config.json").write_text('{"a":' * 100_000 + "1" + "}" * 100_000)
    assert "config.json is no JSON" in refused(folder)


def test_a_pickle_that_ends_too_early_is_one_sentence(save: Save) -> None:
    folder = save("bert")
    as_pickle(folder)
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04junk")
    assert "pytorch_model.bin is damaged or holds more than tensors" in refused(folder)


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_quantised_weights_without_their_scale_are_refused(prefix: str, save: Save) -> None:
    folder = save("bert")
    state = load_file(folder / "model.safetensors")
    save_file({prefix + key: (value * 10).to(torch.int8) for key, value in state.items()}, folder / "model.safetensors")
    message = refused(folder)
    assert f"hold {prefix}embeddings.LayerNorm.bias as int8" in message
    assert "can not be used without their scale" in message


@pytest.mark.parametrize(("key", "value"), [("image_std", 0.0), ("image_std", -1.0), ("image_mean", float("nan"))])
def test_an_impossible_normalisation_is_refused(key: str, value: float, save: Save, edit: Edit) -> None:
    folder = save("vit")
    edit(folder / "preprocessor_config.json", **{key: [0.5, value, 0.5]})
    assert f"has the {key} [0.5, {value}, 0.5]" in refused(folder)


@pytest.mark.parametrize("spec", ["x" * 300, "./" + "x" * 300])
def test_a_name_that_is_too_long_is_one_sentence(spec: str) -> None:
    with pytest.raises(InputError, match="can not be opened"):
        open_model(spec)


def test_a_device_that_computes_nothing_is_refused(save: Save) -> None:
    with pytest.raises(InputError, match="the device meta can not be used"):
        open_model(str(save("bert")), device="meta")


def test_another_tokenizer_is_another_model(save: Save) -> None:
    folder = save("bert")
    before = open_model(str(folder)).provenance
    file = folder / "tokenizer.json"
    file.write_text(file.read_text() + "\n")
    after = open_model(str(folder)).provenance
    assert before["tokenizer_sha256"].keys() >= {"tokenizer.json", "tokenizer_config.json"}
    assert [key for key in before if before[key] != after[key]] == ["tokenizer_sha256"]
