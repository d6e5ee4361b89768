"""Functions of the user that yield maps, and references to them."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import LayerAttention, LayerMaps, ModelInput, NoMap, SkippedLayer, Text, observe
from dobrushin.capture.callables import CallableAdapter, HeadMean, code_sha256, open_callable, tokens
from dobrushin.errors import InputError

TEXTS = [Text("a", "x y z"), Text("b", "u v w"), Text("c", "p q")]


def words(item: Any) -> ModelInput:
    labels = item.text.split()
    return tokens(item, labels, length=[len(label) for label in labels])


def stochastic(batch: int, heads: int, n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(n), (batch, heads, n))


def two_layers(batch: Sequence[ModelInput]) -> Iterator[Any]:
    yield stochastic(len(batch), 2, batch[0].n).astype(np.float32)
    yield torch.from_numpy(stochastic(len(batch), 2, batch[0].n, 1))


def run(function: Any, layers: int = 2, items: Sequence[Text] = TEXTS[:2], **options: Any) -> list[LayerAttention]:
    found: list[LayerAttention] = []
    observe(CallableAdapter(function, layers=layers, prepare=words), items, found.append, **options)
    return found


def test_numpy_and_torch_maps_arrive_as_they_were_yielded() -> None:
    found = run(two_layers, items=TEXTS)
    assert len(found) == 6
    for attention in found:
        # The two texts of three words are one batch, the one of two words another.
        batch, row = (2, attention.index) if attention.index < 2 else (1, 0)
        expected = stochastic(batch, 2, attention.input.n, attention.layer)[row]
        assert attention.dtype == ("float32", "float64")[attention.layer]
        np.testing.assert_array_equal(attention.values, expected.astype(attention.dtype))
    assert found[-1].input.labels == ("u", "v", "w")
    assert found[-1].input.content.all()


def test_content_and_features_are_the_users() -> None:
    prepared = tokens(TEXTS[0], ["[CLS]", "x"], content=[False, True], pixels=np.zeros((2, 3)))
    assert prepared.content.tolist() == [False, True]
    assert prepared.features["pixels"].shape == (2, 3)
    with pytest.raises(InputError, match="2 token labels, but its content mask is bool of shape"):
        tokens(TEXTS[0], ["[CLS]", "x"], content=[True])


def test_a_layer_without_a_map_is_skipped_and_rows_can_be_counterfactual() -> None:
    def maps(batch: Sequence[ModelInput]) -> Iterator[Any]:
        yield NoMap("linear attention")
        yield LayerMaps(stochastic(len(batch), 1, 3), counterfactual=(2,))

    found: list[LayerAttention] = []
    skipped: list[SkippedLayer] = []
    observe(CallableAdapter(maps, layers=2, prepare=words), TEXTS[:1], found.append, skipped=skipped.append)
    assert [skip.reason for skip in skipped] == ["linear attention"]
    assert [attention.counterfactual for attention in found] == [(2,)]


def test_pain_point_12_three_dimensional_maps_need_a_label() -> None:
    """Item 12: MultiheadAttention gives (batch, n, n) by default, a mean over heads that looks like (heads, n, n)."""
    mean = stochastic(2, 4, 3).mean(axis=1)
    with pytest.raises(InputError, match=r"\(2, 3, 3\) can be \(heads, n, n\) of one input or the mean over heads"):
        run(lambda _: [mean], layers=1)
    found = run(lambda _: [HeadMean(mean)], layers=1)
    for attention in found:
        np.testing.assert_array_equal(attention.values, mean[attention.index][None])
    with pytest.raises(InputError, match=r"a HeadMean has shape \(batch, n, n\), not \(2, 4, 3, 3\)"):
        run(lambda _: [HeadMean(stochastic(2, 4, 3))], layers=1)


def raising(_: Any) -> Iterator[Any]:
    yield stochastic(2, 1, 3)
    raise KeyError("no weights")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda _: 1 / 0, r"failed on the inputs a, b \(ZeroDivisionError: division by zero\)"),
        (raising, r"failed on the inputs a, b in layer 1 \(KeyError: 'no weights'\)"),
        (lambda _: [[1.0]], "layer 0: list is no numpy array and no torch tensor"),
        (lambda _: [np.ones((2, 1, 3, 3), int)] * 2, "layer 0: the attention is int64"),
        (lambda _: [stochastic(2, 1, 4)] * 2, r"2 inputs of 3 tokens went in"),
        (lambda _: [stochastic(2, 1, 3)[..., :2]] * 2, "which is not square"),
        (lambda _: [stochastic(2, 1, 3)], "yielded 1 attention maps for its 2 layers"),
        (lambda _: [stochastic(2, 1, 3)] * 3, "yields more attention maps than its 2 layers"),
        (lambda _: [stochastic(2, 1, 3).astype(object)] * 2, "layer 0: an array of object can not be taken"),
        (lambda _: [stochastic(2, 1, 3).astype(np.longdouble)] * 2, r"layer 0: an array of (float128|longdouble) can"),
        (
            lambda _: [LayerMaps(stochastic(2, 1, 3), (3,))] * 2,
            "token 3 is said to be counterfactual, but input a has 3",
        ),
        (lambda _: sys.exit(0), r"failed on the inputs a, b \(SystemExit: 0\)"),
    ],
)
def test_errors_are_one_sentence(function: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(function)


def test_the_order_of_bytes_does_not_matter() -> None:
    maps = stochastic(2, 1, 3)
    for attention in run(lambda _: [maps.astype(">f8")], layers=1):
        np.testing.assert_array_equal(attention.values, maps[attention.index])


def test_what_a_function_prints_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    def loud(batch: Sequence[ModelInput]) -> Iterator[Any]:
        print("one layer")
        yield stochastic(len(batch), 1, batch[0].n)

    run(loud, layers=1)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "one layer\n")


def test_errors_of_preparing_name_the_item() -> None:
    def broken(item: Any) -> ModelInput:
        raise ValueError("too long")

    with pytest.raises(InputError, match=r"two_layers can not take the input a \(ValueError: too long\)"):
        CallableAdapter(two_layers, layers=2, prepare=broken).prepare(TEXTS[0])
    with pytest.raises(InputError, match="prepare of two_layers returned list for the input a"):
        CallableAdapter(two_layers, layers=2, prepare=lambda _: []).prepare(TEXTS[0])  # type: ignore[arg-type,return-value]
    with pytest.raises(InputError, match="the kind is 'sound', but one of text, image, table"):
        CallableAdapter(two_layers, layers=2, prepare=words, kind="sound")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="input a has the token label 1, which is no text"):
        tokens(TEXTS[0], [1, 2])  # type: ignore[list-item]
    with pytest.raises(InputError, match="0 layers"):
        CallableAdapter(two_layers, layers=0, prepare=words)


def test_the_observers_errors_pass_unchanged() -> None:
    def observer(_: LayerAttention) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match=r"^mine$"):
        observe(CallableAdapter(two_layers, layers=2, prepare=words), TEXTS[:1], observer)


def test_a_function_is_not_asked_to_pad() -> None:
    with pytest.raises(InputError, match="inputs of 2 and 3 tokens together: run it with pad=False"):
        run(two_layers, items=TEXTS, pad=True)


def test_layers_are_handed_on_one_at_a_time() -> None:
    events: list[str] = []

    def maps(batch: Sequence[ModelInput]) -> Iterator[Any]:
        for layer in range(3):
            events.append(f"made {layer}")
            yield stochastic(len(batch), 1, 3)

    adapter = CallableAdapter(maps, layers=3, prepare=words)
    observe(adapter, TEXTS[:1], lambda attention: events.append(f"seen {attention.layer}"))
    assert events == ["made 0", "seen 0", "made 1", "seen 1", "made 2", "seen 2"]


USER_FILE = """
import numpy as np
from dobrushin.capture.callables import CallableAdapter, attention_maps, tokens

