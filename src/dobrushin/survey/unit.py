"""One unit of a survey: its inputs go through the model, and its rows come out.

A :class:`Session` is what one process needs for all its units: the model and the inputs, opened once.
"""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dobrushin import scratch
from dobrushin.capture import Adapter, Item, LayerAttention, ModelInput, SkippedLayer, batches_of, observe_batch
from dobrushin.capture.adapter import Receive
from dobrushin.errors import DobrushinError, InputError
from dobrushin.sources import OpenedInputs, OpenedModel, open_inputs, open_model
from dobrushin.survey.chain import Chains
from dobrushin.survey.configuration import Configuration
from dobrushin.survey.manifest import differences, versions
from dobrushin.survey.plan import Plan
from dobrushin.survey.prover import Prover
from dobrushin.survey.rows import Row, maps_of, skipped_rows, sort_key, verdict_row
from dobrushin.survey.store import PartTables, part_tables


@dataclass(frozen=True, eq=False)
class Session:
    """A configuration with its model and inputs, ready to run units; ``size`` is that of the images, in pixels."""

    configuration: Configuration
    model: OpenedModel
    inputs: OpenedInputs
    size: int | None = None

    @property
    def plan(self) -> Plan:
        """The units."""
        return Plan(len(self.inputs.items), self.configuration.part_size)

    @property
    def identity(self) -> str:
        """What has to be the same wherever the survey's units run, as JSON: weights, inputs and versions."""
        provenance = self.model.provenance
        model = {key: value for key, value in provenance.items() if key == "revision" or key.endswith("sha256")}
        inputs = {"count": len(self.inputs.items), "fingerprint": self.inputs.fingerprint}
        return json.dumps({"model": model, "inputs": inputs, "versions": versions()}, sort_keys=True)

    def run(self, unit: int) -> PartTables:
        """The tables of a unit; they depend on nothing but the configuration, the model and the inputs.

        Raises:
            InputError: an input that the model can not take, a model that fails, or attention that is no attention.
        """
        with _threads(self.configuration.threads):
            return self._run(unit)

    def _run(self, unit: int) -> PartTables:
        configuration, adapter = self.configuration, _Guarded(self.model.adapter)
        prepared = [(index, adapter.prepare(self.inputs.items[index])) for index in self.plan.positions(unit)]
        found: list[Row] = []
        links: list[Row] = []
        prover = Prover(configuration.prove)
        for batch in batches_of(prepared, configuration.batch_size):
            chains = Chains(configuration)

            def receive(attention: LayerAttention, chains: Chains = chains) -> None:
                with scratch.reused():  # nothing of a map is kept but its rows of the tables
                    found.extend(_rows(attention, configuration, chains, prover))

            def skip(skipped: SkippedLayer, chains: Chains = chains) -> None:
                chains.end(skipped)
                found.extend(skipped_rows(skipped, configuration))

            observe_batch(adapter, batch, receive, skipped=skip)
            links.extend(chains.rows())
        found.sort(key=lambda row: sort_key(row, configuration.tokens))
        links.sort(key=lambda row: (row["input"], configuration.tokens.index(row["tokens"]), row["depth"]))
        return part_tables(found, links)


class _Guarded:
    """An adapter whose own failures are one sentence that names the inputs; what its caller raises passes."""

    def __init__(self, adapter: Adapter) -> None:
        self.name, self.layers = adapter.name, adapter.layers
        self._adapter = adapter

    def prepare(self, item: Item) -> ModelInput:
        try:
            return self._adapter.prepare(item)
        except DobrushinError:
            raise
        except Exception as error:
            raise InputError(f"{self.name} can not take the input {item.id} ({_reason(error)})") from error

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        of_the_caller: list[BaseException] = []

        def received(maps: Any) -> None:
            try:
                receive(maps)
            except BaseException as error:
                of_the_caller.append(error)
                raise

        try:
            self._adapter.run(batch, received)
        except DobrushinError:
            raise
        except Exception as error:
            if error in of_the_caller:
                raise
            inputs = ", ".join(prepared.id for prepared in batch[:3]) + (", …" if len(batch) > 3 else "")
            raise InputError(
                f"{self.name} fails on the inputs {inputs} ({_reason(error)}); if memory is short, take shorter inputs "
                "or a smaller --batch-size"
            ) from error


def _reason(error: Exception) -> str:
    said = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def open_session(configuration: Configuration) -> Session:
    """Open the model and the inputs.

    Raises:
        InputError: besides, the model has no layer of attention.
        InputError, FetchError, IncompleteError, GateError: as :func:`dobrushin.sources.open_model` and
            :func:`dobrushin.sources.open_inputs`.
    """
    model = open_model(
        configuration.model,
        revision=configuration.revision,
        device=configuration.device,
        dtype=configuration.dtype,
        max_tokens=configuration.max_tokens,
    )
    if model.adapter.layers < 1:
        raise InputError(f"{model.title} has no layer of attention, so there is nothing to survey: name another model")
    size = configuration.size
    if size is None and model.kind == "image":
        size = model.image_size
    inputs = open_inputs(
        configuration.inputs,
        kind=model.kind,
        column=configuration.column,
        limit=configuration.limit,
        seed=configuration.seed,
        size=size,
    )
    return Session(configuration, model, inputs, size)


@lru_cache(maxsize=1)
def worker_session(configuration: Configuration, identity: str) -> Session:
    """The session of a worker process, opened at its first unit.

    Raises:
        InputError: as :func:`open_session`; or the model, the inputs or the versions are not those of ``identity``,
            with which the survey began.
    """
    session = open_session(configuration)
    if session.identity != identity:
        found = "; ".join(differences("survey", json.loads(identity), json.loads(session.identity)))
        raise InputError(
            f"a worker on {socket.gethostname()} has other files or versions than the survey began with ({found}): "
            "they have to be the same everywhere and to stay as they are until the end"
        )
    return session


def _rows(
    attention: LayerAttention, configuration: Configuration, chains: Chains, prover: Prover
) -> Iterator[dict[str, Any]]:
    for head, matrix in maps_of(attention, configuration.heads):
        verdicts = {}
        for rule in configuration.tokens:
            row, verdict = verdict_row(attention, head, matrix, rule, configuration)
            if verdict is not None:
                verdicts[rule] = verdict
                if configuration.prove and prover.prove(attention, head, matrix, rule, verdict):
                    row["label"] = "PROVED"
            yield row
        if head == "mean":
            chains.take(attention, matrix, verdicts)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """So many threads for torch and BLAS inside the block: their number can change the last bits of a product."""
    import torch
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        with threadpool_limits(limits=count, user_api="blas"):
            yield
    finally:
        torch.set_num_threads(before)
