"""Training an FT-Transformer with the library's defaults: epochs, early stopping, snapshots, going on after a stop."""

import copy
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from data import Part, Task, load
from torch import nn
from torch.nn import functional

from dobrushin.capture.ft_transformer_files import build_ft_transformer, save_ft_transformer
from dobrushin.experiments import Experiment
from dobrushin.experiments.state import load_state, save_state, seeded

_EVALUATED_AT_A_TIME = 2048


def arguments(blocks: int) -> dict[str, Any]:
    """What the library calls the default model."""
    from rtdl_revisiting_models import FTTransformer

    return {**FTTransformer.get_default_kwargs(blocks), "d_out": 1}


def task_of(experiment: Experiment, key: str) -> Task:
    """The table, cut as the configuration says."""
    return load(key, **{name: experiment.config[name] for name in ("train_rows", "evaluated", "surveyed")})


def train(experiment: Experiment, key: str, seed: int) -> None:
    """Train to the end, from the last saved epoch if there is one, and leave the snapshots behind."""
    torch.set_num_threads(1)
    if not (_folder(experiment, key, seed) / "best" / "config.json").exists():
        Training(experiment, task_of(experiment, key), seed).run()


def snapshots(experiment: Experiment, key: str, seed: int) -> dict[str, Path]:
    """The snapshots of a finished training by name: ``epoch N`` and ``best``."""
    folder = _folder(experiment, key, seed)
    epochs = sorted(path for path in folder.glob("epoch-*") if (path / "config.json").exists())
    return {**{f"epoch {int(path.name[6:])}": path for path in epochs}, "best": folder / "best"}


def _folder(experiment: Experiment, key: str, seed: int) -> Path:
    return experiment.work / f"{key}-{seed}"


class Training:
    """One training: a model, its optimiser, and the best model on the validation rows so far."""

    def __init__(self, experiment: Experiment, task: Task, seed: int) -> None:
        self.experiment, self.task, self.seed = experiment, task, seed
        self.folder = _folder(experiment, task.key, seed)
        self.arguments = arguments(experiment.config["blocks"])
        torch.manual_seed(seed)
        self.model = build_ft_transformer(task.preprocessing, self.arguments)
        self.optimiser = _default_optimiser(self.model)
        self.epoch, self.best_epoch, self.best = 0, 0, -float("inf")
        self.best_weights = copy.deepcopy(self.model.state_dict())
        self.history: list[dict[str, float]] = []

    def run(self) -> None:
        """Train to the end, or on from where it was stopped."""
        config, key = self.experiment.config, self.task.key
        self._resume()
        while self.epoch < config["epochs"][key] and self.epoch - self.best_epoch <= config["patience"][key]:
            if self.epoch in config["snapshot_epochs"]:
                self._keep(f"epoch-{self.epoch:03d}", self.model.state_dict())
            self._train_epoch()
        self._keep("best", self.best_weights, best_epoch=self.best_epoch, epochs=self.epoch,
                   validation=self.best, test=self.score(self.task.test, self.best_weights))  # fmt: skip

    def score(self, part: Part, weights: dict[str, Any] | None = None) -> float:
        """Accuracy, or minus the root mean squared error in the table's unit: more is better."""
        model = self.model
        if weights is not None:
            model = build_ft_transformer(self.task.preprocessing, self.arguments)
            model.load_state_dict(weights)
        model.eval()
        with torch.inference_mode():
            output = torch.cat([model(*inputs).squeeze(1) for inputs in _batches(part, _EVALUATED_AT_A_TIME)])
        if self.task.regression:
            return -self.task.unit * float((output - part.target).pow(2).mean().sqrt())
        return float(((output > 0) == (part.target > 0.5)).float().mean())

    def _train_epoch(self) -> None:
        began = time.monotonic()
        torch.manual_seed(1_000_003 * self.seed + self.epoch)  # the dropout of this epoch
        part = self.task.train
        order = torch.from_numpy(seeded(self.seed, self.epoch).permutation(len(part)))
        self.model.train()
        for chosen in order.split(self.experiment.config["batch"]):
            codes = None if part.codes is None else part.codes[chosen]
            output = self.model(part.numbers[chosen], codes).squeeze(1)
            loss = self._loss(output, part.target[chosen])
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
        self.epoch += 1
        score = self.score(self.task.validation)
        if score > self.best:
            self.best, self.best_epoch = score, self.epoch
            self.best_weights = copy.deepcopy(self.model.state_dict())
        self._save()
        self.experiment.say(
            f"{self.task.key}, seed {self.seed}, epoch {self.epoch}: validation {abs(score):.4f}, "
            f"best {abs(self.best):.4f} at {self.best_epoch}, {time.monotonic() - began:.1f} s"
        )

    def _loss(self, output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        if self.task.regression:
            return functional.mse_loss(output, target)
        return functional.binary_cross_entropy_with_logits(output, target)

    def _keep(self, name: str, weights: dict[str, Any], **facts: Any) -> None:
        model: nn.Module = build_ft_transformer(self.task.preprocessing, self.arguments)
        model.load_state_dict(weights)
        about = {"name": f"FT-Transformer on {self.task.key}, seed {self.seed}, {name}", "arguments": self.arguments,
                 "data": self.task.key, "seed": self.seed, **facts}  # fmt: skip
        save_ft_transformer(self.folder / name, model, self.task.preprocessing, about)

    def _save(self) -> None:
        save_state(self.folder / "state.pt", {
            "model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(), "epoch": self.epoch,
            "best": self.best, "best_epoch": self.best_epoch, "best_weights": self.best_weights,
        })  # fmt: skip

    def _resume(self) -> None:
        state = load_state(self.folder / "state.pt")
        if state is None:
            return
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.epoch, self.best, self.best_epoch = state["epoch"], state["best"], state["best_epoch"]
        self.best_weights = state["best_weights"]


def _default_optimiser(model: Any) -> torch.optim.Optimizer:
    """The library's default optimiser, with its parameters in the order of the model.

    The library puts some of them into a set, so their order, by which a saved state is loaded, changes from process to
    process.
    """
    defaults = model.make_default_optimizer()
    groups = []
    for group in defaults.param_groups:
        members = {id(parameter) for parameter in group["params"]}
        ordered = [parameter for parameter in model.parameters() if id(parameter) in members]
        groups.append({"params": ordered, "weight_decay": group["weight_decay"]})
    return torch.optim.AdamW(groups, lr=defaults.defaults["lr"])


def _batches(part: Part, size: int) -> Iterator[tuple[torch.Tensor, torch.Tensor | None]]:
    for start in range(0, len(part), size):
        stop = start + size
        yield part.numbers[start:stop], None if part.codes is None else part.codes[start:stop]