def prepare(item):
    return tokens(item, item.text.split())

@attention_maps(layers=2, prepare=prepare, name="toy")
def maps(batch):
    for layer in range(2):
        yield np.full((len(batch), 1, batch[0].n, batch[0].n), 1 / batch[0].n)

def model(heads=1):
    return CallableAdapter(lambda batch: [np.ones((1, heads, 1, 1))], layers=1, prepare=prepare)

def placed(device, dtype="float16"):
    return CallableAdapter(print, layers=1, prepare=prepare, name=f"{device} {dtype}", kind="image")

def bare(batch):
    yield 1

def number():
    return 5

def failing():
    raise OSError("no weights here")

class holder:
    inner = maps

value = 7
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "my_model.py").write_text(USER_FILE)
    return str(tmp_path / "my_model.py")


@pytest.mark.parametrize(
    ("name", "title", "layers"), [("maps", "toy", 2), ("model", "<lambda>", 1), ("holder.inner", "toy", 2)]
)
def test_a_file_names_a_model(file: str, name: str, title: str, layers: int) -> None:
    adapter = open_callable(f"{file}:{name}")
    assert (adapter.name, adapter.layers) == (title, layers)
    assert open_callable(f"{file}:{name}", name="other").name == "other"


def test_the_model_of_a_file_runs(file: str) -> None:
    found: list[LayerAttention] = []
    assert observe(open_callable(f"{file}:maps"), TEXTS, found.append) == 3
    assert len(found) == 6


