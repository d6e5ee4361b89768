"""Photographs of Debian's gcompris-qt-data: monuments, animals, fish, tools, landscapes.

They are inside Qt resource files.  Their licences differ from file to file and are listed in the package's copyright
file, so they are read where they are and never copied into results.
"""

from pathlib import Path

from dobrushin.packaged.debian import DebianData, data_folder
from dobrushin.packaged.qres import resource_file

DATA = DebianData("gcompris-qt-data", "usr/share/gcompris-qt/rcc", "name a folder of images instead")

_FILES = ("categorization", "erase", "explore_farm_animals", "explore_monuments", "explore_world_animals")
_PREFIX = "gcompris/src/activities/"
# Drawings among the photographs.
_DRAWINGS = ("/numbers/", "/alphabets/", "erase/resource/erasers.webp")


def photograph_files() -> list[tuple[str, Path, str]]:
    """(id, resource file, path within it) of every photograph, sorted by id.

    Raises:
        FetchError: the package is neither installed nor can it be fetched.
        InputError: a resource file is damaged.
    """
    folder = data_folder(DATA)
    found = []
    for file in _FILES:
        path = folder / f"{file}.rcc"
        for name in resource_file(path).names:
            if name.endswith(".webp") and not any(part in name for part in _DRAWINGS):
                found.append((_short(name), path, name))
    return sorted(found)


def _short(name: str) -> str:
    """``gcompris/src/activities/erase/resource/alpaca.webp`` as ``erase/alpaca.webp``."""
    return name.removeprefix(_PREFIX).replace("/resource/", "/").replace("/images/", "/")
