"""The token gate: words that have no place in a proof development, outside the frozen bootstrap.

This is the belt.  What decides is read from the compiled modules (:mod:`dobrushin.lean.compiled`), where no
spelling helps; the scan refuses the known ways to cheat before anything is compiled, with a line number.
"""

from collections.abc import Iterator
from pathlib import Path

from dobrushin.lean.lexer import Token, tokens
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project, project_files, read_source

GATE = "scan"

FORBIDDEN = {
    "sorry": "sorry", "admit": "sorry", "sorryAx": "sorry",
    "axiom": "axiom",
    "unsafe": "unsafe", "unsafeCast": "unsafe", "lcProof": "unsafe", "lcUnreachable": "unsafe", "lcAny": "unsafe",
    "partial": "partial",
    "opaque": "opaque",
    "implemented_by": "implemented-by", "csimp": "implemented-by",
    "extern": "extern", "export_name": "extern",
    "native_decide": "native-decide", "native": "native-decide", "ofReduceBool": "native-decide",
    "reduceBool": "native-decide", "reduceNat": "native-decide", "trustCompiler": "native-decide",
    "prelude": "prelude", "init_quot": "prelude",
    "elab": "metaprogram", "elab_rules": "metaprogram", "run_cmd": "metaprogram", "run_elab": "metaprogram",
    "run_tac": "metaprogram", "run_meta": "metaprogram", "by_elab": "metaprogram", "initialize": "metaprogram",
    "builtin_initialize": "metaprogram", "simproc": "metaprogram", "dsimproc": "metaprogram",
    "app_unexpander": "metaprogram", "unexpand": "metaprogram", "delab": "metaprogram",
    "command_elab": "metaprogram", "term_elab": "metaprogram", "command_parser": "metaprogram",
    "term_parser": "metaprogram", "declare_syntax_cat": "metaprogram",
}  # fmt: skip
"""Word → reason code."""

OPTIONS = {"maxRecDepth", "maxHeartbeats", "autoImplicit", "relaxedAutoImplicit", "synthInstance.maxHeartbeats",
           "synthInstance.maxSize"}  # fmt: skip
"""The options that a file may set; every other one could switch a check or a warning off."""

CORE_SYMBOLS = frozenset({
    "=", "≠", "≤", "<", "≥", ">", "≡", "∧", "∨", "¬", "↔", "→", "∃", "∀", "∃!", "×", "+", "-", "*", "/", "%", "^", "∣",
    "∘", "::", "==", "!=", "&&", "||", "!", "fun", "λ", "let", "have", "show", "from", "by", "if", "then", "else",
    "match", "with", "theorem", "lemma", "def", "example", "instance", "abbrev", "axiom", "#print", "#check",
    "#print axioms", "Prop", "Type", "Sort",
})  # fmt: skip
"""Symbols and keywords whose meaning is the reader's; no notation may take one."""

_COMMENT_MARKS = ('"', "--", "/-", "-/", "«", "»")


def scan(project: Project) -> int:
    """Scan every file outside the bootstrap; returns how many there are.

    Raises:
        RefusedError: a forbidden word, an option off the list, or a token that could fool a reader or the lexer.
    """
    files = project_files(project)
    for file in files:
        for line, reason, say in _findings(read_source(project, file)):
            raise RefusedError(GATE, reason, project.where(file, line), say)
    return len(files)


def _findings(source: str) -> Iterator[tuple[int, str, str]]:
    before: Token | None = None
    stream = list(tokens(source))
    for index, token in enumerate(stream):
        if token.kind == "word":
            yield from _word(token, stream, index)
        elif token.kind == "string":
            yield from _string(token, before)
        before = token


def _word(token: Token, stream: list[Token], index: int) -> Iterator[tuple[int, str, str]]:
    # A quoted name may hold anything, so its parts are words too.
    for part in token.text.replace(".", " ").split():
        if part in FORBIDDEN:
            yield token.line, FORBIDDEN[part], f"the word {part} has no place here; prove it or leave it out"
    if token.text == "set_option":
        option = _option(stream, index + 1)
        if option not in OPTIONS:
            allowed = ", ".join(sorted(OPTIONS))
            yield token.line, "option", f"set_option {option} may weaken a check; allowed are {allowed}"
    if token.text == "import" and _option(stream, index + 1).partition(".")[0] in {"Lean", "Std", "Lake"}:
        yield token.line, "metaprogram", "importing Lean's own internals allows to add to the environment unchecked"


def _option(stream: list[Token], index: int) -> str:
    """The dotted name that starts at ``index``."""
    name = ""
    for token in stream[index:]:
        if name and not name.endswith(".") and token.text != ".":
            break
        name += token.text
    return name


def _string(token: Token, before: Token | None) -> Iterator[tuple[int, str, str]]:
    text = token.text.strip()
    if text in CORE_SYMBOLS:
        yield token.line, "core-redefined", f"a notation takes the core symbol {text}; choose another symbol"
    if any(mark in text for mark in _COMMENT_MARKS):
        yield token.line, "token-trick", "a token with quotation or comment marks reads differently from what it is"
    # s!"…{code}…": code inside a string.
    if before is not None and before.text.endswith("!") and before.start + len(before.text) == token.start:
        yield from ((token.line + line - 1, reason, say) for line, reason, say in _findings(token.text))


def scan_text(text: str, shown: Path = Path("text")) -> None:
    """Scan one text (for tests and editors)."""
    for line, reason, say in _findings(text):
        raise RefusedError(GATE, reason, f"{shown.as_posix()}:{line}", say)
