"""``open_model``: what each spec opens, and what it says about it."""

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin import packaged
from dobrushin.capture import Decoder, Image, LayerAttention, Text, TextEncoder, VisionTransformer, observe
from dobrushin.errors import IncompleteError, InputError
from dobrushin.sources.models import describe_model, open_model
from dobrushin.testing import tiny_models

Save = Callable[..., Path]
PIXELS = np.random.default_rng(5).integers(0, 256, (32, 48, 3), dtype=np.uint8)
WITH_HEADS = {
    "albert": "ForMaskedLM",
    "bert": "ForPreTraining",
    "deit": "ForImageClassificationWithTeacher",
    "dinov2": "ForImageClassification",
    "distilbert": "ForSequenceClassification",
    "electra": "ForPreTraining",
    "gpt2": "LMHeadModel",
    "gpt_neox": "ForCausalLM",
    "llama": "ForCausalLM",
    "mistral": "ForCausalLM",
    "opt": "ForCausalLM",
    "qwen2": "ForCausalLM",
    "roberta": "ForMaskedLM",
    "vit": "ForImageClassification",
    "xlm-roberta": "ForTokenClassification",
}


def maps(adapter: Any) -> list[np.ndarray]:
    """The attention of a short input, layer by layer."""
    item = Image("i", PIXELS) if isinstance(adapter, VisionTransformer) else Text("t", "a b c d")
    found: list[LayerAttention] = []
    observe(adapter, [item], found.append, skipped=lambda _: None)
    return [attention.values for attention in found]


