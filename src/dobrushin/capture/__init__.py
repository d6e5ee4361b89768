"""Attention out of trained models: each layer's map is handed to an observer and dropped.

This room knows no verdicts and yields numpy arrays.  torch and transformers are imported only when a
model runs.
"""

from dobrushin.capture.adapter import Adapter, LayerMaps, NoMap
from dobrushin.capture.callables import CallableAdapter, HeadMean, attention_maps, open_callable, tokens
from dobrushin.capture.decoder import Decoder
from dobrushin.capture.ft_transformer import TableTransformer
from dobrushin.capture.ft_transformer_files import (
    build_ft_transformer,
    open_ft_transformer,
    read_ft_transformer_config,
    save_ft_transformer,
)
from dobrushin.capture.images import ImageFolder, images_from_folder
from dobrushin.capture.inputs import Image, Item, LayerAttention, ModelInput, Row, SkippedLayer, Text
from dobrushin.capture.multihead_attention import MultiheadAttentionAdapter, watch_multihead_attention
from dobrushin.capture.observe import Observer, batches_of, observe, observe_batch
from dobrushin.capture.sentences import sentences_from_file
from dobrushin.capture.table_preprocessing import TablePreprocessing
from dobrushin.capture.text import TextEncoder
from dobrushin.capture.timm_models import open_timm, timm_folder
from dobrushin.capture.timm_vision import TimmVisionTransformer
from dobrushin.capture.vision import IMAGENET_MEAN, IMAGENET_STD, VisionTransformer

__all__ = [
    "IMAGENET_MEAN",
    "IMAGENET_STD",
    "Adapter",
    "CallableAdapter",
    "Decoder",
    "HeadMean",
    "Image",
    "ImageFolder",
    "Item",
    "LayerAttention",
    "LayerMaps",
    "ModelInput",
    "MultiheadAttentionAdapter",
    "NoMap",
    "Observer",
    "Row",
    "SkippedLayer",
    "TablePreprocessing",
    "TableTransformer",
    "Text",
    "TextEncoder",
    "TimmVisionTransformer",
    "VisionTransformer",
    "attention_maps",
    "batches_of",
    "build_ft_transformer",
    "images_from_folder",
    "observe",
    "observe_batch",
    "open_callable",
    "open_ft_transformer",
    "open_timm",
    "read_ft_transformer_config",
    "save_ft_transformer",
    "sentences_from_file",
    "timm_folder",
    "tokens",
    "watch_multihead_attention",
]
