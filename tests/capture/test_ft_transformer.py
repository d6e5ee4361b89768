"""FT-Transformer: the maps against a softmax written out by hand, and saved models."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import LayerAttention, Row, SkippedLayer, Text, observe
from dobrushin.capture.ft_transformer import TableTransformer
from dobrushin.capture.ft_transformer_files import (
    build_ft_transformer,
    open_ft_transformer,
    save_ft_transformer,
)
from dobrushin.capture.table_preprocessing import TablePreprocessing
from dobrushin.errors import InputError

NUMERICAL = ["age", "hours"]
CATEGORICAL = ["work", "sex"]
ARGUMENTS = {
    "d_out": 1,
    "n_blocks": 3,
    "d_block": 32,
    "attention_n_heads": 4,
    "attention_dropout": 0.2,
    "ffn_d_hidden": None,
    "ffn_d_hidden_multiplier": 4 / 3,
    "ffn_dropout": 0.1,
    "residual_dropout": 0.0,
}
TOKENS, HEADS, LAYERS = 5, 4, 3
Build = Callable[..., TableTransformer]


@pytest.fixture
def rows() -> list[Row]:
    rng = np.random.default_rng(4)
    return [
        Row(
            f"person {k}",
            {
                "age": float(rng.integers(18, 80)),
                "hours": float(rng.normal(40, 8)),
                "work": str(rng.choice(["private", "state", "self"])),
                "sex": str(rng.choice(["f", "m"])),
            },
        )
        for k in range(60)
    ]


@pytest.fixture
def build(rows: list[Row]) -> Build:
    def make(**changes: Any) -> TableTransformer:
        preprocessing = TablePreprocessing.fit(rows, numerical=NUMERICAL, categorical=CATEGORICAL)
        with torch.random.fork_rng():
            torch.manual_seed(1)
            model = build_ft_transformer(preprocessing, {**ARGUMENTS, **changes})
            # Fresh weights give nearly uniform attention, which would hide mixed-up heads.
            for block in model.backbone.blocks:
                torch.nn.init.normal_(block["attention"].W_q.weight, std=0.3)
                torch.nn.init.normal_(block["attention"].W_k.weight, std=0.3)
        return TableTransformer(model.eval(), preprocessing)

    return make


def captured(adapter: TableTransformer, rows: list[Row], batch_size: int = 8) -> dict[tuple[int, int], LayerAttention]:
    maps: dict[tuple[int, int], LayerAttention] = {}
    observe(adapter, rows, lambda a: maps.__setitem__((a.index, a.layer), a), batch_size=batch_size)
    return maps


def inputs_of(adapter: TableTransformer, rows: list[Row]) -> list[tuple[Any, Any]]:
    """What each attention module is called with, (x_q, x_kv) by block."""
    seen: list[tuple[Any, Any]] = []
    handles = [
        block["attention"].register_forward_pre_hook(lambda _, given: seen.append(given))
        for block in adapter.model.backbone.blocks
    ]
    adapter.predict(rows)
    for handle in handles:
        handle.remove()
    return seen


def used_by_the_module(adapter: TableTransformer, rows: list[Row]) -> list[np.ndarray]:
    """The probabilities (batch·heads, q, k) that reach each module's dropout, which are those it multiplies with."""
    seen: list[np.ndarray] = []
    handles = [
        block["attention"].dropout.register_forward_pre_hook(lambda _, given: seen.append(given[0].numpy().copy()))
        for block in adapter.model.backbone.blocks
    ]
    adapter.predict(rows)
    for handle in handles:
        handle.remove()
    return seen


def softmax_by_hand(module: Any, x: np.ndarray) -> np.ndarray:
    """(heads, n, n) in float64 for one input x (n, d), head by head, without any of the library's reshaping."""
    parameters = {key: value.double().numpy() for key, value in module.state_dict().items()}
    q = x @ parameters["W_q.weight"].T + parameters["W_q.bias"]
    k = x @ parameters["W_k.weight"].T + parameters["W_k.bias"]
    width = x.shape[1] // HEADS
    maps = []
    for head in range(HEADS):
        part = slice(head * width, (head + 1) * width)
        weights = np.exp(q[:, part] @ k[:, part].T / np.sqrt(width))
        maps.append(weights / weights.sum(axis=1, keepdims=True))
    return np.array(maps)


