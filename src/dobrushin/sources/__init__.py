"""From what a user types to objects: models by ``--model``, inputs by ``--inputs``."""