def test_a_function_is_told_the_device_and_the_dtype_that_it_asks_for(file: str) -> None:
    adapter: Any = open_callable(f"{file}:placed", device="cuda:1", dtype="bfloat16")
    assert (adapter.name, adapter.kind) == ("cuda:1 bfloat16", "image")
    assert open_callable(f"{file}:placed").name == "cpu None"
    with pytest.raises(InputError, match="model has no argument dtype, so that it can not be chosen"):
        open_callable(f"{file}:model", dtype="float16")
    with pytest.raises(InputError, match="maps is made already: its device and dtype can not be chosen"):
        open_callable(f"{file}:maps", device="cuda")


def test_a_module_names_a_model(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(file).parent)
    assert open_callable("my_model:maps").name == "toy"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("maps", "maps is no reference to a function: write MODULE:FUNCTION or FILE.py:FUNCTION"),
        ("{}:", "is no reference"),
        ("nowhere.py:f", r"nowhere\.py is missing: name a Python file"),
        ("no_such_module:f", r"the module no_such_module can not be imported \(ModuleNotFoundError"),
        ("{}:mapz", "has no mapz: choose one of prepare, maps, model, placed, bare, number, failing$"),
        ("{}:bare", "needs the arguments batch: a function that yields maps has to stand under @attention_maps"),
        ("{}:number", "returned int, which is no adapter: it needs name, layers, prepare and run"),
        ("{}:failing", r"failing failed \(OSError: no weights here\)"),
        ("builtins:dict", "builtins:dict can not be called|builtins:dict returned dict"),
        ("{}:value", "value is int, but an adapter or a function is needed"),
    ],
)
def test_a_wrong_reference_is_one_sentence(file: str, reference: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_callable(reference.format(file))


def test_a_file_that_fails_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(InputError, match=r"broken\.py can not be run \(ModuleNotFoundError: No module named 'nothing"):
        open_callable(f"{tmp_path / 'broken.py'}:f")


def test_a_file_that_ends_the_process_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(InputError, match=r"ends\.py can not be run \(SystemExit: 0\)"):
        open_callable(f"{tmp_path / 'ends.py'}:f")


def test_the_code_of_a_file_and_of_a_module_has_a_digest(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text("f = 1\n")
    before = code_sha256(f"{file}:f")
    file.write_text("f = 2\n")
    assert before not in (None, code_sha256(f"{file}:f"))
    assert code_sha256("pathlib:Path") is not None
    assert code_sha256("builtins:dict") is None
