"""Certificates of maps of trained models: captured, certified, checked by Lean, compared with the exact check."""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dobrushin import packaged
from dobrushin.capture import Item, LayerAttention, observe
from dobrushin.certificate.development import compiled_development, find_project
from dobrushin.certificate.selection import Certificate, Selection, certificate_of_file
from dobrushin.certificate.verify import check_with_lean
from dobrushin.condition import check
from dobrushin.errors import GateError
from dobrushin.files import write_atomically
from dobrushin.lean.toolchain import find
from dobrushin.matrix import AttentionMatrix, head_mean

LARGEST = 64
"""The most content tokens that a map of the demonstration has."""

IMAGE_SIDES = (56, 70, 84, 98, 112)
"""Sides of the photographs in pixels: 16, 25, 36, 49 and 64 patches of 14 × 14."""

Announce = Callable[[str], None]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Captured:
    """A head-averaged map, its content tokens (None: all tokens, as stored), and what the exact check says of it."""

    model: str
    name: str
    matrix: AttentionMatrix
    content: tuple[int, ...] | None
    tight: bool

    @property
    def n(self) -> int:
        """Number of tokens that are compared."""
        return self.matrix.n if self.content is None else len(self.content)

    @property
    def tokens(self) -> str:
        """Which tokens: ``content`` or ``all``."""
        return "all" if self.content is None else "content"


@dataclass(frozen=True)
class Row:
    """One certificate: the map, the certificate, Lean's processor seconds, and what Lean said if it refused."""

    map: Captured
    certificate: Certificate
    seconds: float
    refusal: str | None

    @property
    def agrees(self) -> bool:
        """Lean proves what the exact check of the captured map says."""
        return self.refusal is None and self.certificate.proof.tight == self.map.tight


def demonstrate(out: Path, *, quick: bool, announce: Announce, progress: Progress) -> list[Row]:
    """Certify maps of MiniLM and DINOv2 and have Lean check every certificate.

    Content tokens are renormalised; maps of all tokens, more of which are not tight, are taken as stored.

    Writes each map (``.npy``) and its certificate (``.lean``) to ``out``, where ``dobrushin verify`` finds them.

    Raises:
        InputError: the Lean files are not here, or ``out`` can not be written to.
        FetchError, IncompleteError: a model or Lean can not be had here.
    """
    project = find_project()
    lean = find(root=project.lean)
    build = compiled_development(project, lean, announce)
    maps: list[Captured] = []
    for key, inputs in (("minilm", 6 if quick else 60), ("dinov2", 1 if quick else 4)):
        captured = _capture(key, inputs, announce)
        maps += _choose([map_ for map_ in captured if map_.content is not None], 5 if quick else 28)
        maps += _choose([map_ for map_ in captured if map_.content is None], 3 if quick else 16)
    rows = []
    for map_ in maps:
        certificate = _certify(out, map_)
        refusal, seconds = None, 0.0
        try:
            seconds = check_with_lean(certificate.text, lean, build, shown=f"{map_.name}.lean")
        except GateError as error:
            refusal = str(error)
            announce(refusal)
        rows.append(Row(map_, certificate, seconds, refusal))
        progress("certificates", len(rows), len(maps))
    return rows


def _certify(out: Path, map_: Captured) -> Certificate:
    file = out / f"{map_.name}.npy"
    content = io.BytesIO()
    np.save(content, map_.matrix.values)
    write_atomically(file, content.getvalue())
    keep = None if map_.content is None else ",".join(map(str, map_.content))
    certificate = certificate_of_file(file, Selection(keep=keep, precision=map_.matrix.precision))
    write_atomically(file.with_suffix(".lean"), certificate.text)
    return certificate


def _capture(key: str, count: int, announce: Announce) -> list[Captured]:
    """The maps of every layer with 2 to 64 tokens; ``count`` sentences, or photographs of each size."""
    model = packaged.model(key)
    announce(f"{key}: loading {model.title} from {model.wheel.requirement}")
    adapter = model.load()
    batches: Iterable[Sequence[Item]] = [model.items(count)]
    if model.kind == "image":
        batches = [packaged.photographs(count, size=side) for side in IMAGE_SIDES]
    found: list[Captured] = []

    def receive(attention: LayerAttention) -> None:
        mean = head_mean(attention.values, name="the map", precision=attention.dtype)
        for content in (tuple(np.flatnonzero(attention.input.content).tolist()), None):
            n = mean.n if content is None else len(content)
            if 2 <= n <= LARGEST:
                kind = "all" if content is None else "content"
                place = f"{attention.input.id.replace(' ', '-')}-layer{attention.layer:02d}"
                name = f"{key}-{kind}-n{n:02d}-{place}"
                found.append(Captured(key, name, mean, content, check(mean, keep=content).tight))

    for items in batches:
        observe(adapter, items, receive, batch_size=8)
    return sorted(found, key=lambda map_: map_.name)


def _choose(maps: Sequence[Captured], count: int) -> list[Captured]:
    """``count`` of them, up to half not tight, each kind evenly spread over n, inputs and layers."""
    not_tight = _spread([map_ for map_ in maps if not map_.tight], count // 2)
    return not_tight + _spread([map_ for map_ in maps if map_.tight], count - len(not_tight))


def _spread(maps: Sequence[Captured], count: int) -> list[Captured]:
    if len(maps) <= count:
        return list(maps)
    return [maps[int(at)] for at in np.linspace(0, len(maps) - 1, count)]
