"""The parts of the experiment that trains two small ViTs: data, losses, the loop, and the accuracies."""

import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from dobrushin.capture import Image, observe
from dobrushin.errors import InputError
from dobrushin.experiments import read_table
from dobrushin.sources.models import open_model

FOLDER = Path(__file__).parents[2] / "experiments" / "supervised"
NAMES = ("accuracy", "data", "model", "self_supervised", "supervised", "tables", "training")

MODEL = {"image_size": 28, "patch_size": 4, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
         "intermediate_size": 32, "initializer_range": 0.1}  # fmt: skip
CONFIG = {
    "model": MODEL,
    "optimiser": {"batch": 8, "learning_rate": 1e-3, "weight_decay": 0.04, "warm_up": 0.1, "clip": 3.0},
    "augmentation": {"large": [0.5, 1.0], "small": [0.15, 0.5], "jitter": 0.2},
    "distillation": {"small_size": 12, "small_crops": 2, "prototypes": 16, "bottleneck": 8, "student_temperature": 0.1,
                     "teacher_temperatures": [0.04, 0.07], "teacher_momentum": 0.9, "centre_momentum": 0.9},
    "steps": 6, "snapshots": 3, "save_every": 2, "train_pictures": 24,
}  # fmt: skip


@pytest.fixture(scope="module")
def parts() -> Iterator[SimpleNamespace]:
    """The experiment's modules by name, imported as ``run.py`` imports them, and forgotten afterwards."""
    sys.path.insert(0, str(FOLDER))
    before = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
    yield SimpleNamespace(**{name: import_module(name) for name in NAMES})
    for name in NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(before)
    sys.path.remove(str(FOLDER))