def test_pain_point_13_probabilities_come_as_batch_times_heads(build: Build, rows: list[Row]) -> None:
    """Item 13: the module's probabilities are (batch*heads, q, k), and reshaping them wrongly mixes inputs and heads.

    Every map, also the last block's, equals a softmax written out head by head in float64.
    """
    adapter, some = build(), rows[:8]
    maps = captured(adapter, some)
    assert len(maps) == 8 * LAYERS
    for layer, (_, keys) in enumerate(inputs_of(adapter, some)):
        module = adapter.model.backbone.blocks[layer]["attention"]
        for index in range(8):
            expected = softmax_by_hand(module, keys[index].double().numpy())
            found = maps[index, layer]
            assert found.values.shape == (HEADS, TOKENS, TOKENS)
            np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-6)
            # The maps differ enough for a mixed-up head or input to be seen.
            assert np.abs(found.values - np.roll(found.values, 1, axis=0)).max() > 1e-2
            assert np.abs(found.values - maps[(index + 1) % 8, layer].values).max() > 1e-2


@pytest.mark.parametrize(("width", "heads"), [(32, 4), (192, 8)])
def test_where_the_module_takes_a_softmax_it_is_ours_bit_for_bit(
    width: int, heads: int, build: Build, rows: list[Row]
) -> None:
    """The verdict is about the numbers that the model multiplied with, so equal up to rounding is not enough.

    At the library's default width of 192, one row of queries is rounded otherwise than the same row among n.
    """
    adapter, some = build(d_block=width, attention_n_heads=heads), rows[:8]
    maps = captured(adapter, some)
    used = used_by_the_module(adapter, some)
    for layer, folded in enumerate(used):
        queries = 1 if layer == LAYERS - 1 else TOKENS
        assert folded.shape == (8 * heads, queries, TOKENS)
        for index in range(8):
            expected = folded[index * heads : (index + 1) * heads]
            np.testing.assert_array_equal(maps[index, layer].values[:, :queries], expected)


def test_pain_point_13_the_last_block_is_square_and_says_what_is_counterfactual(build: Build, rows: list[Row]) -> None:
    """Item 13: the last block computes one row, 1×n; its map is n×n, and the rows that nothing uses are marked."""
    adapter = build()
    for (_, layer), found in captured(adapter, rows[:3]).items():
        assert found.counterfactual == ((1, 2, 3, 4) if layer == LAYERS - 1 else ())


def test_the_counterfactual_rows_are_without_influence(build: Build, rows: list[Row]) -> None:
    """Other queries for the feature tokens of the last block change their rows, and leave the output as it was."""
    adapter = build()
    before, output = captured(adapter, rows[:4]), adapter.predict(rows[:4])
    last = adapter.model.backbone.blocks[LAYERS - 1]["attention"]
    with torch.no_grad():
        _, keys = inputs_of(adapter, rows[:4])[LAYERS - 1]
        # A direction of queries that the class token does not have, in any of the four inputs.
        _, _, basis = torch.linalg.svd(keys[:, 0].double(), full_matrices=True)
        last.W_q.weight += (torch.randn(32, 28, dtype=torch.float64) @ basis[4:]).float()
    after = captured(adapter, rows[:4])
    np.testing.assert_allclose(adapter.predict(rows[:4]), output, atol=1e-5)
    for index in range(4):
        one, other = before[index, LAYERS - 1].values, after[index, LAYERS - 1].values
        np.testing.assert_allclose(one[:, 0], other[:, 0], atol=1e-4)
        assert np.abs(one[:, 1:] - other[:, 1:]).max() > 0.05


