"""Training and evaluation of toy networks on a task."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from dobrushin.collapse.toys.network import ToyNetwork, seeded
from dobrushin.collapse.toys.tasks import Task


def train(
    task: Task,
    *,
    width: int,
    depth: int,
    heads: int,
    skip: bool,
    mlp: bool,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> ToyNetwork:
    """A network trained by Adam on the cross entropy of every token; the same arguments give the same network.

    Gradients are clipped to norm 1: without skips or normalisation they explode or vanish.

    Returns:
        The network in eval mode, its parameters without gradients.
    """
    with seeded(seed):
        network = ToyNetwork(
            width=width,
            depth=depth,
            heads=heads,
            skip=skip,
            mlp=mlp,
            outputs=task.labels,
            vocabulary=task.vocabulary,
            features=task.inputs.shape[-1] if task.vocabulary is None else 0,
            positions=task.n if task.ordered else 0,
        )
        optimiser = torch.optim.Adam(network.parameters(), lr=learning_rate)
        inputs, targets = torch.from_numpy(task.inputs), torch.from_numpy(task.targets)
        for epoch in range(epochs):
            for batch in torch.split(torch.randperm(len(inputs)), batch_size):
                _step(network, optimiser, inputs[batch], targets[batch])
            if progress is not None:
                progress(epoch + 1)
    return network.requires_grad_(False).eval()


def _step(network: nn.Module, optimiser: torch.optim.Optimizer, inputs: Tensor, targets: Tensor) -> None:
    loss = nn.functional.cross_entropy(network(inputs).flatten(0, 1), targets.flatten())
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def accuracy(outputs: Tensor, targets: Tensor) -> float:
    """The share of tokens whose largest output (…, labels) is that of their label."""
    return float((outputs.argmax(-1) == targets).double().mean())
