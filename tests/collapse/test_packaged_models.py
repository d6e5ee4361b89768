"""The packaged models, taken apart: heavy, with the real weights."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dobrushin import packaged
from dobrushin.collapse.extract import layer_states, network_of
from dobrushin.collapse.network import FULL
from dobrushin.collapse.paths import by_length
from dobrushin.collapse.precise import precise_run
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.study import PATH_NETWORKS
from dobrushin.collapse.trace import run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("key", ["minilm", "dinov2", "rxnmapper"])
def test_the_copy_is_the_model_and_paths_sum_to_it(key: str) -> None:
    import torch

    entry = packaged.model(key)
    adapter = entry.load()
    network = network_of(adapter.model)
    item = entry.items(1)[0]
    states, _ = layer_states(adapter, item)
    scale = max(np.abs(state).max() for state in states)
    full = run(network, states[0], FULL)
    assert max(np.abs(a - b).max() for a, b in zip(full.states, states, strict=True)) < 1e-5 * scale
    adapter.model.to(torch.float64)
    exact, _ = layer_states(adapter, item)
    again = run(network, exact[0], FULL)
    assert max(np.abs(a - b).max() for a, b in zip(again.states, exact, strict=True)) < 1e-11 * scale
    for name, switches in PATH_NETWORKS.items():
        scales = full.scales if switches.norm == "fixed" else None
        trace = run(network, states[0], switches, scales=scales)
        error = np.abs(by_length(trace).total - trace.states[-1]).max() / np.abs(trace.states[-1]).max()
        assert error < 1e-11, name


def test_real_weights_with_a_hundred_digits() -> None:
    entry = packaged.model("minilm")
    adapter = entry.load()
    network = network_of(adapter.model)
    X = layer_states(adapter, entry.items(1)[0])[0][0][:6]
    scaled, precise = scaled_run(network, X).tokens, precise_run(network, X, digits=200)
    for one, other in zip(scaled, precise, strict=True):
        assert one.log10_diameter == pytest.approx(other.log10_diameter, abs=1e-9)
    assert precise[-1].log10_diameter < -100


def test_the_quick_form_of_the_experiment(tmp_path: Path) -> None:
    from dobrushin.collapse.results import load

    script = Path(__file__).parents[2] / "experiments" / "collapse" / "run.py"
    arguments = ["--quick", "--threads", "1", "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = load(tmp_path / "out" / "results" / "minilm")
    assert max(row["error"] for row in found.tables["sums"]) < 1e-12
    assert "## Gaps of the published argument" in (tmp_path / "out" / "results.md").read_text(encoding="utf-8")
    # What is finished is not computed again.
    pieces = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.json")}
    again = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.json")} == pieces
