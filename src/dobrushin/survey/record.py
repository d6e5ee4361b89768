"""One line of a survey: what was found for one input, one layer and one choice of tokens."""

from dataclasses import dataclass
from typing import Any, Literal

from dobrushin.condition import Verdict

TokenRule = Literal["content", "all"]
"""``content``: image patches or words, no special tokens; ``all``: the map as the model computed it."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """The verdict on one head-averaged map, or the reason why there is none.

    Attributes:
        index: position of the input among those given.
        input: the input's id.
        layer: counted from 0.
        tokens: which tokens the pairs range over.
        verdict: the exact verdict; None when the map was skipped.
        skipped: the reason, when the map was skipped.
    """

    index: int
    input: str
    layer: int
    tokens: TokenRule
    verdict: Verdict | None
    skipped: str | None = None

    def to_json(self) -> dict[str, Any]:
        """One JSON object: the place, then the fields of the verdict or the reason for skipping."""
        place = {"input": self.input, "layer": self.layer, "tokens": self.tokens}
        return place | (self.verdict.to_json() if self.verdict else {"skipped": self.skipped})
