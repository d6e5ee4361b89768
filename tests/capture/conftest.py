"""Tiny models of every supported family, with random weights from a fixed seed."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from dobrushin.capture import IMAGENET_MEAN, IMAGENET_STD, Decoder, Image, Text, TextEncoder, VisionTransformer  # noqa: E402
from dobrushin.testing import tiny_models  # noqa: E402
from dobrushin.testing.tiny_models import WORDS  # noqa: E402

Build = Callable[..., Any]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny products are slower on several threads, by far so on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def text_encoder() -> Build:
    """``text_encoder(family, attention=None, dtype=torch.float32, **settings)`` behind the adapter."""

    def build(family: str, attention: str | None = None, dtype: Any = torch.float32, **settings: Any) -> TextEncoder:
        model = tiny_models.model(family, attention=attention, **settings).to(dtype)
        return TextEncoder(model, tiny_models.tokenizer(), name=f"tiny {family}")

    return build


@pytest.fixture
def decoder() -> Build:
    """``decoder(family, attention=None, dtype=torch.float32, **settings)`` behind the adapter."""

    def build(family: str, attention: str | None = None, dtype: Any = torch.float32, **settings: Any) -> Decoder:
        model = tiny_models.model(family, attention=attention, **settings).to(dtype)
        return Decoder(model, tiny_models.tokenizer(begins=True), name=f"tiny {family}")

    return build


@pytest.fixture
def vision_transformer() -> Build:
    """``vision_transformer(family, attention=None, dtype=torch.float32, **settings)`` behind the adapter."""

    def build(
        family: str, attention: str | None = None, dtype: Any = torch.float32, **settings: Any
    ) -> VisionTransformer:
        model = tiny_models.model(family, attention=attention, **settings).to(dtype)
        return VisionTransformer(model, mean=IMAGENET_MEAN, std=IMAGENET_STD, name=f"tiny {family}")

    return build


@pytest.fixture
def texts() -> list[Text]:
    """Texts of several lengths, two of them equal, the longest longer than the baked-in truncation."""
    rng = np.random.default_rng(2)
    lengths = (5, 3, 12, 5, 1)
    return [Text(f"t{k}", " ".join(rng.choice(WORDS, size))) for k, size in enumerate(lengths)]


@pytest.fixture
def images() -> list[Image]:
    """Three square images and one that is wider than high."""
    rng = np.random.default_rng(3)
    shapes = ((32, 32), (32, 48), (32, 32), (32, 32))
    return [Image(f"i{k}", rng.integers(0, 256, (*shape, 3), dtype=np.uint8)) for k, shape in enumerate(shapes)]
