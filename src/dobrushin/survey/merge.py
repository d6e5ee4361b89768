"""One table out of all parts: within a folder when it has all of them, or out of the folders of all shards."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dobrushin.errors import InputError
from dobrushin.survey.lock import NAME as LOCK
from dobrushin.survey.lock import locked
from dobrushin.survey.manifest import NAME, read_manifest, refuse_other, write_manifest
from dobrushin.survey.plan import Plan
from dobrushin.survey.store import FOLDERS, Store, refuse_foreign_tables, write_merged


def merge(folders: Sequence[Path], out: Path) -> dict[str, Any]:
    """Join the parts of several shards into ``out``, and return its manifest.

    The merged files are those that one uninterrupted run without shards writes, byte for byte.

    Raises:
        InputError: a folder is no survey, or of another survey than the first; parts are missing, there twice, of no
            survey like this, or damaged; the message says which; ``out`` holds tables of something else.
    """
    if not folders:
        raise InputError("there is nothing to merge: name the folders of all shards")
    manifests = [_manifest(folder) for folder in folders]
    for manifest in manifests[1:]:
        refuse_other(folders[0], manifests[0], manifest, shards=False)
    where = _where(folders, manifests)
    before = read_manifest(out)
    if before is not None:
        refuse_other(out, before, manifests[0], shards=False)
    elif not (out / LOCK).exists():  # which a merge that was stopped has left
        refuse_foreign_tables(out)
    with locked(out):
        return _write(out, manifests[0], where)


def merge_within(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """Join the parts of a folder that has them all; the caller holds its lock."""
    store = Store(folder)
    return _write(folder, manifest, dict.fromkeys(range(manifest["units"]), store))


def _manifest(folder: Path) -> dict[str, Any]:
    manifest = read_manifest(folder) if folder.is_dir() else None
    if manifest is None:
        raise InputError(f"{folder} is no survey: name a folder that dobrushin survey wrote with --shard")
    try:
        plan = Plan(manifest["inputs"]["count"], manifest["configuration"]["part_size"])
        intact = manifest["units"] == plan.units
    except (KeyError, TypeError, ZeroDivisionError):
        intact = False
    if not intact:
        raise InputError(
            f"{folder / NAME} was changed: its number of parts does not follow from its inputs and part_size; restore "
            "it, or run this shard again into another folder"
        )
    return manifest


def _where(folders: Sequence[Path], manifests: Sequence[dict[str, Any]]) -> dict[int, Store]:
    """The store of every unit, each of which has to be in exactly one folder."""
    found: dict[int, Store] = {}
    counts: Counter[int] = Counter()
    expected = range(manifests[0]["units"])
    for folder in dict.fromkeys(path.resolve() for path in folders):
        store = Store(folder)
        for unit in store.finished(store.units()):
            if unit not in expected:
                raise InputError(
                    f"{folder} holds part {unit}, but this survey has {len(expected)} parts, counted from 0: remove it"
                )
            found[unit] = store
            counts[unit] += 1
    missing = [unit for unit in expected if unit not in found]
    twice = [unit for unit, count in counts.items() if count > 1]
    if len(folders) != len({path.resolve() for path in folders}):
        raise InputError("a folder is named twice: name every shard once")
    if twice:
        raise InputError(f"{_listed(sorted(twice))} in more than one folder: name every shard once")
    if missing:
        raise InputError(f"{_listed(missing)} missing: run the shards that have them to their end, and name them all")
    return found


def _listed(units: Sequence[int]) -> str:
    shown = ", ".join(str(unit) for unit in units[:8]) + (", …" if len(units) > 8 else "")
    return f"part{'' if len(units) == 1 else 's'} {shown} {'is' if len(units) == 1 else 'are'}"


def _write(out: Path, manifest: dict[str, Any], where: dict[int, Store]) -> dict[str, Any]:
    files = {}
    for table in FOLDERS:
        target = out / f"{table}.parquet"
        digest, rows = write_merged(target, table, (where[unit].path(table, unit) for unit in sorted(where)))
        files[target.name] = {"sha256": digest, "rows": rows}
    done = manifest | {"status": "complete", "shard": "1/1", "files": files}
    write_manifest(out, done)
    return done
