"""What a trained network still does when only paths of some lengths are summed."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dobrushin.collapse.toys import ToyNetwork, accuracy, by_length, run_circle, sampled


@dataclass(frozen=True, eq=False)
class Network:
    """A trained network with the examples that it is evaluated on."""

    network: ToyNetwork
    inputs: Tensor
    targets: Tensor

    def accuracy(self, hidden: Tensor) -> float:
        """Of the head's labels for the hidden vectors (batch, n, d)."""
        return accuracy(self.network.head(hidden), self.targets)


def ablate(trained: Network, *, paths: list[int], repeats: int, seed: int) -> list[dict[str, Any]]:
    """One row for each length of paths: accuracies with only these, without these, up to these, and of samples."""
    parts = by_length(trained.network, trained.inputs)
    whole = parts.sum(0)
    error = float((trained.network.head(whole) - trained.network(trained.inputs)).abs().max())
    sizes = [float(part.norm() / whole.norm()) for part in parts]
    generator = torch.Generator().manual_seed(seed)
    fixed = trained.network.layers(trained.inputs)
    rows = []
    for length in range(len(parts)):
        row: dict[str, Any] = {
            "length": length,
            "only": trained.accuracy(parts[length]),
            "without": trained.accuracy(whole - parts[length]),
            "up_to": trained.accuracy(parts[: length + 1].sum(0)),
            "from": trained.accuracy(parts[length:].sum(0)),
            "relative_size": sizes[length],
            "path_sum_error": error,
        }
        for count in paths:
            totals = [
                sampled(trained.network, fixed, length=length, paths=count, generator=generator)[0]
                for _ in range(repeats)
            ]
            scores = [trained.accuracy(total) for total in totals]
            row[f"sampled_{count}_mean"], row[f"sampled_{count}_sd"] = float(np.mean(scores)), float(np.std(scores))
        rows.append(row)
    return rows


def circle(skip: bool, mlp: bool, noise: float, seed: int, *, epochs: int) -> dict[str, Any]:
    """The row of one run of the circle task."""
    run = run_circle(skip=skip, mlp=mlp, noise=noise, seed=seed, epochs=epochs)
    return {"noise": noise, "skip": skip, "mlp": mlp, "seed": seed, "loss": run.loss,
            "separation": run.separation.tolist(), "radial_error": run.radial_error.tolist(),
            "x": run.trajectory[..., 0].tolist(), "y": run.trajectory[..., 1].tolist()}  # fmt: skip
