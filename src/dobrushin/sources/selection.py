"""A part of the inputs: the first ones, or a sample that is the same on every machine."""

import hashlib
from collections.abc import Sequence
from typing import cast

from dobrushin.capture.inputs import Item
from dobrushin.sources.pictures import PictureFiles


def selected(items: Sequence[Item], limit: int | None, seed: int | None) -> Sequence[Item]:
    """At most ``limit`` items in their order.

    With a seed they are those whose SHA-256 of seed, position and id is smallest, so that the choice depends on no
    library's random numbers and a smaller sample is a part of a larger one.
    """
    if limit is None or limit >= len(items):
        return items
    if seed is None:
        return items[:limit]
    names = _ids(items)
    keys = [hashlib.sha256(f"{seed}:{position}:{name}".encode()).digest() for position, name in enumerate(names)]
    chosen = sorted(sorted(range(len(items)), key=keys.__getitem__)[:limit])
    if isinstance(items, PictureFiles):
        return cast(Sequence[Item], items.at(chosen))
    return [items[position] for position in chosen]


def _ids(items: Sequence[Item]) -> list[str]:
    """The names, without reading pictures."""
    return [source.id for source in items.sources] if isinstance(items, PictureFiles) else [item.id for item in items]
