"""Rank collapse in the report: on a page of its own, beside surveys, in the terminal, and what is refused."""

import hashlib
import io
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pyarrow import parquet
from tests.collapse.conftest import random_network, tokens

from dobrushin import InputError
from dobrushin.collapse.bounds import log10_after
from dobrushin.collapse.columns import COLUMNS
from dobrushin.collapse.compounded import compounded
from dobrushin.collapse.explanation import Explanation, explanations
from dobrushin.collapse.network import FULL
from dobrushin.collapse.rates import Slope
from dobrushin.collapse.results import collect, load
from dobrushin.collapse.study import study
from dobrushin.collapse.summary import HEADER
from dobrushin.collapse.trace import run
from dobrushin.report.collapse import tables
from dobrushin.report.collapse.figures import files_of
from dobrushin.report.collapse.legend import VARIANTS, WORDS
from dobrushin.report.collapse.run import read_collapse
from dobrushin.report.collapse.summary import collapse_summary
from dobrushin.report.drawing import LIGHT, png, svg_file
from dobrushin.report.page import html_page
from dobrushin.report.results import read_results
from dobrushin.report.write import write_report
from dobrushin.testing.html import problems_of
from dobrushin.testing.known_survey import HOSTILE


def _text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.fixture(scope="module")
def page(collapsed: Path) -> str:
    return html_page([], collapses=[read_collapse(collapsed)])


def test_a_page_of_rank_collapse_alone(page: str) -> None:
    assert problems_of(page) == []
    assert "<h1>Rank collapse of attention</h1>" in page
    assert "<h2 id=" in page
    assert "Rank collapse: a network &lt;script&gt;" in page
    assert HOSTILE not in page
    assert "Does a layer of attention contract" not in page
    assert page.count("<figure") == page.count('role="img" aria-label="a network') == 2 + 1 + 2 + 5
    assert not any(colour in page.split("</style>")[1] for colour in LIGHT.values())


def test_its_tables_hold_what_was_measured(page: str, collapsed: Path) -> None:
    text, run = _text(page), read_collapse(collapsed)
    kinds = (
        tables.residual_tables,
        tables.bound_tables,
        tables.bridge_tables,
        tables.path_tables,
        tables.product_tables,
    )
    for table in (table for tables_of in kinds for table in tables_of(run)):
        assert all(len(row) == len(table.header) for row in table.rows), table.key
        for row in table.rows:
            assert all(cell.replace("'", "&#39;") in text for cell in row), row
    errors = [row["error"] for row in run.found.tables["sums"] if row["network"] == "pure"]
    assert f"pure {2**4} {max(errors):.1e}" in text
    rates = next(table for table in tables.residual_tables(run) if table.key == "rates")
    assert rates.header == HEADER
    assert re.match(r"3\.0\d\d ± ", rates.rows[0][4])
    assert [row[0] for row in rates.rows] == list(VARIANTS)
    assert "model: provenance: weights: a 0f" in text


def test_every_word_and_column_is_explained(page: str) -> None:
    for columns in COLUMNS.values():
        assert all(f"<code>{name}</code>" in page for name in columns)
    assert all(f"<dt>{word}</dt>" in page.replace("&#39;", "'") for word, _ in WORDS)


def test_the_numbers_by_depth_are_means_over_inputs(collapsed: Path) -> None:
    run = read_collapse(collapsed)
    rows = [row for row in run.found.tables["collapse"] if (row["variant"], row["depth"]) == ("skip", 4)]
    found = next(entry for entry in collapse_summary(run)["variants"] if entry["variant"] == "skip")
    assert found["relative"][4] == pytest.approx(np.mean([10 ** row["relative"] for row in rows]))
    assert found["relative_sd"][4] == pytest.approx(np.std([10 ** row["relative"] for row in rows], ddof=1))


def test_a_page_of_both(known: Path, pictures: Path, collapsed: Path, tmp_path: Path) -> None:
    found = read_results([collapsed, known, pictures, collapsed])
    assert (len(found.surveys), len(found.collapses)) == (2, 1)
    out = tmp_path / "out"
    files = write_report(found.surveys, out, collapses=found.collapses)
    page = files[0].read_text(encoding="utf-8")
    assert problems_of(page) == []
    assert "<h1>Attention against the Dobrushin bound</h1>" in page
    assert page.count("<section") == 7  # two theorems, comparison, two surveys, rank collapse, legend
    names = {path.name for path in (out / "figures").iterdir()}
    anchor = "collapse-a-network-script-alert-1-script"
    assert {f"{anchor}-{what}.{suffix}" for what in ("residual", "bounds", "paths", "products")
            for suffix in ("png", "svg")} <= names  # fmt: skip
    assert {"comparison.png", "eyes-layers.svg"} <= names
    assert len(files) == len(names) + 1


def test_two_measurements_of_one_model_are_told_apart(collapsed: Path, collapse_copy: Path) -> None:
    runs = read_results([collapsed, collapse_copy.rename(collapse_copy.with_name("again"))]).collapses
    page = html_page([], collapses=runs)
    assert problems_of(page) == []
    assert "(network)" in page
    assert "(again)" in page


def test_figures_are_the_same_every_time_and_parse(collapsed: Path) -> None:
    one, other = (dict(files_of(read_collapse(collapsed))) for _ in range(2))
    for name, figure in one.items():
        assert png(figure) == png(other[name]), name
        assert ElementTree.fromstring(svg_file(figure)).tag.endswith("svg"), name


