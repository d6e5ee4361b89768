"""``dobrushin certify`` and ``dobrushin verify``: verdicts that Lean's kernel checks."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from dobrushin.cli.app import app
from dobrushin.cli.options import (
    AxisOption,
    FileArgument,
    HeadsOption,
    KeepOption,
    PrecisionOption,
    RestrictOption,
)
from dobrushin.files import write_atomically
from dobrushin.terminal import write


@app.command("certify")
def certify_file(
    file: FileArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Lean file to write.")],
    name: Annotated[
        str | None, typer.Option("--map", help="Which map of FILE, when it holds several.", show_default=False)
    ] = None,
    heads: HeadsOption = "mean",
    axis: AxisOption = None,
    keep: KeepOption = None,
    restrict: RestrictOption = None,
    precision: PrecisionOption = None,
) -> None:
    """Write a Lean file that states whether one map of FILE attains the bound, and proves it by computation.

    Nothing is checked with Lean yet: that is what `dobrushin verify` does.
    """
    from dobrushin.certificate import Selection, certificate_of_file

    selection = Selection(map=name, keep=keep, restrict=restrict, heads=heads, axis=axis, precision=precision)
    certificate = certificate_of_file(file, selection)
    write_atomically(out, certificate.text)
    says = "is tight" if certificate.proof.tight else "is not tight"
    write(f"{out}: {certificate.source.map} {says}; check it with: dobrushin verify {out} {file}")


@app.command("verify")
def verify_certificate(
    certificate: Annotated[Path, typer.Argument(help="What dobrushin certify wrote.", metavar="CERTIFICATE")],
    file: Annotated[
        Path | None,
        typer.Argument(help="The file of the map; by default beside the certificate.", metavar="FILE"),
    ] = None,
) -> None:
    """Check a certificate with Lean's kernel, and its numbers, claim and hash with the map's file.

    The Lean development is compiled once and kept in the cache. A certificate that does not hold is exit code 1.
    """
    from dobrushin.certificate import verify

    with Console(stderr=True).status("reading …") as status:
        done = verify(certificate, file, announce=lambda sentence: status.update(f"{escape(sentence)} …"))
    proof, source = done.certificate.proof, done.certificate.source
    says = "tight" if proof.tight else "not tight"
    write(
        f"{certificate} holds: {source.map} of {source.file} is {says} "
        f"({len(proof.lines)} tokens, {proof.restrict}); proved by Lean without axioms in {done.seconds:.1f} s"
    )
