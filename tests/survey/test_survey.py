"""Surveys with an adapter that hands out chosen maps, so that every number is known."""

from collections.abc import Sequence

import numpy as np
import pytest

from dobrushin import InputError, check
from dobrushin.capture import Item, ModelInput, Text
from dobrushin.capture.adapter import Receive
from dobrushin.survey import survey

SWAP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])  # tokens 1 and 2 are not self-dominant
TIGHT = np.eye(3)


class Chosen:
    """Two layers of one head: the first is tight, the second is for the content tokens 1 and 2 as far as can be."""

    name = "chosen"
    layers = 2

    def __init__(
        self, maps: Sequence[np.ndarray] = (TIGHT, SWAP), content: Sequence[bool] = (False, True, True)
    ) -> None:
        self.maps = maps
        self.content = np.array(content)

    def prepare(self, item: Item) -> ModelInput:
        return ModelInput(item.id, ("[CLS]", "a", "b"), self.content, {"x": np.zeros(3)})

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        torch = pytest.importorskip("torch")
        for values in self.maps:
            receive(torch.tensor(np.stack([values[None]] * len(batch)), dtype=torch.float32))


ITEMS = [Text("first", "a b"), Text("second", "a b")]


def test_records_in_order_with_both_token_rules() -> None:
    records = survey(Chosen(), ITEMS, batch_size=1)
    assert [(r.input, r.layer, r.tokens) for r in records] == [
        (name, layer, rule) for name in ("first", "second") for layer in (0, 1) for rule in ("content", "all")
    ]
    tight = {(r.layer, r.tokens): r.verdict.tight for r in records if r.verdict}
    assert tight == {(0, "content"): True, (0, "all"): True, (1, "content"): False, (1, "all"): True}
    assert {r.verdict.restrict for r in records if r.verdict and r.tokens == "content"} == {"renormalised"}
    assert records[2].verdict == check(SWAP, keep=[1, 2], name="input first, layer 1")


def test_inputs_without_a_pair_are_skipped_and_counted() -> None:
    records = survey(Chosen(content=(False, True, False)), ITEMS)
    skipped = [record for record in records if record.tokens == "content"]
    assert all(record.verdict is None for record in skipped)
    assert skipped[0].to_json() == {
        "input": "first",
        "layer": 0,
        "tokens": "content",
        "skipped": "1 content token: there is no pair of rows",
    }
    assert len(skipped) == 4


def test_bad_attention_is_named_by_input_layer_and_head() -> None:
    bad = TIGHT.copy()
    bad[2, 2] = np.nan
    with pytest.raises(InputError, match="input first, layer 1, head 0 has nan in row 2"):
        survey(Chosen(maps=(TIGHT, bad)), ITEMS)


def test_no_inputs() -> None:
    with pytest.raises(InputError, match="no inputs"):
        survey(Chosen(), [])
