"""Certificates: a map's verdict as a Lean file that Lean's kernel checks by computation (T8).

:mod:`~dobrushin.certificate.numbers` turns a map into the natural numbers that it is made of,
:mod:`~dobrushin.certificate.lean_file` writes them down with the claim and its proof, and
:mod:`~dobrushin.certificate.verify` checks such a file against Lean and against the map.
"""

from dobrushin.certificate.lean_file import Source, lean_text
from dobrushin.certificate.numbers import Evidence, evidence
from dobrushin.certificate.selection import Certificate, Selection, certificate_of_file
from dobrushin.certificate.verify import Verified, check_with_lean, verify

__all__ = [
    "Certificate", "Evidence", "Selection", "Source", "Verified", "certificate_of_file", "check_with_lean", "evidence",
    "lean_text", "verify",
]  # fmt: skip
