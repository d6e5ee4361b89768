"""Gates on the compiled modules: what was really declared, whatever the source looks like.

They look at the kernel's declarations and at Lean's own tables of parsers, macros and attributes, so a macro
that hides the word ``axiom``, a quoted name or a nested comment makes no difference.
"""

from collections.abc import Iterator

from dobrushin.lean.build import Build
from dobrushin.lean.declarations import APP, CONST, FORALL, MDATA, Declaration, Environment, show_name
from dobrushin.lean.olean import Ctor, Olean
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.scan import CORE_SYMBOLS
from dobrushin.lean.sources import Module, Project

GATE = "compiled"

KERNEL_NAT = frozenset(
    f"Nat.{name}" for name in (
        "succ", "pred", "add", "sub", "mul", "div", "mod", "gcd", "beq", "ble", "land", "lor", "xor", "shiftLeft",
        "shiftRight", "pow", "log2",
    )
)  # fmt: skip
"""Functions that the kernel computes by big-number arithmetic, going by the name alone."""

CORE_CLASSES = frozenset({
    "LE", "LT", "Add", "Sub", "Mul", "Neg", "Div", "Mod", "Pow", "HAdd", "HSub", "HMul", "HDiv", "HMod", "HPow", "Zero",
    "One", "OfNat", "Min", "Max", "Dvd", "BEq", "Membership", "Coe", "CoeTail", "CoeHead", "CoeOut", "CoeT", "CoeFun",
    "CoeSort", "NatCast", "IntCast",
})  # fmt: skip
"""Classes behind core notation; for a type of Lean's core their instances are fixed by core."""

_CORE_TYPES = frozenset({"Nat", "Int", "Bool", "Prop", "Prod", "List", "Option", "Fin", "Subtype", "Unit"})
_CORE_NOTIONS = frozenset({
    "Eq", "HEq", "Ne", "Iff", "And", "Or", "Not", "Exists", "True", "False", "LE", "LT", "GE", "GT", "Add", "Sub",
    "Mul", "Neg", "Nat", "Int", "Bool", "List", "Prod", "Fin", "Decidable", "DecidableEq", "Function", "Set", "Finset",
    "Real", "Rat",
})  # fmt: skip
_GRAVITY = ("axiom", "reserved-nat", "implemented-by", "extern", "opaque", "unsafe", "partial", "metaprogram",
            "core-redefined", "foreign-name")  # fmt: skip
_AUXILIARY_UNSAFE = "_unsafe_rec"


def project_modules(build: Build) -> list[Module]:
    """The development's own modules, without the bootstrap."""
    return [module for module in build.modules if not module.bootstrap]


def check_compiled(project: Project, build: Build, environment: Environment) -> int:
    """Check every declaration outside the bootstrap; returns how many there are.

    Raises:
        RefusedError: with the reason ``axiom``, ``unsafe``, ``opaque``, ``partial``, ``extern``,
            ``implemented-by``, ``reserved-nat``, ``core-redefined``, ``foreign-name`` or ``metaprogram``.
    """
    count, found = 0, []
    for module in project_modules(build):
        for declaration in environment.of_module(module.name):
            count += 1
            where = project.where(module.file, declaration.line)
            for reason, say in _findings(declaration, project.name):
                found.append(RefusedError(GATE, reason, where, f"{declaration.name} {say}"))
        for reason, say in _table_findings(environment, module.name, project.name):
            found.append(RefusedError(GATE, reason, project.where(module.file), say))
    if found:
        # The gravest reason first; of one reason, the one with a line.
        raise min(found, key=lambda failure: (_GRAVITY.index(failure.reason), ":" not in failure.where))
    return count


