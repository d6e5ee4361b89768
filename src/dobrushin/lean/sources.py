"""The Lean files of a project: which modules there are, what they import, and in which order they compile."""

import re
from dataclasses import dataclass
from pathlib import Path

from dobrushin.lean.lexer import strip_comments
from dobrushin.lean.refusal import RefusedError

_IMPORT = re.compile(r"\s*(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?(\S+)")
_HEADER = re.compile(r"\s*(?:prelude|module)\b")


@dataclass(frozen=True)
class Module:
    """One Lean file: module name, file, the folder its name is relative to, and what it imports."""

    name: str
    file: Path
    root: Path
    imports: tuple[str, ...]
    bootstrap: bool


@dataclass(frozen=True)
class Project:
    """The folders of a development: ``lean/``, ``lean/bootstrap/`` and ``proofs/`` below one root."""

    root: Path
    bootstrap: Path
    name: str = "Dobrushin"

    @classmethod
    def at(cls, root: Path) -> "Project":
        """The project at ``root``, laid out as this repository is."""
        return cls(root, root / "lean" / "bootstrap")

    @property
    def lean(self) -> Path:
        """Where the Lean files are."""
        return self.root / "lean"

    @property
    def proofs(self) -> Path:
        """Where the prose, the locks and the symbolic proofs are."""
        return self.root / "proofs"

    def where(self, file: Path, line: int | None = None) -> str:
        """A place to show: the file relative to the project, with the line if there is one."""
        known = file.is_relative_to(self.root)
        shown = file.relative_to(self.root) if known else Path("lean", "bootstrap", file.relative_to(self.bootstrap))
        return shown.as_posix() if line is None else f"{shown.as_posix()}:{line}"


def bootstrap_files(project: Project) -> list[Path]:
    """The stand-in for Lean's own ``Init``, sorted by path."""
    return sorted(project.bootstrap.rglob("*.lean"))


def project_files(project: Project) -> list[Path]:
    """Every Lean file of the development itself, imported by the root module or not."""
    return [
        file
        for file in sorted(project.lean.rglob("*.lean"))
        if not file.is_relative_to(project.lean / "bootstrap") and ".lake" not in file.parts
    ]


def modules_in_order(project: Project, *, stand_in: bool) -> list[Module]:
    """All modules so that each comes after what it imports; the stand-in first, when it is compiled at all.

    Raises:
        RefusedError: an import names no file, imports run in a circle, or a file is not reached from the root.
    """
    found = {
        module.name: module for module in (_read(project, file, bootstrap=False) for file in project_files(project))
    }
    if project.name not in found:
        raise RefusedError("sources", "no-root", f"lean/{project.name}.lean", "the root module is missing")
    if stand_in:
        for module in (_read(project, file, bootstrap=True) for file in bootstrap_files(project)):
            if module.name in found:
                say = f"it has the name of the bootstrap's module {module.name}; rename it"
                raise RefusedError("sources", "module-twice", project.where(found[module.name].file), say)
            found[module.name] = module
        if "Init" not in found:
            raise RefusedError(
                "sources", "no-bootstrap", "lean/bootstrap/Init.lean", "the stand-in for Init is missing"
            )
    order: list[Module] = []
    _visit(project, project.name, found, order, [], stand_in)
    unreached = sorted(set(found) - {module.name for module in order})
    if unreached:
        module = found[unreached[0]]
        raise RefusedError(
            "sources", "unreached-module", project.where(module.file),
            f"nothing below lean/{project.name}.lean imports it, so it would not be checked; import it or delete it",
        )  # fmt: skip
    return order


def read_source(project: Project, file: Path) -> str:
    """The text of a Lean file; refuses what is not UTF-8 (``not-utf8``)."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("sources", "not-utf8", project.where(file), "the file is not UTF-8") from error


def _read(project: Project, file: Path, *, bootstrap: bool) -> Module:
    root = project.bootstrap if bootstrap else project.lean
    text = strip_comments(read_source(project, file))
    imports: list[str] = []
    prelude = False
    for line in text.splitlines():
        if found := _IMPORT.match(line):
            imports.append(found.group(1))
        elif _HEADER.match(line):
            prelude = True
        elif line.strip():
            break
    if not prelude and not bootstrap:
        imports.insert(0, "Init")
    name = ".".join(file.relative_to(root).with_suffix("").parts)
    return Module(name, file, root, tuple(imports), bootstrap)


def _visit(
    project: Project, name: str, found: dict[str, Module], order: list[Module], trail: list[str], stand_in: bool
) -> None:
    if any(module.name == name for module in order):
        return
    if name in trail:
        raise RefusedError("sources", "import-circle", name, f"imports run in a circle: {' → '.join([*trail, name])}")
    if name not in found:
        if not stand_in and name.partition(".")[0] in {"Init", "Std"}:
            return
        importer = project.where(found[trail[-1]].file) if trail else name
        raise RefusedError(
            "sources", "foreign-import", importer, f"it imports {name}, which is no file of the development"
        )
    for imported in found[name].imports:
        _visit(project, imported, found, order, [*trail, name], stand_in)
    order.append(found[name])
