"""Lean source as words, strings and symbols, with comments gone: what the token gate looks at.

The lexer follows Lean's own rules (nested comments, raw strings, character literals, «quoted» names).  Where a
custom token could make Lean read differently from it, the token gate refuses the token (``token-trick``).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_RAW = re.compile(r'r(#*)"')
_CHAR = re.compile(r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^\\'\n])'")
_QUOTED = re.compile("«([^»]*)»")
_NUMBER = re.compile(r"[0-9][0-9a-zA-Z_.]*")


@dataclass(frozen=True)
class Token:
    """``kind`` is ``word``, ``string`` or ``symbol``; ``text`` has no quotes; ``line`` counts from 1."""

    kind: str
    text: str
    line: int
    start: int


def tokens(source: str) -> Iterator[Token]:
    """All tokens of a Lean file in order; names are split at their dots, «» is taken off."""
    at, line = 0, 1
    while at < len(source):
        kind, text, end = _next(source, at)
        if kind != "space":
            yield Token(kind, text, line, at)
        line += source.count("\n", at, end)
        at = end


def strip_comments(source: str) -> str:
    """The source with every comment replaced by spaces (line breaks kept)."""
    pieces, at = [], 0
    while at < len(source):
        kind, _, end = _next(source, at)
        piece = source[at:end]
        is_comment = kind == "space" and piece[0] in "-/"
        pieces.append(re.sub(r"[^\n]", " ", piece) if is_comment else piece)
        at = end
    return "".join(pieces)


def _next(source: str, at: int) -> tuple[str, str, int]:
    """The kind, the text and the end of what starts at ``at``; comments count as space."""
    here = source[at]
    if source.startswith("--", at):
        end = source.find("\n", at)
        return "space", "", len(source) if end < 0 else end
    if source.startswith("/-", at):
        return "space", "", _comment_end(source, at)
    if here.isspace():
        return "space", "", at + 1
    if raw := _RAW.match(source, at):
        end = source.find('"' + raw.group(1), raw.end())
        end = len(source) if end < 0 else end
        return "string", source[raw.end() : end], end + 1 + len(raw.group(1))
    if here == '"':
        end = _string_end(source, at)
        return "string", source[at + 1 : end - 1], end
    if quoted := _QUOTED.match(source, at):
        return "word", quoted.group(1), quoted.end()
    if here == "'" and (char := _CHAR.match(source, at)):
        return "symbol", char.group(), char.end()
    if number := _NUMBER.match(source, at):
        return "symbol", number.group(), number.end()
    if _starts_name(here):
        end = at + 1
        while end < len(source) and (_starts_name(source[end]) or source[end].isdigit() or source[end] in "'!?"):
            end += 1
        return "word", source[at:end], end
    return "symbol", here, at + 1


def _starts_name(character: str) -> bool:
    return character == "_" or character.isalpha() or "₀" <= character <= "₉"


def _comment_end(source: str, at: int) -> int:
    depth, here = 1, at + 2
    while depth and here < len(source):
        if source.startswith("/-", here):
            depth, here = depth + 1, here + 2
        elif source.startswith("-/", here):
            depth, here = depth - 1, here + 2
        else:
            here += 1
    return here


def _string_end(source: str, at: int) -> int:
    here = at + 1
    while here < len(source) and source[here] != '"':
        here += 2 if source[here] == "\\" else 1
    return min(here + 1, len(source))
