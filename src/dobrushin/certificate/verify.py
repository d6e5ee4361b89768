"""Check a certificate: with Lean, and against the file of the map that it names.

Three things must hold.  The map's file is the named one (SHA-256).  The certificate is, byte by byte, what
``dobrushin certify`` writes for the named map: so its numbers are the stored ones, its claim is the production
predicate's, and nothing else stands in it.  And Lean accepts it, without a warning and without an axiom.
"""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dobrushin.certificate.development import compiled_development, find_project
from dobrushin.certificate.lean_file import VERDICT, Source, read_source
from dobrushin.certificate.selection import Certificate, Selection, certificate_of_file
from dobrushin.errors import GateError, InputError
from dobrushin.lean.build import Build
from dobrushin.lean.messages import parse
from dobrushin.lean.toolchain import Lean, find
from dobrushin.wheels import sha256_of

Announce = Callable[[str], None]


@dataclass(frozen=True)
class Verified:
    """A certificate that holds, and the processor time that Lean took for it, in seconds."""

    certificate: Certificate
    seconds: float


def verify(certificate: Path, file: Path | None = None, *, announce: Announce = lambda _: None) -> Verified:
    """Check a certificate.

    Args:
        certificate: the Lean file that ``dobrushin certify`` wrote.
        file: the file of the map; by default the one of the name in the certificate, beside the certificate or in
            the working directory.
        announce: called with progress messages.

    Raises:
        GateError: the certificate does not hold: its numbers, its claim or the file's hash are not what they
            should be, or Lean refuses it.
        InputError: there is no such certificate or file, or it can not be read.
    """
    text = _read(certificate)
    source = read_source(text, shown=str(certificate))
    file = file or _beside(certificate, source)
    if not file.is_file():
        raise InputError(f"{file} is no file; name the file of the map")
    found = sha256_of(file)
    if found != source.sha256:
        raise GateError(
            f"{certificate} is about a file with SHA-256 {source.sha256}, but {file} has {found}: "
            "the file or the certificate was changed"
        )
    if file.name != source.file:
        raise InputError(
            f"{file} is the right file, but {certificate} calls it {source.file}, and maps are named after their file; "
            "give it that name, or write the certificate again"
        )
    expected = certificate_of_file(file, Selection.of(source))
    _compare(text, expected.text, certificate, source)
    project = find_project()
    lean = find(root=project.lean)
    build = compiled_development(project, lean, announce)
    announce(f"checking {certificate} with {lean}")
    seconds = check_with_lean(text, lean, build, shown=str(certificate))
    return Verified(expected, seconds)


def check_with_lean(text: str, lean: Lean, build: Build, *, shown: str) -> float:
    """Have Lean check the text of a certificate; returns the processor time that Lean took, in seconds.

    Raises:
        GateError: Lean reports anything but that the verdict depends on no axiom.
    """
    began = _processor_time()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "Certificate.lean")
        copy.write_text(text, encoding="utf-8")
        done = lean.run(["--json", str(copy)], path=build.folder, cwd=Path(folder))
    messages, strange = parse(done.stdout)
    complaints = [message for message in messages if message.severity != "information"]
    if complaints:
        first = complaints[0]
        raise GateError(f"Lean refuses {shown}: line {first.line}: {first.first_line}")
    if done.returncode != 0 or strange:
        raise GateError(f"Lean gave up on {shown}: {(strange or done.stderr.splitlines() or ['no reason'])[0][:200]}")
    said = [(message.line, message.text.strip()) for message in messages]
    question = text[: text.rindex("#print axioms")].count("\n") + 1
    if said != [(question, f"'{VERDICT}' does not depend on any axioms")]:
        raise GateError(f"{shown} rests on more than Lean's kernel: {said[0][1] if said else 'Lean says nothing'}")
    return _processor_time() - began


def _processor_time() -> float:
    """Seconds that finished child processes have used; a busy machine makes no difference."""
    times = os.times()
    return times.children_user + times.children_system


def _read(certificate: Path) -> str:
    try:
        return certificate.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"{certificate} can not be read: {reason}") from None


def _beside(certificate: Path, source: Source) -> Path:
    if Path(source.file).name != source.file:
        raise InputError(f"{certificate} names the file {source.file!r}, which is no file name; write it again")
    for folder in (certificate.parent, Path()):
        if (folder / source.file).is_file():
            return folder / source.file
    raise InputError(
        f"the map's file {source.file} is neither beside {certificate} nor here; "
        f"name it: dobrushin verify {certificate.name} FILE"
    )


def _compare(text: str, expected: str, certificate: Path, source: Source) -> None:
    if text == expected:
        return
    ours, theirs = expected.split("\n"), text.split("\n")
    line = next((k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    raise GateError(
        f"line {line + 1} of {certificate} is not what the map {source.map} of {source.file} gives: "
        "a number, the claim or the text was changed"
    )
