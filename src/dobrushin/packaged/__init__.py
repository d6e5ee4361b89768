"""Trained models and real data that ship in packages, pinned by version and hash and used as files only.

No package that is named here is ever imported, and no code in it is run.
"""

from dobrushin.errors import InputError
from dobrushin.packaged import antiberty, clip, dinov2, distilbert, minilm, rxnmapper, smollm2
from dobrushin.packaged.card import PackagedModel
from dobrushin.packaged.pictures import photographs
from dobrushin.packaged.reviews import sentences
from dobrushin.packaged.rxnmapper import reactions

__all__ = ["PackagedModel", "model", "models", "photographs", "reactions", "sentences"]


def models() -> dict[str, PackagedModel]:
    """All packaged models by key."""
    rooms = (minilm, dinov2, rxnmapper, distilbert, smollm2, clip, antiberty)
    return {room.MODEL.key: room.MODEL for room in rooms}


def model(key: str) -> PackagedModel:
    """The packaged model of that key; :class:`~dobrushin.errors.InputError` lists the choices."""
    known = models()
    if key not in known:
        raise InputError(f"there is no packaged model {key}; choose one of {', '.join(known)}")
    return known[key]
