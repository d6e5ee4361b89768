"""The prose gate: what ``proofs/README.md`` names must exist, and it must name every headline theorem."""

import re
from pathlib import Path

from dobrushin.lean.declarations import Environment
from dobrushin.lean.headlines import headline_names
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project

GATE = "prose"


def prose_path(project: Project) -> Path:
    """Where the prose is."""
    return project.proofs / "README.md"


def named_in(text: str, root: str) -> list[tuple[int, str]]:
    """Every Lean name of the project in code quotes, with its line."""
    pattern = re.compile(rf"`({re.escape(root)}(?:\.[\w'!?₀-₉]+)+)`")
    lines = enumerate(text.splitlines(), start=1)
    return [(number, name) for number, line in lines for name in pattern.findall(line)]


def check_prose(project: Project, environment: Environment) -> int:
    """Check the names in the prose; returns how many different ones there are.

    Raises:
        RefusedError: the prose names nothing that exists (``prose-names-nothing``), calls something a headline
            that is none (``prose-no-headline``) or leaves out a headline (``prose-omits``).
    """
    path, headlines = prose_path(project), headline_names(project, environment)
    if not path.is_file():
        raise RefusedError(GATE, "prose-missing", "proofs/README.md", "the theorem in prose is missing")
    named = named_in(path.read_text(encoding="utf-8"), project.name)
    modules = {declaration.module for declaration in environment.declarations.values()}
    for line, name in named:
        where = project.where(path, line)
        if name not in environment.declarations and name not in modules:
            raise RefusedError(GATE, "prose-names-nothing", where, f"it names {name}, which does not exist")
        is_statement = name.startswith(f"{project.name}.Statement.")
        if is_statement and environment.declarations[name].kind == "theorem" and name not in headlines:
            raise RefusedError(GATE, "prose-no-headline", where, f"{name} is no headline theorem")
    if missing := [name for name in headlines if name not in {name for _, name in named}]:
        raise RefusedError(GATE, "prose-omits", "proofs/README.md", f"it says nothing about the headline {missing[0]}")
    return len({name for _, name in named})
