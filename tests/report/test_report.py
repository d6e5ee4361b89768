"""Tables, figures and the page: the numbers that were found, and nothing from outside."""

import io
import re
from fractions import Fraction
from xml.etree import ElementTree

from rich.console import Console

from dobrushin.condition import Verdict
from dobrushin.report import findings, html_page, layer_table
from dobrushin.report.figure import layer_figure, png, svg
from dobrushin.report.findings import number, percent
from dobrushin.survey import Record


def record(layer: int, index: int, tokens: str, tight: bool) -> Record:
    verdict = Verdict(
        map="m",
        n=4,
        alpha=Fraction(1, 2),
        restrict="renormalised" if tokens == "content" else "none",
        tight=tight,
        kappa_exact=Fraction(3, 4),
        slack_exact=Fraction(0) if tight else Fraction(1, 8),
        n_attaining=1,
        attaining=((0, 1),),
        pair=(0, 1),
        advantages=(Fraction(1), Fraction(1)),
        margin_exact=None,
        stage="float",
    )
    return Record(index=index, input=f"i{index}", layer=layer, tokens=tokens, verdict=verdict)  # type: ignore[arg-type]


RECORDS = [
    record(layer, index, tokens, tight=(layer + index) % 3 > 0 or tokens == "all")
    for layer in range(2)
    for index in range(4)
    for tokens in ("content", "all")
]
FOUND = findings("A <model> & friends", "sentences", RECORDS, notes=["One note."])


def test_headline_counts() -> None:
    assert FOUND.inputs == 4
    assert "by 5 of 8 input-layer pairs (62.5%) with content tokens" in FOUND.headline()
    assert "by 8 of 8 input-layer pairs (100%) with all tokens" in FOUND.headline()


def test_shares_are_never_rounded_to_certainty() -> None:
    assert percent(0.99999) == "99.9%"
    assert percent(0.00001) == "0.1%"
    assert number(0.0) == "0"
    assert number(1e-17) == "1e-17"


def test_table_in_the_terminal() -> None:
    console = Console(width=160, file=io.StringIO(), record=True)
    console.print(layer_table(FOUND))
    text = console.export_text()
    assert re.search(r"│\s+0 │\s+4 │\s+50.0% │\s+100% │\s+0.75 │\s+0.0625", text)
    assert "One note." in text


def test_page_is_self_contained_and_escaped() -> None:
    page = html_page([FOUND], title="Report")
    assert "A &lt;model&gt; &amp; friends" in page
    without_namespaces = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert not re.search(r'(src|href)="(?!data:|#)', without_namespaces)
    assert "@import" not in page
    assert page.count('<th scope="row">') == 3
    assert 'aria-label="Share tight' in page


def test_figures_are_the_same_every_time() -> None:
    assert png(layer_figure([FOUND])) == png(layer_figure([FOUND]))
    drawing = svg(layer_figure([FOUND], ink="#7d7d7d"))
    assert drawing == svg(layer_figure([FOUND], ink="#7d7d7d"))
    assert ElementTree.fromstring(drawing).tag.endswith("svg")