def assert_same_maps(one: Any, other: Any) -> None:
    for mine, theirs in zip(maps(one), maps(other), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def adapter_of(family: str, model: Any) -> Any:
    if family in tiny_models.VISION:
        return VisionTransformer(model, mean=(0.5, 0.25, 0.125), std=(0.5, 0.5, 0.25))
    kind = Decoder if family in tiny_models.DECODERS else TextEncoder
    return kind(model, tiny_models.tokenizer(begins=kind is Decoder))


@pytest.mark.usefixtures("_no_network")
@pytest.mark.parametrize("family", [*tiny_models.TEXT, *tiny_models.VISION, *tiny_models.DECODERS])
def test_a_folder_of_every_family_opens_without_a_network(family: str, save: Save) -> None:
    folder = save(family)
    opened = open_model(str(folder))
    assert_same_maps(opened.adapter, adapter_of(family, tiny_models.model(family)))
    assert opened.title == opened.adapter.name == folder.name
    assert opened.kind == ("image" if family in tiny_models.VISION else "text")
    assert opened.default_inputs is None


@pytest.mark.parametrize("family", WITH_HEADS)
def test_heads_are_left_out_and_listed(family: str, save: Save) -> None:
    head = WITH_HEADS[family]
    opened = open_model(str(save(family, head=head)))
    assert_same_maps(opened.adapter, adapter_of(family, tiny_models.model(family, head=head).base_model))
    if head not in ("ForCausalLM", "LMHeadModel") or family == "gpt_neox":  # those are tied to the embeddings
        assert opened.provenance["left_out"]


def test_the_vision_tower_of_clip_is_taken(tmp_path: Path) -> None:
    from transformers import CLIPConfig, CLIPModel

    sizes = tiny_models.configuration("clip_vision_model")
    text = {"vocab_size": 40, "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 1,
            "intermediate_size": 32, "eos_token_id": 3}  # fmt: skip
    model = CLIPModel(CLIPConfig(vision_config=sizes, text_config=text, projection_dim=16)).eval()
    model.save_pretrained(tmp_path / "clip")
    (tmp_path / "clip/preprocessor_config.json").write_text(
        json.dumps({"image_mean": [0, 0, 0], "image_std": [1, 1, 1]})
    )
    opened = open_model(str(tmp_path / "clip"))
    tower: Any = opened.adapter
    (bias,) = (value for key, value in tower.model.state_dict().items() if key.endswith("layers.2.mlp.fc1.bias"))
    assert torch.equal(bias, model.vision_model.encoder.layers[2].mlp.fc1.bias)
    assert len(maps(tower)) == 3
    assert any(key.startswith("text_model.") for key in opened.provenance["left_out"])


DINOV2 = {
    "S": {"hidden_size": 384, "num_attention_heads": 6, "num_hidden_layers": 12},
    "B": {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 2},
    "L": {"hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 2},
}


@pytest.mark.parametrize("size", DINOV2)
@pytest.mark.parametrize("registers", [0, 4])
def test_dinov2_of_every_size_opens(size: str, registers: int, save: Save) -> None:
    """The architectures of facebook/dinov2-{small,base,large} and their versions with registers."""
    family = "dinov2_with_registers" if registers else "dinov2"
    extra = {"num_register_tokens": registers} if registers else {}
    folder = save(family, image_size=518, patch_size=14, mlp_ratio=4, **DINOV2[size], **extra)
    adapter = open_model(str(folder)).adapter
    image = Image("i", np.tile(PIXELS, (2, 2, 1))[:56, :84])
    shapes: list[tuple[int, ...]] = []
    observe(adapter, [image], lambda a: shapes.append(a.values.shape))
    n = 1 + registers + 4 * 6
    assert shapes == [(DINOV2[size]["num_attention_heads"], n, n)] * DINOV2[size]["num_hidden_layers"]
    assert adapter.prepare(image).content.tolist() == [False] * (1 + registers) + [True] * 24


def test_weights_under_the_names_of_transformers_4_open(save: Save) -> None:
    """DINOv2's attention was renamed; a loader that does not convert leaves it at random, without a word."""
    from safetensors.torch import load_file, save_file

    folder = save("dinov2")
    names = {"attention.q_proj": "attention.attention.query", "attention.k_proj": "attention.attention.key",
             "attention.v_proj": "attention.attention.value", "attention.o_proj": "attention.output.dense"}  # fmt: skip
    state = {}
    for key, value in load_file(folder / "model.safetensors").items():
        for new, old in names.items():
            key = key.replace(new, old)
        state[key] = value
    assert sum("attention.attention.query" in key for key in state) == 6
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    assert_same_maps(open_model(str(folder)).adapter, adapter_of("dinov2", tiny_models.model("dinov2")))


@pytest.mark.usefixtures("_no_network")
def test_shards_open(tmp_path: Path, save: Save) -> None:
    folder = save("bert")
    tiny_models.model("bert").save_pretrained(tmp_path / "shards", max_shard_size="20KB")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(folder / name, tmp_path / "shards")
    opened = open_model(str(tmp_path / "shards"))
    assert len(opened.provenance["weights_sha256"]) > 2
    assert_same_maps(opened.adapter, open_model(str(folder)).adapter)


def test_provenance_says_what_was_opened(save: Save) -> None:
    folder = save("bert")
    (folder / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# A model\n")
    provenance = open_model(str(folder), dtype="bfloat16").provenance
    weights = (folder / "model.safetensors").read_bytes()
    assert provenance["weights_sha256"] == {"model.safetensors": hashlib.sha256(weights).hexdigest()}
    config = (folder / "config.json").read_bytes()
    assert provenance["config_sha256"] == hashlib.sha256(config).hexdigest()
    assert provenance["spec"] == str(folder)
    assert provenance["source"] == "folder"
    assert provenance["licence"] == "apache-2.0"
    assert (provenance["dtype"], provenance["dtype_stored"]) == ("bfloat16", ["float32"])
    assert provenance["device"] == "cpu"
    assert provenance["warnings"] == []
    assert set(provenance["versions"]) == {"torch", "transformers", "tokenizers", "safetensors"}
    assert json.loads(json.dumps(provenance)) == provenance
    described = describe_model(str(folder))
    assert described.items() <= provenance.items()


@pytest.mark.parametrize("dtype", [None, "float16", "bfloat16", "float32", "float64"])
def test_the_dtype_is_the_one_asked_for(dtype: str | None, save: Save) -> None:
    folder = save("llama")
    adapter: Any = open_model(str(folder), dtype=dtype).adapter
    assert adapter.model.dtype == getattr(torch, dtype or "float32")
    assert all(parameter.dtype == adapter.model.dtype for parameter in adapter.model.parameters())
    found: list[LayerAttention] = []
    observe(adapter, [Text("t", "a b")], found.append)
    assert {attention.dtype for attention in found} == {dtype or "float32"}


def test_half_precision_weights_are_widened_exactly(save: Save) -> None:
    folder = save("bert")
    tiny_models.model("bert").to(torch.bfloat16).save_pretrained(folder)
    opened = open_model(str(folder))
    adapter: Any = opened.adapter
    assert adapter.model.dtype == torch.float32
    assert opened.provenance["dtype_stored"] == ["bfloat16"]
    weight = adapter.model.encoder.layer[0].attention.self.query.weight
    assert torch.equal(weight, weight.bfloat16().float())


def test_images_are_normalised_as_the_file_says(save: Save, edit: Callable[..., None]) -> None:
    folder = save("vit")
    adapter: Any = open_model(str(folder)).adapter
    white = adapter.pixel_values([np.full((1, 1, 3), 255, np.uint8)])
    np.testing.assert_allclose(white.ravel(), [(1 - 0.5) / 0.5, (1 - 0.25) / 0.5, (1 - 0.125) / 0.25], rtol=1e-6)
    assert open_model(str(folder)).image_size == 32
    edit(folder / "preprocessor_config.json", do_normalize=False, image_mean=None, do_center_crop=None, crop_size=None)
    opened = open_model(str(folder))
    plain: Any = opened.adapter
    np.testing.assert_allclose(plain.pixel_values([np.full((1, 1, 3), 255, np.uint8)]).ravel(), [1, 1, 1])
    assert opened.image_size == 40


def test_max_tokens_cuts_texts_off(save: Save) -> None:
    adapter = open_model(str(save("bert")), max_tokens=4).adapter
    assert adapter.prepare(Text("t", "a b c d e")).labels == ("[CLS]", "a", "b", "[SEP]")
    with pytest.raises(InputError, match="takes no texts, so that max_tokens does not apply"):
        open_model(str(save("vit")), max_tokens=4)
    adapter = open_model("rxnmapper", max_tokens=4).adapter
    assert adapter.prepare(Text("t", "CCCCCC")).n == 4
    with pytest.raises(InputError, match=r"^dinov2 takes no texts"):
        open_model("dinov2", max_tokens=4)


@pytest.mark.usefixtures("_no_network")
def test_a_packaged_model_opens_by_its_key() -> None:
    opened = open_model("rxnmapper", offline=True, dtype="float64")
    assert isinstance(opened.adapter, TextEncoder)
    assert opened.title == "RXNMapper ALBERT on reaction SMILES"
    assert opened.kind == "text"
    assert opened.default_inputs == "reactions"
    wheel = packaged.model("rxnmapper").wheel
    assert opened.provenance["weights_sha256"] == {"rxnmapper==0.4.3": wheel.sha256}
    assert opened.provenance["licence"] == "MIT"
    assert opened.adapter.model.dtype == torch.float64
    assert describe_model("rxnmapper").items() <= opened.provenance.items()


def test_a_packaged_model_that_is_not_cached_is_not_fetched_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOBRUSHIN_CACHE", str(tmp_path))
    with pytest.raises(
        InputError, match=r"^rxnmapper: rxnmapper==0\.4\.3 is not in the cache, and the network is swit"
    ):
        open_model("rxnmapper", offline=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spec", ["", "bert", "no such model", "hub:bert", "hub:", "owner/name/more"])
def test_what_names_no_model_lists_the_choices(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        open_model(spec)
    message = str(caught.value)
    for choice in ("minilm", "rxnmapper", "hub:OWNER/NAME", "a folder", "timm:NAME", "rtdl:FOLDER", "python:MODULE"):
        assert choice in message
    assert "\n" not in message


@pytest.mark.parametrize("spec", ["timm:", "rtdl:", "python:"])
def test_a_source_without_a_model_is_one_sentence(spec: str) -> None:
    with pytest.raises(InputError, match=f"^{spec} names no model: {spec} is followed by"):
        open_model(spec)


def test_options_that_do_not_exist_are_refused(save: Save) -> None:
    folder = str(save("bert"))
    with pytest.raises(InputError, match="the dtype is int8, but one of float16, bfloat16, float32, float64 is needed"):
        open_model(folder, dtype="int8")
    with pytest.raises(InputError, match=r"the device toaster can not be used \(.*\): cpu always can"):
        open_model(folder, device="toaster")
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="the device cuda can not be used"):
            open_model(folder, device="cuda")
    for spec in (folder, "rxnmapper", "timm:vit"):
        with pytest.raises(InputError, match="has no revisions, but v1 is asked for"):
            open_model(spec, revision="v1")
    with pytest.raises(InputError, match="asks for revision v1, but v2 is given besides"):
        open_model("owner/name@v1", revision="v2")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none is missing: name a folder with config\.json"):
        open_model(str(tmp_path / "none"))
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file is not a folder"):
        open_model(str(tmp_path / "file"))


def test_transformers_missing_is_one_sentence(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save("bert")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(IncompleteError, match=r"transformers is not installed; install dobrushin\[models\]"):
        open_model(str(folder))
