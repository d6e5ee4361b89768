"""The vision transformer that both trainings share, its folder, and its adapter."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from pictures import MEAN, STD
from torch import nn
from transformers import ViTConfig, ViTModel
from transformers.utils import logging

from dobrushin.capture import VisionTransformer
from dobrushin.files import write_atomically

logging.disable_progress_bar()  # standard error shows the steps of the experiment


def backbone(settings: Mapping[str, Any], seed: int) -> ViTModel:
    """A ViT of ``transformers`` with random weights that depend on the seed."""
    torch.manual_seed(seed)
    config = ViTConfig(**settings, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return ViTModel(config, add_pooling_layer=False)


def features(model: nn.Module, pixels: torch.Tensor) -> torch.Tensor:
    """The class token's output, also for pictures smaller than those of the configuration."""
    return model(pixels, interpolate_pos_encoding=True).last_hidden_state[:, 0]


def adapter(model: ViTModel, name: str) -> VisionTransformer:
    """Ready to be observed; the model is switched to evaluation."""
    return VisionTransformer(model.eval(), mean=(MEAN,) * 3, std=(STD,) * 3, name=name)


def save_folder(model: ViTModel, folder: Path) -> None:
    """In the layout of ``transformers``, so that ``dobrushin survey --model FOLDER`` opens it."""
    model.save_pretrained(folder)
    size = model.config.image_size
    settings = {"image_processor_type": "ViTImageProcessor", "do_resize": True, "do_normalize": True,
                "do_rescale": True, "rescale_factor": 1 / 255, "image_mean": [MEAN] * 3, "image_std": [STD] * 3,
                "size": {"height": size, "width": size}}  # fmt: skip
    write_atomically(folder / "preprocessor_config.json", json.dumps(settings, indent=1))


def open_folder(folder: Path) -> ViTModel:
    """What :func:`save_folder` wrote."""
    return ViTModel.from_pretrained(folder, add_pooling_layer=False, local_files_only=True)
