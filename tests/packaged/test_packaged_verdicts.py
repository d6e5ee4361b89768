"""From a model to a verdict: the maps pass the checks of the matrix room, and padding changes no verdict."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import dobrushin
from dobrushin import packaged
from dobrushin.capture import Adapter, Item, LayerAttention, observe

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

Key = tuple[int, int, str]


def verdicts(adapter: Adapter, items: Sequence[Item], **options: Any) -> dict[Key, tuple[Any, ...]]:
    """Tight or not, attaining pair and their number, of each input, layer and token rule; and κ."""
    found: dict[Key, tuple[Any, ...]] = {}

    def check(attention: LayerAttention) -> None:
        name = f"{attention.input.id}, layer {attention.layer}"
        matrix = dobrushin.head_mean(attention.values, name=name, precision=attention.dtype)
        content = np.flatnonzero(attention.input.content).tolist()
        for rule, keep in (("all", None), ("content", content)):
            verdict = dobrushin.check(matrix, keep=keep)
            key = (attention.index, attention.layer, rule)
            found[key] = (verdict.tight, verdict.pair, verdict.n_attaining, verdict.kappa)

    observe(adapter, items, check, **options)
    return found


def assert_same(one: dict[Key, tuple[Any, ...]], other: dict[Key, tuple[Any, ...]]) -> None:
    """The same maps, with the same verdicts, and κ equal within the rounding of float32."""
    assert {key: entry[:3] for key, entry in one.items()} == {key: entry[:3] for key, entry in other.items()}
    for key, entry in one.items():
        assert abs(entry[3] - other[key][3]) < 1e-5


def test_a_padded_batch_has_the_verdicts_of_single_inputs() -> None:
    adapter = packaged.model("rxnmapper").load()
    items = packaged.reactions(6)
    single = verdicts(adapter, items, batch_size=1)
    assert len(single) == 6 * 12 * 2
    assert_same(verdicts(adapter, items, batch_size=6, pad=True), single)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float64"])
def test_models_of_every_dtype_pass_the_checks_of_a_map(name: str) -> None:
    adapter: Any = packaged.model("rxnmapper").load()
    adapter.model.to(getattr(torch, name))
    assert len(verdicts(adapter, packaged.reactions(2))) == 2 * 12 * 2


@pytest.mark.slow
def test_minilms_padded_batches_have_the_verdicts_of_single_sentences() -> None:
    adapter = packaged.model("minilm").load()
    items = packaged.sentences(40)
    single = verdicts(adapter, items, batch_size=1)
    shares = [entry[0] for entry in single.values()]
    assert 0 < sum(shares) < len(shares), "both kinds of verdict have to occur, or this shows nothing"
    assert_same(verdicts(adapter, items, batch_size=16, pad=True), single)
    assert_same(verdicts(adapter, items, batch_size=8), single)
