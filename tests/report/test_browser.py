"""The page in a real browser: no error, no request, readable in both schemes and on a telephone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dobrushin.report.page import html_page
from dobrushin.report.results import read_results
from dobrushin.testing.browser import BrowserError, Page, chromium, find_chromium
from dobrushin.testing.known_survey import MANIFEST, chain_rows, pictures_survey, verdict_rows
from dobrushin.testing.survey_folders import write_tables

pytestmark = pytest.mark.browser

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    try:
        find_chromium()
    except BrowserError as error:
        pytest.fail(str(error), pytrace=False)
    with chromium() as page:
        yield page


@pytest.fixture(scope="module")
def text(real: Path, real_heads: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with hostile names, pictures, and maps of a real model."""
    folder = tmp_path_factory.mktemp("page")
    known = write_tables(folder / "known", verdict_rows(), chain_rows(), MANIFEST)
    return html_page(read_results([known, pictures_survey(folder), real, real_heads]).surveys)


@pytest.fixture
def report(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 768, 1280, 1600])
def test_opens_clean_and_fits(browser: Page, report: Path, width: int, dark: bool, tmp_path: Path) -> None:
    seen = browser.open(report, width=width, dark=dark)
    assert seen.problems == []
    assert seen.outside == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(CONTRAST) == []
    picture = browser.screenshot()
    (tmp_path / f"report-{width}-{'dark' if dark else 'light'}.png").write_bytes(picture)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 50_000


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_rank_collapse_opens_clean_and_fits(
    browser: Page, known: Path, collapsed: Path, tmp_path: Path, width: int, dark: bool
) -> None:
    found = read_results([known, collapsed])
    path = tmp_path / "report.html"
    path.write_text(html_page(found.surveys, collapses=found.collapses), encoding="utf-8")
    seen = browser.open(path, width=width, dark=dark)
    assert (seen.problems, seen.outside) == ([], [])
    browser.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(CONTRAST) == []
    assert browser.evaluate("[...document.querySelectorAll('nav a')].every(a => document.querySelector(a.hash))")
    assert len(browser.screenshot()) > 50_000


def test_dark_is_dark_and_light_is_light(browser: Page, report: Path) -> None:
    grounds = []
    for dark in (False, True):
        browser.open(report, width=1280, dark=dark)
        ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        grounds.append(sum(int(channel) for channel in re.findall(r"\d+", ground)[:3]))
    assert grounds[0] > 700
    assert grounds[1] < 120


def test_tables_scroll_by_keyboard_and_anchors_lead_somewhere(browser: Page, report: Path) -> None:
    browser.open(report, width=390)
    overflowing = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)"
    assert browser.evaluate(f"{overflowing}.length") > 0
    assert browser.evaluate(f"{overflowing}.every(e => e.tabIndex === 0 && e.getAttribute('role') === 'region')")
    assert browser.evaluate("[...document.querySelectorAll('nav a')].every(a => document.querySelector(a.hash))")
    assert browser.evaluate("[...document.querySelectorAll('svg image')].length") > 0


def test_prints(browser: Page, report: Path) -> None:
    """On A4 with the page's margins, 680 pixels wide: nothing is cut off, and what is folded away is unfolded."""
    browser.open(report, width=680, dark=True)
    browser.call("Emulation.setEmulatedMedia", media="print", features=[])
    assert browser.evaluate("Math.max(...[...document.querySelectorAll('table')].map(t => t.offsetWidth))") <= 680
    assert browser.evaluate("[...document.querySelectorAll('details table')].every(t => t.offsetHeight > 0)")
    assert browser.pdf().startswith(b"%PDF")


BAD = {
    "a script that fails": ("<script>throw new Error('broken')</script>", "broken"),
    "a message of the console": ("<script>console.error('unhappy')</script>", "unhappy"),
    "a picture from the network": ("<img src='http://127.0.0.1:9/x.png'>", "127.0.0.1:9/x.png"),
    "a style sheet from the network": ("<link rel='stylesheet' href='https://127.0.0.1:9/x.css'>", "127.0.0.1:9/x.css"),
}


@pytest.mark.parametrize("wrong", BAD)
def test_a_bad_page_is_caught(browser: Page, wrong: str, tmp_path: Path) -> None:
    text, sign = BAD[wrong]
    page = tmp_path / "bad.html"
    page.write_text(f"<!DOCTYPE html><html lang=en><title>t</title><body>{text}", encoding="utf-8")
    seen = browser.open(page, width=800)
    assert any(sign in entry for entry in [*seen.problems, *seen.outside])


def test_the_policy_of_the_page_stops_what_would_slip_in(browser: Page, report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("<main", "<script>document.title = 'taken'</script><main"), encoding="utf-8")
    seen = browser.open(report, width=800)
    assert any("Content Security Policy" in problem for problem in seen.problems)
    assert browser.evaluate("document.title") != "taken"


def test_pale_text_is_caught(browser: Page, tmp_path: Path) -> None:
    page = tmp_path / "pale.html"
    page.write_text("<!DOCTYPE html><html lang=en><title>t</title><body style='color: #999'>pale", encoding="utf-8")
    browser.open(page, width=800)
    assert len(browser.evaluate(CONTRAST)) == 1


def test_without_chromium_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "no-such-program")
    with pytest.raises(BrowserError, match="CHROMIUM=no-such-program is no program: apt-get install chromium"):
        find_chromium()
