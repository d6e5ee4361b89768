"""The supervised training: cross-entropy of a linear classifier on the class token."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from data import random_crops
from model import classifier
from torch import nn
from torch.nn import functional
from transformers import ViTForImageClassification


class Supervised:
    """Learns the labels, from one large crop of each picture."""

    def __init__(self, config: Mapping[str, Any], seed: int) -> None:
        self._size = config["model"]["image_size"]
        self._augmentation = config["augmentation"]
        self.modules = nn.ModuleDict({"model": classifier(config["model"], seed)}).train()

    def snapshot(self) -> ViTForImageClassification:
        """The model with its classifier."""
        model: ViTForImageClassification = self.modules["model"]
        return model

    def loss(
        self, pictures: torch.Tensor, labels: torch.Tensor, rng: np.random.Generator, progress: float
    ) -> torch.Tensor:
        """Mean cross-entropy of a batch."""
        del progress
        settings = self._augmentation
        crops = random_crops(pictures, self._size, settings["large"], rng, jitter=settings["jitter"])
        return functional.cross_entropy(self.modules["model"](crops).logits, labels)

    def after_step(self, progress: float) -> None:
        """Nothing follows a step."""
