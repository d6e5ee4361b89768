"""Fingerprints of statements and definitions, taken from the kernel's terms.

A fingerprint ignores the names of bound variables, implicitness and notation, and keeps everything that the
kernel sees.  Helper constants that Lean makes by itself (matchers, projections, recursion principles) are
folded into the fingerprint of what uses them, so that only what a person wrote is listed.
"""

import hashlib
import re

from dobrushin.lean.declarations import (
    APP,
    BVAR,
    CONST,
    FORALL,
    LAM,
    LET,
    LITERAL,
    MDATA,
    PROJ,
    SORT,
    SUBTERMS,
    Declaration,
    Environment,
    show_name,
)
from dobrushin.lean.olean import Olean

_HELPER = re.compile(r"_.*|(match|proof|eq|sparseCasesOn|splitter)_\d+|\d+|eq_def|congr_simp")
_PRIVATE = re.compile(r"_private\.(?:.*?)\.0\.")


def is_helper(declaration: Declaration) -> bool:
    """Whether Lean made this constant by itself, so that no line of the source declares it."""
    written = _PRIVATE.sub("", declaration.name).split(".")
    return declaration.line is None or declaration.projection or any(_HELPER.fullmatch(p) for p in written)


class Fingerprints:
    """Fingerprints of the declarations of an environment, where ``modules`` are the project's own.

    Constants of other modules (Lean's ``Init``) are the reader's common ground: they count by name.
    """

    def __init__(self, environment: Environment, modules: set[str]) -> None:
        self._environment = environment
        self._modules = modules
        self._known: dict[str, str] = {}

    def own(self, name: str) -> Declaration | None:
        """The declaration, when it is one of the project."""
        found = self._environment.declarations.get(name)
        return found if found is not None and found.module in self._modules else None

    def statement(self, name: str) -> str:
        """The fingerprint of a theorem's type."""
        declaration = self._environment.declarations[name]
        return _digest("statement", str(len(declaration.level_names)), self._term(declaration, declaration.type))

    def definition(self, name: str) -> str:
        """The fingerprint of a definition: its type and its value, or all of an inductive type."""
        if name not in self._known:
            self._known[name] = self._definition(self._environment.declarations[name])
        return self._known[name]

    def _definition(self, declaration: Declaration) -> str:
        parts = [declaration.kind, str(len(declaration.level_names)), self._term(declaration, declaration.type)]
        if declaration.kind in {"definition", "opaque"} and declaration.value is not None:
            parts.append(self._term(declaration, declaration.value))
        if declaration.kind == "inductive":
            parts.append(str(declaration.parameters))
            for constructor in declaration.constructors:
                found = self._environment.declarations[constructor]
                parts += [constructor, self._term(found, found.type)]
        return _digest(*parts)

    def listed(self, name: str) -> set[str]:
        """The project's definitions that the type of ``name`` rests on, to be read to understand it."""
        found: set[str] = set()
        seen: set[str] = set()
        stack = list(self._environment.declarations[name].type_constants)
        while stack:
            here = stack.pop()
            declaration = self.own(here)
            if declaration is None or here in seen:
                continue
            seen.add(here)
            if declaration.kind == "theorem":
                continue  # a proof inside a definition: irrelevant to what the definition means
            if declaration.owner:
                stack.append(declaration.owner)
                continue
            if not is_helper(declaration):
                found.add(here)
            stack.extend(declaration.constants)
            for constructor in declaration.constructors:
                stack.extend(self._environment.declarations[constructor].type_constants)
        return found

    def _reference(self, name: str) -> str:
        declaration = self.own(name)
        if declaration is None or declaration.kind in {"theorem", "inductive", "constructor", "recursor"}:
            return name
        return self.definition(name) if is_helper(declaration) else name

    def _term(self, declaration: Declaration, root: int) -> str:
        """The digest of one term, computed bottom up over the shared term graph."""
        olean, levels = declaration.olean, declaration.level_names
        done: dict[int, str] = {}
        stack = [root]
        while stack:
            pointer = stack[-1]
            if pointer in done:
                stack.pop()
                continue
            node = olean.ctor(pointer)
            below = [node.fields[i] for i in SUBTERMS.get(node.tag, ())]
            if waiting := [p for p in below if p not in done]:
                stack.extend(waiting)
                continue
            stack.pop()
            if node.tag == MDATA:
                done[pointer] = done[below[0]]
                continue
            own = self._node(olean, levels, node.tag, node.fields)
            done[pointer] = _digest(own, *(done[p] for p in below))
        return done[root]

    def _node(self, olean: Olean, levels: tuple[str, ...], tag: int, fields: tuple[int, ...]) -> str:
        if tag == BVAR:
            return f"var {olean.nat(fields[0])}"
        if tag == SORT:
            return f"sort {_level(olean, levels, fields[0])}"
        if tag == CONST:
            universes = " ".join(_level(olean, levels, p) for p in olean.list(fields[1]))
            return f"const {self._reference(_name(olean, fields[0]))} {universes}"
        if tag == LITERAL:
            literal = olean.ctor(fields[0])
            value = literal.fields[0]
            return f"nat {olean.nat(value)}" if literal.tag == 0 else f"string {olean.string(value)!r}"
        if tag == PROJ:
            return f"proj {_name(olean, fields[0])} {olean.nat(fields[1])}"
        return {APP: "app", LAM: "fun", FORALL: "forall", LET: "let"}[tag]


def _name(olean: Olean, pointer: int) -> str:
    return show_name(olean.name(pointer))


def _level(olean: Olean, levels: tuple[str, ...], pointer: int) -> str:
    """A universe level, with parameters by position."""
    node = olean.ctor(pointer)
    if node.tag == 0:
        return "0"
    if node.tag == 1:
        return f"({_level(olean, levels, node.fields[0])}+1)"
    if node.tag in {2, 3}:
        left, right = (_level(olean, levels, p) for p in node.fields)
        return f"({'max' if node.tag == 2 else 'imax'} {left} {right})"
    return f"u{levels.index(_name(olean, node.fields[0]))}"


def _digest(*parts: str) -> str:
    # A separator that no part contains keeps different lists of parts apart.
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()
