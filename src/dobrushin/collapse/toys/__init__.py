"""The toy tasks of Dong, Cordonnier, Loukas 2021: small networks trained with and without skips and MLPs.

The networks here have no biases and no normalisation between embedding and head, and their MLPs are piecewise
linear, so the path decomposition holds exactly with the attention matrices and the MLPs' gates held fixed.
"""

from dobrushin.collapse.toys.circle import CircleRun, run_circle
from dobrushin.collapse.toys.network import ToyNetwork
from dobrushin.collapse.toys.paths import by_length, sampled
from dobrushin.collapse.toys.tasks import Task, convex_hull, memorisation, sorting
from dobrushin.collapse.toys.training import accuracy, train

__all__ = [
    "CircleRun",
    "Task",
    "ToyNetwork",
    "accuracy",
    "by_length",
    "convex_hull",
    "memorisation",
    "run_circle",
    "sampled",
    "sorting",
    "train",
]
