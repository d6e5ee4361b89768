"""Toy networks: the path sum, the tasks, and that the same arguments give the same network."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dobrushin.collapse.toys import (
    ToyNetwork,
    accuracy,
    by_length,
    convex_hull,
    memorisation,
    run_circle,
    sampled,
    sorting,
    train,
)
from dobrushin.collapse.toys.network import seeded
from dobrushin.collapse.toys.tasks import hull_corners
from dobrushin.errors import InputError


def network(seed: int, *, depth: int = 3, heads: int = 2, skip: bool = True, mlp: bool = False) -> ToyNetwork:
    with seeded(seed):
        return ToyNetwork(width=8, depth=depth, heads=heads, skip=skip, mlp=mlp, outputs=3).double()


@settings(max_examples=30)
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.sampled_from([1, 2, 4]),
    st.booleans(),
    st.booleans(),
    st.integers(1, 5),
)
def test_the_sum_over_path_lengths_is_the_output(
    seed: int, depth: int, heads: int, skip: bool, mlp: bool, n: int
) -> None:
    toy = network(seed, depth=depth, heads=heads, skip=skip, mlp=mlp)
    inputs = torch.randn(2, n, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    parts = by_length(toy, inputs)
    output = toy(inputs).detach()
    assert not parts.requires_grad
    torch.testing.assert_close(toy.head(parts.sum(0)).detach(), output, rtol=1e-9, atol=1e-9)
    if not skip:
        assert not parts[:-1].any()


@pytest.mark.parametrize("mlp", [False, True])
def test_all_sampled_paths_are_the_sum_of_their_length(mlp: bool) -> None:
    toy = network(5, mlp=mlp)
    inputs = torch.randn(2, 4, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    parts, fixed = by_length(toy, inputs), toy.layers(inputs)
    for length, count in enumerate([1, 6, 12, 8]):  # C(3, k)·2^k
        total, drawn = sampled(toy, fixed, length=length, paths=100, generator=torch.Generator().manual_seed(0))
        assert drawn == count
        torch.testing.assert_close(total, parts[length])


def test_other_attention_breaks_the_path_sum() -> None:
    toy = network(5)
    inputs = torch.randn(1, 4, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    other = toy(inputs + 1).detach()
    assert (toy.head(by_length(toy, inputs).sum(0)).detach() - other).abs().max() > 1e-3


def test_hull_corners_are_those_that_half_planes_find() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        points = rng.uniform(size=(7, 2))
        expected = np.zeros(7, dtype=bool)
        for i in range(7):
            for j in range(7):
                edge, rest = points[j] - points[i], points - points[i]
                side = edge[0] * rest[:, 1] - edge[1] * rest[:, 0]
                if i != j and (np.delete(side, [i, j]) > 0).all():
                    expected[[i, j]] = True
        np.testing.assert_array_equal(hull_corners(points), expected)


def test_memorisation_says_when_sentences_are_few() -> None:
    task = memorisation(["a b c d", "a b c d", "b c", "d c b a"], count=2, length=4)
    assert task.inputs.shape == (2, 4)
    assert task.vocabulary == 4
    with pytest.raises(InputError, match="2 of the sentences have 4 words, but 3 are needed"):
        memorisation(["a b c d", "d c b a"], count=3, length=4)


def test_training_learns_and_can_be_repeated() -> None:
    task = sorting(train=300, test=50, length=4, values=4)

    def trained() -> ToyNetwork:
        return train(task, width=16, depth=2, heads=2, skip=True, mlp=False, epochs=12, batch_size=30,
                     learning_rate=5e-3, seed=1)  # fmt: skip

    first, second = trained(), trained()
    inputs, targets = torch.from_numpy(task.test_inputs), torch.from_numpy(task.test_targets)
    assert torch.equal(first(inputs), second(inputs))
    assert not first(inputs).requires_grad
    assert accuracy(first(inputs), targets) > task.majority + 0.2


def test_convex_hull_and_circle_run() -> None:
    task = convex_hull(train=20, test=5)
    assert task.targets.sum(axis=1).min() >= 3
    run = run_circle(skip=True, mlp=True, epochs=1, steps=5)
    assert run.trajectory.shape == (6, 2, 2)
    assert run.separation[0] == pytest.approx(1)
    assert run.radial_error[0] == pytest.approx(0, abs=1e-6)
