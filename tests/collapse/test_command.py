"""From one input to a folder: rows, files, summary, figure, and the command."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.collapse.conftest import random_network, tokens
from typer.testing import CliRunner

from dobrushin.cli import app
from dobrushin.collapse import measure
from dobrushin.collapse import study as study_module
from dobrushin.collapse.columns import COLUMNS, TABLES
from dobrushin.collapse.network import FULL, Network
from dobrushin.collapse.results import FORMAT, Collapse, collect, load, write
from dobrushin.collapse.study import Study, study
from dobrushin.collapse.summary import curve, factor_per_layer, local_orders, order_along_depth, variant_rows
from dobrushin.collapse.trace import run
from dobrushin.errors import GateError, InputError
from dobrushin.report.collapse.figures import collapse_figure
from dobrushin.report.collapse.run import read_collapse
from dobrushin.report.collapse.summary import collapse_summary
from dobrushin.report.drawing import svg_element
from dobrushin.report.page import html_page
from dobrushin.sources.models import OpenedModel
from dobrushin.testing.html import problems_of


def _studied(network: Network, seed: int, n: int = 4) -> Study:
    X = tokens(seed, n=n)
    return study(network, run(network, X, FULL).states, pooling="mean")


@pytest.fixture(scope="module")
def found() -> Collapse:
    network = random_network(0, layers=4)
    studies = [(f"text {seed}", 4, _studied(network, seed)) for seed in range(3)]
    model = {"title": "a random network", "spec": "random", "kind": "text", "provenance": {}}
    return collect(studies, model=model, inputs={"title": "draws", "where": "draws"}, configuration={"limit": 3})


def test_a_study_says_everything_of_one_input() -> None:
    result = _studied(random_network(0), 0)
    assert {row["variant"] for row in result.depth} == {"pure", "skip", "mlp", "norm", "paper's san", "all"}
    assert [row["network"] for row in result.sums] == ["pure", "scales held", "skip", "skip, scales held", "all"]
    assert all(row["error"] < 1e-12 for row in result.sums)
    assert all(row["bridge_certain"] == row["heads"] == 2 for row in result.layers)
    assert json.loads(json.dumps(result.depth)) == result.depth


def test_one_token() -> None:
    result = _studied(random_network(0), 0, n=1)
    assert all(row["relative"] == -math.inf for row in result.depth)
    assert result.orders == result.chains == []
    assert all(row["error"] < 1e-12 for row in result.sums)


def test_a_network_that_is_not_the_model_turns_the_gate_red() -> None:
    network, X = random_network(0), tokens(0)
    states = [state.copy() for state in run(network, X, FULL).states]
    states[2][1, 3] += 0.01
    with pytest.raises(GateError, match="do not compute what the model does"):
        study(network, states, pooling="mean")


def test_written_and_read_again(found: Collapse, tmp_path: Path) -> None:
    paths = write(tmp_path, found)
    assert [path.name for path in paths] == [*(f"{name}.parquet" for name in TABLES), "manifest.json"]
    again = load(tmp_path)
    assert again.manifest["format"] == FORMAT
    assert again.manifest["files"]["collapse.parquet"]["rows"] == 3 * 6 * 5
    for name in TABLES:
        assert again.tables[name] == found.tables[name]
    (tmp_path / "paths.parquet").write_bytes(b"other")
    with pytest.raises(InputError, match=r"paths\.parquet is not the file"):
        load(tmp_path)


def test_every_column_is_explained(found: Collapse) -> None:
    assert list(COLUMNS) == list(TABLES)
    for name, rows in found.tables.items():
        assert rows
        assert all(set(row) == set(COLUMNS[name]) for row in rows), name


def test_what_is_no_folder_of_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.json can not be read"):
        load(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "dobrushin survey 1"}')
    with pytest.raises(InputError, match="not of the format"):
        load(tmp_path)
    with pytest.raises(InputError, match="no inputs"):
        collect([], model={}, inputs={}, configuration={})


def test_summary(found: Collapse) -> None:
    pure, skip = curve(found, "pure"), curve(found, "skip")
    assert pure.depths == (0, 1, 2, 3, 4)
    rows = [row for row in found.tables["collapse"] if row["variant"] == "skip" and row["depth"] == 4]
    assert skip.mean[4] == pytest.approx(np.mean([10 ** row["relative"] for row in rows]))
    assert skip.deviation[4] == pytest.approx(np.std([10 ** row["relative"] for row in rows], ddof=1))
    assert local_orders(found, "pure").value == pytest.approx(3, abs=0.05)  # type: ignore[union-attr]
    assert order_along_depth(found, "pure").value == pytest.approx(3, abs=0.2)  # type: ignore[union-attr]
    assert factor_per_layer(found, "pure") is None
    assert 0.05 < 10 ** factor_per_layer(found, "skip").value < 2  # type: ignore[union-attr]


def test_the_figure_has_every_kind_of_panel(found: Collapse) -> None:
    figure = collapse_figure(found)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert len(titles) == 7
    assert {"log₁₀, pure", "log₁₀, own weights, all", "log₁₀ of bound / measured"} <= set(titles)
    page = svg_element(figure, name="collapse")
    assert page.startswith("<svg")
    assert "var(--ink)" in page


def test_inputs_of_one_token_can_be_reported(tmp_path: Path) -> None:
    """All tokens are equal from the start: no rates, no products, no bounds that say anything."""
    studied = _studied(random_network(0), 0, n=1)
    model = {"title": "one", "spec": "one", "kind": "text", "provenance": {}}
    write(tmp_path, collect([("x", 1, studied)], model=model, inputs={}, configuration={}))
    single = read_collapse(tmp_path)
    assert collapse_figure(single.found).axes
    assert variant_rows(single.found)[0] == ("pure", "0", "−∞", "–", "–", "–")
    assert single.explanations == []
    json.dumps(collapse_summary(single), allow_nan=False)
    assert problems_of(html_page([], collapses=[single])) == []


@pytest.fixture
def own_model(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A tiny model in the place of the one that is opened, so that no weights are needed."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    from dobrushin.capture import TextEncoder

    torch.manual_seed(0)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "dress", "fits", "well", "not"]
    config = BertConfig(vocab_size=len(words), hidden_size=12, num_hidden_layers=2, num_attention_heads=2,
                        intermediate_size=16, max_position_embeddings=16)  # fmt: skip
    tokenizer = BertTokenizerFast(vocab={word: number for number, word in enumerate(words)})
    adapter = TextEncoder(BertModel(config).eval(), tokenizer, name="tiny")
    opened = OpenedModel(adapter, "tiny", "text", {"spec": "tiny"}, None, None)
    monkeypatch.setattr(measure, "open_model", lambda *_, **__: opened)
    return adapter


def test_the_command(own_model: Any, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("the dress fits well\nnot the dress\n")
    arguments = ["collapse", "--model", "tiny", "--inputs", str(texts), "--out", str(tmp_path / "out"), "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert next(row["variant"] for row in printed["variants"]) == "pure"
    assert (tmp_path / "out" / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert load(tmp_path / "out").manifest["inputs"]["count"] == 2
    parameters = list(own_model.model.parameters())
    assert all(parameter.grad is None for parameter in parameters)


def test_the_table(own_model: Any, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("the dress fits well\n")
    done = CliRunner().invoke(app, ["collapse", "--model", "t", "--inputs", str(texts), "--out", str(tmp_path / "o"),
                                    "--no-paths"])  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "local order" in done.stdout
    assert "figure.png" in done.stdout


def test_missing_inputs_are_one_sentence(own_model: Any, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["collapse", "--model", "t", "--inputs", str(tmp_path / "no.txt"), "--out", "o"])
    assert isinstance(done.exception, InputError)
    assert "is missing" in str(done.exception)


def test_the_gate_of_agreement_is_about_rounding() -> None:
    assert study_module.AGREEMENT < 1e-3
