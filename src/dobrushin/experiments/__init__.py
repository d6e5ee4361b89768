"""What the experiments share: a command with a quick form, finished pieces that are kept, intervals, results.

An experiment is a folder with a ``config.toml``, a ``run.py`` and the results that it wrote.
"""

from dobrushin.experiments.command import Experiment, open_experiment, run_main
from dobrushin.experiments.intervals import Share, share_of
from dobrushin.experiments.results import markdown_table, read_table, write_figure, write_table

__all__ = [
    "Experiment",
    "Share",
    "markdown_table",
    "open_experiment",
    "read_table",
    "run_main",
    "share_of",
    "write_figure",
    "write_table",
]
