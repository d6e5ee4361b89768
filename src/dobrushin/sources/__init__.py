"""From what a user types to objects: models by ``--model``, inputs by ``--inputs``."""

from dobrushin.sources.inputs import OpenedInputs, open_inputs
from dobrushin.sources.models import OpenedModel, describe_model, open_model

__all__ = ["OpenedInputs", "OpenedModel", "describe_model", "open_inputs", "open_model"]
