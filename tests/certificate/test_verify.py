"""Certificates that hold are accepted by Lean; tampered and forged ones are refused, each for its own reason."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dobrushin import GateError, InputError, attention_matrix
from dobrushin.certificate import (
    Selection,
    Source,
    certificate_of_file,
    check_with_lean,
    evidence,
    lean_text,
    verify,
)
from dobrushin.certificate import development as development_module
from dobrushin.certificate.development import find_project
from dobrushin.lean.build import Build
from dobrushin.lean.toolchain import Lean
from dobrushin.tokens import Restriction

SOURCE = Source(file="maps.npz", sha256="0" * 64, map="random")
READINGS: list[Restriction] = ["none", "renormalised", "submatrix", "pairs"]


def random_map(seed: int, n: int) -> np.ndarray:
    """Rows of few different numbers, so that ties are common; for odd seeds each token looks at the one before it."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, size=(n, n)) / 64
    np.fill_diagonal(values, 1 - values.sum(axis=1) + values.diagonal())
    return np.roll(values, -(seed % 2), axis=1)


@pytest.mark.parametrize("restrict", READINGS)
@pytest.mark.parametrize("seed", range(5))
def test_lean_proves_the_verdict_and_refuses_its_opposite(
    seed: int, restrict: Restriction, lean: Lean, development: Build
) -> None:
    n = 5 + 2 * seed  # with and without numbers after the last full step of eight
    keep = None if restrict == "none" else [0, *range(2, n)]
    proof = evidence(attention_matrix(random_map(seed, n)), keep=keep, restrict=restrict)
    check_with_lean(lean_text(SOURCE, proof), lean, development, shown="it")
    with pytest.raises(GateError, match="Lean refuses"):
        check_with_lean(lean_text(SOURCE, replace(proof, tight=not proof.tight)), lean, development, shown="it")


def test_both_verdicts_are_among_them() -> None:
    verdicts = {evidence(attention_matrix(random_map(seed, 5 + 2 * seed))).tight for seed in range(5)}
    assert verdicts == {True, False}


@pytest.fixture
def certificate(maps: Path) -> Path:
    path = maps.with_name("certificate.lean")
    path.write_text(certificate_of_file(maps, Selection(map="tight")).text, encoding="utf-8")
    return path


