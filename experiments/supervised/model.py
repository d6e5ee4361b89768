"""The vision transformer that both trainings share, its folder, and its adapter."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from data import MEAN, STD
from transformers import ViTConfig, ViTForImageClassification, ViTModel
from transformers.utils import logging

from dobrushin.capture import VisionTransformer
from dobrushin.files import write_atomically
from dobrushin.packaged.fashion_mnist import CLASSES

logging.disable_progress_bar()  # standard error shows the steps of the experiment
logging.set_verbosity_error()

_NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def backbone(settings: Mapping[str, Any], seed: int) -> ViTModel:
    """A ViT of ``transformers`` with random weights; the same seed gives the same weights."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return ViTModel(ViTConfig(**settings, **_NO_DROPOUT), add_pooling_layer=False)


def classifier(settings: Mapping[str, Any], seed: int) -> ViTForImageClassification:
    """The same backbone, with a linear classifier on its class token."""
    names = dict(enumerate(CLASSES))
    config = ViTConfig(**settings, **_NO_DROPOUT, id2label=names, label2id={name: key for key, name in names.items()})
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = ViTForImageClassification(config)
    model.vit.load_state_dict(backbone(settings, seed).state_dict())
    return model


def class_token(model: ViTModel, pixels: torch.Tensor) -> torch.Tensor:
    """The class token's output, (batch, width), also for pictures smaller than those of the configuration."""
    return model(pixels, interpolate_pos_encoding=True).last_hidden_state[:, 0]


def save_folder(model: ViTModel | ViTForImageClassification, folder: Path) -> None:
    """Write a folder in the layout of ``transformers``, whole or not at all; ``--model FOLDER`` opens it."""
    scratch = folder.with_name(f"{folder.name}.writing")
    shutil.rmtree(scratch, ignore_errors=True)
    model.save_pretrained(scratch)
    side = model.config.image_size
    settings = {"image_processor_type": "ViTImageProcessor", "do_resize": True, "do_normalize": True,
                "do_rescale": True, "rescale_factor": 1 / 255, "image_mean": [MEAN] * 3, "image_std": [STD] * 3,
                "size": {"height": side, "width": side}}  # fmt: skip
    write_atomically(scratch / "preprocessor_config.json", json.dumps(settings, indent=1))
    shutil.rmtree(folder, ignore_errors=True)
    scratch.rename(folder)


def open_backbone(folder: Path) -> ViTModel:
    """The backbone of what :func:`save_folder` wrote, in eval mode."""
    return ViTModel.from_pretrained(folder, add_pooling_layer=False, local_files_only=True).eval()


def open_classifier(folder: Path) -> ViTForImageClassification:
    """The classifier that :func:`save_folder` wrote, in eval mode."""
    return ViTForImageClassification.from_pretrained(folder, local_files_only=True).eval()


def adapter(model: ViTModel, name: str) -> VisionTransformer:
    """Ready to be observed."""
    return VisionTransformer(model, mean=(MEAN,) * 3, std=(STD,) * 3, name=name)
