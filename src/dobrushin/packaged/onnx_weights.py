"""Weights out of ONNX graphs: constants by name, integers dequantised, and linear maps under their modules' names."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Graph:
    """The nodes of a graph, and its constants by name."""

    nodes: tuple[Any, ...]
    constants: Mapping[str, Array]


def read_graph(path: Path) -> Graph:
    """Read a graph with its initial values and constant nodes."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        values = [attribute.t for attribute in node.attribute if attribute.name == "value"]
        if node.op_type == "Constant" and values:
            constants[node.output[0]] = numpy_helper.to_array(values[0])
    return Graph(tuple(graph.node), constants)


def dequantised(values: Array, zero: Array, scale: Array) -> NDArray[np.float32]:
    """(values − zero)·scale in float32, as runtimes do it."""
    return np.asarray((values.astype(np.float32) - zero.astype(np.float32)) * scale, dtype=np.float32)


def module_weight(node: str, operation: str) -> str:
    """The parameter that belongs to a node: exporters name nodes by the modules that made them.

    >>> module_weight("/encoder/layer.0/q/MatMul_quant", "MatMul")
    'encoder.layer.0.q.weight'
    """
    name = node.replace("_quant", "").strip("/").removesuffix(operation).rstrip("/")
    return name.replace("/", ".") + ".weight"


def tensors(arrays: Mapping[str, Array]) -> dict[str, Any]:
    """float32 torch tensors of their own memory."""
    import torch

    return {key: torch.from_numpy(np.array(value, dtype=np.float32, order="C")) for key, value in arrays.items()}
