"""Verdicts for every input and every layer of a model, and their summary by layer.

Attention comes in through :mod:`dobrushin.capture`, one layer at a time; only verdicts are kept.
"""

from dobrushin.survey.record import Record, TokenRule
from dobrushin.survey.run import survey
from dobrushin.survey.summary import LayerSummary, RuleSummary, summarise

__all__ = ["LayerSummary", "Record", "RuleSummary", "TokenRule", "summarise", "survey"]
