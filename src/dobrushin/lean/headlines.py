"""The headline theorems: every theorem declared in ``Statement.lean``, with the axioms that each rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from dobrushin.lean.audit import printed_axioms, where_headline
from dobrushin.lean.build import Build
from dobrushin.lean.declarations import Environment
from dobrushin.lean.fingerprint import is_helper
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

GATE = "axioms"


@dataclass(frozen=True)
class Headline:
    """One headline theorem: name, place, axioms, how many constants it rests on, and seconds to compile those."""

    name: str
    where: str
    axioms: tuple[str, ...]
    constants: int
    seconds: float


def headline_names(project: Project, environment: Environment) -> list[str]:
    """The theorems that the source of ``Statement.lean`` declares, in its order."""
    module = f"{project.name}.Statement"
    written = [d for d in environment.of_module(module) if not is_helper(d)]
    for declaration in written:
        if declaration.kind != "theorem":
            say = f"{declaration.name} is a {declaration.kind}; only theorems stand here, so that no definition hides"
            raise RefusedError(GATE, "statement-declares", where_headline(project, declaration.line), say)
    found = [d for d in written if d.kind == "theorem"]
    if not found:
        where = where_headline(project, None)
        raise RefusedError(GATE, "no-headline", where, "it declares no theorem, so nothing would be proved")
    for declaration in found:
        if not declaration.name.startswith(f"{module}."):
            raise RefusedError(
                GATE, "headline-namespace", where_headline(project, declaration.line),
                f"{declaration.name} is a headline outside the namespace {module}",
            )  # fmt: skip
    return [d.name for d in sorted(found, key=lambda d: d.line or 0)]


def check_axioms(
    project: Project, lean: Lean, build: Build, environment: Environment, allowed: Sequence[str]
) -> list[Headline]:
    """The axioms of every headline, by our own walk through the proofs and by Lean's ``#print axioms``.

    Raises:
        RefusedError: an axiom off the list (``axiom-not-allowed``), or the two ways disagree
            (``axioms-disagree``).
    """
    names = headline_names(project, environment)
    said = printed_axioms(lean, build, f"{project.name}.Statement", names)
    headlines = []
    for name in names:
        walked = environment.axioms(name)
        declaration = environment.declarations[name]
        where = where_headline(project, declaration.line)
        # With an official toolchain core's own modules are not walked, so Lean may know of more.
        if walked != said[name] and (lean.stand_in or not set(walked) <= set(said[name])):
            raise RefusedError(
                GATE, "axioms-disagree", where,
                f"{name} rests on [{', '.join(walked)}], but #print axioms says [{', '.join(said[name])}]",
            )  # fmt: skip
        for axiom in sorted({*walked, *said[name]}):
            if axiom not in allowed:
                raise RefusedError(GATE, "axiom-not-allowed", where, f"{name} rests on the axiom {axiom}, which is not "
                                  "on the list in proofs/axioms.allow")  # fmt: skip
        closure = environment.closure(name)
        if lean.stand_in and (unknown := sorted(closure - environment.declarations.keys())):
            say = f"{name} rests on {unknown[0]}, which no compiled module declares"
            raise RefusedError(GATE, "unknown-constant", where, say)
        modules = {environment.declarations[n].module for n in closure if n in environment.declarations}
        seconds = sum(build.seconds[module] for module in modules)
        headlines.append(Headline(name, where, tuple(said[name]), len(closure), seconds))
    return headlines


def allowed_axioms(project: Project) -> list[str]:
    """The list in ``proofs/axioms.allow``: one name a line, ``#`` starts a comment; empty or missing: none."""
    file = project.proofs / "axioms.allow"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return sorted(filter(None, (line.partition("#")[0].strip() for line in lines)))
