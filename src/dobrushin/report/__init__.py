"""Tables for the terminal, figures, and one self-contained HTML page."""

from dobrushin.report.findings import Findings, findings
from dobrushin.report.page import html_page
from dobrushin.report.table import layer_table

__all__ = ["Findings", "findings", "html_page", "layer_table"]
