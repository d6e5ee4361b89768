"""The loop that both trainings share: batches, learning rate, snapshots, and going on after a stop.

Whatever is random in a step is drawn from a generator made of the seed and the step, so a run that was stopped and
continued ends with the same numbers as one that was not.
"""

import time
from collections.abc import Callable
from math import cos, pi
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from model import save_folder
from torch import nn
from transformers import ViTModel

from dobrushin.experiments import Experiment
from dobrushin.experiments.state import load_state, save_state, seeded, snapshot_steps


class Objective(Protocol):
    """What is minimised."""

    modules: nn.ModuleDict
    """Everything that is saved; what has a gradient is trained."""

    def surveyed(self) -> ViTModel:
        """The backbone that is kept and surveyed."""

    def loss(self, pictures: torch.Tensor, labels: torch.Tensor, rng: np.random.Generator, done: float) -> torch.Tensor:
        """The loss of a batch; ``done`` is the share of the steps that lie behind."""

    def after_step(self, done: float) -> None:
        """Called when the weights have been changed."""


def train(
    experiment: Experiment,
    kind: str,
    seed: int,
    make: Callable[[dict[str, Any], int], Objective],
    pictures: torch.Tensor,
    labels: torch.Tensor,
) -> list[tuple[int, Path]]:
    """Train, and return the snapshots: (step, folder), the first at initialisation and the last at the end."""
    config, total = experiment.config, experiment.config["steps"][kind]
    folder = experiment.work / f"{kind}-{seed}"
    snapshots = {step: folder / f"step-{step:05d}" for step in snapshot_steps(total, config["snapshots"])}
    if (folder / "done").exists():
        return list(snapshots.items())
    objective = make(config, seed)
    settings = config["optimiser"]
    optimiser = _optimiser(objective.modules, settings)
    start = _resumed(folder, objective, optimiser)
    began, said = time.monotonic(), time.monotonic()
    for step in range(start, total + 1):
        if step in snapshots:
            save_folder(objective.surveyed(), snapshots[step])
        if step == total:
            break
        loss = _step(objective, optimiser, pictures, labels, seed, step, total, settings)
        if (step + 1) % settings["save_every"] == 0:
            _save(folder, objective, optimiser, step + 1)
        if time.monotonic() - said > 20:
            said = time.monotonic()
            left = (said - began) / (step + 1 - start) * (total - step - 1)
            experiment.say(
                f"{kind}, seed {seed}: step {step + 1} of {total}, loss {loss:.3f}, {left / 60:.1f} min left"
            )
    (folder / "done").touch()
    return list(snapshots.items())


def _step(objective, optimiser, pictures, labels, seed, step, total, settings) -> float:
    chosen = _batch(len(pictures), settings["batch"], seed, step)
    for group in optimiser.param_groups:
        group["lr"] = settings["learning_rate"] * _rate(step / total, settings["warm_up"])
    loss = objective.loss(pictures[chosen], labels[chosen], seeded(seed, step, 1), step / total)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_([p for p in objective.modules.parameters() if p.requires_grad], 3.0)
    optimiser.step()
    objective.after_step((step + 1) / total)
    return float(loss.detach())


def _batch(count: int, size: int, seed: int, step: int) -> torch.Tensor:
    """The step's part of a permutation that is new in each epoch."""
    epoch, place = divmod(step, count // size)
    order = seeded(seed, epoch, 0).permutation(count)
    return torch.from_numpy(order[place * size : (place + 1) * size])


def _rate(done: float, warm_up: float) -> float:
    """Linear warm-up, then a cosine down to a hundredth."""
    if done < warm_up:
        return done / warm_up
    return 0.01 + 0.99 * (1 + cos(pi * (done - warm_up) / (1 - warm_up))) / 2


def _optimiser(modules: nn.Module, settings: dict[str, Any]) -> torch.optim.Optimizer:
    """AdamW, without decay on vectors."""
    trained = [parameter for parameter in modules.parameters() if parameter.requires_grad]
    groups = [{"params": [p for p in trained if p.ndim > 1], "weight_decay": settings["weight_decay"]},
              {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0}]  # fmt: skip
    return torch.optim.AdamW(groups, lr=settings["learning_rate"])


def _save(folder: Path, objective: Objective, optimiser: torch.optim.Optimizer, step: int) -> None:
    state = {"step": step, "modules": objective.modules.state_dict(), "optimiser": optimiser.state_dict()}
    save_state(folder / "state.pt", state)


def _resumed(folder: Path, objective: Objective, optimiser: torch.optim.Optimizer) -> int:
    """Load what was saved; the step to go on with."""
    state = load_state(folder / "state.pt")
    if state is None:
        return 0
    objective.modules.load_state_dict(state["modules"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])
