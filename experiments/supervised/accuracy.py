"""How good a model is: its own classifier, and what can be read from its frozen class token."""

import torch
from data import load, normalised
from model import class_token
from torch.nn import functional
from transformers import ViTForImageClassification, ViTModel

NEIGHBOURS = 20
_TEMPERATURE = 0.07
_BATCH = 500
_PROBE_STEPS = 200
_PROBE_DECAY = 1e-4


@torch.no_grad()
def classifier_accuracy(model: ViTForImageClassification, count: int) -> float:
    """Share of the first ``count`` test pictures that the model's own classifier gets right."""
    pictures, labels = load("test", count)
    guesses = [model(normalised(part)).logits.argmax(dim=1) for part in pictures.split(_BATCH)]
    return float((torch.cat(guesses) == labels).float().mean())


def probe_accuracies(model: ViTModel, *, reference: int, count: int) -> dict[str, float]:
    """Test accuracy of two classifiers on the frozen class token: ``neighbours`` and ``linear``.

    Args:
        model: in eval mode.
        reference: the number of training pictures whose labels the classifiers see.
        count: the number of test pictures.
    """
    pictures, labels = load("train", reference)
    test_pictures, test_labels = load("test", count)
    train, test = _features(model, pictures), _features(model, test_pictures)
    neighbours = nearest_neighbours(train, labels, test)
    linear = linear_probe(train, labels, test)
    return {
        "neighbours": float((neighbours == test_labels).float().mean()),
        "linear": float((linear == test_labels).float().mean()),
    }


@torch.no_grad()
def _features(model: ViTModel, pictures: torch.Tensor) -> torch.Tensor:
    """Class tokens of whole pictures, (count, width)."""
    return torch.cat([class_token(model, normalised(part)) for part in pictures.split(_BATCH)])


def nearest_neighbours(train: torch.Tensor, labels: torch.Tensor, test: torch.Tensor) -> torch.Tensor:
    """The label that most of the 20 nearest training features carry, each vote weighted by exp(cosine / 0.07)."""
    train, test = functional.normalize(train, dim=1), functional.normalize(test, dim=1)
    guesses = []
    for part in test.split(_BATCH):
        cosine, index = (part @ train.T).topk(min(NEIGHBOURS, len(train)), dim=1)
        votes = torch.zeros(len(part), int(labels.max()) + 1)
        votes.scatter_add_(1, labels[index], (cosine / _TEMPERATURE).exp())
        guesses.append(votes.argmax(dim=1))
    return torch.cat(guesses)


def linear_probe(train: torch.Tensor, labels: torch.Tensor, test: torch.Tensor) -> torch.Tensor:
    """The labels by a linear classifier on standardised features, trained by L-BFGS with a little weight decay."""
    mean, std = train.mean(dim=0), train.std(dim=0) + 1e-6
    train, test = (train - mean) / std, (test - mean) / std
    weights = torch.zeros(train.shape[1] + 1, int(labels.max()) + 1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=_PROBE_STEPS, line_search_fn="strong_wolfe")

    def logits(features: torch.Tensor) -> torch.Tensor:
        return features @ weights[:-1] + weights[-1]

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = functional.cross_entropy(logits(train), labels) + _PROBE_DECAY * (weights[:-1] ** 2).sum()
        loss.backward()
        return loss

    optimiser.step(closure)
    with torch.no_grad():
        return logits(test).argmax(dim=1)