def _findings(declaration: Declaration, root: str) -> Iterator[tuple[str, str]]:
    name, parts = declaration.name, _public_parts(declaration)
    if declaration.kind == "axiom":
        yield "axiom", "is an axiom; the development may declare none"
    if ".".join(parts) in KERNEL_NAT:
        yield "reserved-nat", "is computed by the kernel by its name alone, so a definition here could prove False"
    if declaration.kind == "opaque":
        yield "opaque", "is opaque: its value can not be read off, and may be replaced at run time"
    if declaration.unsafe and parts[-1] != _AUXILIARY_UNSAFE:
        yield "unsafe", "is unsafe, which the kernel does not check"
    if declaration.partial and parts[-1] != _AUXILIARY_UNSAFE:
        yield "partial", "is partial; define it by recursion that Lean accepts"
    if instance := _core_instance(declaration):
        yield "core-redefined", f"is an instance of {instance}, which core fixes; the notation would change meaning"
    if not _is_auxiliary(parts) and parts[-1] in _CORE_NOTIONS and declaration.kind in {"definition", "inductive"}:
        yield "core-redefined", f"takes the name of the core notion {parts[-1]}, so statements could mean another one"
    if parts[0] != root:
        yield "foreign-name", f"is declared outside the namespace {root}, where it could pass for a name of core"
    if name.startswith("_private") and declaration.module not in name:
        yield "foreign-name", "pretends to be private to another module"


def _public_parts(declaration: Declaration) -> list[str]:
    """The components without the prefix that Lean gives to private names."""
    parts = declaration.parts
    return parts[parts.index("0") + 1 :] if parts[0] == "_private" and "0" in parts else parts


def _is_auxiliary(parts: list[str]) -> bool:
    return any(part.startswith("_") for part in parts)


def _core_instance(declaration: Declaration) -> str | None:
    """``LE Nat`` and the like, when the declaration is an instance of a core class for a core type."""
    olean, here = declaration.olean, declaration.type
    while (node := olean.ctor(here)).tag in {FORALL, MDATA}:
        here = node.fields[2 if node.tag == FORALL else 1]
    arguments: list[int] = []
    while (node := olean.ctor(here)).tag == APP:
        here, argument = node.fields
        arguments.insert(0, argument)
    if declaration.kind != "definition" or node.tag != CONST or not arguments:
        return None
    name = show_name(olean.name(node.fields[0]))
    subject = olean.ctor(arguments[0])
    while subject.tag == APP:
        subject = olean.ctor(subject.fields[0])
    if name not in CORE_CLASSES or subject.tag != CONST:
        return None
    kind = show_name(olean.name(subject.fields[0]))
    return f"{name} {kind}" if kind in _CORE_TYPES else None


def _table_findings(environment: Environment, module: str, root: str) -> Iterator[tuple[str, str]]:
    for attribute, reason in (("Lean.externAttr", "extern"), ("Lean.Compiler.implementedByAttr", "implemented-by"),
                              ("Lean.Compiler.CSimp.ext", "implemented-by"), ("Lean.regularInitAttr", "metaprogram"),
                              ("Lean.exportAttr", "extern")):  # fmt: skip
        if environment.entries[module].get(attribute, (None, ()))[1]:
            yield reason, f"a declaration is marked through {attribute}: what runs would differ from its definition"
    for key, name in _pairs(environment, module, "Lean.Elab.macroAttribute"):
        if key.split(".")[0] != root and f".{root}." not in key:
            yield "core-redefined", f"{name} is a macro for the core syntax {key}; core notation keeps its meaning"
    for category, parser in _parsers(environment, module):
        if category == "command":
            yield "metaprogram", f"{parser} adds a command, which could hide what is declared"
        if category == "token" and parser in CORE_SYMBOLS:
            yield "core-redefined", f"a notation uses the core symbol {parser}; choose another symbol"


def _pairs(environment: Environment, module: str, extension: str) -> Iterator[tuple[str, str]]:
    for olean, inner in _scoped_entries(environment, module, extension):
        yield show_name(olean.name(inner.fields[0])), show_name(olean.name(inner.fields[1]))


def _parsers(environment: Environment, module: str) -> Iterator[tuple[str, str]]:
    """New tokens as ``("token", text)`` and new parsers as ``(category, name)``."""
    for olean, inner in _scoped_entries(environment, module, "Lean.Parser.parserExtension"):
        if inner.tag == 0:
            yield "token", olean.string(inner.fields[0]).strip()
        elif inner.tag == 3:
            yield show_name(olean.name(inner.fields[0])), show_name(olean.name(inner.fields[1]))


def _scoped_entries(environment: Environment, module: str, extension: str) -> Iterator[tuple[Olean, Ctor]]:
    """The entries of an extension whose entries are global, or scoped to a namespace: the last field holds them."""
    if extension not in environment.entries[module]:
        return
    olean, entries = environment.entries[module][extension]
    for entry in entries:
        yield olean, olean.ctor(olean.ctor(entry).fields[-1])
