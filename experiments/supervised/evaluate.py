"""How good the features are: nearest neighbours, and a linear classifier, both on the frozen class token."""

import torch
from model import features
from pictures import normalised, whole
from torch.nn import functional
from transformers import ViTModel

NEIGHBOURS = 20
PROBE_STEPS = 300


@torch.inference_mode()
def class_tokens(model: ViTModel, pictures: torch.Tensor) -> torch.Tensor:
    """The class token's output for whole pictures, (count, width)."""
    model.eval()
    size = model.config.image_size
    return torch.cat([features(model, normalised(whole(part, size))) for part in pictures.split(500)])


def nearest_neighbours(train: torch.Tensor, labels: torch.Tensor, test: torch.Tensor, truth: torch.Tensor) -> float:
    """Accuracy of a majority of the 20 nearest training pictures by cosine, weighted by exp(cosine/0.07)."""
    train, test = functional.normalize(train, dim=1), functional.normalize(test, dim=1)
    right = 0
    for part, answer in zip(test.split(500), truth.split(500), strict=True):
        cosine, index = (part @ train.T).topk(NEIGHBOURS, dim=1)
        votes = torch.zeros(len(part), int(labels.max()) + 1)
        votes.scatter_add_(1, labels[index], (cosine / 0.07).exp())
        right += int((votes.argmax(dim=1) == answer).sum())
    return right / len(test)


def linear_probe(train: torch.Tensor, labels: torch.Tensor, test: torch.Tensor, truth: torch.Tensor) -> float:
    """Accuracy of a linear classifier trained on standardised features by L-BFGS, with a little weight decay."""
    mean, std = train.mean(dim=0), train.std(dim=0) + 1e-6
    train, test = (train - mean) / std, (test - mean) / std
    weights = torch.zeros(train.shape[1] + 1, int(labels.max()) + 1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=PROBE_STEPS, line_search_fn="strong_wolfe")

    def outputs(x: torch.Tensor) -> torch.Tensor:
        return x @ weights[:-1] + weights[-1]

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = functional.cross_entropy(outputs(train), labels) + 1e-4 * (weights[:-1] ** 2).sum()
        loss.backward()
        return loss

    optimiser.step(closure)
    with torch.inference_mode():
        return float((outputs(test).argmax(dim=1) == truth).float().mean())
