"""Tiny models of every supported family, with random weights from a fixed seed."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from dobrushin.capture import IMAGENET_MEAN, IMAGENET_STD, Image, Text, TextEncoder, VisionTransformer  # noqa: E402

LAYERS, HEADS, WIDTH = 3, 4, 32
TEXT = {"albert": "Albert", "bert": "Bert", "distilbert": "DistilBert", "roberta": "Roberta"}
VISION = {"deit": "DeiT", "dinov2": "Dinov2", "dinov2_with_registers": "Dinov2WithRegisters", "vit": "ViT"}
REGISTERS = 3
WORDS = [*"abcdefghijklmnopqrstuvwxyz"]

Build = Callable[..., Any]


def _model(stem: str, attention: str | None, dtype: Any, settings: dict[str, Any]) -> Any:
    config = getattr(transformers, f"{stem}Config")(**settings)
    if attention is not None:
        config._attn_implementation = attention
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = getattr(transformers, f"{stem}Model")(config)
        # Weights of the usual scale give nearly uniform attention, which would hide mixed-up tokens.
        for parameter in model.parameters():
            if parameter.ndim == 2:
                torch.nn.init.normal_(parameter, std=0.3)
    return model.to(dtype).eval()


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    ids = {name: number for number, name in enumerate(names)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])]
    )
    # What some published tokenizer files bake in, and what has to be overruled.
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8, pad_token="[PAD]")
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)


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
        names = {"dim": WIDTH, "n_heads": HEADS, "n_layers": LAYERS, "hidden_dim": 64}
        if family != "distilbert":
            names = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
                     "intermediate_size": 64}  # fmt: skip
        if family == "albert":
            names["embedding_size"] = 16
        # The tokenizer's padding id, which RoBERTa numbers its positions by.
        common = {"vocab_size": 40, "max_position_embeddings": 64, "pad_token_id": 0}
        model = _model(TEXT[family], attention, dtype, {**names, **common, **settings})
        return TextEncoder(model, _tokenizer(), name=f"tiny {family}")

    return build


@pytest.fixture
def vision_transformer() -> Build:
    """``vision_transformer(family, attention=None, dtype=torch.float32, **settings)`` behind the adapter."""

    def build(
        family: str, attention: str | None = None, dtype: Any = torch.float32, **settings: Any
    ) -> VisionTransformer:
        names = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
                 "image_size": 32, "patch_size": 8}  # fmt: skip
        if family in ("deit", "vit"):
            names["intermediate_size"] = 64
        if family == "dinov2_with_registers":
            names["num_register_tokens"] = REGISTERS
        model = _model(VISION[family], attention, dtype, {**names, **settings})
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
