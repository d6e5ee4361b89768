"""Attention out of trained models: each layer's map is handed to an observer and dropped.

This room knows no verdicts and yields numpy arrays.  torch and transformers are imported only when a
model runs.
"""

from dobrushin.capture.adapter import Adapter, LayerMaps, NoMap
from dobrushin.capture.decoder import Decoder
from dobrushin.capture.images import ImageFolder, images_from_folder
from dobrushin.capture.inputs import Image, Item, LayerAttention, ModelInput, Row, SkippedLayer, Text
from dobrushin.capture.observe import Observer, observe, observe_batch
from dobrushin.capture.sentences import sentences_from_file
from dobrushin.capture.text import TextEncoder
from dobrushin.capture.vision import IMAGENET_MEAN, IMAGENET_STD, VisionTransformer

__all__ = [
    "IMAGENET_MEAN",
    "IMAGENET_STD",
    "Adapter",
    "Decoder",
    "Image",
    "ImageFolder",
    "Item",
    "LayerAttention",
    "LayerMaps",
    "ModelInput",
    "NoMap",
    "Observer",
    "Row",
    "SkippedLayer",
    "Text",
    "TextEncoder",
    "VisionTransformer",
    "images_from_folder",
    "observe",
    "observe_batch",
    "sentences_from_file",
]
