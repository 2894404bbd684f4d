"""Reads docs/protocol.md: its sections, its tables, and the messages of its session."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

PATH = Path(__file__).resolve().parents[1] / "docs" / "protocol.md"
PAGE = PATH.read_text(encoding="utf-8")

Row = list[str]


def section(title: str) -> str:
    """Return what stands below a heading of the second level, up to the next."""
    _, found, rest = PAGE.partition(f"\n## {title}\n")
    assert found, title
    return rest.partition("\n## ")[0]


def subsections(title: str) -> dict[str, str]:
    """Return the parts of a section by the code in their headings."""
    _, *parts = re.split(r"^### `(\w+)`$", section(title), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2]))


def table(text: str, heading: str) -> list[Row]:
    """Return the rows of the table whose first column has this heading."""
    below = text.partition(f"\n| {heading} |")[2].splitlines()[2:]
    rows = itertools.takewhile(lambda line: line.startswith("|"), below)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def names(rows: list[Row]) -> list[str]:
    """Return the code in the first column."""
    return [row[0].strip("`") for row in rows]


def meanings(text: str, heading: str) -> dict[str, str]:
    """Return what the last column says, by the code in the first."""
    return {row[0].strip("`"): row[-1] for row in table(text, heading)}


def part_meanings(title: str, known: set[str]) -> dict[str, str]:
    """Return what a table says whose heading begins with ``field of`` and that has these fields.

    Returns nothing where no part of the section has such a table.
    """
    text = section(title)
    for heading in re.findall(r"^\| (field of .*?) \|", text, re.MULTILINE):
        found = meanings(text, heading)
        if known <= {*found}:
            return found
    return {}


def first_paragraph(text: str) -> str:
    """Return the first paragraph of a part, in one line."""
    return " ".join(text.strip().partition("\n\n")[0].split())


def session() -> list[tuple[str, str]]:
    """Return the messages of the session: ``>`` or ``<``, and the text."""
    return re.findall(r"^(?:Ann|Bob) ([<>]) (\{.*\})$", PAGE, re.MULTILINE)


class Undescribed(Exception):
    """A message type or a field that the page, or a table of this folder, says nothing of."""


def said(words: dict[str, str], name: str, where: str) -> str:
    """Return what the page says of a field.

    Args:
        words: what `meanings` has found where the field should stand.
        where: the field, for the error.

    Raises:
        Undescribed: nothing.
    """
    if name not in words:
        raise Undescribed(f"docs/protocol.md says nothing of {where}")
    return words[name]


def part(title: str, name: str) -> str:
    """Return the subsection about a message type.

    Raises:
        Undescribed: there is none.
    """
    parts = subsections(title)
    if name not in parts:
        raise Undescribed(f"docs/protocol.md has no ### `{name}` below ## {title}")
    return parts[name]