def pictures(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    return torch.rand(count, 1, 28, 28, generator=generator), torch.arange(count) % 10


@pytest.fixture
def experiment(tmp_path: Path, parts: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.setattr(parts.training, "load", lambda _part, count: pictures(count))
    return SimpleNamespace(config=CONFIG, work=tmp_path, say=print)


def same(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    left, right = one.state_dict(), other.state_dict()
    return left.keys() == right.keys() and all(left[key].equal(right[key]) for key in left)


class TestData:
    def test_a_crop_of_everything_is_the_picture_or_its_mirror_image(self, parts: SimpleNamespace) -> None:
        images, _ = pictures(16)
        # The whole area, in any proportion up to 4:3: only square crops cover the picture.
        crops = parts.data.random_crops(images, 28, (2.0, 2.0), np.random.default_rng(0), jitter=0.0)
        plain = parts.data.normalised(images)
        found = [torch.allclose(crop, one, atol=1e-4) for crop, one in zip(crops, plain, strict=True)]
        mirrored = [torch.allclose(crop, one.flip(2), atol=1e-4) for crop, one in zip(crops, plain, strict=True)]
        assert all(a != b for a, b in zip(found, mirrored, strict=True))
        assert any(found)
        assert any(mirrored)

    def test_the_same_generator_gives_the_same_crops(self, parts: SimpleNamespace) -> None:
        images, _ = pictures(4)
        one, other, third = (
            parts.data.random_crops(images, 12, (0.2, 0.5), np.random.default_rng(seed), jitter=0.3)
            for seed in (0, 0, 1)
        )
        assert one.shape == (4, 3, 12, 12)
        assert one.equal(other)
        assert not one.equal(third)

    def test_training_and_observation_feed_the_model_the_same_numbers(self, parts: SimpleNamespace) -> None:
        grey = np.random.default_rng(0).integers(0, 256, (28, 28), dtype=np.uint8)
        observed = parts.model.adapter(parts.model.backbone(MODEL, 0).eval(), "tiny").pixel_values(
            [np.repeat(grey[:, :, None], 3, axis=2)]
        )
        trained = parts.data.normalised(torch.from_numpy(grey.astype(np.float32) / 255)[None, None])
        assert torch.allclose(torch.from_numpy(observed), trained, atol=1e-6)


class TestModels:
    def test_both_objectives_start_from_the_same_weights(self, parts: SimpleNamespace) -> None:
        supervised = parts.supervised.Supervised(CONFIG, 3)
        dino = parts.self_supervised.SelfSupervised(CONFIG, 3)
        assert same(supervised.snapshot().vit, dino.snapshot())
        assert same(dino.modules["student"], dino.modules["teacher"])
        assert same(dino.modules["student_head"], dino.modules["teacher_head"])
        assert not same(dino.snapshot(), parts.self_supervised.SelfSupervised(CONFIG, 4).snapshot())

    @pytest.mark.parametrize("objective", ["supervised", "self-supervised"])
    def test_a_snapshot_is_a_folder_that_can_be_observed(
        self, objective: str, parts: SimpleNamespace, tmp_path: Path
    ) -> None:
        model = parts.training.OBJECTIVES[objective](CONFIG, 0).snapshot()
        parts.model.save_folder(model, tmp_path / "model")
        again = parts.model.open_backbone(tmp_path / "model")
        assert same(again, getattr(model, "vit", model))
        shapes = []
        item = Image("one", np.zeros((28, 28, 3), dtype=np.uint8))
        observe(parts.model.adapter(again, "tiny"), [item], lambda seen: shapes.append((seen.layer, seen.values.shape)))
        assert shapes == [(0, (2, 50, 50)), (1, (2, 50, 50))]

    @pytest.mark.parametrize("objective", ["supervised", "self-supervised"])
    def test_a_snapshot_is_a_model_for_every_command(
        self, objective: str, parts: SimpleNamespace, tmp_path: Path
    ) -> None:
        folder = tmp_path / "model"
        parts.model.save_folder(parts.training.OBJECTIVES[objective](CONFIG, 0).snapshot(), folder)
        item = Image("one", np.random.default_rng(0).integers(0, 256, (28, 28, 3), dtype=np.uint8))
        maps: list[list[Any]] = [[], []]
        opened = open_model(str(folder))
        assert opened.kind == "image"
        for adapter, found in zip(
            (opened.adapter, parts.model.adapter(parts.model.open_backbone(folder), "tiny")), maps, strict=True
        ):
            observe(adapter, [item], lambda seen, found=found: found.append(seen.values))
        assert len(maps[0]) == 2
        for one, other in zip(*maps, strict=True):
            np.testing.assert_array_equal(one, other)


class TestSelfSupervised:
    def test_labels_do_not_matter(self, parts: SimpleNamespace) -> None:
        images, labels = pictures(8)
        losses = [
            parts.self_supervised.SelfSupervised(CONFIG, 0).loss(images, given, np.random.default_rng(0), 0.0).item()
            for given in (labels, labels.flip(0), None)
        ]
        assert losses[0] == losses[1] == losses[2]

    def test_the_teacher_follows_the_student_and_gets_no_gradient(self, parts: SimpleNamespace) -> None:
        dino = parts.self_supervised.SelfSupervised(CONFIG, 0)
        images, labels = pictures(8)
        dino.loss(images, labels, np.random.default_rng(0), 0.0).backward()
        assert all(parameter.grad is None for parameter in dino.modules["teacher"].parameters())
        student, teacher = (dino.modules[name].encoder.layer[0] if hasattr(dino.modules[name], "encoder")
                            else dino.modules[name] for name in ("student", "teacher"))  # fmt: skip
        parameter, average = next(student.parameters()), next(teacher.parameters())
        with torch.no_grad():
            parameter.add_(1.0)
        before = average.clone()
        dino.after_step(0.0)
        assert torch.allclose(average, before + 0.1, atol=1e-6), "momentum 0.9 moves a tenth of the way"
        before = average.clone()
        dino.after_step(1.0)
        assert average.equal(before), "at the end the teacher stands still"

    def test_the_centre_keeps_the_mean_output_away(self, parts: SimpleNamespace) -> None:
        dino = parts.self_supervised.SelfSupervised(CONFIG, 0)
        images, labels = pictures(8)
        dino.loss(images, labels, np.random.default_rng(0), 0.0)
        assert dino.modules.centre.abs().max() > 0

    def test_both_learn_something_in_a_few_steps(self, parts: SimpleNamespace) -> None:
        images, labels = pictures(10)
        for make in parts.training.OBJECTIVES.values():
            objective = make(CONFIG, 0)
            optimiser = torch.optim.AdamW([p for p in objective.modules.parameters() if p.requires_grad], lr=1e-2)
            losses = []
            for _ in range(30):
                # The same crops each time: what is left is to fit them.
                loss = objective.loss(images, labels, np.random.default_rng(0), 0.0)
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                losses.append(loss.item())
            assert losses[-1] < 0.8 * losses[0], make


class TestLoop:
    def test_an_epoch_takes_every_picture_once(self, parts: SimpleNamespace) -> None:
        taken = torch.cat([parts.training.batch(24, 8, seed=0, step=step) for step in range(3)])
        assert sorted(taken.tolist()) == list(range(24))
        following = torch.cat([parts.training.batch(24, 8, seed=0, step=step) for step in range(3, 6)])
        assert not taken.equal(following)

    def test_the_learning_rate_rises_and_falls(self, parts: SimpleNamespace) -> None:
        rates = [parts.training.rate(progress, 0.1) for progress in (0.05, 0.1, 0.5, 1.0)]
        assert rates[0] == pytest.approx(0.5)
        assert rates[1] == pytest.approx(1.0)
        assert rates[3] == pytest.approx(0.01)
        assert rates[1] > rates[2] > rates[3]

    @pytest.mark.parametrize("objective", ["supervised", "self-supervised"])
    def test_a_stopped_training_ends_with_the_same_weights(
        self, objective: str, parts: SimpleNamespace, experiment: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = parts.training.Run(objective, 0)
        whole = SimpleNamespace(**{**vars(experiment), "work": experiment.work / "whole"})
        stopped = SimpleNamespace(**{**vars(experiment), "work": experiment.work / "stopped"})
        parts.training.train(whole, run)
        kind = parts.training.OBJECTIVES[objective]
        untouched, calls = kind.after_step, []

        def stops(self: Any, progress: float) -> None:
            calls.append(progress)
            if len(calls) == 4:
                raise KeyboardInterrupt
            untouched(self, progress)

        monkeypatch.setattr(kind, "after_step", stops)
        with pytest.raises(KeyboardInterrupt):
            parts.training.train(stopped, run)
        parts.training.train(stopped, run)
        assert len(calls) == 4 + 4, "steps 3 to 6 follow the state saved after step 2"
        for step, folder in parts.training.snapshots(whole, run).items():
            one, other = (
                load_file(place / "model.safetensors")
                for place in (folder, parts.training.snapshots(stopped, run)[step])
            )
            assert all(one[key].equal(other[key]) for key in one)
        assert not list(experiment.work.rglob("*.writing"))
        assert parts.training.seconds_taken(stopped, run) > 0

    def test_a_finished_training_is_not_repeated(self, parts: SimpleNamespace, experiment: SimpleNamespace) -> None:
        run = parts.training.Run("supervised", 0)
        parts.training.train(experiment, run)
        times = {path: path.stat().st_mtime_ns for path in experiment.work.rglob("*")}
        parts.training.train(experiment, run)
        assert {path: path.stat().st_mtime_ns for path in experiment.work.rglob("*")} == times

    def test_a_state_of_another_configuration_is_refused(
        self, parts: SimpleNamespace, experiment: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stops(self: Any, progress: float) -> None:
            if progress == 0.5:
                raise KeyboardInterrupt

        monkeypatch.setattr(parts.supervised.Supervised, "after_step", stops)
        run = parts.training.Run("supervised", 0)
        with pytest.raises(KeyboardInterrupt):
            parts.training.train(experiment, run)
        other = SimpleNamespace(**{**vars(experiment), "config": {**CONFIG, "steps": 12}})
        with pytest.raises(InputError, match=r"supervised-0 holds a training of another configuration"):
            parts.training.train(other, run)


class TestAccuracy:
    def test_separable_features_are_told_apart_and_noise_is_not(self, parts: SimpleNamespace) -> None:
        generator = torch.Generator().manual_seed(0)
        labels = torch.arange(400) % 4
        apart = torch.eye(4)[labels] * 5 + torch.randn(400, 4, generator=generator)
        noise = torch.randn(400, 4, generator=generator)
        for classify in (parts.accuracy.nearest_neighbours, parts.accuracy.linear_probe):
            for features, low, high in ((apart, 0.95, 1.0), (noise, 0.1, 0.4)):
                guesses = classify(features[:300], labels[:300], features[300:])
                assert low <= float((guesses == labels[300:]).float().mean()) <= high, classify


class TestTables:
    def test_halves_are_counted_apart(self, parts: SimpleNamespace) -> None:
        rows = [
            {"objective": "supervised", "seed": 0, "step": step, "tokens": tokens, "restrict": "renormalised",
             "layer": layer, "tight": 10 * (layer < 2) if step else 5, "maps": 10}
            for tokens in ("content", "all") for layer in range(4) for step in (0, 5)
        ]  # fmt: skip
        header, _, first, _ = parts.tables._by_half(rows, 4).splitlines()
        assert header.count("layers 1–2") == header.count("layers 3–4") == 2
        assert first == "| supervised | content | 0 | 0.500 | 1.000 | 0.500 | 0.000 | 0.500 | 0.000 |"


class TestCommitted:
    def test_the_results_are_those_of_the_configuration(self) -> None:
        config = tomllib.loads((FOLDER / "config.toml").read_text(encoding="utf-8"))["full"]
        rows = read_table(FOLDER / "results.parquet")
        assert sorted({row["seed"] for row in rows}) == config["seeds"]
        assert max(row["step"] for row in rows) == config["steps"]
        assert len({row["step"] for row in rows}) == config["snapshots"]
        assert {row["maps"] for row in rows} == {config["surveyed"]}
        assert sum({(r["objective"], r["seed"]): r["training_cpu_seconds"] for r in rows}.values()) < 3600

    def test_the_text_quotes_the_results(self) -> None:
        rows = [row for row in read_table(FOLDER / "results.parquet")
                if (row["tokens"], row["restrict"]) == ("content", "renormalised")]  # fmt: skip
        last = max(row["step"] for row in rows)
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        for title, layers in (("all layers", range(8)), ("layers 1–4", range(4)), ("layers 5–8", range(4, 8)),
                              ("layer 8", range(7, 8))):  # fmt: skip
            shares = []
            for objective, step in (("supervised", 0), ("supervised", last), ("self-supervised", last)):
                chosen = [
                    row
                    for row in rows
                    if (row["objective"], row["step"]) == (objective, step) and row["layer"] in layers
                ]
                shares.append(f"{sum(row['tight'] for row in chosen) / sum(row['maps'] for row in chosen):.3f}")
            assert f"| {title} | {' | '.join(shares)} |" in text
