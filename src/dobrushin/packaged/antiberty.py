"""AntiBERTy: a BERT on antibody sequences, one token for each residue; 8 layers, 8 heads, width 512."""

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from dobrushin.capture.inputs import Text
from dobrushin.capture.text import TextEncoder
from dobrushin.errors import GateError, InputError
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("antiberty", "0.1.3", "30d910992b190013871bac49cdc032e01a19339f7d2b958ab99b0eb44638352a")
TITLE = "AntiBERTy on antibody sequences"
_FOLDER = "antiberty/trained_models"

_UNUSED = frozenset({
    # heads for other tasks, a pooler that nothing here reads, and a constant
    "bert.embeddings.position_ids", "bert.pooler.dense.weight", "bert.pooler.dense.bias", "cls.species.weight",
    "cls.species.bias", "cls.chain.weight", "cls.chain.bias", "cls.graft.weight", "cls.graft.bias",
})  # fmt: skip

LEAST_RECOVERED = 0.8
"""Share of masked residues that a model put together rightly finds again; chance is one in twenty."""


def load() -> TextEncoder:
    """The masked language model with a tokenizer of residues."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    root = fetch(WHEEL)
    settings = json.loads(member(root, f"{_FOLDER}/AntiBERTy_md_smooth/config.json").read_text())
    path = member(root, f"{_FOLDER}/AntiBERTy_md_smooth/pytorch_model.bin")
    state = torch.load(path, map_location="cpu", weights_only=True)
    model = load_strictly(BertForMaskedLM(BertConfig(**settings)), state, unexpected=_UNUSED)
    return TextEncoder(model, _tokenizer(member(root, f"{_FOLDER}/vocab.txt").read_text().splitlines()), name=TITLE)


def _tokenizer(vocabulary: list[str]) -> Any:
    """One token for each letter."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    ids = {token.strip(): number for number, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, ids[name]) for name in ("[CLS]", "[SEP]")]
    )
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    )


def sequences(count: int | None = None) -> list[Text]:
    """The antibody sequences in the wheel's own description: a heavy and a light chain.

    Raises:
        InputError: more are asked for.
    """
    description = member(fetch(WHEEL), "antiberty-0.1.3.dist-info/METADATA").read_text(encoding="utf-8")
    found = list(dict.fromkeys(re.findall(r'"([ACDEFGHIKLMNPQRSTVWY]{80,})"', description)))
    wanted = len(found) if count is None else count
    if not 1 <= wanted <= len(found):
        raise InputError(f"{wanted} antibody sequences were asked for, but there are 1 to {len(found)}")
    return [Text(f"antibody {number}", sequence) for number, sequence in enumerate(found[:wanted])]


def verify(adapter: TextEncoder, texts: Sequence[Text]) -> float:
    """Mask every fourth residue, one at a time, and return the share that the model finds again.

    Raises:
        GateError: it is less than :data:`LEAST_RECOVERED`.
    """
    import torch

    hits: list[bool] = []
    for text in texts:
        ids = torch.from_numpy(adapter.prepare(text).features["input_ids"])
        places = torch.arange(1, len(ids) - 1, 4)
        masked = ids.repeat(len(places), 1)
        masked[torch.arange(len(places)), places] = adapter.tokenizer.mask_token_id
        with torch.inference_mode():
            found = adapter.model(masked).logits[torch.arange(len(places)), places].argmax(-1)
        hits += (found == ids[places]).tolist()
    share = float(np.mean(hits))
    if not share >= LEAST_RECOVERED:
        raise GateError(f"{TITLE}: {share:.0%} of masked residues are found again, not {LEAST_RECOVERED:.0%}")
    return share


def _verify_in_one_sentence(adapter: Any) -> str:
    return f"{verify(adapter, sequences()):.0%} of residues, masked one at a time, are found again."


MODEL = PackagedModel(
    key="antiberty",
    title=TITLE,
    kind="text",
    wheel=WHEEL,
    licence="MIT",
    build=load,
    data=sequences,
    inputs="antibody sequences",
    count=2,
    where="antibodies",
    verify=_verify_in_one_sentence,
)
