"""Surveys: a model over many inputs, the exact verdict on every layer's attention, kept in a folder.

:func:`run` is the door; :func:`merge` joins the folders of shards; :func:`survey` is the same in memory, for few
inputs.  The columns of the tables are in :mod:`~dobrushin.survey.schema`.
"""

from dobrushin.survey.configuration import Configuration
from dobrushin.survey.door import run
from dobrushin.survey.events import Event
from dobrushin.survey.in_memory import survey
from dobrushin.survey.merge import merge
from dobrushin.survey.record import Record, TokenRule

__all__ = [
    "Configuration",
    "Event",
    "Record",
    "TokenRule",
    "merge",
    "run",
    "survey",
]
