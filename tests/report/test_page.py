"""The page: well formed, self-contained, escaped, and with the numbers in it; and what the checks must catch."""

import re
from pathlib import Path

import pytest

from dobrushin.report.page import html_page, slugs
from dobrushin.report.results import read_results
from dobrushin.report.run import read_run
from dobrushin.testing.html import problems_of
from dobrushin.testing.known_survey import HOSTILE, MANIFEST, chain_rows, row, verdict_rows
from dobrushin.testing.survey_folders import write_tables


@pytest.fixture
def page(known: Path, pictures: Path) -> str:
    return html_page(read_results([known, pictures]).surveys)


def test_nothing_is_wrong_with_the_page(page: str) -> None:
    assert problems_of(page) == []


def test_nothing_is_wrong_with_the_page_of_real_maps(real: Path, real_heads: Path) -> None:
    page = html_page(read_results([real, real_heads]).surveys)
    assert problems_of(page) == []
    assert "Share tight by head" in page


def test_hostile_names_are_text(page: str) -> None:
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "A &lt;model&gt; &amp; $friends$" in page
    assert "\u202e" not in page
    assert r"a\u202eb\n" in page


def test_the_numbers_are_in_the_tables(page: str) -> None:
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "by 5 of 7 input-layer pairs (71.4%) with content tokens" in text
    assert re.search(r" 1 2 of 3 \(1 skipped\) 66.7%", text)
    assert re.search(r"EXACT 15 decided without rounding", text)
    assert "one content token 1" in text
    assert "model: provenance: weights: a 0f" in text


def test_incomplete_counterfactual_and_empty_runs_say_so(tmp_path: Path) -> None:
    rows = [row(0, 0, "content", tight=None, counterfactual=True)]
    manifest = MANIFEST | {"status": "incomplete"}
    page = html_page([read_run(write_tables(tmp_path / "s", rows, [], manifest, parts=1))])
    assert problems_of(page) == []
    assert "<strong>Incomplete.</strong>" in page
    assert "Counterfactual rows" in page
    assert "every map was skipped" in page
    alone = write_tables(tmp_path / "t", verdict_rows(), chain_rows(), MANIFEST) / "verdicts.parquet"
    page = html_page([read_run(alone.rename(tmp_path / "alone.parquet"))])
    assert problems_of(page) == []
    assert "one file of verdicts without its manifest" in page


def test_runs_of_one_model_are_told_apart(known: Path, tmp_path: Path) -> None:
    other = write_tables(tmp_path / "other", verdict_rows(), [], MANIFEST)
    page = html_page(read_results([known, other, known]).surveys)
    assert problems_of(page) == []
    assert "$friends$ (known)" in page
    assert "$friends$ (other)" in page
    assert page.count("<section") == 5  # theorem, comparison, two runs, legend
    assert slugs(["a b", "a/b", "a-b"]) == ["a-b", "a-b-2", "a-b-3"]


def test_the_page_is_the_same_every_time(known: Path) -> None:
    assert html_page([read_run(known)]) == html_page([read_run(known)])


GOOD = (
    "<!DOCTYPE html><html lang='en'><head><title>t</title></head><body><header><h1>t</h1></header>"
    "<nav aria-label='n'></nav><main>{}</main><footer></footer></body></html>"
)

BAD = {
    "<p><b>x</p>": "</p> at line 1, but b is open",
    "<div>": "is open",
    "<i id=a></i><i id=a></i>": "used 2 times",
    "<img src='data:,'>": "no alternative text",
    "<table><tr><td></td></tr></table>": "no caption",
    "<table><caption>c</caption><tr><th>x</th></tr></table>": "scope",
    "<h3>x</h3>": "level 3 follows one of level 1",
    "<h1>x</h1>": "2 first-level headings",
    "<svg></svg>": "no name",
    "<a href='#gone'>x</a>": "#gone, which is not there",
    "<div role='region' aria-labelledby='gone'></div>": "#gone, which is not there",
    "<img alt='' src='https://example.org/x.png'>": "outside the page",
    "<p style='background: url(//example.org/x)'></p>": "outside the page",
    "<style>@import 'x.css';</style>": "outside the page",
    "<script>1</script>": "runs a script",
    "<p onclick='x()'></p>": "runs a script",
    "<div/>": "not closed",
}


@pytest.mark.parametrize("wrong", BAD)
def test_the_checks_catch(wrong: str) -> None:
    found = problems_of(GOOD.format(wrong))
    assert any(BAD[wrong] in problem for problem in found), found


def test_the_checks_pass_a_good_page_and_miss_no_landmark() -> None:
    assert problems_of(GOOD.format("<p>x</p>")) == []
    assert set(problems_of("<p>x")) >= {
        "there is no main", "there is no nav", "the page has no title", "there are 0 first-level headings, not one",
        "the page does not begin with its document type",
    }  # fmt: skip
    assert "the page does not say its language" in problems_of("<html></html>")
