"""Tiny models of every supported family of ``transformers``, with random weights from a fixed seed, and a tokenizer."""

from typing import Any

LAYERS, HEADS, WIDTH = 3, 4, 32
REGISTERS = 3
WORDS = [*"abcdefghijklmnopqrstuvwxyz"]

TEXT = {
    "albert": "Albert",
    "bert": "Bert",
    "distilbert": "DistilBert",
    "electra": "Electra",
    "roberta": "Roberta",
    "xlm-roberta": "XLMRoberta",
}
VISION = {
    "clip_vision_model": "CLIPVision",
    "deit": "DeiT",
    "dinov2": "Dinov2",
    "dinov2_with_registers": "Dinov2WithRegisters",
    "dinov3_vit": "DINOv3ViT",
    "vit": "ViT",
}
DECODERS = {
    "gemma2": "Gemma2",
    "gpt2": "GPT2",
    "gpt_neox": "GPTNeoX",
    "lfm2": "Lfm2",
    "llama": "Llama",
    "mistral": "Mistral",
    "olmo2": "Olmo2",
    "opt": "OPT",
    "phi3": "Phi3",
    "qwen2": "Qwen2",
    "qwen3": "Qwen3",
    "qwen3_next": "Qwen3Next",
    "smollm3": "SmolLM3",
}
"""``model_type`` and the stem of the library's class names."""

_SIZES = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "intermediate_size": 64}
_TOKENS = {"vocab_size": 40, "max_position_embeddings": 64, "pad_token_id": 0}
_GROUPED = {"num_key_value_heads": 2, "head_dim": 8}

_SETTINGS: dict[str, dict[str, Any]] = {
    "albert": {"embedding_size": 16},
    "distilbert": {"dim": WIDTH, "n_heads": HEADS, "n_layers": LAYERS, "hidden_dim": 64},
    "electra": {"embedding_size": 16},
    "dinov2_with_registers": {"num_register_tokens": REGISTERS},
    "dinov3_vit": {"num_register_tokens": REGISTERS},
    "gemma2": {**_GROUPED, "layer_types": ["full_attention"] * LAYERS},
    "lfm2": {"num_key_value_heads": 2, "layer_types": ["conv", "full_attention", "conv"],
             "block_auto_adjust_ff_dim": False},
    "llama": _GROUPED,
    "mistral": {**_GROUPED, "sliding_window": None},
    "olmo2": {"num_key_value_heads": 2},
    "opt": {"ffn_dim": 64, "word_embed_proj_dim": WIDTH},
    "phi3": {"num_key_value_heads": 2},
    "qwen2": {"num_key_value_heads": 2},
    "qwen3": _GROUPED,
    "qwen3_next": {**_GROUPED, "layer_types": ["linear_attention", "full_attention", "full_attention"],
                   "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8,
                   "linear_value_head_dim": 8, "num_experts": 0, "mlp_only_layers": [0, 1, 2]},
    "smollm3": {"num_key_value_heads": 2},
}  # fmt: skip


def model(family: str, *, attention: str | None = None, head: str = "Model", seed: int = 1, **settings: Any) -> Any:
    """A model in eval mode; ``head`` ends its class name, ``settings`` overrule the tiny configuration's.

    Args:
        family: a key of :data:`TEXT`, :data:`VISION` or :data:`DECODERS`.
        attention: the attention implementation, the library's default when None.
        head: ``Model``, or e.g. ``ForCausalLM``.
        seed: of the weights.
        settings: of the configuration.
    """
    import torch
    import transformers

    stem = {**TEXT, **VISION, **DECODERS}[family]
    config = getattr(transformers, f"{stem}Config")(**(configuration(family) | settings))
    if attention is not None:
        config._attn_implementation = attention
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        built = getattr(transformers, f"{stem}{head}")(config)
        # Weights of the usual scale give nearly uniform attention, which would hide mixed-up tokens.
        for parameter in built.parameters():
            if parameter.ndim == 2:
                torch.nn.init.normal_(parameter, std=0.3)
    return built.eval()


def configuration(family: str) -> dict[str, Any]:
    """The settings of the tiny configuration of a family."""
    sizes = {} if family == "distilbert" else _SIZES
    data = {"image_size": 32, "patch_size": 8} if family in VISION else _TOKENS
    return {**sizes, **data, **_SETTINGS.get(family, {})}


def tokenizer(*, begins: bool = False) -> Any:
    """One token for each letter, between ``[CLS]`` and ``[SEP]``; with ``begins``, after ``<s>`` as for decoders."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    special = ("<pad>", "<unk>", "<s>", "</s>", "<mask>") if begins else ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    pad, unknown, first, last, mask = special
    ids = {name: number for number, name in enumerate((*special, *WORDS))}
    made = Tokenizer(models.WordLevel(ids, unk_token=unknown))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    template = f"{first} $A" if begins else f"{first} $A {last}"
    made.post_processor = processors.TemplateProcessing(
        single=template, special_tokens=[(name, ids[name]) for name in template.split() if name != "$A"]
    )
    # What some published tokenizer files bake in, and what has to be overruled.
    made.enable_truncation(8)
    made.enable_padding(length=8, pad_token=pad)
    ends = {"bos_token": first, "eos_token": last} if begins else {"cls_token": first, "sep_token": last}
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=made, pad_token=pad, unk_token=unknown, mask_token=mask, **ends
    )
