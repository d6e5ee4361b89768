"""The lock of the headline statements: what each theorem says, and every definition it takes to say it."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dobrushin.lean.audit import printed_texts, where_headline
from dobrushin.lean.build import Build
from dobrushin.lean.compiled import project_modules
from dobrushin.lean.declarations import Environment
from dobrushin.lean.fingerprint import Fingerprints
from dobrushin.lean.headlines import headline_names
from dobrushin.lean.lexer import strip_comments, tokens
from dobrushin.lean.lockfile import read
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

GATE = "statements"
_ABOUT = (
    "The headline theorems: each statement and every definition of the project that it rests on, with fingerprints "
    "of the kernel's terms. Written by `make prove-lock`, which shows what changed; `make prove` compares."
)


def lock_path(project: Project) -> Path:
    """Where the lock is."""
    return project.proofs / "statements.lock"


def current(project: Project, lean: Lean, build: Build, environment: Environment) -> dict[str, Any]:
    """The lock's content as the development stands now."""
    prints = Fingerprints(environment, {module.name for module in project_modules(build)})
    names = headline_names(project, environment)
    needs = {name: sorted(prints.listed(name)) for name in names}
    definitions = sorted(set().union(*needs.values()))
    texts = _texts(project, lean, build, names, definitions)
    source = (project.lean / project.name / "Statement.lean").read_text(encoding="utf-8")
    theorems = {
        name: {
            "written": statement_in(source, environment.declarations[name].line or 1),
            "read_by_lean": texts[name],
            "fingerprint": prints.statement(name),
            "rests_on": needs[name],
        }
        for name in names
    }
    return {
        "about": _ABOUT,
        "printed_by": f"Lean {lean.version} " + ("with the stand-in Init" if lean.stand_in else "with its own Init"),
        "theorems": theorems,
        "definitions": {
            name: {"read_by_lean": texts[name], "fingerprint": prints.definition(name)} for name in definitions
        },
    }


def _texts(
    project: Project, lean: Lean, build: Build, names: Sequence[str], definitions: Sequence[str]
) -> dict[str, list[str]]:
    """Statements and definitions as Lean prints them, line by line; private names can not be asked for."""
    public = [name for name in definitions if not name.startswith("_private")]
    questions = [f"#check {name}" for name in names] + [f"#print {name}" for name in public]
    answers = printed_texts(lean, build, f"{project.name}.Statement", questions)
    texts = {name: ["(private)"] for name in definitions}
    return texts | {n: answer.splitlines() for n, answer in zip([*names, *public], answers, strict=True)}


def statement_in(source: str, line: int) -> list[str]:
    """The source of the declaration on ``line``, without comments, up to its ``:=`` or its first alternative."""
    text = strip_comments(source)
    start = sum(len(passed) for passed in text.splitlines(keepends=True)[: line - 1])
    depth, lets, stream = 0, 0, [token for token in tokens(text) if token.start >= start]
    for token, after in zip(stream, [*stream[1:], None], strict=True):
        if token.kind == "word":
            lets += token.text in {"let", "have"}  # each has a := of its own
            continue
        depth += (token.text in set("([{⟨")) - (token.text in set(")]}⟩"))
        defines = token.text == ":" and after is not None and after.text == "=" and depth == 0
        if defines and lets:
            lets -= 1
        elif defines or (token.text == "|" and depth == 0):
            return text[start : token.start].rstrip().splitlines()
    return text[start:].rstrip().splitlines()


def hashes(content: dict[str, Any]) -> dict[str, str]:
    """For each theorem one SHA-256 over its statement and all definitions that it rests on."""
    result = {}
    for name, theorem in content["theorems"].items():
        parts = [theorem["fingerprint"]]
        parts += [f"{need} {content['definitions'][need]['fingerprint']}" for need in theorem["rests_on"]]
        result[name] = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return result


def check_statements(project: Project, environment: Environment, now: dict[str, Any]) -> None:
    """Compare the development with the lock.

    Raises:
        RefusedError: ``statement-changed``, ``definition-changed``, ``statement-missing``,
            ``statement-unlocked``, ``text-changed``, ``lock-missing`` or ``lock-tampered``.
    """
    locked = read(lock_path(project), GATE)
    try:
        _compare_theorems(project, environment, locked, now)
        _compare_definitions(project, environment, locked, now)
        if locked["printed_by"] == now["printed_by"] and locked != now:
            raise RefusedError(
                GATE, "text-changed", "proofs/statements.lock",
                "a statement or definition reads differently though it means the same; make prove-lock shows where",
            )  # fmt: skip
    except (KeyError, TypeError) as error:
        raise RefusedError(
            GATE, "lock-tampered", "proofs/statements.lock", f"the entry {error} is missing; run make prove-lock"
        ) from error


def _compare_theorems(project: Project, environment: Environment, locked: dict[str, Any], now: dict[str, Any]) -> None:
    for name in locked["theorems"]:
        if name not in now["theorems"]:
            raise RefusedError(GATE, "statement-missing", "proofs/statements.lock", f"{name} is locked, but gone")
    for name, theorem in now["theorems"].items():
        where = where_headline(project, environment.declarations[name].line)
        if name not in locked["theorems"]:
            raise RefusedError(GATE, "statement-unlocked", where, f"{name} is not in the lock; run make prove-lock")
        if theorem["fingerprint"] != locked["theorems"][name]["fingerprint"]:
            raise RefusedError(
                GATE, "statement-changed", where,
                f"{name} no longer says what is locked; make prove-lock shows the difference",
            )  # fmt: skip


def _compare_definitions(
    project: Project, environment: Environment, locked: dict[str, Any], now: dict[str, Any]
) -> None:
    for name, definition in now["definitions"].items():
        module = environment.declarations[name].module
        file = project.lean.joinpath(*module.split(".")).with_suffix(".lean")
        where = project.where(file, environment.declarations[name].line)
        user = next(theorem for theorem, entry in now["theorems"].items() if name in entry["rests_on"])
        if name not in locked["definitions"]:
            say = f"{user} now rests on {name}, which is not in the lock; make prove-lock shows the difference"
            raise RefusedError(GATE, "definition-changed", where, say)
        if definition["fingerprint"] != locked["definitions"][name]["fingerprint"]:
            say = f"{name}, which {user} rests on, is no longer what is locked; make prove-lock shows the difference"
            raise RefusedError(GATE, "definition-changed", where, say)