FORGERIES: dict[str, Callable[[str], str]] = {
    "a numerator": lambda text: re.sub(r"(?m)^  \.more (\d+)", lambda m: f"  .more {int(m[1]) + 1}", text, count=1),
    "a total": lambda text: re.sub(r"⟨0, 1, (\d+)", lambda m: f"⟨0, 1, {int(m[1]) + 1}", text),
    "a number beyond the last column": lambda text: re.sub(r"(?m) 0 \($", " 1 (", text, count=1),
    "a smaller distance": lambda text: re.sub(r"(all_tight \d+ \d+ )(\d+)", lambda m: f"{m[1]}{int(m[2]) - 1}", text),
    "a larger distance": lambda text: re.sub(r"(all_tight \d+ \d+ )(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", text),
    "another pair": lambda text: re.sub(r"all_tight \d+ \d+", "all_tight 2 3", text),
    "the claim": lambda text: text.replace("    Tight", "    ¬Tight"),
    "the claim and the lemma": lambda text: text.replace("    Tight", "    ¬Tight").replace("all_t", "all_not_t"),
    "a token less": lambda text: text.replace("Tight 4", "Tight 3"),
    "an axiom": lambda text: re.sub(r"(?s)all_tight.*?positive\n", "(fun _ => cheat _) positive\n", text).replace(
        "theorem verdict", "axiom cheat (p : Prop) : p\ntheorem verdict"
    ),
    "a gap": lambda text: re.sub(r"(?s)all_tight.*?positive\n", "sorry\n", text),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_lean_itself_refuses_a_forged(what: str, certificate: Path, lean: Lean, development: Build) -> None:
    text = certificate.read_text(encoding="utf-8")
    check_with_lean(text, lean, development, shown="it")
    forged = FORGERIES[what](text)
    assert forged != text
    with pytest.raises(GateError, match="rests on more" if what == "an axiom" else "Lean refuses"):
        check_with_lean(forged, lean, development, shown="it")


@pytest.mark.parametrize("what", FORGERIES)
def test_verify_refuses_a_tampered(what: str, certificate: Path) -> None:
    certificate.write_text(FORGERIES[what](certificate.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(GateError, match=r"line \d+ of .* is not what the map tight of maps.npz gives"):
        verify(certificate)


@pytest.mark.parametrize("added", ["\n", "axiom false : False\n", "-- a remark\n"])
def test_verify_refuses_anything_added(added: str, certificate: Path) -> None:
    with certificate.open("a", encoding="utf-8") as stream:
        stream.write(added)
    with pytest.raises(GateError, match="is not what the map"):
        verify(certificate)


def test_a_true_certificate_of_other_numbers_is_refused(certificate: Path, maps: Path) -> None:
    """Lean would accept it: every number and the proof fit, but they are not those of the stored map."""
    with np.load(maps) as arrays:
        other = arrays["tight"][::-1, ::-1]
    source = Source(file=maps.name, sha256=certificate.read_text().split('"sha256": "')[1][:64], map="tight")
    certificate.write_text(lean_text(source, evidence(attention_matrix(other))), encoding="utf-8")
    with pytest.raises(GateError, match="is not what the map"):
        verify(certificate, maps)


def test_a_changed_hash_and_a_changed_file_are_refused(certificate: Path, maps: Path) -> None:
    text = certificate.read_text(encoding="utf-8")
    certificate.write_text(re.sub(r'"sha256": "\w{4}', '"sha256": "0000', text), encoding="utf-8")
    with pytest.raises(GateError, match="SHA-256"):
        verify(certificate)
    certificate.write_text(text, encoding="utf-8")
    with maps.open("ab") as stream:
        stream.write(b"\0")
    with pytest.raises(GateError, match="SHA-256"):
        verify(certificate)


def dobrushin(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dobrushin", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=cwd)


def test_the_commands(maps: Path, development: Build) -> None:
    here, options = maps.parent, ("--map", "loose", "--keep", "0,1,3", "--restrict", "renormalised")
    written = dobrushin("certify", "maps.npz", "-o", "it.lean", *options, cwd=here)
    assert (written.returncode, "loose is not tight" in written.stdout) == (0, True), written.stderr
    done = dobrushin("verify", "it.lean", cwd=here)
    assert (done.returncode, "not tight (3 tokens, renormalised)" in done.stdout) == (0, True), done.stderr
    text = (here / "it.lean").read_text(encoding="utf-8")
    for old, new in ((".more 1 ", ".more 2 "), ("¬Tight", "Tight"), ('"sha256": "', '"sha256": "f')):
        assert old in text
        (here / "it.lean").write_text(text.replace(old, new, 1), encoding="utf-8")
        refused = dobrushin("verify", "it.lean", "maps.npz", cwd=here)
        assert (refused.returncode, refused.stderr.count("\n"), refused.stdout) == (1, 1, ""), old


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("certify", "maps.npz", "-o", "out.lean"), "choose with --map: tight, loose"),
        (("certify", "maps.npz", "-o", "out.lean", "--map", "third"), "holds no map third"),
        (("certify", "maps.npz", "-o", "out.lean", "--map", "tight", "--keep", "1"), "at least two are needed"),
        (("certify", "absent.npz", "-o", "out.lean"), "does not exist"),
        (("verify", "absent.lean"), "can not be read"),
        (("verify", "maps.npz"), "not UTF-8"),
        (("verify", "certificate.lean", "absent.npz"), "is no file"),
    ],
)  # fmt: skip
def test_wrong_files_are_one_sentence(arguments: tuple[str, ...], says: str, certificate: Path, maps: Path) -> None:
    done = dobrushin(*arguments, cwd=maps.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (maps.parent / "out.lean").exists()


def test_the_file_of_the_map_is_needed(certificate: Path, maps: Path) -> None:
    maps.unlink()
    with pytest.raises(InputError, match="neither beside"):
        verify(certificate)


def test_a_renamed_file_is_no_violation(certificate: Path, maps: Path) -> None:
    renamed = maps.rename(maps.with_name("renamed.npz"))
    with pytest.raises(InputError, match=r"calls it maps\.npz"):
        verify(certificate, renamed)


def test_an_installed_package_says_that_the_lean_files_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(development_module, "__file__", str(tmp_path / "site-packages" / "development.py"))
    with pytest.raises(InputError, match="inside a clone"):
        find_project(tmp_path)
