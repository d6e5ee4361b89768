"""Text encoders of ``transformers``: bidirectional self-attention over the tokens of a sentence."""

from collections.abc import Sequence
from typing import Any

from dobrushin.capture.adapter import Receive
from dobrushin.capture.attention_registry import attention_weights, family_of
from dobrushin.capture.inputs import Item, ModelInput
from dobrushin.capture.tokenised import Tokenised, padded
from dobrushin.errors import InputError

FAMILIES = ("albert", "bert", "distilbert", "electra", "roberta", "xlm-roberta")
"""The ``model_type`` values of the configurations that this adapter was tested with."""

_POSITIONS_AFTER_PADDING = ("roberta", "xlm-roberta")
"""Families that number positions from ``pad_token_id`` + 1, so that many of their positions are never used."""


class TextEncoder:
    """A ``transformers`` text encoder with its tokenizer.

    Args:
        model: in eval mode, of one of :data:`FAMILIES`, with any attention implementation, which is restored.
        tokenizer: the model's ``transformers`` tokenizer; it says which tokens are special.
        name: what results call the model; default: the name it was loaded by.
        max_tokens: texts are cut off after so many tokens, special ones included; by default a text longer
            than the model's positions is an error.

    Raises:
        InputError: the model is of another family, or a decoder.
    """

    def __init__(self, model: Any, tokenizer: Any, *, name: str = "", max_tokens: int | None = None) -> None:
        config = family_of(model, FAMILIES, "text encoder")
        if getattr(config, "is_decoder", False) or getattr(config, "add_cross_attention", False):
            raise InputError(f"this {config.model_type} is configured as a decoder, but an encoder is needed")
        self.model = model
        self.tokenizer = tokenizer
        self.name = name or config.name_or_path or type(model).__name__
        self.layers = config.num_hidden_layers * getattr(config, "inner_group_num", 1)
        offset = config.pad_token_id + 1 if config.model_type in _POSITIONS_AFTER_PADDING else 0
        positions = config.max_position_embeddings - offset
        self._texts = Tokenised(tokenizer, name=self.name, positions=positions, max_tokens=max_tokens)

    def prepare(self, item: Item) -> ModelInput:
        """Tokenise a text; n is its number of tokens, special ones included."""
        return self._texts.prepare(item)

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run a batch, padded on the right to its longest text when lengths differ."""
        import torch

        ids, mask = padded(batch, self._pad_id(batch))
        device = self.model.device
        arguments = {
            "input_ids": torch.from_numpy(ids).to(device),
            "attention_mask": torch.from_numpy(mask).to(device),
        }
        with torch.inference_mode(), attention_weights(self.model, receive):
            self.model(**arguments, output_attentions=False, output_hidden_states=False)

    def _pad_id(self, batch: Sequence[ModelInput]) -> int:
        pad_id = self.tokenizer.pad_token_id
        if pad_id is None:
            if len({prepared.n for prepared in batch}) > 1:
                raise InputError(f"the tokenizer of {self.name} has no padding token: run with pad=False")
            return 0
        return int(pad_id)
