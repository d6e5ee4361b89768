"""FT-Transformer of ``rtdl_revisiting_models``: a class token, then one token for each column of a table.

Gorishniy et al., *Revisiting Deep Learning Models for Tabular Data*, 2021.  The library's last block computes the
class row only, because the model reads nothing else.  The other rows follow from the same queries and keys, and are
handed on marked as counterfactual: they are what the layer would compute, and no output depends on them.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dobrushin.capture.adapter import LayerMaps, NoMap, Receive
from dobrushin.capture.hooks import own_hooks, refuse_training
from dobrushin.capture.inputs import Item, ModelInput, Row
from dobrushin.capture.table_preprocessing import TablePreprocessing
from dobrushin.errors import InputError

CLASS_TOKEN = "[CLS]"


class TableTransformer:
    """An FT-Transformer with the preprocessing that it was trained with.

    Args:
        model: an ``rtdl_revisiting_models.FTTransformer`` in eval mode, whose forward hooks are left alone.
        preprocessing: of the columns, in the order of the model's feature tokens.
        name: what results call the model.
        provenance: JSON-able, where the weights are from; kept for those who ask.

    Raises:
        InputError: it is another model, or its features do not fit the preprocessing.
    """

    kind = "table"

    def __init__(
        self,
        model: Any,
        preprocessing: TablePreprocessing,
        *,
        name: str = "FT-Transformer",
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        _check_features(model, preprocessing)
        self.model = model
        self.preprocessing = preprocessing
        self.name = name
        self.provenance = dict(provenance or {})
        self.layers = len(model.backbone.blocks)
        self.labels = (CLASS_TOKEN, *preprocessing.feature_names)

    def prepare(self, item: Item) -> ModelInput:
        """Scale and encode a row; every token but the class token is content."""
        if not isinstance(item, Row):
            raise InputError(f"{self.name} takes rows of a table, but {item.id} is no row")
        numbers, codes = self.preprocessing.transform([item])
        content = np.arange(len(self.labels)) > 0
        return ModelInput(item.id, self.labels, content, {"numbers": numbers[0], "codes": codes[0]})

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run a batch of rows; a block with compressed keys (Linformer) yields a :class:`NoMap`."""
        import torch

        refuse_training(self.model)
        last = self.layers - 1
        with torch.inference_mode(), own_hooks() as handles:
            for layer, block in enumerate(self.model.backbone.blocks):
                handles.append(block["attention"].register_forward_pre_hook(_handing_on(receive, layer == last)))
            self.model(*self._arguments(batch))

    def predict(self, rows: Sequence[Row]) -> Any:
        """The model's output for rows, a tensor (rows, d_out), without gradients."""
        import torch

        refuse_training(self.model)
        with torch.inference_mode():
            return self.model(*self._arguments([self.prepare(row) for row in rows]))

    def _arguments(self, batch: Sequence[ModelInput]) -> tuple[Any, Any]:
        """``x_cont`` and ``x_cat``, each None when the model has no such columns."""
        import torch

        weight = next(self.model.parameters())
        numbers = torch.from_numpy(np.stack([prepared.features["numbers"] for prepared in batch]))
        codes = torch.from_numpy(np.stack([prepared.features["codes"] for prepared in batch]))
        return (
            numbers.to(weight.device, weight.dtype) if self.preprocessing.numerical else None,
            codes.to(weight.device) if self.preprocessing.categorical else None,
        )


def _check_features(model: Any, preprocessing: TablePreprocessing) -> None:
    """The model's embeddings, against the columns."""
    if type(model).__name__ != "FTTransformer" or not hasattr(model, "cont_embeddings"):
        raise InputError(
            f"{type(model).__module__}.{type(model).__name__} can not be observed as an FT-Transformer: "
            "rtdl_revisiting_models.FTTransformer is needed"
        )
    numerical = 0 if model.cont_embeddings is None else len(model.cont_embeddings.weight)
    tables = () if model.cat_embeddings is None else model.cat_embeddings.embeddings
    cardinalities = [table.num_embeddings for table in tables]
    expected = len(preprocessing.numerical), preprocessing.cardinalities
    if (numerical, cardinalities) != expected:
        raise InputError(
            f"the model takes {numerical} numerical columns and categories {cardinalities}, but the preprocessing "
            f"makes {expected[0]} and {expected[1]}"
        )


def _handing_on(receive: Receive, last: bool) -> Any:
    """A forward pre-hook that hands ``receive`` the full map of an attention module."""

    def hook(module: Any, arguments: tuple[Any, Any]) -> None:
        queries, keys = arguments
        if module.key_compression is not None:
            compressed = module.key_compression.out_features
            receive(NoMap(f"linear attention: Linformer compresses {keys.shape[1]} keys to {compressed}"))
            return
        if not last:
            receive(LayerMaps(_probabilities(module, queries, keys)))
            return
        weights = _probabilities(module, keys, keys)
        # One row of queries is rounded otherwise than the same row among n, so the used one is computed as it is used.
        weights[:, :, : queries.shape[1]] = _probabilities(module, queries, keys)
        receive(LayerMaps(weights, counterfactual=tuple(range(queries.shape[1], keys.shape[1]))))

    return hook


def _probabilities(module: Any, queries: Any, keys: Any) -> Any:
    """The softmax (batch, heads, queries, keys) that the module takes: the same operations on the same shapes.

    The module folds heads into the batch: row b·heads + h is head h of input b.
    """
    import torch

    q, k = module._reshape(module.W_q(queries)), module._reshape(module.W_k(keys))
    logits = q @ k.transpose(1, 2) / math.sqrt(k.shape[-1])
    folded = torch.softmax(logits, dim=-1)
    return folded.reshape(len(queries), module._n_heads, *folded.shape[1:])
