"""The recurrent circle task: two points on opposite arcs are moved along a circle by one layer, again and again.

The layer is trained to map the two points to the next two points of their arcs, and is then applied to its own
output.  Without anything but attention, the two tokens draw together.  With a skip the layer predicts the step from
one pair of points to the next, in training and in use alike.  (The public code of the paper adds the input of the
previous batch in training instead.)
"""

from dataclasses import dataclass
from math import pi

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dobrushin.collapse.toys.network import ToyNetwork, seeded

RADIUS = 0.3

FAR = 100 * RADIUS
"""Where a trajectory that has left the circle for good is no longer followed."""


@dataclass(frozen=True, eq=False)
class CircleRun:
    """A trained layer applied to its own output.

    Attributes:
        trajectory: (steps + 1, 2, 2): step, token, coordinate; shorter when the points went too far away.
        loss: mean squared error of one step at the end of training.
    """

    trajectory: NDArray[np.float64]
    loss: float

    @property
    def separation(self) -> NDArray[np.float64]:
        """Distance of the two points at each step, relative to the diameter at which they start."""
        apart = np.linalg.norm(self.trajectory[:, 0] - self.trajectory[:, 1], axis=-1)
        return np.asarray(apart / (2 * RADIUS), dtype=np.float64)

    @property
    def radial_error(self) -> NDArray[np.float64]:
        """How far the points are from the circle at each step, relative to its radius, the mean of both."""
        radius = np.linalg.norm(self.trajectory, axis=-1)
        return np.asarray(np.abs(radius / RADIUS - 1).mean(axis=-1), dtype=np.float64)


def circle_pairs(points: int) -> tuple[Tensor, Tensor]:
    """Opposite points on two half circles, and the next ones: two tensors (points // 2, 2, 2)."""
    angle = 2 * pi * torch.arange(points // 2 + 1) / points
    both = torch.stack([angle, angle + pi], dim=1)
    pairs = RADIUS * torch.stack([both.cos(), both.sin()], dim=-1)
    return pairs[:-1], pairs[1:]


def run_circle(
    *,
    skip: bool,
    mlp: bool,
    width: int = 32,
    heads: int = 2,
    points: int = 1000,
    epochs: int = 70,
    batch_size: int = 10,
    learning_rate: float = 1e-3,
    noise: float = 0.0,
    steps: int = 300,
    seed: int = 0,
) -> CircleRun:
    """Train one layer, and apply it ``steps`` times from the first pair of points.

    Args:
        skip: whether the layer predicts the step instead of the next point.
        mlp: whether it has an MLP.
        width: of the layer.
        heads: of the layer.
        points: how many points there are on the circle.
        epochs: of Adam's training.
        batch_size: pairs of points in one step of training.
        learning_rate: of Adam.
        noise: standard deviation, in radii, of what is added to the points in training; with it the layer also
            learns to come back to the circle.
        steps: how often the layer is applied to its own output; fewer when the points leave all bounds.
        seed: of initial weights, order and noise.
    """
    with seeded(seed):
        network = ToyNetwork(width=width, depth=1, heads=heads, skip=False, mlp=mlp, outputs=2)
        now, after = circle_pairs(points)
        optimiser = torch.optim.Adam(network.parameters(), lr=learning_rate)
        for _ in range(epochs):
            for batch in torch.split(torch.randperm(len(now)), batch_size):
                start = now[batch] + noise * RADIUS * torch.randn_like(now[batch])
                loss = nn.functional.mse_loss(_advance(network, start, skip), after[batch])
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
    with torch.no_grad():
        error = float(nn.functional.mse_loss(_advance(network, now, skip), after))
        states = [now[:1]]
        for _ in range(steps):
            if states[-1].abs().max() > FAR:
                break
            states.append(_advance(network, states[-1], skip))
    return CircleRun(torch.cat(states).double().numpy(), error)


def _advance(network: ToyNetwork, state: Tensor, skip: bool) -> Tensor:
    moved: Tensor = network(state)
    return state + moved if skip else moved
