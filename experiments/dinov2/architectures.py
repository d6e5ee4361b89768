"""The published DINOv2 architectures with random weights, in folders as ``save_pretrained`` writes them.

They prove that a hub id of any size is read right where there is a network; their verdicts say nothing about DINOv2.
"""

import json
from pathlib import Path
from typing import Any

from dobrushin.files import write_atomically

SIZES = {"small": (384, 12, 6), "base": (768, 12, 12), "large": (1024, 24, 16)}
"""Width, layers, heads."""
HUB = {name + suffix: f"facebook/dinov2-{'with-registers-' if suffix else ''}{name}"
       for name in SIZES for suffix in ("", "-registers")}  # fmt: skip
REGISTERS = 4


def save_random(name: str, folder: Path) -> int:
    """Save random weights of the architecture; the number of layers."""
    import torch
    from transformers import Dinov2Config, Dinov2Model, Dinov2WithRegistersConfig, Dinov2WithRegistersModel
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    size, _, registers = name.partition("-")
    width, layers, heads = SIZES[size]
    settings: dict[str, Any] = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads,
                                "image_size": 518, "patch_size": 14}  # fmt: skip
    torch.manual_seed(0)
    model = (
        Dinov2WithRegistersModel(Dinov2WithRegistersConfig(**settings, num_register_tokens=REGISTERS))
        if registers
        else Dinov2Model(Dinov2Config(**settings))
    )
    model.save_pretrained(folder)
    write_atomically(folder / "preprocessor_config.json", json.dumps(_PREPROCESSING, indent=1))
    return layers


_PREPROCESSING = {
    "image_processor_type": "BitImageProcessor",
    "do_rescale": True,
    "rescale_factor": 1 / 255,
    "do_normalize": True,
    "image_mean": [0.485, 0.456, 0.406],
    "image_std": [0.229, 0.224, 0.225],
    "do_resize": True,
    "size": {"shortest_edge": 256},
    "do_center_crop": True,
    "crop_size": {"height": 224, "width": 224},
}
