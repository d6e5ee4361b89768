"""How figures become files and parts of a page: colours by role, PNG, and SVG that follows the page's scheme."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Role = Literal["ink", "soft", "grid", "content", "all", "third", "fourth", "fifth", "ground"]

LIGHT: dict[Role, str] = {
    "ink": "#1b1f24",
    "soft": "#57606a",
    "grid": "#d8dee4",
    "content": "#0072b2",
    "all": "#c2500a",
    "third": "#00795c",
    "fourth": "#a3457f",
    "fifth": "#8a6300",
    "ground": "#ffffff",
}
"""Colours on a light ground: Okabe and Ito's, which can be told apart without colour vision, a little darker."""

DARK: dict[Role, str] = {
    "ink": "#e6e9ec",
    "soft": "#a0a8b1",
    "grid": "#3a424b",
    "content": "#56b4e9",
    "all": "#f0a24b",
    "third": "#4fc9a6",
    "fourth": "#e29bc4",
    "fifth": "#dfc957",
    "ground": "#14181d",
}
"""The same roles on a dark ground."""

MARKS: dict[str, dict[str, Any]] = {
    "content": {"marker": "o", "linestyle": "-", "label": "content tokens"},
    "all": {"marker": "s", "linestyle": (0, (4, 2)), "label": "all tokens"},
}
"""Shape and dashes say what the colour says."""


@contextmanager
def drawing() -> Iterator[None]:
    """Matplotlib's settings while a figure is made, in the colours of a light ground."""
    from matplotlib import rc_context

    settings: dict[Any, Any] = {
        "font.size": 9,
        "text.color": LIGHT["ink"],
        "text.parse_math": False,  # a token or a title may hold a dollar sign
        "axes.labelcolor": LIGHT["ink"],
        "axes.edgecolor": LIGHT["soft"],
        "axes.titlecolor": LIGHT["ink"],
        "axes.titlelocation": "left",
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.formatter.use_mathtext": False,
        "grid.color": LIGHT["grid"],
        "grid.linewidth": 0.6,
        "xtick.color": LIGHT["soft"],
        "ytick.color": LIGHT["soft"],
        "lines.markersize": 4,
        "lines.linewidth": 1.4,
        "legend.frameon": False,
        "legend.fontsize": 8.5,
    }
    with rc_context(settings):
        yield


def png(figure: "Figure") -> bytes:
    """The figure on white, 200 dots per inch; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=200, facecolor="white", metadata={"Software": None})
    return buffer.getvalue()


def svg_file(figure: "Figure") -> str:
    """The figure as an SVG file on white, letters as outlines, so that it looks the same everywhere."""
    return _svg(figure, fonttype="path", facecolor="white")


def svg_element(figure: "Figure", *, name: str) -> str:
    """The figure as part of an HTML page: transparent, in the page's font and in colours that follow its scheme.

    Args:
        figure: drawn with the colours of :data:`LIGHT`, which become the CSS variables ``--ink`` and so on.
        name: a prefix that keeps its ids apart from those of other figures of the page.
    """
    text = _svg(figure, fonttype="none", facecolor="none")
    text = text[text.index("<svg") :]
    text = re.sub(r"<(metadata|style).*?</\1>\s*", "", text, flags=re.DOTALL)
    for role, colour in LIGHT.items():
        text = text.replace(colour, f"var(--{role})")
    referenced = set(re.findall(r"(?:url\(#|href=\"#)([\w-]+)", text))
    text = re.sub(r' id="([\w.-]+)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in referenced else "", text)
    text = re.sub(r"(url\(#|href=\"#)([\w-]+)", rf"\g<1>{name}-\g<2>", text)
    text = re.sub(r"font-family: [^;\"]*;?", "", text)
    text = re.sub(r"font: ([\w ]*?)([\d.]+px)[^;\"]*", _font, text)
    text = text.replace("xlink:href", "href")
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)
    return re.sub(r"<svg ", '<svg aria-hidden="true" focusable="false" ', text, count=1)


def _font(match: "re.Match[str]") -> str:
    weight = "; font-weight: 600" if match[1].strip() else ""
    return f"font-size: {match[2]}{weight}"


def _svg(figure: "Figure", *, fonttype: str, facecolor: str) -> str:
    from matplotlib import rc_context

    buffer = io.StringIO()
    # Ids from the content, so that the same figure always gives the same text.
    with rc_context({"svg.fonttype": fonttype, "svg.hashsalt": "dobrushin"}):
        figure.savefig(buffer, format="svg", facecolor=facecolor, metadata={"Date": None, "Creator": None})
    return buffer.getvalue()
