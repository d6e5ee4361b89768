"""How numbers, names and counts are written, in the terminal and on the page."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any

from dobrushin.report.intervals import Share
from dobrushin.report.layers import Spread

_LISTED = 8
"""So many entries of a list are shown."""


def percent(share: float | None) -> str:
    """A share as text, never rounded up to 100% or down to 0%.

    >>> percent(0.9999), percent(1.0), percent(None)
    ('99.9%', '100%', '–')
    """
    if share is None:
        return "–"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}%"


def number(value: float | None) -> str:
    """A κ or a slack as text: an exact zero is printed as 0."""
    if value is None:
        return "–"
    return "0" if value == 0 else f"{value:.3g}"


def printable(text: str) -> str:
    r"""Text with control and other invisible characters spelled out, for tokens and names.

    >>> printable("a\nb\u202ec"), printable(" ")
    ('a\\nb\\u202ec', '␣')
    """
    if text and not text.strip(" "):
        return "␣" * len(text)
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def interval(share: Share) -> str:
    """The interval of a share, its ends rounded outwards.

    >>> interval(Share(10, 10, 10, 10.0, 0.722467, 1.0))
    '72.2–100%'
    """
    if not share.maps:
        return "–"
    low, high = (f"{end:g}" if end in (0, 100) else f"{end:.1f}" for end in
                 (floor(1000 * share.low) / 10, ceil(1000 * share.high) / 10))  # fmt: skip
    return f"{low}–{high}%"


def quartiles(spread: Spread | None) -> str:
    """The two quartiles, as a range."""
    return "–" if spread is None else f"{number(spread.quarter)}–{number(spread.three_quarters)}"


def counted(count: int, what: str) -> str:
    """A count with its noun.

    >>> counted(1, "layer"), counted(1200, "layer")
    ('1 layer', '1,200 layers')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def flattened(value: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    """A nested mapping as lines of key and text; long lists are cut, with their length.

    >>> list(flattened({"model": {"title": "m"}, "seeds": [1, 2]}))
    [('model: title', 'm'), ('seeds', '1, 2')]
    """
    for key, inner in value.items():
        name = f"{prefix}: {key}" if prefix else str(key)
        if isinstance(inner, Mapping):
            yield from flattened(inner, name)
        elif isinstance(inner, Sequence) and not isinstance(inner, str):
            shown = ", ".join(str(item) for item in inner[:_LISTED])
            yield name, shown + (f" … ({len(inner)} in all)" if len(inner) > _LISTED else "")
        else:
            yield name, "–" if inner is None else str(inner)
