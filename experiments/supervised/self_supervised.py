"""The self-supervised training: self-distillation without labels, a small DINO (Caron et al. 2021).

A student learns to give each crop of a picture the output that a teacher gives other crops of it.  The teacher is the
moving average of the student; its outputs are centred and sharpened, so that they do not collapse.
"""

from collections.abc import Mapping
from math import cos, pi
from typing import Any

import numpy as np
import torch
from data import random_crops
from model import backbone, class_token
from torch import nn
from torch.nn import functional
from transformers import ViTModel

_LARGE_CROPS = 2


class SelfSupervised:
    """Learns from pictures alone: several crops, a student, a teacher, and a head on each."""

    def __init__(self, config: Mapping[str, Any], seed: int) -> None:
        self._size = config["model"]["image_size"]
        self._augmentation = config["augmentation"]
        self._settings = config["distillation"]
        self._warm_up = config["optimiser"]["warm_up"]
        width, settings = config["model"]["hidden_size"], self._settings
        heads = [ProjectionHead(width, settings["bottleneck"], settings["prototypes"], seed) for _ in range(2)]
        backbones = [backbone(config["model"], seed) for _ in range(2)]
        self.modules = nn.ModuleDict(
            {"student": backbones[0], "student_head": heads[0], "teacher": backbones[1], "teacher_head": heads[1]}
        ).train()
        for name in ("teacher", "teacher_head"):
            self.modules[name].requires_grad_(False)
        self.modules.register_buffer("centre", torch.zeros(settings["prototypes"]))

    def snapshot(self) -> ViTModel:
        """The teacher, whose weights DINO publishes."""
        teacher: ViTModel = self.modules["teacher"]
        return teacher

    def loss(
        self, pictures: torch.Tensor, labels: torch.Tensor, rng: np.random.Generator, progress: float
    ) -> torch.Tensor:
        """Mean cross-entropy of the student on one crop with the teacher on another, large one; no label is read."""
        del labels
        large = torch.cat([self._crops(pictures, "large", rng) for _ in range(_LARGE_CROPS)])
        count = self._settings["small_crops"]
        small = torch.cat([self._crops(pictures, "small", rng) for _ in range(count)])
        targets = self._teacher(large, progress).chunk(_LARGE_CROPS)
        logs = [*self._student(large).chunk(_LARGE_CROPS), *self._student(small).chunk(count)]
        terms = [
            -(target * log).sum(dim=1).mean()
            for t, target in enumerate(targets)
            for s, log in enumerate(logs)
            if s != t  # the same crop would teach nothing
        ]
        return torch.stack(terms).mean()

    @torch.no_grad()
    def after_step(self, progress: float) -> None:
        """Move the teacher towards the student, less and less."""
        start = self._settings["teacher_momentum"]
        momentum = 1 - (1 - start) * (1 + cos(pi * progress)) / 2
        for name in ("", "_head"):
            pairs = zip(self.modules[f"teacher{name}"].parameters(), self.modules[f"student{name}"].parameters(),
                        strict=True)  # fmt: skip
            for average, current in pairs:
                average.lerp_(current, 1 - momentum)

    def _crops(self, pictures: torch.Tensor, which: str, rng: np.random.Generator) -> torch.Tensor:
        size = self._size if which == "large" else self._settings["small_size"]
        return random_crops(pictures, size, self._augmentation[which], rng, jitter=self._augmentation["jitter"])

    def _student(self, crops: torch.Tensor) -> torch.Tensor:
        """Log-probabilities, (crops, prototypes)."""
        output = self.modules["student_head"](class_token(self.modules["student"], crops))
        return functional.log_softmax(output / self._settings["student_temperature"], dim=1)

    @torch.no_grad()
    def _teacher(self, crops: torch.Tensor, progress: float) -> torch.Tensor:
        """Centred and sharpened probabilities, (crops, prototypes); the centre then follows the mean output."""
        first, last = self._settings["teacher_temperatures"]
        temperature = first + (last - first) * min(1.0, progress / self._warm_up)
        output = self.modules["teacher_head"](class_token(self.modules["teacher"], crops))
        centre = self.modules.centre
        targets = functional.softmax((output - centre) / temperature, dim=1)
        centre.lerp_(output.mean(dim=0), 1 - self._settings["centre_momentum"])
        return targets


class ProjectionHead(nn.Module):
    """Two layers, a bottleneck of length 1, and its cosines with the prototypes; weights depend on the seed.

    Batch normalisation, an option of DINO's head, spreads the almost equal outputs of a new backbone: without it, a
    short training stays where all outputs are uniform.
    """

    def __init__(self, width: int, bottleneck: int, prototypes: int, seed: int) -> None:
        super().__init__()
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.layers = nn.Sequential(
                nn.Linear(width, 4 * width), nn.BatchNorm1d(4 * width), nn.GELU(), nn.Linear(4 * width, bottleneck)
            )
            self.prototypes = nn.Parameter(torch.randn(prototypes, bottleneck))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Cosines, (batch, prototypes), of features (batch, width)."""
        direction = functional.normalize(self.layers(features), dim=1)
        return direction @ functional.normalize(self.prototypes, dim=1).T
