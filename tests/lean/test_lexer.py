"""The lexer reads Lean as Lean does: comments, strings, quoted names."""

import pytest

from dobrushin.lean.lexer import strip_comments, tokens


def words(source: str) -> list[str]:
    return [token.text for token in tokens(source) if token.kind == "word"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a -- sorry\nb", ["a", "b"]),
        ("/- a /- b -/ sorry -/ c", ["c"]),
        ("/-- sorry -/ def x", ["def", "x"]),
        ('/- " -/ sorry /- " -/', ["sorry"]),
        ('"/-" sorry "-/"', ["sorry"]),
        (r'"\"" sorry "\""', ["sorry"]),
        ('r"\\" sorry', ["sorry"]),
        ('r#"a " sorry"# b', ["b"]),
        ("'\"' sorry '\"'", ["sorry"]),
        ("h' sorry h'' x", ["h'", "sorry", "h''", "x"]),
        ("«sorry» Nat.«add»", ["sorry", "Nat", "add"]),
        ("x₁ κ λ α", ["x₁", "κ", "λ", "α"]),
        ("-/ sorry", ["sorry"]),
        ("/- unfinished sorry", []),
        ("1.sorry", []),
    ],
)
def test_words(source: str, expected: list[str]) -> None:
    assert words(source) == expected


def test_lines_are_counted_through_comments_and_strings() -> None:
    source = '/- 1\n2 -/\n"3\n4" five\nsix'
    assert [(token.text, token.line) for token in tokens(source)] == [("3\n4", 3), ("five", 4), ("six", 5)]


def test_stripping_keeps_every_position() -> None:
    source = 'a /- x\ny -/ "-- not a comment" -- z\nb'
    stripped = strip_comments(source)
    assert len(stripped) == len(source)
    assert stripped.split("\n") == ["a     ", '     "-- not a comment"     ', "b"]
