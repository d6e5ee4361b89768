"""Ask Lean itself: a generated file that imports the development, and whose answers are matched by position.

Every question stands on a line of its own, and an answer counts only as an information message that Lean
reports for that line of that file, so nothing that a module prints can pass for an answer.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dobrushin.lean.build import Build
from dobrushin.lean.messages import Message, parse
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

_NONE = re.compile(r"'(.+)' does not depend on any axioms", re.DOTALL)
_SOME = re.compile(r"'(.+)' depends on axioms: \[(.*)\]", re.DOTALL)


FIRST_LINE = 2
"""The line of the first question; the import stands above it."""


def ask(lean: Lean, build: Build, module: str, questions: Sequence[str], gate: str) -> list[str]:
    """Lean's answers to one-line commands such as ``#print axioms X``, after ``import module``.

    Raises:
        RefusedError: a question gets no answer, more than one, or an error.
    """
    found, _ = _run(lean, build, module, questions, gate)
    answers = []
    for number, question in enumerate(questions, start=FIRST_LINE):
        here = [message for message in found if message.line == number]
        if len(here) != 1 or here[0].severity != "information":
            said = here[0].first_line if here else "nothing"
            raise RefusedError(gate, "no-answer", question, f"Lean does not answer this question: {said}")
        answers.append(here[0].text)
    return answers


def refused(lean: Lean, build: Build, module: str, theorems: Sequence[str], gate: str) -> list[Message]:
    """Compile one-line theorems after ``import module``; the errors, of which there are none if all hold."""
    found, code = _run(lean, build, module, theorems, gate)
    errors = [message for message in found if message.severity == "error"]
    if code != 0 and not errors:
        raise RefusedError(gate, "lean-crash", f"import {module}", "Lean gave up without a message")
    return errors


def _run(lean: Lean, build: Build, module: str, lines: Sequence[str], gate: str) -> tuple[list[Message], int]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "Audit.lean")
        file.write_text("\n".join([f"import {module}", *lines, ""]), encoding="utf-8")
        done = lean.run(["--json", str(file)], path=build.folder, cwd=Path(folder))
    found, strange = parse(done.stdout)
    if strange:
        say = f"Lean printed what is no message: {strange[0][:200]}"
        raise RefusedError(gate, "lean-output", f"import {module}", say)
    return found, done.returncode


def printed_axioms(lean: Lean, build: Build, module: str, theorems: Sequence[str]) -> dict[str, list[str]]:
    """``#print axioms`` for each theorem: sorted names, or nothing."""
    answers = ask(lean, build, module, [f"#print axioms {name}" for name in theorems], "axioms")
    axioms: dict[str, list[str]] = {}
    for name, answer in zip(theorems, answers, strict=True):
        none, some = _NONE.fullmatch(answer.strip()), _SOME.fullmatch(answer.strip())
        if none and none.group(1) == name:
            axioms[name] = []
        elif some and some.group(1) == name:
            axioms[name] = sorted(part.strip() for part in some.group(2).split(","))
        else:
            raise RefusedError("axioms", "no-answer", name, f"#print axioms answers something else: {answer[:200]}")
    return axioms


def printed_texts(lean: Lean, build: Build, module: str, questions: Sequence[str]) -> list[str]:
    """Statements and definitions as Lean prints them, for people to read."""
    return [answer.strip() for answer in ask(lean, build, module, questions, "statements")]


def where_headline(project: Project, line: int | None) -> str:
    """The place of a headline theorem."""
    return project.where(project.lean / project.name / "Statement.lean", line)
