"""What is read from compiled modules, compared with what Lean says, and what a forged module does."""

import shutil
from pathlib import Path

import pytest

from dobrushin.errors import IncompleteError
from dobrushin.lean.audit import ask, printed_axioms
from dobrushin.lean.build import Build
from dobrushin.lean.declarations import Environment
from dobrushin.lean.fingerprint import Fingerprints
from dobrushin.lean.gates import compile_fresh
from dobrushin.lean.headlines import headline_names
from dobrushin.lean.olean import Olean
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.replay import replay
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean

Compiled = tuple[Build, Environment]
OWN = {"Dobrushin", "Dobrushin.Statement"}


def test_declarations_are_those_that_lean_knows(lean: Lean, compiled: Compiled) -> None:
    build, environment = compiled
    names = sorted(d.name for d in environment.of_module("Dobrushin.Statement") if d.line is not None)
    assert {"Dobrushin.Weighted", "Dobrushin.double", "Dobrushin.Colour", "Dobrushin.Statement.first"} <= set(names)
    answers = ask(lean, build, "Dobrushin.Statement", [f"#check @{name}" for name in names], "test")
    assert len(answers) == len(names)


def test_kinds_and_lines(compiled: Compiled) -> None:
    declarations = compiled[1].declarations
    found = {name: (declarations[f"Dobrushin.{name}"].kind, declarations[f"Dobrushin.{name}"].line)
             for name in ("Weighted", "double", "Colour", "Colour.red", "lemma_used", "Statement.first")}  # fmt: skip
    assert found == {
        "Weighted": ("inductive", 3), "double": ("definition", 5), "Colour": ("inductive", 9),
        "Colour.red": ("constructor", 10), "lemma_used": ("theorem", 12), "Statement.first": ("theorem", 15),
    }  # fmt: skip


def test_a_definition_among_the_statements_is_refused(tiny: Project, compiled: Compiled) -> None:
    with pytest.raises(RefusedError) as caught:
        headline_names(tiny, compiled[1])
    assert (caught.value.reason, caught.value.where) == ("statement-declares", "lean/Dobrushin/Statement.lean:5")


def test_axioms_agree_with_lean_for_the_whole_bootstrap(lean: Lean, compiled: Compiled) -> None:
    build, environment = compiled
    theorems = sorted(
        d.name for d in environment.declarations.values()
        if d.kind == "theorem" and d.line is not None and not d.name.startswith("_private")
    )  # fmt: skip
    said = printed_axioms(lean, build, "Dobrushin", theorems)
    assert {name: environment.axioms(name) for name in theorems} == said


def test_what_a_statement_rests_on(compiled: Compiled) -> None:
    prints = Fingerprints(compiled[1], OWN)
    assert prints.listed("Dobrushin.Statement.first") == {"Dobrushin.Weighted", "Dobrushin.helper", "Dobrushin.double"}
    assert prints.listed("Dobrushin.Statement.second") == {"Dobrushin.double"}


def test_fingerprints_ignore_names_of_variables_and_see_everything_else(
    tiny: Project, lean: Lean, compiled: Compiled, tmp_path: Path
) -> None:
    before = Fingerprints(compiled[1], OWN)
    source = (tiny.lean / "Dobrushin" / "Statement.lean").read_text()

    def changed(old: str, new: str, folder: str) -> Fingerprints:
        root = tmp_path / folder
        shutil.copytree(tiny.root, root)
        assert old in source
        (root / "lean" / "Dobrushin" / "Statement.lean").write_text(source.replace(old, new))
        (root / "compiled").mkdir()
        project = Project(root, tiny.bootstrap)
        return Fingerprints(compile_fresh(project, lean, root / "compiled", compiled[0])[1], OWN)

    first, helper = "Dobrushin.Statement.first", "Dobrushin.helper"
    renamed = changed("(x y : R) (h : Weighted.weight x = helper 3) (_ : y = x) :\n    Weighted.weight x",
                      "(a b : R) (h : Weighted.weight a = helper 3) (_ : b = a) :\n    Weighted.weight a",
                      "renamed")  # fmt: skip
    assert renamed.statement(first) == before.statement(first)
    assert changed("helper 3 := h", "helper (2 + 1) := h", "number").statement(first) != before.statement(first)
    assert changed("| 0 => 0", "| 0 => 1", "case").definition(helper) != before.definition(helper)
    assert changed("weight : R → Nat", "weight : R → Nat\n  top : R", "field").definition(
        "Dobrushin.Weighted"
    ) != before.definition("Dobrushin.Weighted")


def test_replay_accepts_what_was_compiled(lean: Lean, compiled: Compiled) -> None:
    assert "declarations" in replay(lean, *compiled)


def test_replay_refuses_a_forged_module(lean: Lean, compiled: Compiled, tmp_path: Path) -> None:
    """Give a proved theorem the type of another statement, in the compiled file, behind the elaborator's back."""
    build, environment = compiled
    forged = Build(tmp_path / "forged", build.modules, build.seconds)
    shutil.copytree(build.folder, forged.folder)
    theorem, other = (environment.declarations[f"Dobrushin.Statement.{name}"] for name in ("second", "first"))
    path = forged.olean("Dobrushin.Statement")
    data = path.read_bytes()
    old, new = theorem.type.to_bytes(8, "little"), other.type.to_bytes(8, "little")
    assert data.count(old) >= 1
    path.write_bytes(data.replace(old, new))
    with pytest.raises(RefusedError) as caught:
        replay(lean, forged, environment)
    assert caught.value.reason == "replay-refused"


@pytest.mark.parametrize("content", [b"", b"olean\x02", b"olean\x01" + bytes(200), bytes(300)])
def test_what_is_no_compiled_module_is_one_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "X.olean").write_bytes(content)
    with pytest.raises(IncompleteError, match=r"X\.olean is not a compiled module"):
        Olean(tmp_path / "X.olean")
