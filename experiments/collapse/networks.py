"""The networks of the experiment, trained and random, and the states of their layers on real inputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dobrushin import packaged
from dobrushin.capture import Item, Text, TextEncoder
from dobrushin.collapse.extract import layer_states, network_of, recorded_states
from dobrushin.collapse.network import Network
from dobrushin.collapse.norms import Floats
from dobrushin.errors import InputError
from dobrushin.packaged.reviews import all_sentences

SHAPES: dict[str, dict[str, int]] = {
    "base": {"width": 768, "layers": 12, "heads": 12, "inner": 3072, "embedding": 128},
    "small": {"width": 96, "layers": 4, "heads": 4, "inner": 192, "embedding": 32},
}
"""Of BERT, ALBERT and XLNet in their published base size, and a small one for the quick form."""

VOCABULARY = 30522
"""MiniLM's word pieces, whose ids every text model gets: the vocabularies of the paper's models are no packages."""


@dataclass(frozen=True)
class Studied:
    """A network, its inputs, and how to get a layer's states.

    Attributes:
        title: what tables call it.
        network: the copied weights.
        items: the inputs.
        states: the tokens before the first layer and after each, of one input.
        pooling: how an input becomes one vector.
    """

    title: str
    network: Network
    items: Sequence[Item]
    states: Callable[[Item], list[Floats]]
    pooling: Literal["mean", "first"]


def open_network(key: str, *, inputs: int, tokens: int, shape: str, seed: int) -> Studied:
    """One of ``minilm``, ``dinov2``, ``rxnmapper`` (trained), ``bert-random``, ``albert-random``, ``xlnet-random``."""
    if key in ("dinov2", "rxnmapper"):
        entry = packaged.model(key)
        adapter = entry.load()
        pooling: Literal["mean", "first"] = "first" if key == "dinov2" else "mean"
        return Studied(entry.title, network_of(adapter.model, name=entry.title), entry.items(inputs),
                       lambda item: layer_states(adapter, item)[0], pooling)  # fmt: skip
    packed: Any = packaged.model("minilm").load()
    encoder = TextEncoder(packed.model, packed.tokenizer, name=packed.name, max_tokens=tokens)
    items = joined_sentences(encoder, inputs, tokens, seed)
    if key == "minilm":
        title = packaged.model(key).title
        return Studied(title, network_of(encoder.model, name=title), items,
                       lambda item: layer_states(encoder, item)[0], "mean")  # fmt: skip
    model = random_model(key, SHAPES[shape], seed)
    title = f"{key.removesuffix('-random').upper()}-shaped, random"
    network = network_of(model, name=title)
    if key == "xlnet-random":
        return Studied(title, network, items, lambda item: _xlnet_states(model, encoder, item), "mean")
    adapter = TextEncoder(model, encoder.tokenizer, name=title, max_tokens=tokens)
    return Studied(title, network, items, lambda item: layer_states(adapter, item)[0], "mean")


def joined_sentences(encoder: TextEncoder, count: int, tokens: int, seed: int) -> list[Text]:
    """Texts that the encoder cuts to ``tokens`` tokens each, of sentences that occur in no other text."""
    remaining = iter(all_sentences(seed=seed))
    texts = []
    for number in range(count):
        parts: list[str] = []
        while not parts or encoder.prepare(Text("", " ".join(parts))).n < tokens:
            parts.append(next(remaining).text)
        texts.append(Text(f"joined reviews {number}", " ".join(parts)))
    return texts


def random_model(key: str, shape: dict[str, int], seed: int) -> Any:
    """The architecture as ``transformers`` initialises it, in eval mode; torch's own seed is as before afterwards."""
    import torch
    from transformers import AlbertConfig, AlbertModel, BertConfig, BertModel, XLNetConfig, XLNetModel

    common = {"vocab_size": VOCABULARY, "hidden_size": shape["width"], "num_hidden_layers": shape["layers"],
              "num_attention_heads": shape["heads"], "intermediate_size": shape["inner"]}  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if key == "bert-random":
            return BertModel(BertConfig(**common)).eval()
        if key == "albert-random":
            return AlbertModel(AlbertConfig(**common, embedding_size=shape["embedding"])).eval()
        if key == "xlnet-random":
            config = XLNetConfig(vocab_size=VOCABULARY, d_model=shape["width"], n_layer=shape["layers"],
                                 n_head=shape["heads"], d_inner=shape["inner"])  # fmt: skip
            return XLNetModel(config).eval()
    raise InputError(f"there is no network {key} in this experiment")


def _xlnet_states(model: Any, encoder: TextEncoder, item: Item) -> list[Floats]:
    import torch

    ids = torch.from_numpy(np.array(encoder.prepare(item).features["input_ids"])[None])
    with recorded_states(model) as states, torch.inference_mode():
        model(input_ids=ids)
    return states
