"""The paper's two supervised models at full size, with random weights: from a saved folder to exact verdicts."""

from pathlib import Path

import numpy as np
import pytest
import torch
from timm.models import save_for_hf

import timm
from dobrushin.capture import Image, open_timm
from dobrushin.experiments.measure import by_layer, verdicts_of


@pytest.mark.parametrize("name", ["deit_base_patch16_224.fb_in1k", "vit_base_patch16_224.augreg2_in21k_ft_in1k"])
def test_every_layer_of_a_base_model_gets_an_exact_verdict(name: str, tmp_path: Path) -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = timm.create_model(name, pretrained=False)
    save_for_hf(model, str(tmp_path / "saved"), safe_serialization=True)
    adapter = open_timm(tmp_path / "saved")
    picture = Image("noise", np.random.default_rng(0).integers(0, 256, (224, 224, 3), dtype=np.uint8))
    figures = by_layer(verdicts_of(adapter, [picture]))
    assert [(one.layer, one.tokens, one.n) for one in figures] == [
        (layer, tokens, n) for layer in range(12) for tokens, n in (("all", 197), ("content", 196))
    ]
    assert all(one.maps == 1 and 0 < one.kappa < 1 for one in figures)
