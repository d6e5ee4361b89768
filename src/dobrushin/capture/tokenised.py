"""Texts as token ids, with what is content among them; shared by the text encoders and the decoders."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.inputs import Item, ModelInput, Text
from dobrushin.errors import InputError

_SPECIAL = ("cls_token_id", "sep_token_id", "bos_token_id", "eos_token_id", "pad_token_id")
"""Never content, also when typed into the text.  Unknown and mask tokens stand for words: content."""


class Tokenised:
    """A ``transformers`` tokenizer that prepares texts for one model.

    Args:
        tokenizer: the model's tokenizer; it says which tokens are special.
        name: what errors call the model.
        positions: how many tokens the model can take.
        max_tokens: texts are cut off after so many tokens, special ones included; by default a text longer
            than the model's positions is an error.
    """

    def __init__(self, tokenizer: Any, *, name: str, positions: int, max_tokens: int | None) -> None:
        if max_tokens is not None and max_tokens < 1:
            raise InputError(f"texts are to be cut off after {max_tokens} tokens, but it has to be at least 1")
        self.tokenizer = tokenizer
        self.name = name
        self.positions = positions
        self.max_tokens = max_tokens
        self._special = _special_ids(tokenizer)

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
        content = ~(added | np.isin(ids, self._special))
        if len(ids) > self.positions:
            raise InputError(
                f"text {item.id} has {len(ids)} tokens, but {self.name} has {self.positions} positions: "
                "shorten it or set max_tokens"
            )
        if not content.any():
            cut = "" if self.max_tokens is None else f", cut off after {self.max_tokens} tokens"
            raise InputError(f"text {item.id} has no content token: it is empty for the tokenizer of {self.name}{cut}")
        labels = tuple(str(token) for token in self.tokenizer.convert_ids_to_tokens(ids.tolist()))
        return ModelInput(item.id, labels, content, {"input_ids": ids})


def padded(batch: Sequence[ModelInput], pad_id: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The token ids (batch, longest), padded on the right, and the mask that is 1 on real tokens."""
    rows = [prepared.features["input_ids"] for prepared in batch]
    shape = (len(rows), max(len(row) for row in rows))
    ids, mask = np.full(shape, pad_id, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for target, attended, row in zip(ids, mask, rows, strict=True):
        target[: len(row)] = row
        attended[: len(row)] = 1
    return ids, mask


def _special_ids(tokenizer: Any) -> NDArray[np.int64]:
    """The named special tokens, and what the tokenizer's file marks as special, such as those of a chat."""
    named = {getattr(tokenizer, key, None) for key in _SPECIAL}
    words = {getattr(tokenizer, key, None) for key in ("unk_token_id", "mask_token_id")}
    marked = {number for number, token in tokenizer.added_tokens_decoder.items() if token.special}
    return np.array([number for number in named | (marked - words) if number is not None], dtype=np.int64)
