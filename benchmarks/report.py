"""The table of figures, as text that is a Markdown table too."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchmarks.measurement import Runs, Sample, median_ratio

HEAD = ("figure", "by", "median", "min – max", "speed", "goal", "result")


class Marks(NamedTuple):
    """The lines of a page between which what was measured stands."""

    begin: str
    end: str


MARKS = Marks(
    "<!-- measured: python -m benchmarks --write -->", "<!-- end of what was measured -->"
)


class Unit(NamedTuple):
    """What of a sample is told, and how."""

    read: Callable[[Sample], float]
    show: Callable[[float], str]


class AtMost(NamedTuple):
    """A goal for a figure itself, in its unit."""

    limit: float

    def show(self, unit: Unit) -> str:
        """Return the goal in words."""
        return f"≤ {unit.show(self.limit)}"

    def reached(self, value: float, ratio: float | None) -> bool | None:
        """Return whether the goal is reached."""
        return value <= self.limit


class AtLeast(NamedTuple):
    """A goal for the speed, as a multiple of the reference's."""

    times: float

    def show(self, unit: Unit) -> str:
        """Return the goal in words."""
        return f"≥ {self.times:g} ×"

    def reached(self, value: float, ratio: float | None) -> bool | None:
        """Return whether the goal is reached; ``None`` where the reference is missing."""
        return None if ratio is None else ratio >= self.times


@dataclass(frozen=True)
class Section:
    """One figure for several contestants.

    Attributes:
        title: what is measured.
        reference: the contestant whose speed counts as 1.
        goals: by contestant.
    """

    title: str
    runs: Runs
    unit: Unit
    reference: str | None = None
    goals: Mapping[str, AtMost | AtLeast] = field(default_factory=dict)

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row of the table for each contestant, those without samples last."""
        rows = [self._row(name, samples) for name, samples in self.runs.samples.items()]
        for name, reason in self.runs.absent.items():
            goal = self.goals.get(name)
            rows.append(("", name, reason, "", "", goal.show(self.unit) if goal else "", ""))
        return [((self.title, *row[1:]) if number == 0 else row) for number, row in enumerate(rows)]

    def _row(self, name: str, samples: Sequence[Sample]) -> tuple[str, ...]:
        values = [self.unit.read(sample) for sample in samples]
        median = statistics.median(values)
        spread = f"{self.unit.show(min(values))} – {self.unit.show(max(values))}"
        ratio, reference = None, self.runs.samples.get(self.reference or "")
        if reference:
            ratio = median_ratio(samples, reference)
        goal = self.goals.get(name)
        return (
            "",
            name,
            self.unit.show(median),
            spread,
            "" if ratio is None else f"{_digits(ratio)} ×",
            goal.show(self.unit) if goal else "",
            _verdict(goal.reached(median, ratio)) if goal else "",
        )


def make_table(sections: Iterable[Section]) -> str:
    """Return the whole table."""
    return format_table(HEAD, chain.from_iterable(section.rows() for section in sections))


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown whose columns are aligned."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    table.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
        for row in table
    )


def describe_platform() -> str:
    """Return the Python, the processor and the system that were measured on."""
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, "
        f"{platform.system()}"
    )


def replace_measured(page: str, measured: str, marks: Marks = MARKS) -> str:
    """Return a page with other text between its marks.

    Raises:
        ValueError: the page has no such marks, each once.
    """
    begin, end = marks
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise ValueError(f"The page needs {begin} and after it {end}, each once")
    before, after = page[: page.index(begin)], page[page.index(end) :]
    return f"{before}{begin}\n\n{measured}\n\n{after}"


def rewrite(path: Path, measured: str, marks: Marks = MARKS) -> None:
    """Replace what was measured in a file."""
    page = replace_measured(path.read_text(encoding="utf-8"), measured, marks)
    path.write_text(page, encoding="utf-8")


def _show_seconds(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_digits(seconds / size)} {unit}"
    return f"{_digits(seconds / 1e-9)} ns"


def _digits(number: float) -> str:
    """Return a number with three digits that count, as people write it."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def _verdict(reached: bool | None) -> str:
    return {True: "reached", False: "missed", None: "unknown"}[reached]


SECONDS = Unit(lambda sample: sample.seconds, _show_seconds)
MEGABYTES = Unit(lambda sample: sample.megabytes, lambda value: f"{value:,.0f} MB")
GAMES = Unit(lambda sample: 1 / sample.seconds, lambda value: f"{float(f'{value:.3g}'):,.0f} /s")
NODES = Unit(lambda sample: sample.nodes, _digits)
