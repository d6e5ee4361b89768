"""The declarations of compiled modules: kind, universe parameters, type, value, and the constants they mention."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dobrushin.errors import IncompleteError
from dobrushin.lean.olean import Ctor, Olean

KINDS = ("axiom", "definition", "theorem", "opaque", "quot", "inductive", "constructor", "recursor")
_SIMPLE = re.compile(r"[^\W\d][\w'!?₀-₉]*")
_SAFETY = {"axiom": 0, "definition": 0, "opaque": 0, "inductive": 1, "constructor": 0, "recursor": 1}
_UNSAFE_DEFINITION, _PARTIAL_DEFINITION = 0, 2


def show_name(parts: Iterable[str | int]) -> str:
    """A name as Lean writes it, with «» where needed, so that different names never look the same."""
    return ".".join(str(p) if isinstance(p, int) or _SIMPLE.fullmatch(p) else f"«{p}»" for p in parts)


@dataclass(frozen=True)
class Declaration:
    """One constant of the kernel; ``type`` and ``value`` are pointers into ``olean``."""

    name: str
    kind: str
    module: str
    level_names: tuple[str, ...]
    type: int
    value: int | None
    olean: Olean
    unsafe: bool
    partial: bool
    constructors: tuple[str, ...] = ()
    parameters: int = 0
    owner: str | None = None
    line: int | None = None
    projection: bool = False

    @property
    def parts(self) -> list[str]:
        """The components of the name."""
        return self.name.split(".")

    @cached_property
    def type_constants(self) -> frozenset[str]:
        """What the type mentions."""
        return constants_in(self.olean, [self.type])

    @cached_property
    def constants(self) -> frozenset[str]:
        """What the type and the value mention."""
        return constants_in(self.olean, [self.type] if self.value is None else [self.type, self.value])


def constants_in(olean: Olean, roots: Iterable[int]) -> frozenset[str]:
    """The names of all constants in some kernel terms of one file."""
    found: set[str] = set()
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        pointer = stack.pop()
        if pointer in seen or pointer & 1:
            continue
        seen.add(pointer)
        node = olean.ctor(pointer)
        if node.tag == CONST:
            found.add(show_name(olean.name(node.fields[0])))
        elif node.tag == PROJ:
            found.add(show_name(olean.name(node.fields[0])))
            stack.append(node.fields[2])
        else:
            stack.extend(node.fields[i] for i in SUBTERMS.get(node.tag, ()))
    return frozenset(found)


# The constructors of Lean.Expr, by tag, and which of their fields are terms.
BVAR, SORT, CONST, APP, LAM, FORALL, LET, LITERAL, MDATA, PROJ = 0, 3, 4, 5, 6, 7, 8, 9, 10, 11
SUBTERMS = {APP: (0, 1), LAM: (1, 2), FORALL: (1, 2), LET: (1, 2, 3), MDATA: (1,), PROJ: (2,)}


class Environment:
    """All declarations of some compiled modules, by name."""

    def __init__(self, oleans: Iterable[tuple[str, Path]]) -> None:
        self.declarations: dict[str, Declaration] = {}
        self.entries: dict[str, dict[str, tuple[Olean, tuple[int, ...]]]] = {}
        for module, path in oleans:
            olean = Olean(path)
            self.entries[module] = _entries(olean)
            for declaration in _read(olean, module, self.entries[module]):
                if declaration.name in self.declarations:
                    raise IncompleteError(f"two compiled modules declare {declaration.name}; build them again")
                self.declarations[declaration.name] = declaration

    def of_module(self, module: str) -> list[Declaration]:
        """The declarations of one module."""
        return [d for d in self.declarations.values() if d.module == module]

    def closure(self, name: str) -> set[str]:
        """Every constant that ``name`` rests on, itself included: through types, values and constructors."""
        seen: set[str] = set()
        stack = [name]
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            if found := self.declarations.get(here):
                stack.extend(found.constants)
                stack.extend(found.constructors)
                if found.owner:
                    stack.append(found.owner)
        return seen

    def axioms(self, name: str) -> list[str]:
        """The axioms that ``name`` rests on, sorted (``Quot`` is built in, not an axiom)."""
        known = (self.declarations.get(n) for n in self.closure(name))
        return sorted(d.name for d in known if d is not None and d.kind == "axiom")

    def marked(self, module: str, attribute: str) -> list[str]:
        """The declarations that an attribute with a parameter marks, e.g. ``Lean.externAttr``, sorted."""
        if attribute not in self.entries[module]:
            return []
        olean, entries = self.entries[module][attribute]
        return sorted(show_name(olean.name(olean.ctor(entry).fields[0])) for entry in entries)


def _entries(olean: Olean) -> dict[str, tuple[Olean, tuple[int, ...]]]:
    pairs = (olean.ctor(pair).fields for pair in olean.array(olean.ctor(olean.root).fields[4]))
    return {show_name(olean.name(name)): (olean, olean.array(entries)) for name, entries in pairs}


def _lines(entries: dict[str, tuple[Olean, tuple[int, ...]]]) -> dict[str, int]:
    """Where each declaration's name stands in the source, from Lean's own record of positions."""
    if "Lean.declRangeExt" not in entries:
        return {}
    olean, ranges = entries["Lean.declRangeExt"]
    lines = {}
    for entry in ranges:
        name, both = olean.ctor(entry).fields
        selection = olean.ctor(both).fields[1]
        start = olean.ctor(selection).fields[0]
        lines[show_name(olean.name(name))] = olean.nat(olean.ctor(start).fields[0])
    return lines


def _read(olean: Olean, module: str, entries: dict[str, tuple[Olean, tuple[int, ...]]]) -> Iterator[Declaration]:
    lines = _lines(entries)
    reader, infos = entries.get("Lean.projectionFnInfoExt", (olean, ()))
    projections = {show_name(reader.name(reader.ctor(info).fields[0])) for info in infos}
    for pointer in olean.array(olean.ctor(olean.root).fields[2]):
        info = olean.ctor(pointer)
        kind = KINDS[info.tag]
        body = olean.ctor(info.fields[0])
        common = olean.ctor(body.fields[0])
        name = show_name(olean.name(common.fields[0]))
        safety = olean.scalar(body, _SAFETY[kind]) if kind in _SAFETY else 0
        yield Declaration(
            name=name,
            kind=kind,
            module=module,
            level_names=tuple(show_name(olean.name(p)) for p in olean.list(common.fields[1])),
            type=common.fields[2],
            value=body.fields[1] if kind in {"definition", "theorem", "opaque"} else None,
            olean=olean,
            unsafe=safety == _UNSAFE_DEFINITION if kind == "definition" else safety == 1,
            partial=kind == "definition" and safety == _PARTIAL_DEFINITION,
            constructors=_constructors(olean, body) if kind == "inductive" else (),
            parameters=olean.nat(body.fields[1]) if kind == "inductive" else 0,
            owner=_owner(olean, kind, body),
            line=lines.get(name),
            projection=name in projections,
        )


def _constructors(olean: Olean, body: Ctor) -> tuple[str, ...]:
    return tuple(show_name(olean.name(p)) for p in olean.list(body.fields[4]))


def _owner(olean: Olean, kind: str, body: Ctor) -> str | None:
    if kind == "constructor":
        return show_name(olean.name(body.fields[1]))
    if kind == "recursor":
        return show_name(olean.name(olean.list(body.fields[1])[0]))
    return None
