"""What is wrong with an HTML page, as far as its text shows it: structure, accessibility, and outside references."""

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_IMPLIED = frozenset(("p", "li", "dt", "dd"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ADDRESSES = ("src", "href", "srcset", "action", "data", "poster", "xlink:href")
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#|data:)|@import", re.IGNORECASE)

Attributes = dict[str, str]


class _Reader(HTMLParser):
    """Collects what the checks need while it reads."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[str] = []
        self.open: list[tuple[str, Attributes]] = []
        self.ids: Counter[str] = Counter()
        self.references: list[tuple[str, str]] = []
        self.headings: list[int] = []
        self.seen: Counter[str] = Counter()
        self.title = ""
        self.captioned: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, {name: value or "" for name, value in attrs})
        if tag not in _VOID:
            self.open.append((tag, {name: value or "" for name, value in attrs}))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag not in _VOID and not any(name == "svg" for name, _ in self.open):
            self.problems.append(f"<{tag}/> is not closed: only void elements may be written so")
        self._start(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self.captioned and not self.captioned.pop():
            self.problems.append("a table has no caption")
        if not self.open or self.open[-1][0] != tag:
            expected = self.open[-1][0] if self.open else "nothing"
            self.problems.append(f"</{tag}> at line {self.getpos()[0]}, but {expected} is open")
            return
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not self.open:
            return
        if self.open[-1][0] == "title" and not any(name == "svg" for name, _ in self.open):
            self.title += data
        if self.open[-1][0] == "style" and _OUTSIDE.search(data):
            self.problems.append("a style sheet refers to something outside the page")

    def _start(self, tag: str, attributes: Attributes) -> None:
        self.seen[tag] += 1
        if "id" in attributes:
            self.ids[attributes["id"]] += 1
        if tag in _HEADINGS:
            self.headings.append(int(tag[1]))
        if tag == "table":
            self.captioned.append(False)
        elif tag == "caption" and self.captioned:
            self.captioned[-1] = True
        self._refer(tag, attributes)
        self._describe(tag, attributes)
        if tag == "html" and not attributes.get("lang"):
            self.problems.append("the page does not say its language")

    def _refer(self, tag: str, attributes: Attributes) -> None:
        for name in _ADDRESSES:
            address = attributes.get(name, "#")
            if not address.startswith(("#", "data:")):
                self.problems.append(f"<{tag} {name}={address!r}> refers to something outside the page")
            if address.startswith("#") and len(address) > 1:
                self.references.append((tag, address[1:]))
        for name in ("aria-labelledby", "aria-describedby", "for"):
            self.references += [(tag, target) for target in attributes.get(name, "").split()]
        if _OUTSIDE.search(attributes.get("style", "")):
            self.problems.append(f"the style of <{tag}> refers to something outside the page")
        handlers = [name for name in attributes if name.startswith("on")]
        if handlers or tag == "script":
            self.problems.append(f"<{tag}> runs a script")

    def _describe(self, tag: str, attributes: Attributes) -> None:
        if tag == "img" and "alt" not in attributes:
            self.problems.append("a picture has no alternative text")
        hidden = attributes.get("aria-hidden") == "true"
        named = attributes.get("aria-label", "").strip() or attributes.get("aria-labelledby")
        if (attributes.get("role") in ("img", "region") or tag in ("svg", "nav")) and not (named or hidden):
            self.problems.append(f"<{tag}> has no name for those who do not see it")
        if tag == "th" and attributes.get("scope") not in ("row", "col", "rowgroup", "colgroup"):
            self.problems.append("a header cell does not say what it heads (scope)")


def problems_of(page: str) -> list[str]:
    """One sentence for each problem; empty for a page that is well formed, accessible and self-contained."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    found = reader.problems
    found += [f"<{tag}> is never closed" for tag, _ in reader.open if tag not in _IMPLIED]
    found += [f"the id {name} is used {count} times" for name, count in reader.ids.items() if count > 1]
    found += [
        f"<{tag}> refers to #{name}, which is not there" for tag, name in reader.references if name not in reader.ids
    ]
    found += _outline(reader.headings)
    found += [f"there is no {tag}" for tag in ("main", "header", "nav", "footer") if not reader.seen[tag]]
    if not page.lstrip().lower().startswith("<!doctype html>"):
        found.append("the page does not begin with its document type")
    if not reader.title.strip():
        found.append("the page has no title")
    return found


def _outline(levels: list[int]) -> list[str]:
    found = [] if levels.count(1) == 1 else [f"there are {levels.count(1)} first-level headings, not one"]
    for above, below in pairwise(levels):
        if below > above + 1:
            found.append(f"a heading of level {below} follows one of level {above}")
    return found
