"""Figures: the same every time, parseable, drawn with what was found, and in the page's colours."""

import re
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dobrushin.report.drawing import DARK, LIGHT, png, svg_element, svg_file
from dobrushin.report.figures import comparison_panel, files_of, layer_panels
from dobrushin.report.run import read_run


def test_files_of_a_run(known: Path, real_heads: Path) -> None:
    assert [name for name, _ in files_of(read_run(known))] == ["layers", "chain", "pairs"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a missing glyph is a warning
        for name, figure in files_of(read_run(real_heads)):
            assert png(figure).startswith(b"\x89PNG"), name
            assert ElementTree.fromstring(svg_file(figure)).tag.endswith("svg"), name


def test_figures_are_the_same_every_time(known: Path) -> None:
    one, other = (next(files_of(read_run(known)))[1] for _ in range(2))
    assert png(one) == png(other)
    assert svg_file(one) == svg_file(other)


def test_elements_for_the_page_follow_its_colours_and_share_no_id(known: Path) -> None:
    panels = layer_panels(read_run(known))
    elements = [svg_element(panel.figure(), name=f"f{index}") for index, panel in enumerate(panels)]
    for element in elements:
        assert ElementTree.fromstring(element).tag == "svg"
        assert not any(colour in element for colour in LIGHT.values())
        assert "var(--ink)" in element
        assert "font-family" not in element
    ids = [name for element in elements for name in re.findall(r' id="([^"]+)"', element)]
    assert ids
    assert len(ids) == len(set(ids))


def test_the_comparison_says_its_numbers_in_words(known: Path) -> None:
    panel = comparison_panel([read_run(known)], ["a $name$ with dollars"])
    assert "71.4% with content tokens, 100% with all tokens" in panel.alt
    assert "a $name$ with dollars" in svg_element(panel.figure(), name="c")


def _luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_contrast(palette: dict[str, str]) -> None:
    """4.5 for what is read (WCAG 2.2, 1.4.3), 3 for marks (1.4.11)."""
    ground = _luminance(palette["ground"])
    for role, least in {"ink": 4.5, "soft": 4.5, "content": 4.5, "all": 3, "third": 3, "fourth": 3, "fifth": 3}.items():
        bright, dark = sorted((ground, _luminance(palette[role])), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= least, role
