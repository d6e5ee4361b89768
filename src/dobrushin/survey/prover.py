"""Verdicts proved by Lean's kernel: each map becomes a certificate, which is checked, for a few maps of a survey."""

import io
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from dobrushin.capture import LayerAttention
from dobrushin.condition import Verdict
from dobrushin.errors import GateError
from dobrushin.matrix import AttentionMatrix
from dobrushin.survey.record import TokenRule

LARGEST = 64
"""Larger maps take Lean's kernel more than some seconds each."""


class Prover:
    """Proves the first ``count`` maps of at most :data:`LARGEST` tokens of each layer, head and token rule."""

    def __init__(self, count: int) -> None:
        self._left: Counter[tuple[int, str, TokenRule]] = Counter()
        self._count = count

    def prove(
        self, attention: LayerAttention, head: str, matrix: AttentionMatrix, rule: TokenRule, verdict: Verdict
    ) -> bool:
        """Whether Lean proved this verdict; False when it was not asked to.

        Raises:
            GateError: Lean does not accept the verdict, so this software has a fault.
        """
        place = (attention.layer, head, rule)
        if verdict.n > LARGEST or self._left[place] >= self._count:
            return False
        self._left[place] += 1
        _prove(matrix, verdict, np.flatnonzero(attention.input.content) if rule == "content" else None)
        return True


def _prove(matrix: AttentionMatrix, verdict: Verdict, keep: "np.ndarray | None") -> None:
    from dobrushin.certificate import Selection, certificate_of_file, check_with_lean
    from dobrushin.certificate.development import compiled_development, find_project
    from dobrushin.lean.toolchain import find

    project = find_project()
    lean = find(root=project.lean)
    build = compiled_development(project, lean, lambda _: None)
    content = io.BytesIO()
    np.save(content, matrix.values)
    with tempfile.TemporaryDirectory(prefix="dobrushin-") as scratch:
        file = Path(scratch) / "map.npy"
        file.write_bytes(content.getvalue())
        selection = Selection(
            keep=None if keep is None else ",".join(map(str, keep.tolist())),
            restrict=None if keep is None else verdict.restrict,
            precision=matrix.precision,
        )
        certificate = certificate_of_file(file, selection)
    if certificate.proof.tight != verdict.tight:
        raise GateError(f"{matrix.name}: the certificate and the verdict differ: please report this map")
    check_with_lean(certificate.text, lean, build, shown=matrix.name)
