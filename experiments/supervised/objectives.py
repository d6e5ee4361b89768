"""The two losses: classes, and self-distillation without labels (a small DINO, Caron et al. 2021)."""

from math import cos, pi
from typing import Any

import numpy as np
import torch
from model import backbone, features
from pictures import normalised, random_crops
from torch import nn
from torch.nn import functional
from transformers import ViTModel

GLOBAL_SCALE, LOCAL_SCALE = (0.4, 1.0), (0.1, 0.4)
JITTER = 0.4


class Supervised:
    """Cross-entropy of a linear classifier on the class token."""

    def __init__(self, config: dict[str, Any], seed: int) -> None:
        self._size = config["model"]["image_size"]
        model = backbone(config["model"], seed)
        self.modules = nn.ModuleDict({"backbone": model, "classifier": nn.Linear(config["model"]["hidden_size"], 10)})
        self.modules.train()

    def surveyed(self) -> ViTModel:
        """The one backbone there is."""
        return self.modules["backbone"]

    def loss(self, pictures: torch.Tensor, labels: torch.Tensor, rng: np.random.Generator, done: float) -> torch.Tensor:  # noqa: ARG002
        """On one crop of each picture, of the same kind as DINO's large ones."""
        crops = normalised(random_crops(pictures, self._size, GLOBAL_SCALE, rng, jitter=JITTER))
        return functional.cross_entropy(self.modules["classifier"](features(self.modules["backbone"], crops)), labels)

    def after_step(self, done: float) -> None:
        """Nothing to do."""


class Dino:
    """A student learns the output that a teacher, its moving average, has for other crops of the picture."""

    def __init__(self, config: dict[str, Any], seed: int) -> None:
        self._size, self._settings = config["model"]["image_size"], config["dino"]
        self._warm_up = config["optimiser"]["warm_up"]
        width, settings = config["model"]["hidden_size"], config["dino"]
        student = backbone(config["model"], seed)
        head = _Head(width, settings["bottleneck"], settings["prototypes"])
        teacher = backbone(config["model"], seed)
        teacher_head = _Head(width, settings["bottleneck"], settings["prototypes"])
        teacher_head.load_state_dict(head.state_dict())
        self.modules = nn.ModuleDict({"student": student, "head": head, "teacher": teacher,
                                      "teacher_head": teacher_head})  # fmt: skip
        self.modules.register_buffer("centre", torch.zeros(settings["prototypes"]))
        self.modules.train()
        teacher.requires_grad_(False)
        teacher_head.requires_grad_(False)

    def surveyed(self) -> ViTModel:
        """The teacher, as DINO's published weights are."""
        return self.modules["teacher"]

    def loss(self, pictures: torch.Tensor, labels: torch.Tensor, rng: np.random.Generator, done: float) -> torch.Tensor:  # noqa: ARG002
        """Cross-entropy between the teacher on each large crop and the student on every other crop."""
        large = [self._crops(pictures, self._size, GLOBAL_SCALE, rng) for _ in range(2)]
        small = [self._crops(pictures, self._settings["local_size"], LOCAL_SCALE, rng)
                 for _ in range(self._settings["local_crops"])]  # fmt: skip
        with torch.no_grad():
            targets = self._teacher(torch.cat(large), done).chunk(2)
        temperature = self._settings["student_temperature"]
        outputs = [*self._student(torch.cat(large)).chunk(2), *self._student(torch.cat(small)).chunk(len(small))]
        logs = [functional.log_softmax(output / temperature, dim=1) for output in outputs]
        terms = [-(target * log).sum(dim=1).mean()
                 for t, target in enumerate(targets) for s, log in enumerate(logs) if s != t]  # fmt: skip
        return torch.stack(terms).mean()

    @torch.no_grad()
    def after_step(self, done: float) -> None:
        """Move the teacher towards the student."""
        start = self._settings["teacher_momentum"]
        momentum = 1 - (1 - start) * (1 + cos(pi * done)) / 2
        for average, current in (("teacher", "student"), ("teacher_head", "head")):
            pairs = zip(self.modules[average].parameters(), self.modules[current].parameters(), strict=True)
            for old, new in pairs:
                old.lerp_(new, 1 - momentum)

    def _crops(self, pictures: torch.Tensor, size: int, scale: tuple[float, float], rng: Any) -> torch.Tensor:
        return normalised(random_crops(pictures, size, scale, rng, jitter=JITTER))

    def _student(self, crops: torch.Tensor) -> torch.Tensor:
        return self.modules["head"](features(self.modules["student"], crops))

    def _teacher(self, crops: torch.Tensor, done: float) -> torch.Tensor:
        """Centred and sharpened distributions; the centre follows the mean output."""
        first, last = self._settings["teacher_temperatures"]
        temperature = first + (last - first) * min(1.0, done / self._warm_up)
        output = self.modules["teacher_head"](features(self.modules["teacher"], crops))
        targets = functional.softmax((output - self.modules.centre) / temperature, dim=1)
        self.modules.centre.lerp_(output.mean(dim=0), 1 - self._settings["centre_momentum"])
        return targets


class _Head(nn.Module):
    """Two layers, a normalised bottleneck, and unit prototypes."""

    def __init__(self, width: int, bottleneck: int, prototypes: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, bottleneck))
        self.prototypes = nn.Parameter(torch.randn(prototypes, bottleneck))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Cosines with the prototypes."""
        return functional.normalize(self.layers(x), dim=1) @ functional.normalize(self.prototypes, dim=1).T


OBJECTIVES = {"supervised": Supervised, "dino": Dino}
