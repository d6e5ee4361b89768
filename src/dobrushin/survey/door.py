"""The door of this room: run a survey into a folder, or go on with it, and merge it when it is complete."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from dobrushin.errors import IncompleteError, InputError
from dobrushin.survey.configuration import Configuration
from dobrushin.survey.engines import Engine
from dobrushin.survey.engines.processes import InThisProcess, Processes
from dobrushin.survey.events import Meter, OnEvent
from dobrushin.survey.lock import locked
from dobrushin.survey.manifest import new_manifest, read_manifest, refuse_other, write_manifest
from dobrushin.survey.merge import merge_within
from dobrushin.survey.plan import Shard, parse_shard
from dobrushin.survey.store import Store, refuse_foreign_tables
from dobrushin.survey.unit import Session, open_session
from dobrushin.threads import usable_threads

EngineName = Literal["processes", "ray"]


def run(
    *,
    out: Path | str,
    model: str,
    inputs: str,
    shard: str = "1/1",
    engine: EngineName = "processes",
    workers: int | None = None,
    address: str | None = None,
    on_event: OnEvent | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Run a survey into ``out`` and return its manifest; the same call again goes on where it was stopped.

    Args:
        out: the survey's folder; made when it is missing.
        model: what ``--model`` takes.
        inputs: what ``--inputs`` takes.
        shard: ``i/N``; with N > 1 the folder gets its share of the parts, and :func:`~dobrushin.survey.merge` joins.
        engine: ``processes`` or ``ray``.
        workers: processes; by default as many as fit on the cores with the threads of each, and one for few parts.
        address: of the Ray cluster; None starts one here.
        on_event: called with each :class:`~dobrushin.survey.events.Event`.
        options: the other fields of :class:`~dobrushin.survey.configuration.Configuration`.

    Raises:
        InputError: something can not be used as it is; the folder is in use, or holds another survey, or a damaged
            part.
        IncompleteError: interrupted by Ctrl-C, or a worker died; finished parts are kept.
        FetchError: a packaged model or its data can not be fetched.
        GateError: weights that do not fit, or a violated theorem.
    """
    configuration = Configuration(model=model, inputs=inputs, **options)
    part = parse_shard(shard)
    if engine not in ("processes", "ray"):
        raise InputError(f"the engine is {engine}, but one of processes, ray is needed")
    if engine == "processes" and address is not None:
        raise InputError("an address is for --engine ray; leave it out, or name that engine")
    folder = Path(out)
    with locked(folder):
        try:
            return _run_in(folder, configuration, part, engine, workers, address, on_event or (lambda _: None))
        except KeyboardInterrupt:
            raise IncompleteError(
                f"stopped: what is finished is kept in {folder}; the same command goes on from there"
            ) from None


def _run_in(
    folder: Path,
    configuration: Configuration,
    part: Shard,
    engine: EngineName,
    workers: int | None,
    address: str | None,
    tell: OnEvent,
) -> dict[str, Any]:
    session = open_session(configuration)
    manifest = _agreed_manifest(folder, session, part)
    store = Store(folder)
    units = session.plan.of_shard(part)
    finished = store.finished(units)
    left = [unit for unit in units if unit not in set(finished)]
    meter = Meter(str(folder), {unit: len(session.plan.positions(unit)) for unit in units}, finished)
    tell(meter.event("started"))
    chosen = _engine(engine, session, workers, address, len(left))
    try:
        _run(chosen, left, store, meter, tell)
    except KeyboardInterrupt:
        stopped = meter.event("interrupted")
        tell(stopped)
        raise IncompleteError(
            f"stopped: {stopped.line()} are kept in {folder}; the same command goes on from there"
        ) from None
    if part.count == 1:
        manifest = merge_within(folder, manifest)
    rows = sum(store.record(unit)["rows"] for unit in units)
    tell(meter.event("finished", rows=rows))
    return manifest


def _run(engine: Engine, units: Sequence[int], store: Store, meter: Meter, tell: OnEvent) -> None:
    tables = engine.tables(units)
    try:
        for unit, found in tables:
            store.write(unit, found)
            tell(meter.event("part", unit=unit, rows=found.rows))
    finally:
        close = getattr(tables, "close", None)
        if close is not None:
            close()


def _agreed_manifest(folder: Path, session: Session, shard: Shard) -> dict[str, Any]:
    """The manifest of this survey: the one that is there, after comparing, or a new one."""
    configuration, model, inputs = session.configuration, session.model, session.inputs
    wanted = new_manifest(
        model={
            "title": model.title,
            "spec": configuration.model,
            "kind": model.kind,
            "layers": model.adapter.layers,
            "provenance": dict(model.provenance),
        },
        inputs={
            "title": inputs.title,
            "where": configuration.inputs,
            "count": len(inputs.items),
            "fingerprint": inputs.fingerprint,
            "size": session.size,
        },
        configuration=configuration.to_json(),
        shard=str(shard),
        units=session.plan.units,
    )
    before = read_manifest(folder)
    if before is None:
        if Store(folder).units():
            raise InputError(f"{folder} holds parts of a survey but no manifest.json: choose another folder")
        refuse_foreign_tables(folder)
        write_manifest(folder, wanted)
        return wanted
    refuse_other(folder, before, wanted)
    return before


def _engine(name: EngineName, session: Session, workers: int | None, address: str | None, units: int) -> Engine:
    configuration = session.configuration
    if name == "ray":
        from dobrushin.survey.engines.ray_cluster import RayCluster

        return RayCluster(session, address)
    if workers is not None and workers < 1:
        raise InputError(f"the number of workers is {workers}, but it has to be at least 1")
    if configuration.device != "cpu" and workers is None:
        workers = 1  # one device: several processes would only share it
    count = workers or max(1, usable_threads(None) // configuration.threads)
    return InThisProcess(session) if min(count, units) <= 1 else Processes(session, count)
