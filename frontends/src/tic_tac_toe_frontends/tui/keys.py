"""The bar of keys of the full screen, made of the table of commands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from gettext import NullTranslations
from types import MappingProxyType

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from ..table.commands import key_rows

#: The commands that are in the bar, before all others, only while they have an effect.
URGENT = (
    *("go-on", "move-now", "next-level", "easier-level", "review", "fault-on", "fault-back"),
    *("play-on", "solution"),
)
#: The gaps between keys in a wide bar, and in one that is too narrow for the first `NEEDED` keys
#: with wide gaps.
GAPS, NEEDED = (3, 1), 5


def key_line(
    language: NullTranslations,
    width: int,
    useless: Collection[str],
    primary: str = "",
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Content:
    """Return the first keys that fit a width; each can be clicked.

    Args:
        useless: commands without an effect now: pale, or left out if not all keys fit.
        primary: the command that stands first and stands out.
        titles: of the commands that do something else than usually.
    """
    room, rows = width - 2, key_rows("terminal", language)
    rows |= {name: (rows[name][0], title, "") for name, title in titles.items()}
    offered = [each for each in rows.items() if each[0] not in URGENT or each[0] not in useless]
    keys = sorted(offered, key=lambda each: (each[0] != primary, each[0] not in URGENT))
    if _width(keys, GAPS[0]) > room:
        keys = [each for each in keys if each[0] not in useless]
    # Narrow gaps, so that the most needed keys fit.
    gap = GAPS[-1] if _width(keys[:NEEDED], GAPS[0]) > room else GAPS[0]
    while keys and _width(keys, gap) > room:
        keys.pop()
    parts = [
        key_part(
            key,
            word,
            f"do('{name}')",
            Style(dim=name in useless or None, reverse=name == primary or None),
        )
        for name, (key, word, _meaning) in keys
    ]
    return Content(" " * gap).join(parts)


def _width(keys: Collection[tuple[str, tuple[str, str, str]]], gap: int) -> int:
    words = (f"{key} {word}" for _name, (key, word, _meaning) in keys)
    return sum(map(cell_len, words)) + gap * max(0, len(keys) - 1)


def key_part(sign: str, word: str, action: str, style: Style) -> Content:
    """Return a key with its word, which can be clicked."""
    part = Content.assemble((sign, Style(bold=True) + style), (f" {word}", style))
    return part.stylize(Style.from_meta({"@click": f"app.{action}"}))