def test_without_paths_there_are_no_tables_of_paths(collapsed: Path) -> None:
    found = load(collapsed)
    bare = {name: [] if name in ("paths", "sums", "neighbours") else rows for name, rows in found.tables.items()}
    run = read_collapse(collapsed)
    object.__setattr__(run, "found", type(found)(bare, found.manifest))
    page = html_page([], collapses=[run])
    assert problems_of(page) == []
    assert "sum over paths</h3>" not in page


def _manifest(folder: Path, **changes: object) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps(manifest), encoding="utf-8")


def _replace(folder: Path, name: str, data: bytes) -> None:
    """Another file, of which the manifest speaks."""
    (folder / name).write_bytes(data)
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    _manifest(folder, files=files | {name: {"sha256": hashlib.sha256(data).hexdigest()}})


def _without_column(folder: Path) -> None:
    buffer = io.BytesIO()
    parquet.write_table(parquet.read_table(folder / "chains.parquet").drop_columns(["floor"]), buffer)
    _replace(folder, "chains.parquet", buffer.getvalue())


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "another version": (lambda folder: _manifest(folder, format="dobrushin collapse 7"), "not of the format"),
    "of another program": (lambda folder: _manifest(folder, format="other 1"), "has the format 'other 1'"),
    "not finished": (lambda folder: _manifest(folder, status="running"), "is not finished"),
    "no manifest yet": (lambda folder: (folder / "manifest.json").unlink(), "manifest.json can not be read"),
    "a manifest cut off": (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json can not be read"),
    "a manifest that says nothing": (lambda folder: _manifest(folder, model={}), "says nothing of title"),
    "files that are not listed": (lambda folder: _manifest(folder, files={}), "not the file that the manifest"),
    "a file missing": (lambda folder: (folder / "sums.parquet").unlink(), "sums.parquet is missing"),
    "a file of another run": (lambda folder: (folder / "sums.parquet").write_bytes(b"x"), "not the file that"),
    "no Parquet": (lambda folder: _replace(folder, "sums.parquet", b"PAR1"), "can not be read as Parquet"),
    "a column missing": (_without_column, "chains.parquet has no column floor"),
}


@pytest.mark.parametrize("wrong", BAD)
def test_what_can_not_be_reported_is_refused(wrong: str, collapse_copy: Path) -> None:
    spoil, words = BAD[wrong]
    spoil(collapse_copy)
    with pytest.raises(InputError, match=re.escape(words)) as refused:
        read_results([collapse_copy])
    assert "\n" not in str(refused.value)


def test_nothing_named_and_nothing_measured(collapse_copy: Path) -> None:
    with pytest.raises(InputError, match="at least one folder"):
        read_results([])
    buffer = io.BytesIO()
    parquet.write_table(parquet.read_table(collapse_copy / "collapse.parquet").slice(0, 0), buffer)
    _replace(collapse_copy, "collapse.parquet", buffer.getvalue())
    with pytest.raises(InputError, match="without a single row"):
        read_results([collapse_copy])


def test_compounded_bounds_hold_and_can_guarantee_nothing(collapsed: Path) -> None:
    """Against the recurrence itself, and small tokens for which the theorem does guarantee collapse."""
    for entry in compounded(load(collapsed)):
        assert entry.measured.value <= entry.bound.value
    network, X = random_network(0, layers=4), 0.01 * tokens(0)
    found = study(network, run(network, X, FULL).states, pooling="mean", paths=False)
    small = collect([("x", 4, found)], model={"title": "small"}, inputs={}, configuration={})
    ours, paper = compounded(small)
    assert ours.guarantees
    assert ours.measured.value <= ours.bound.value < -20
    assert paper.measured.value <= paper.bound.value
    constants = [row["cubic"] - 3 * row["diameter"] for row in small.tables["layers"]]
    start = small.tables["layers"][0]["diameter"]
    assert ours.bound.value + start <= log10_after(max(constants), start, 4) + 1e-9  # T7, with the largest constant


def _slope(value: float) -> Slope:
    return Slope(value, 0.01, 3)


@pytest.mark.parametrize(
    ("residual", "kappa", "bound", "floor", "answer"),
    [
        (-100.0, -99.0, -95.0, None, "Π κ"),
        (-100.0, -60.0, -50.0, None, "Π κ in part, 50% of the decades"),
        (-0.2, -1.5, -0.5, -1.6, "the floor"),
        (-0.2, -1.55, -1.5, -1.6, "the floor, which Π κ meets"),
        (-0.2, -0.6, -0.5, -1.6, "not the floor (Π κ is nearer)"),
        (0.1, -1.2, -0.1, -1.6, "not the floor alone"),
        (-0.2, -6.5, -3.1, None, "neither"),
    ],
)
def test_which_of_the_two_explains(
    residual: float, kappa: float, bound: float, floor: float | None, answer: str
) -> None:
    found = Explanation("p", "skip", _slope(residual), _slope(kappa), _slope(bound),
                        None if floor is None else _slope(floor))  # fmt: skip
    assert found.answer == answer
    assert answer in found.sentence()
    assert ("which is no collapse" in found.sentence()) == (residual > -2)


def test_pure_attention_collapses_by_the_product_and_skips_do_not(collapsed: Path) -> None:
    found = {entry.product: entry for entry in explanations(load(collapsed))}
    assert found["pure"].collapsed
    assert found["pure"].floor is None
    assert found["pure"].answer == "Π κ"
    for product in ("rollout, skip", "own weights, all"):
        assert not found[product].collapsed
        assert found[product].floor.value <= found[product].kappa.value <= found[product].bound.value  # type: ignore[union-attr]
    assert all(math.isfinite(entry.residual.value) for entry in found.values())
