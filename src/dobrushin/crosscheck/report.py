"""The one table, the witnesses below it, and the summary line."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dobrushin.crosscheck.witness import Witness, save

_CUT = 300  # characters of a witness that are printed; the saved file has all


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the table.

    Attributes:
        what: what was checked.
        count: how much, in words.
        disagreements: how many disagreements, or for faults and variants 1 when it survived.
        seconds: processor time it took, of all workers together.
        failure: the smallest disagreement, when there is one.
        shown: a witness that is as it should be: what refuted a false variant or found a seeded fault.
    """

    what: str
    count: str
    disagreements: int
    seconds: float
    failure: Witness | None = None
    shown: Witness | None = None


@dataclass
class Report:
    """All lines so far, by section."""

    folder: Path
    sections: dict[str, list[Line]] = field(default_factory=dict)
    exhausted: int = 0

    def add(self, section: str, line: Line) -> None:
        """Add a line; the witness of a disagreement is saved at once."""
        self.sections.setdefault(section, []).append(line)
        if line.disagreements and line.failure is not None:
            save(line.failure, self.folder, name=line.what)

    @property
    def lines(self) -> list[Line]:
        """All lines."""
        return [line for lines in self.sections.values() for line in lines]

    @property
    def failed(self) -> bool:
        """Whether anything disagreed or survived."""
        return any(line.disagreements for line in self.lines)

    def print(self, summary: str) -> None:
        """Print table, witnesses and summary on standard output."""
        console = Console() if sys.stdout.isatty() else Console(width=170)
        table = Table(title="Exact cross-checks (seconds of processor time)", title_justify="left")
        table.add_column("what", overflow="fold")
        table.add_column("how many")
        table.add_column("disagreements", justify="right")
        table.add_column("seconds", justify="right")
        for section, lines in self.sections.items():
            table.add_section()
            table.add_row(f"[bold]{section}[/bold]")
            for line in lines:
                bad = f"[red]{line.disagreements}[/red]" if line.disagreements else "0"
                table.add_row("  " + escape(line.what), escape(line.count), bad, f"{line.seconds:.1f}")
        console.print(table)
        for title, chosen in (
            ("Witnesses", [(line.what, line.shown) for line in self.lines]),
            ("DISAGREEMENTS", [(line.what, line.failure) for line in self.lines if line.disagreements]),
        ):
            if any(witness is not None for _, witness in chosen):
                console.print(f"\n[bold]{title}[/bold]")
            for what, witness in chosen:
                if witness is not None:
                    console.print(f"  {what}: {_cut(str(witness))}", markup=False, soft_wrap=True)
        if self.failed:
            console.print(f"Smallest witnesses saved in {self.folder}", markup=False, soft_wrap=True)
        console.print(summary, markup=False, soft_wrap=True)


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else text[:_CUT] + " …"
