"""Three tasks that put one label on each token: sorting, convex hull, memorisation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.errors import InputError


@dataclass(frozen=True, eq=False)
class Task:
    """Inputs and one label for each token.

    Attributes:
        name: ``sorting``, ``convex hull`` or ``memorisation``.
        inputs, targets: for training; (examples, n) token numbers or (examples, n, features), and (examples, n).
        test_inputs, test_targets: for evaluation; the training examples themselves for memorisation.
        vocabulary: how many token numbers there are; None when inputs are features.
        labels: how many labels there are.
        ordered: whether the position of a token matters.
        majority: accuracy on the test examples of always giving the label that is most frequent in training.
    """

    name: str
    inputs: NDArray[Any]
    targets: NDArray[np.int64]
    test_inputs: NDArray[Any]
    test_targets: NDArray[np.int64]
    vocabulary: int | None
    labels: int
    ordered: bool

    @property
    def n(self) -> int:
        """Tokens of an example."""
        return int(self.inputs.shape[1])

    @property
    def majority(self) -> float:
        """What a network has to beat: see the attributes."""
        label = np.bincount(self.targets.ravel(), minlength=self.labels).argmax()
        return float((self.test_targets == label).mean())


def sorting(*, train: int = 1000, test: int = 200, length: int = 8, values: int = 10, seed: int = 0) -> Task:
    """The label of position p is the p-th smallest value of the sequence; values may repeat.

    >>> task = sorting(train=3, test=1)
    >>> bool((np.diff(task.targets, axis=1) >= 0).all())
    True
    """
    rng = np.random.default_rng(seed)
    inputs = rng.integers(values, size=(train + test, length))
    targets = np.sort(inputs, axis=1)
    return Task("sorting", inputs[:train], targets[:train], inputs[train:], targets[train:], values, values, True)


def convex_hull(*, train: int = 10_000, test: int = 300, points: int = 10, seed: int = 0) -> Task:
    """Label 1 for the corners of the convex hull of points drawn uniformly from a shifted square."""
    rng = np.random.default_rng(seed)
    coordinates = rng.uniform(-1, 1, size=(train + test, points, 2))
    coordinates += rng.normal(scale=0.66, size=(train + test, 1, 2))
    corners = np.array([hull_corners(cloud) for cloud in coordinates]).astype(np.int64)
    inputs = coordinates.astype(np.float32)
    return Task("convex hull", inputs[:train], corners[:train], inputs[train:], corners[train:], None, 2, False)


def hull_corners(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of the points (n, 2) are corners of their convex hull, by Andrew's monotone chain.

    >>> hull_corners(np.array([[0.0, 0], [2, 0], [1, 0.5], [1, 2]]))
    array([ True,  True, False,  True])
    """
    order = np.lexsort((points[:, 1], points[:, 0]))
    found = np.zeros(len(points), dtype=bool)
    for sequence in (order, order[::-1]):
        chain: list[int] = []
        for index in sequence:
            while len(chain) >= 2 and _turn(points[chain[-2]], points[chain[-1]], points[index]) <= 0:
                chain.pop()
            chain.append(int(index))
        found[chain] = True
    return found


def _turn(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> float:
    """Twice the signed area of the triangle: positive for a turn to the left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def memorisation(sentences: Sequence[str], *, count: int = 500, length: int = 16, seed: int = 0) -> Task:
    """One of two random labels for each of the first ``length`` words of real sentences, to be learnt by heart.

    Sentences with fewer words are left out, as are those whose first words came before.

    Raises:
        InputError: there are not ``count`` sentences that are long enough.
    """
    words = dict.fromkeys(tuple(sentence.lower().split()[:length]) for sentence in sentences)
    chosen = [key for key in words if len(key) == length][:count]
    if len(chosen) < count:
        raise InputError(f"{len(chosen)} of the sentences have {length} words, but {count} are needed; give more")
    vocabulary = {word: number for number, word in enumerate(sorted({word for key in chosen for word in key}))}
    inputs = np.array([[vocabulary[word] for word in key] for key in chosen])
    targets = np.random.default_rng(seed).integers(2, size=inputs.shape)
    return Task("memorisation", inputs, targets, inputs, targets, len(vocabulary), 2, True)
