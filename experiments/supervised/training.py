"""The loop that both trainings share: batches, learning rate, snapshots, and going on after a stop.

Whatever is random in a step is drawn from a generator made of the seed and the step: there is no state of a generator
to keep, and a run that was stopped and continued ends with the same numbers as one that was not.  Each training uses
one thread, so its numbers do not depend on how many run at a time.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from data import load
from model import save_folder
from self_supervised import SelfSupervised
from supervised import Supervised
from torch import nn
from transformers import ViTForImageClassification, ViTModel

from dobrushin.errors import InputError
from dobrushin.experiments import Experiment
from dobrushin.experiments.state import load_state, save_state, seeded, snapshot_steps
from dobrushin.files import write_atomically

_SAY_EVERY = 20  # seconds


class Objective(Protocol):
    """What is minimised."""

    modules: nn.ModuleDict
    """Everything that is saved; the parameters that require a gradient are trained."""

    def snapshot(self) -> ViTModel | ViTForImageClassification:
        """The model that is kept and checked."""

    def loss(
        self, pictures: torch.Tensor, labels: torch.Tensor, rng: np.random.Generator, progress: float
    ) -> torch.Tensor:
        """The loss of a batch; ``progress`` is the share of the steps that are done."""

    def after_step(self, progress: float) -> None:
        """Called when the weights have been changed."""


OBJECTIVES = {"supervised": Supervised, "self-supervised": SelfSupervised}


@dataclass(frozen=True)
class Run:
    """One training: its objective (a key of :data:`OBJECTIVES`) and its seed."""

    objective: str
    seed: int

    @property
    def name(self) -> str:
        """As folders and progress lines call it."""
        return f"{self.objective}-{self.seed}"


def snapshots(experiment: Experiment, run: Run) -> dict[int, Path]:
    """The folder of each snapshot by its step, from 0 (the initial weights) to the last."""
    config = experiment.config
    steps = snapshot_steps(config["steps"], config["snapshots"])
    return {step: experiment.work / run.name / f"step-{step:05d}" for step in steps}


def train(experiment: Experiment, run: Run) -> None:
    """Train to the end, from the last saved step if there is one, and leave the snapshots behind."""
    torch.set_num_threads(1)
    if (experiment.work / run.name / "seconds").exists():
        return
    training = _Training(experiment, run)
    training.resume()
    training.go_on()


def seconds_taken(experiment: Experiment, run: Run) -> float:
    """CPU seconds of a finished training, over all the processes that had a part in it."""
    return float((experiment.work / run.name / "seconds").read_text(encoding="utf-8"))


class _Training:
    def __init__(self, experiment: Experiment, run: Run) -> None:
        self._experiment, self._run, self._config = experiment, run, experiment.config
        self._folder = experiment.work / run.name
        self._snapshots = snapshots(experiment, run)
        self._pictures, self._labels = load("train", self._config["train_pictures"])
        self._objective: Objective = OBJECTIVES[run.objective](self._config, run.seed)
        self._trained = [parameter for parameter in self._objective.modules.parameters() if parameter.requires_grad]
        self._optimiser = _optimiser(self._trained, self._config["optimiser"])
        self._step, self._seconds = 0, 0.0

    def resume(self) -> None:
        """Take up the saved state, if there is one."""
        state = load_state(self._folder / "state.pt")
        if state is None:
            return
        if state["config"] != self._config:
            raise InputError(f"{self._folder} holds a training of another configuration: remove it or name a --work")
        self._objective.modules.load_state_dict(state["modules"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._step, self._seconds = state["step"], state["seconds"]

    def go_on(self) -> None:
        """Train to the last step."""
        total, begun, said = self._config["steps"], time.process_time() - self._seconds, time.monotonic()
        first = self._step
        while True:
            if self._step in self._snapshots:
                save_folder(self._objective.snapshot(), self._snapshots[self._step])
            if self._step == total:
                break
            loss = self._one_step(total)
            self._seconds = time.process_time() - begun
            if self._step % self._config["save_every"] == 0:
                self._save()
            if time.monotonic() - said > _SAY_EVERY:
                pace = (time.monotonic() - said) / (self._step - first)
                self._experiment.say(f"{self._run.name}: step {self._step} of {total}, loss {loss:.3f}, "
                                     f"{pace * (total - self._step) / 60:.1f} min left")  # fmt: skip
                first, said = self._step, time.monotonic()
        write_atomically(self._folder / "seconds", str(self._seconds))
        (self._folder / "state.pt").unlink(missing_ok=True)

    def _one_step(self, total: int) -> float:
        settings, seed, step = self._config["optimiser"], self._run.seed, self._step
        chosen = batch(len(self._pictures), settings["batch"], seed=seed, step=step)
        for group in self._optimiser.param_groups:
            group["lr"] = settings["learning_rate"] * rate((step + 1) / total, settings["warm_up"])
        loss = self._objective.loss(self._pictures[chosen], self._labels[chosen], seeded(seed, step, 1), step / total)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._trained, settings["clip"])
        self._optimiser.step()
        self._step += 1
        self._objective.after_step(self._step / total)
        return float(loss.detach())

    def _save(self) -> None:
        state = {
            "config": self._config,
            "step": self._step,
            "seconds": self._seconds,
            "modules": self._objective.modules.state_dict(),
            "optimiser": self._optimiser.state_dict(),
        }
        save_state(self._folder / "state.pt", state)


def batch(count: int, size: int, *, seed: int, step: int) -> torch.Tensor:
    """Which of ``count`` pictures the step takes: its part of a permutation that is new in each epoch."""
    epoch, place = divmod(step, count // size)
    order = seeded(seed, epoch, 0).permutation(count)
    return torch.from_numpy(order[place * size : (place + 1) * size])


def rate(progress: float, warm_up: float) -> float:
    """The share of the learning rate: linear in the warm-up, then a cosine down to a hundredth."""
    if progress < warm_up:
        return progress / warm_up
    return 0.01 + 0.99 * (1 + cos(pi * (progress - warm_up) / (1 - warm_up))) / 2


def _optimiser(trained: Sequence[nn.Parameter], settings: Mapping[str, Any]) -> torch.optim.Optimizer:
    """AdamW, without decay on vectors."""
    groups = [{"params": [p for p in trained if p.ndim > 1], "weight_decay": settings["weight_decay"]},
              {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0}]  # fmt: skip
    return torch.optim.AdamW(groups, lr=settings["learning_rate"])
