"""Text encoders of ``transformers``: bidirectional self-attention over the tokens of a sentence."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.adapter import Receive
from dobrushin.capture.attention_registry import attention_weights, family_of
from dobrushin.capture.inputs import Item, ModelInput, Text
from dobrushin.errors import InputError

FAMILIES = ("albert", "bert", "distilbert", "roberta")
"""The ``model_type`` values of the configurations that this adapter was tested with."""

_SPECIAL = ("cls_token_id", "sep_token_id", "bos_token_id", "eos_token_id", "pad_token_id")
"""Never content, also when typed into the text.  Unknown and mask tokens stand for words: content."""


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
        self.max_tokens = max_tokens
        ids = [getattr(tokenizer, key, None) for key in _SPECIAL]
        self._special_ids = np.array([number for number in ids if number is not None], dtype=np.int64)

    def prepare(self, item: Item) -> ModelInput:
        """Tokenise a text; n is its number of tokens, special ones included."""
        if not isinstance(item, Text):
            raise InputError(f"{self.name} takes texts, but {item.id} is no text")
        # Both are passed on every call: some tokenizer files bake in truncation and padding.
        encoded = self.tokenizer(
            item.text,
            truncation=self.max_tokens is not None,
            max_length=self.max_tokens,
            padding=False,
            return_special_tokens_mask=True,
        )
        ids = np.asarray(encoded["input_ids"], dtype=np.int64)
        added = np.asarray(encoded["special_tokens_mask"], dtype=bool)
        content = ~(added | np.isin(ids, self._special_ids))
        self._check_length(item, len(ids), content)
        labels = tuple(str(token) for token in self.tokenizer.convert_ids_to_tokens(ids.tolist()))
        return ModelInput(item.id, labels, content, {"input_ids": ids})

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run a batch, padded on the right to its longest text when lengths differ."""
        import torch

        ids, mask = self._padded([prepared.features["input_ids"] for prepared in batch])
        device = self.model.device
        arguments = {
            "input_ids": torch.from_numpy(ids).to(device),
            "attention_mask": torch.from_numpy(mask).to(device),
        }
        with torch.inference_mode(), attention_weights(self.model, receive):
            self.model(**arguments, output_attentions=False, output_hidden_states=False)

    def _padded(self, rows: Sequence[NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The token ids (batch, longest) and the mask that is 1 on real tokens."""
        longest = max(len(row) for row in rows)
        pad_id = self.tokenizer.pad_token_id
        if pad_id is None:
            if any(len(row) < longest for row in rows):
                raise InputError(f"the tokenizer of {self.name} has no padding token: run with pad=False")
            pad_id = 0
        ids = np.full((len(rows), longest), pad_id, dtype=np.int64)
        mask = np.zeros_like(ids)
        for target, attended, row in zip(ids, mask, rows, strict=True):
            target[: len(row)] = row
            attended[: len(row)] = 1
        return ids, mask

    def _check_length(self, item: Text, n: int, content: NDArray[np.bool_]) -> None:
        # RoBERTa numbers positions from padding_idx + 1, so that many of its positions are never used.
        config = self.model.config
        offset = config.pad_token_id + 1 if config.model_type == "roberta" else 0
        limit = config.max_position_embeddings - offset
        if n > limit:
            raise InputError(
                f"text {item.id} has {n} tokens, but {self.name} has {limit} positions: shorten it or set max_tokens"
            )
        if not content.any():
            raise InputError(f"text {item.id} has no content token: it is empty for the tokenizer of {self.name}")
