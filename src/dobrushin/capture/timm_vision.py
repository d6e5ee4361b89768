"""Vision transformers of ``timm``: ViT, DeiT with and without distillation, DINOv2, registers, and DINOv3.

timm computes attention in one fused call, in which no weights ever exist.  While a batch runs, the blocks take the
library's own plain path instead, and a hook in front of their attention dropout sees the weights that the values
are multiplied with.  Afterwards everything is as it was, also after an exception; the library's global switch is
never touched, because a model does not look at it again once it is made.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dobrushin.capture.adapter import Receive
from dobrushin.capture.hooks import own_hooks, refuse_training
from dobrushin.capture.inputs import Item, ModelInput
from dobrushin.capture.patches import normalised, patch_tokens
from dobrushin.errors import InputError

MODELS = ("VisionTransformer", "VisionTransformerDistilled", "Eva")
"""The classes of timm whose sequence is: class token, distillation token, registers, patches."""

BLOCKS = ("Block", "ResPostBlock", "EvaBlock", "EvaBlockPostNorm")
"""Their blocks with one self-attention over all tokens on a residual branch."""

ATTENTION = ("Attention", "AttentionRope", "EvaAttention")
"""Their attention modules, which take one softmax for each head and pass it through ``attn_drop``."""


class TimmVisionTransformer:
    """A vision transformer of timm with the normalisation of its training.

    Args:
        model: in eval mode, from ``timm.create_model`` with any options; its ``fused_attn`` switches and hooks
            are restored after each batch.
        mean: per channel, subtracted from pixels in [0, 1]; default: what the model's ``pretrained_cfg`` says.
        std: per channel, divided by afterwards; likewise.
        name: what results call the model; default: its architecture and the tag of its weights.
        provenance: JSON-able, where the weights are from; kept for those who ask.

    Raises:
        InputError: another kind of model, or blocks with another kind of attention (what was found is named);
            prefix tokens that can not be told apart; or neither argument nor configuration gives a mean and std.
    """

    kind = "image"

    def __init__(
        self,
        model: Any,
        *,
        mean: Sequence[float] | None = None,
        std: Sequence[float] | None = None,
        name: str = "",
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        self._attention = _attention_modules(model)
        config = getattr(model, "pretrained_cfg", None) or {}
        self.model = model
        self.name = name or _name(model, config)
        self.layers = len(self._attention)
        self.prefix = _prefix(model)
        self.patch = _pair(model.patch_embed.patch_size)
        self.provenance = dict(provenance or {})
        self._mean = _per_channel("mean", mean, config)
        self._std = _per_channel("std", std, config)

    @property
    def size(self) -> tuple[int, int] | None:
        """The only (height, width) in pixels that the model takes; None when it takes any whole number of patches."""
        embed = self.model.patch_embed
        fixed = getattr(embed, "strict_img_size", True) and getattr(embed, "img_size", None) is not None
        return _pair(embed.img_size) if fixed else None

    @property
    def image_size(self) -> int | None:
        """The side in pixels of the square images that the model was made for; None when they are not square."""
        height, width = _pair(self.model.patch_embed.img_size)
        return height if height == width else None

    def prepare(self, item: Item) -> ModelInput:
        """Count the patches of an image, whose height and width have to be multiples of the patch size."""
        prepared = patch_tokens(item, model=self.name, prefix=self.prefix, patch=self.patch)
        height, width = prepared.features["pixels"].shape[:2]
        if self.size is not None and self.size != (height, width):
            raise InputError(
                f"image {item.id} is {height}×{width} pixels, but {self.name} was made for "
                f"{self.size[0]}×{self.size[1]}: resize it, or make the model with dynamic_img_size=True"
            )
        return prepared

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run a batch of images of one size."""
        import torch

        refuse_training(self.model)
        pixels = normalised([prepared.features["pixels"] for prepared in batch], self._mean, self._std)
        weight = next(self.model.parameters())
        tensor = torch.from_numpy(pixels).to(device=weight.device, dtype=weight.dtype)
        with torch.inference_mode(), _plain(self._attention), own_hooks() as handles:
            for attention in self._attention:
                hook = attention.attn_drop.register_forward_pre_hook(lambda _, given: receive(given[0]))
                handles.append(hook)
            self.model.forward_features(tensor)


def _attention_modules(model: Any) -> list[Any]:
    """The attention module of each block, in order, after checking that we know what they compute."""
    if not _of_timm(model, MODELS):
        raise InputError(
            f"{_found(model)} can not be observed as a timm vision transformer: choose a model of the classes "
            f"{', '.join(MODELS)}; windowed, linear and convolutional attention has no square map over all tokens"
        )
    modules = []
    for position, block in enumerate(model.blocks):
        attention = getattr(block, "attn", None)
        if not _of_timm(block, BLOCKS) or not _of_timm(attention, ATTENTION):
            inside = "" if attention is None else f" with {_found(attention)}"
            raise InputError(
                f"block {position} of the {type(model).__name__} is a {_found(block)}{inside}: only blocks with "
                f"one softmax attention ({', '.join(ATTENTION)}) on a residual branch have a map"
            )
        modules.append(attention)
    if not modules:
        raise InputError(f"the {type(model).__name__} has no blocks")
    return modules


def _of_timm(module: Any, names: Sequence[str]) -> bool:
    # A subclass may compute anything, so the class itself has to be timm's.
    return type(module).__name__ in names and type(module).__module__.startswith("timm.")


def _found(module: Any) -> str:
    return f"{type(module).__module__}.{type(module).__name__}"


def _prefix(model: Any) -> tuple[str, ...]:
    """Labels of the tokens before the patches, which have to be as many as the model says."""
    labels = [] if model.cls_token is None else ["[CLS]"]
    if getattr(model, "dist_token", None) is not None:
        labels.append("[DIST]")
    registers = getattr(model, "reg_token", None)
    labels += [f"[REG{number}]" for number in range(0 if registers is None else registers.shape[1])]
    if len(labels) != model.num_prefix_tokens:
        raise InputError(
            f"{type(model).__name__} says that it has {model.num_prefix_tokens} prefix tokens, but "
            f"{len(labels)} were found ({', '.join(labels) or 'none'})"
        )
    return tuple(labels)


def _per_channel(what: str, given: Sequence[float] | None, config: Any) -> tuple[float, ...]:
    values = config.get(what) if given is None else given
    if values is None:
        raise InputError(
            f"the model's pretrained_cfg has no {what}, and it is not guessed: "
            f"pass the {what} that the model was trained with"
        )
    if len(values) != 3:
        raise InputError(f"the {what} has {len(values)} channels, but images have 3: red, green and blue")
    return tuple(float(value) for value in values)


def _name(model: Any, config: Any) -> str:
    architecture = config.get("architecture") or type(model).__name__
    return ".".join(str(part) for part in (architecture, config.get("tag")) if part)


@contextmanager
def _plain(modules: Sequence[Any]) -> Iterator[None]:
    """While active, the modules compute their weights instead of calling the fused kernel."""
    before = [module.fused_attn for module in modules]
    try:
        for module in modules:
            module.fused_attn = False
        yield
    finally:
        for module, fused in zip(modules, before, strict=True):
            module.fused_attn = fused


def _pair(size: Any) -> tuple[int, int]:
    """(height, width) of a size that may be one number for a square."""
    if isinstance(size, int):
        return size, size
    height, width = size
    return int(height), int(width)