def test_observing_leaves_output_and_hooks_as_they_were(build: Build, rows: list[Row]) -> None:
    adapter = build()
    module = adapter.model.backbone.blocks[0]["attention"]
    calls: list[int] = []
    module.register_forward_pre_hook(lambda *_: calls.append(1))
    before = adapter.predict(rows[:8])
    captured(adapter, rows[:8])
    assert len(calls) == 2
    torch.testing.assert_close(adapter.predict(rows[:8]), before, rtol=0, atol=0)
    assert [len(m._forward_pre_hooks) for m in adapter.model.modules() if m._forward_pre_hooks] == [1]

    def broken(attention: LayerAttention) -> None:
        raise RuntimeError("observer")

    with pytest.raises(RuntimeError, match="observer"):
        observe(adapter, rows[:2], broken)
    assert [len(m._forward_pre_hooks) for m in adapter.model.modules() if m._forward_pre_hooks] == [1]


def test_pain_point_16_dropout_of_training_mode_is_refused(build: Build, rows: list[Row]) -> None:
    """Item 16: in training mode dropout makes rows sum to 0.21-1.25; the part in training mode is named."""
    adapter = build()
    adapter.model.backbone.blocks[1]["attention"].dropout.train()
    with pytest.raises(InputError, match=r"backbone.blocks.1.attention.dropout is in training mode; call model.eval"):
        captured(adapter, rows[:2])
    adapter.model.eval()
    for found in captured(adapter, rows[:2]).values():
        np.testing.assert_allclose(found.values.sum(axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("sharing", ["headwise", "key-value"])
def test_linformer_layers_are_skipped_with_the_reason(build: Build, rows: list[Row], sharing: str) -> None:
    adapter = build(linformer_kv_compression_ratio=0.4, linformer_kv_compression_sharing=sharing)
    found: list[SkippedLayer] = []
    observe(adapter, rows[:2], lambda _: pytest.fail("a map"), skipped=found.append)
    assert len(found) == 2 * LAYERS
    assert {skip.reason for skip in found} == {"linear attention: Linformer compresses 5 keys to 2"}
    with pytest.raises(InputError, match="Linformer compresses"):
        captured(adapter, rows[:2])


def test_tokens_are_the_class_token_and_the_features(build: Build, rows: list[Row]) -> None:
    prepared = build().prepare(rows[0])
    assert prepared.labels == ("[CLS]", "age", "hours", "work", "sex")
    assert prepared.content.tolist() == [False, True, True, True, True]
    with pytest.raises(InputError, match="takes rows of a table, but t is no row"):
        build().prepare(Text("t", "words"))
    with pytest.raises(InputError, match="row x, column work: the category 'army' is in no training row"):
        build().prepare(Row("x", {**rows[0].values, "work": "army"}))


@pytest.mark.parametrize(("numerical", "categorical"), [(NUMERICAL, []), ([], CATEGORICAL)])
def test_columns_of_one_kind_alone(rows: list[Row], numerical: list[str], categorical: list[str]) -> None:
    preprocessing = TablePreprocessing.fit(rows, numerical=numerical, categorical=categorical)
    adapter = TableTransformer(build_ft_transformer(preprocessing, ARGUMENTS).eval(), preprocessing)
    assert len(captured(adapter, rows[:3])) == 3 * LAYERS
    assert adapter.predict(rows[:3]).shape == (3, 1)


def test_other_models_and_other_columns_are_refused(build: Build, rows: list[Row]) -> None:
    adapter = build()
    with pytest.raises(InputError, match="Linear can not be observed as an FT-Transformer"):
        TableTransformer(torch.nn.Linear(2, 2), adapter.preprocessing)
    fewer = TablePreprocessing.fit(rows, numerical=NUMERICAL, categorical=["sex"])
    with pytest.raises(InputError, match=r"takes 2 numerical columns and categories \[3, 2\], but .* 2 and \[2\]"):
        TableTransformer(adapter.model, fewer)


def save(folder: Path, adapter: TableTransformer, **config: Any) -> None:
    save_ft_transformer(folder, adapter.model, adapter.preprocessing, {"arguments": ARGUMENTS, **config})


def test_a_saved_model_comes_back_with_its_preprocessing(build: Build, rows: list[Row], tmp_path: Path) -> None:
    adapter = build()
    save(tmp_path / "m", adapter, name="adult", training={"epochs": 3})
    opened = open_ft_transformer(tmp_path / "m")
    assert (opened.name, opened.kind) == ("adult", "table")
    assert opened.provenance["folder"] == str(tmp_path / "m")
    assert sorted(opened.provenance["weights_sha256"]) == ["model.safetensors", "preprocessing.json"]
    torch.testing.assert_close(opened.predict(rows), adapter.predict(rows), rtol=0, atol=0)
    before, after = captured(adapter, rows[:8]), captured(opened, rows[:8])
    for key, found in after.items():
        np.testing.assert_array_equal(found.values, before[key].values)
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == [
        "config.json",
        "model.safetensors",
        "preprocessing.json",
    ]
    assert json.loads((tmp_path / "m/config.json").read_text())["training"] == {"epochs": 3}
    double = captured(open_ft_transformer(tmp_path / "m", dtype="float64"), rows[:2])
    assert {found.dtype for found in double.values()} == {"float64"}


def test_saving_refuses_a_configuration_of_another_model(build: Build, tmp_path: Path) -> None:
    adapter = build()
    with pytest.raises(InputError, match="does not describe the model"):
        save_ft_transformer(
            tmp_path / "m", adapter.model, adapter.preprocessing, {"arguments": {**ARGUMENTS, "n_blocks": 2}}
        )
    with pytest.raises(InputError, match="no FT-Transformer can be built"):
        save_ft_transformer(tmp_path / "m", adapter.model, adapter.preprocessing, {})
    with pytest.raises(InputError, match="can not be written as JSON"):
        save(tmp_path / "m", adapter, score=float("nan"))
    assert not (tmp_path / "m").exists()


def test_a_damaged_folder_is_one_sentence(build: Build, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    with pytest.raises(InputError, match=r"config.json can not be read: No such file"):
        open_ft_transformer(folder)
    save(folder, build())
    config = (folder / "config.json").read_text()
    for name in ("model.safetensors", "preprocessing.json"):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[:-1] + b" ")
        with pytest.raises(InputError, match=rf"{name} is not the file that config.json was saved with"):
            open_ft_transformer(folder)
        (folder / name).unlink()
        with pytest.raises(InputError, match=rf"{name} can not be read"):
            open_ft_transformer(folder)
        (folder / name).write_bytes(data)
    for text, message in (
        ("{", "is no JSON"),
        ('{"model_type": "bert"}', "its format is not"),
        (config.replace("arguments", "parameters"), "has no arguments"),
        (config.replace('"d_block": 32', '"d_block": 64'), "model.safetensors does not fit config.json"),
    ):
        (folder / "config.json").write_text(text)
        with pytest.raises(InputError, match=message):
            open_ft_transformer(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "preprocessing.json"])
def test_a_file_that_was_saved_damaged_is_one_sentence(name: str, build: Build, tmp_path: Path) -> None:
    """The digests fit, and still there is nothing to read."""
    save(tmp_path, build())
    (tmp_path / name).write_bytes(b"\xff\xfe")
    config = json.loads((tmp_path / "config.json").read_text())
    config["sha256"][name] = hashlib.sha256(b"\xff\xfe").hexdigest()
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="holds a file that can not be read"):
        open_ft_transformer(tmp_path)


def test_sizes_that_torch_refuses_are_one_sentence(build: Build, tmp_path: Path) -> None:
    save(tmp_path, build())
    config = json.loads((tmp_path / "config.json").read_text())
    config["arguments"]["d_block"] = -8
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="no FT-Transformer can be built from the arguments"):
        open_ft_transformer(tmp_path)


def test_device_and_dtype_are_checked(build: Build, tmp_path: Path) -> None:
    save(tmp_path, build())
    with pytest.raises(InputError, match="the dtype is 'int8', but one of float16, bfloat16, float32, float64"):
        open_ft_transformer(tmp_path, dtype="int8")
    with pytest.raises(InputError, match="the device 'gpu' can not be used"):
        open_ft_transformer(tmp_path, device="gpu")


def test_pain_point_14_the_library_without_old_pins(build: Build) -> None:
    """Item 14: rtdl 0.0.13 needs torch<2 and numpy<2, so it can not be installed; this one runs with both new."""
    module = type(build().model).__module__
    assert module == "rtdl_revisiting_models"
    assert int(torch.__version__.partition(".")[0]) >= 2
    assert int(np.__version__.partition(".")[0]) >= 2
