"""The packaged models yield their trained attention. rxnmapper (3 MB) is quick, the two others are slow."""

import copy

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from dobrushin import packaged
from dobrushin.capture import LayerAttention, Text, TextEncoder, VisionTransformer, observe
from dobrushin.errors import GateError, InputError
from dobrushin.packaged import dinov2, rxnmapper


@pytest.fixture(scope="module")
def reaction_model() -> TextEncoder:
    return rxnmapper.load()


def test_reactions_yield_every_layer(reaction_model: TextEncoder) -> None:
    maps: list[LayerAttention] = []
    assert observe(reaction_model, packaged.reactions(), maps.append) == 12
    assert len(maps) == 12 * 12
    for attention in maps:
        n = attention.input.n
        assert attention.values.shape == (8, n, n)
        assert attention.values.dtype == np.float32
        assert np.abs(attention.values.astype(np.float64).sum(-1) - 1).max() < 1e-6
        assert attention.input.content.tolist() == [False, *[True] * (n - 2), False]


def test_reactions_are_tokenised_as_the_model_was_trained(reaction_model: TextEncoder) -> None:
    prepared = reaction_model.prepare(Text("r", "C[C@H](Br)Cl.O>>CO"))
    assert "".join(prepared.labels[1:-1]) == "C[C@H](Br)Cl.O>>CO"
    assert prepared.labels[1:5] == ("C", "[C@H]", "(", "Br")
    assert ">>" in prepared.labels
    for item in packaged.reactions():
        tokens = reaction_model.prepare(item).labels
        assert "".join(tokens[1:-1]) == item.text
        assert "[UNK]" not in tokens


def test_what_is_no_smiles_is_kept_as_unknown(reaction_model: TextEncoder) -> None:
    assert reaction_model.prepare(Text("r", "C!!O")).labels == ("[CLS]", "C", "[UNK]", "O", "[SEP]")


def same_element(adapter: TextEncoder, layer: int, head: int) -> float:
    """The share of product atoms that attend most to a reactant atom of the same element, in one head."""
    hits: list[bool] = []

    def look(attention: LayerAttention) -> None:
        if attention.layer != layer:
            return
        labels = attention.input.labels
        arrow = labels.index(">>")
        product = [k for k in range(arrow + 1, len(labels) - 1) if labels[k].isalpha()]
        targets = attention.values[head][product, 1:arrow].argmax(-1) + 1
        hits.extend(labels[atom] == labels[target] for atom, target in zip(product, targets, strict=True))

    observe(adapter, packaged.reactions(), look)
    return float(np.mean(hits))


def test_the_trained_model_maps_atoms(reaction_model: TextEncoder) -> None:
    """RXNMapper reads its atom mapping off head 5 of layer 10: so weights, layers and heads are right."""
    from transformers import AlbertModel

    assert same_element(reaction_model, 10, 5) > 0.9
    untrained = TextEncoder(AlbertModel(reaction_model.model.config).eval(), reaction_model.tokenizer)
    assert same_element(untrained, 10, 5) < 0.75


def test_padding_does_not_change_the_real_models_maps(reaction_model: TextEncoder) -> None:
    single: dict[tuple[int, int], np.ndarray] = {}
    padded: dict[tuple[int, int], np.ndarray] = {}
    items = packaged.reactions()
    observe(reaction_model, items, lambda a: single.__setitem__((a.index, a.layer), a.values), batch_size=1)
    observe(reaction_model, items, lambda a: padded.__setitem__((a.index, a.layer), a.values), pad=True)
    assert single.keys() == padded.keys()
    assert max(np.abs(single[key] - padded[key]).max() for key in single) < 2e-5


@pytest.mark.slow
def test_minilm_yields_every_layer_of_two_hundred_sentences() -> None:
    entry = packaged.model("minilm")
    adapter = entry.load()
    maps = 0

    def count(attention: LayerAttention) -> None:
        nonlocal maps
        maps += 1
        assert attention.values.shape == (12, attention.input.n, attention.input.n)
        assert np.abs(attention.values.astype(np.float64).sum(-1) - 1).max() < 2e-6
        assert not attention.input.content[[0, -1]].any()
        assert attention.input.content[1:-1].all()

    assert observe(adapter, entry.items(entry.count), count) == 200
    assert maps == 200 * 6


@pytest.mark.slow
def test_minilm_knows_which_sentences_are_alike() -> None:
    """The embeddings are the trained ones: paraphrases are close, other subjects are not."""
    import torch

    adapter = packaged.model("minilm").load()
    assert isinstance(adapter, TextEncoder)

    def embedding(text: str) -> torch.Tensor:
        ids = torch.from_numpy(adapter.prepare(Text("t", text)).features["input_ids"])[None]
        with torch.no_grad():
            mean = adapter.model(ids).last_hidden_state[0].mean(0)
        return mean / mean.norm()

    dress, gown, engine = map(embedding, ("A lovely dress.", "This gown is beautiful.", "The engine needs oil."))
    assert float(dress @ gown) > 0.6
    assert float(dress @ engine) < 0.2


@pytest.mark.slow
def test_minilm_is_neither_cut_nor_padded_to_128() -> None:
    adapter = packaged.model("minilm").load()
    assert adapter.prepare(Text("t", "dress " * 200)).n == 202
    assert adapter.prepare(Text("t", "dress")).n == 3
    with pytest.raises(InputError, match="has 602 tokens, but all-MiniLM-L6-v2 has 512 positions"):
        adapter.prepare(Text("t", "dress " * 600))


@pytest.fixture(scope="module")
def backbone() -> VisionTransformer:
    return dinov2.load()


@pytest.mark.slow
def test_dinov2_equals_the_shipped_graph(backbone: VisionTransformer) -> None:
    agreement = dinov2.verify(backbone, packaged.photographs(18))
    assert len(agreement.hidden_states) == 14
    assert len(agreement.attention) == 12
    assert agreement.images == 18
    assert agreement.scale > 10
    assert max(agreement.hidden_states) < 3e-4
    assert max(agreement.attention) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        ("layer.0.attention.q_proj.weight", "layer.0.attention.attention.query.weight"),  # of later and earlier ones
        "layer.11.mlp.fc2.bias",
        "layernorm.weight",
        "embeddings.position_embeddings",
    ],
)
def test_the_comparison_finds_a_changed_weight(key: str | tuple[str, str], backbone: VisionTransformer) -> None:
    import torch

    changed = copy.copy(backbone)
    changed.model = copy.deepcopy(backbone.model)
    names = changed.model.state_dict()
    found = [name for name in names if name.endswith(key)]
    assert len(found) == 1, found
    with torch.no_grad():
        names[found[0]].view(-1)[5] += 0.5
    with pytest.raises(GateError, match="the rebuilt model and the shipped graph differ by"):
        dinov2.verify(changed, packaged.photographs(2))


@pytest.mark.slow
def test_dinov2_yields_every_layer(backbone: VisionTransformer) -> None:
    maps: list[LayerAttention] = []
    observe(backbone, packaged.photographs(4), maps.append)
    assert len(maps) == 48
    assert {a.values.shape for a in maps} == {(6, 257, 257)}
    assert maps[0].input.grid == (16, 16)
    assert backbone.model.config._attn_implementation == "sdpa"


@pytest.mark.slow
def test_a_comparison_of_nothing_is_refused(backbone: VisionTransformer) -> None:
    with pytest.raises(InputError, match="no images were given"):
        dinov2.verify(backbone, [])
