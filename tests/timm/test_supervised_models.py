"""The paper's two supervised models at full size, with random weights: the command, from a saved folder to verdicts."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from timm.models import save_for_hf

import timm
from dobrushin.experiments import read_table


@pytest.mark.parametrize("name", ["deit_base_patch16_224.fb_in1k", "vit_base_patch16_224.augreg2_in21k_ft_in1k"])
def test_every_layer_of_a_base_model_gets_its_exact_verdicts(name: str, tmp_path: Path) -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        save_for_hf(timm.create_model(name, pretrained=False), str(tmp_path / "model"), safe_serialization=True)
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    noise = np.random.default_rng(0).integers(0, 256, (240, 300, 3), dtype=np.uint8)
    Image.fromarray(noise).save(pictures / "noise.png")
    arguments = ["--model", f"timm:{tmp_path / 'model'}", "--inputs", str(pictures), "--out", str(tmp_path / "out")]
    command = [sys.executable, "-m", "dobrushin", "survey", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = read_table(tmp_path / "out" / "verdicts.parquet")
    assert [(row["layer"], row["tokens"], row["n"]) for row in rows] == [
        (layer, tokens, n) for layer in range(12) for tokens, n in (("content", 196), ("all", 197))
    ]
    assert all(0 < row["kappa"] < 1 and row["tight"] in (True, False) for row in rows)
