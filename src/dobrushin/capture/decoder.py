"""Decoders of ``transformers`` (GPT-2-like, Llama-like): each token attends to itself and to its past.

A layer whose attention is cut off to a window, or that has none (a convolution, a linear recurrence), has no
map over the whole past: it is handed on as :class:`~dobrushin.capture.adapter.NoMap` with the reason.
"""

from collections.abc import Sequence
from typing import Any

from dobrushin.capture.adapter import NoMap, Receive
from dobrushin.capture.attention_registry import AttentionCall, attention_calls, family_of
from dobrushin.capture.inputs import Item, ModelInput
from dobrushin.capture.tokenised import Tokenised, padded
from dobrushin.errors import InputError

FAMILIES = ("gemma2", "gpt2", "gpt_neox", "lfm2", "llama", "mistral", "olmo2", "opt", "phi3", "qwen2", "qwen3",
            "qwen3_next", "smollm3")  # fmt: skip
"""The ``model_type`` values of the configurations that this adapter was tested with."""

_WITHOUT_ATTENTION = {
    "conv": "a convolution in place of attention: there are no weights",
    "linear_attention": "linear attention: there are no weights",
}
"""For the ``layer_types`` of a configuration that have no attention weights: the reason to give."""


class Decoder:
    """A ``transformers`` decoder with its tokenizer.

    The tokens are those that the tokenizer makes of the text, with the begin token that it adds, if it adds one.
    Content are all but begin, end, padding and other special tokens.

    Args:
        model: in eval mode, of one of :data:`FAMILIES`, with or without a head, with any attention
            implementation, which is restored.
        tokenizer: the model's ``transformers`` tokenizer; it says which tokens are special.
        name: what results call the model; default: the name it was loaded by.
        max_tokens: texts are cut off after so many tokens, special ones included; by default a text longer
            than the model's positions is an error.

    Raises:
        InputError: the model is of another family, or attends to another sequence besides.
    """

    def __init__(self, model: Any, tokenizer: Any, *, name: str = "", max_tokens: int | None = None) -> None:
        config = family_of(model, FAMILIES, "decoder")
        if getattr(config, "add_cross_attention", False):
            raise InputError(
                f"this {config.model_type} has cross attention: only self-attention has a square map; "
                "load the model without it"
            )
        self.model = model.base_model  # without the head, whose logits nobody reads here
        self.tokenizer = tokenizer
        self.name = name or config.name_or_path or type(model).__name__
        self.layers = config.num_hidden_layers
        positions = config.max_position_embeddings
        self._texts = Tokenised(tokenizer, name=self.name, positions=positions, max_tokens=max_tokens)

    def prepare(self, item: Item) -> ModelInput:
        """Tokenise a text; n is its number of tokens, special ones included."""
        return self._texts.prepare(item)

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run a batch, padded on the right to its longest text when lengths differ.

        Raises:
            InputError: a weight on a later token is not zero; or some texts of the batch, but not all, are longer
                than the window of a layer, so that the layer has a map for a part of them only.
        """
        import torch

        # No token looks ahead, so that any id will do to the right of a text.
        ids, mask = padded(batch, self.tokenizer.pad_token_id or 0)
        device = self.model.device
        arguments = {
            "input_ids": torch.from_numpy(ids).to(device),
            "attention_mask": torch.from_numpy(mask).to(device),
        }
        layers = _Layers(self.name, self.model.config, [prepared.n for prepared in batch], receive)
        with torch.inference_mode(), attention_calls(self.model, layers.called):
            self.model(**arguments, use_cache=False, output_attentions=False, output_hidden_states=False)
        layers.finish()


class _Layers:
    """Brings the attention calls of one forward pass into the order of the layers, with a reason for each gap."""

    def __init__(self, model: str, config: Any, lengths: Sequence[int], receive: Receive) -> None:
        self._model = model
        self._types: Sequence[str] = getattr(config, "layer_types", None) or ()
        self._count = config.num_hidden_layers
        self._shortest, self._longest = min(lengths), max(lengths)
        self._receive = receive
        self._next = 0

    def called(self, call: AttentionCall) -> None:
        """Hand on the layer that was called, after those before it that were not."""
        layer = getattr(call.module, "layer_idx", None)
        if not isinstance(layer, int) or layer < self._next:
            raise InputError(f"{self._model} does not call its layers once and in order, so none can be told apart")
        self._pass_over(layer)
        self._receive(self._map_of(layer, call))
        self._next = layer + 1

    def finish(self) -> None:
        """Hand on the layers after the last one that was called."""
        self._pass_over(self._count)

    def _pass_over(self, until: int) -> None:
        for layer in range(self._next, until):
            kind = self._types[layer] if layer < len(self._types) else "full_attention"
            if kind not in _WITHOUT_ATTENTION:
                raise InputError(
                    f"{self._model}, layer {layer}: its attention does not pass where this adapter looks, "
                    "so nothing can be said about it"
                )
            self._receive(NoMap(_WITHOUT_ATTENTION[kind]))

    def _map_of(self, layer: int, call: AttentionCall) -> Any:
        window = call.window
        if window is not None and window < self._longest:
            if window >= self._shortest:
                raise InputError(
                    f"{self._model}, layer {layer}: only some texts of the batch are longer than its window of "
                    f"{window} tokens; run texts of equal length together (pad=False)"
                )
            return NoMap(f"sliding window: a token sees the {window} tokens up to itself, not its whole past")
        _refuse_looking_ahead(self._model, layer, call.weights)
        return call.weights


def _refuse_looking_ahead(model: str, layer: int, weights: Any) -> None:
    """Raise unless the upper triangle is exactly zero; NaN counts as weight too."""
    ahead = weights.triu(1)
    if ahead.any():
        _, head, row, column = (int(index) for index in ahead.nonzero()[0])
        raise InputError(
            f"{model}, layer {layer}, head {head}, row {row}: the weight on the later token {column} is "
            f"{float(ahead[ahead != 0][0])}, not zero: this is no causal attention"
        )
