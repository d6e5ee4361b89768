"""The text of a certificate: a Lean file with the numbers, the claim in terms of ``Tight``, and the proof."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from dobrushin.certificate.numbers import Evidence, Line
from dobrushin.errors import InputError
from dobrushin.tokens import Restriction

FORMAT = 1
"""The number of this layout; it changes when the same map would be written differently."""

IMPORT = "Dobrushin.Certificate.Readings"
"""The module of the development that a certificate imports."""

VERDICT = "Dobrushin.Certified.verdict"
"""The theorem that a certificate proves."""

FIRST_LINE = (
    "-- A certificate: Lean's kernel proves the verdict below by computation. Check it with `dobrushin verify`."
)

_PREFIX = {"none": "all", "submatrix": "all", "pairs": "pairs", "renormalised": "renormalised"}
_READ_AS = {
    "none": "all tokens, the map as stored",
    "submatrix": "rows and columns of the chosen tokens, nothing divided",
    "pairs": "pairs of the chosen tokens, all columns kept",
    "renormalised": "rows and columns of the chosen tokens, each row divided by its sum",
}
_PER_STEP = 8  # the numbers of one `Row.more`


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the map is: file name and SHA-256, the map's name in it, and how the file is read."""

    file: str
    sha256: str
    map: str
    keep: str | None = None
    restrict: Restriction | None = None
    heads: str = "mean"
    axis: str | None = None
    precision: str | None = None


def lean_text(source: Source, proof: Evidence) -> str:
    """The certificate; the same map and options give the same text, byte by byte."""
    return "\n".join([*_header(source, proof), *_numbers(proof), *_claim(proof), ""])


def read_source(text: str, *, shown: str) -> Source:
    """What the head of a certificate says that it is about.

    Raises:
        InputError: the text is no certificate, or one in another format.
    """
    head = text.split("\n", 2)
    if len(head) < 3 or head[0] != FIRST_LINE or not head[1].startswith("-- "):
        raise InputError(
            f"{shown} is no certificate: `dobrushin certify` writes them, and they begin with a fixed line"
        )
    try:
        entries = json.loads(head[1].removeprefix("-- "))
        written = entries.pop("format")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise InputError(f"{shown} has a damaged second line, which names the map; write it again") from None
    if written != FORMAT:
        raise InputError(f"{shown} has format {written!r}, and this version reads format {FORMAT}; write it again")
    strings = {"file", "sha256", "map"}
    optional = {"keep", "restrict", "heads", "axis", "precision"}
    if set(entries) != strings | optional or not all(isinstance(entries[key], str) for key in strings):
        raise InputError(f"{shown} has a second line that does not name a map; write it again")
    if not all(entries[key] is None or isinstance(entries[key], str) for key in optional):
        raise InputError(f"{shown} has a second line with an option that is no text; write it again")
    return Source(**entries)


def _header(source: Source, proof: Evidence) -> Iterator[str]:
    # Names come from the user: JSON keeps them on one line, where they can not end the comment.
    yield FIRST_LINE
    yield "-- " + json.dumps({"format": FORMAT, **asdict(source)}, ensure_ascii=True)
    yield f"-- Read as: {_READ_AS[proof.restrict]}. Tokens of the lines: {_ranges(proof.tokens)}."
    yield f"-- The stored entries are the numerators below times 2^({proof.exponent}), exactly."
    yield f"import {IMPORT}"
    yield ""
    yield "universe u"
    yield "namespace Dobrushin.Certified"
    yield "noncomputable section"
    yield ""


def _ranges(tokens: tuple[int, ...]) -> str:
    """Ascending indices with their runs shortened: ``1-3, 7``."""
    runs: list[list[int]] = []
    for token in tokens:
        if runs and token == runs[-1][1] + 1:
            runs[-1][1] = token
        else:
            runs.append([token, token])
    return ", ".join(f"{a}-{b}" if a < b else f"{a}" for a, b in runs)


def _numbers(proof: Evidence) -> Iterator[str]:
    for index, line in enumerate(proof.lines):
        yield f"/-- The numerators of token {proof.tokens[index]}; zeros fill up the last step. -/"
        yield f"def row{index} : Row :="
        yield from _row(line)
    yield ""
    yield "/-- For each token its index, what its numerators are divided by, their total, and the numerators. -/"
    yield "def lines : List Line := ["
    last = len(proof.lines) - 1
    for index, line in enumerate(proof.lines):
        yield f"  ⟨{line.token}, {line.weight}, {line.total}, row{index}⟩{',' if index < last else ''}"
    yield "]"
    yield ""


def _row(line: Line) -> Iterator[str]:
    numbers = [*line.numerators, *[0] * (-len(line.numerators) % _PER_STEP)]
    steps = range(0, len(numbers), _PER_STEP)
    for at in steps:
        yield "  .more " + " ".join(map(str, numbers[at : at + _PER_STEP])) + " ("
    yield "  .nil" + ")" * len(steps)


def _claim(proof: Evidence) -> Iterator[str]:
    (i, j), n = proof.pair, proof.columns
    says = "attains the bound" if proof.tight else "does not attain the bound"
    negation = "" if proof.tight else "¬"
    if proof.restrict == "pairs":
        a, b = proof.lines[0].token, proof.lines[1].token
        yield (
            "theorem two : ∃ i j, " + f"i < {n} ∧ j < {n} ∧ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true :="
        )
        yield f"  ⟨{a}, {b}, by decide +kernel⟩"
        yield ""
    if proof.restrict == "renormalised":
        yield f"/-- The map {says}: so does every `A` with `A_ik · (sum of row i) = (numerator of A_ik)`. -/"
        yield "theorem verdict {R : Type u} [OrderedRing R] [Half R] {A : Mat R}"
        yield f"    (renormalised : Renormalised {n} (numerators lines) A) :"
        yield f"    {negation}Tight {n} (by decide) A :="
        hypothesis = "renormalised"
    else:
        claim = (
            f"TightOn (pairsOfLines {n} lines two) (scaled unit (numerators lines))"
            if proof.restrict == "pairs"
            else f"Tight {n} (by decide) (scaled unit (numerators lines))"
        )
        yield f"/-- The map {says}, whatever the positive unit of the numerators. -/"
        yield "theorem verdict {R : Type u} [OrderedRing R] [Half R] {unit : R} (positive : 0 < unit) :"
        yield f"    {negation}{claim} :="
        hypothesis = "positive"
    lemma = f"{_PREFIX[proof.restrict]}_{'tight' if proof.tight else 'not_tight'}"
    yield f"  {lemma} {i} {j} {proof.distance} {proof.weight} (by decide +kernel) (by decide +kernel) {hypothesis}"
    yield ""
    yield "end"
    yield "end Dobrushin.Certified"
    yield ""
    yield f"#print axioms {VERDICT}"
