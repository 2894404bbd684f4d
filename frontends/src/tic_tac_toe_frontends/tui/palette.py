"""Additional themes, and board colours with enough contrast in every theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

#: The default theme, and the one for NO_COLOR.
DEFAULT, UNCOLOURED = "textual-dark", "ansi-dark"

_HIGH_CONTRAST = Theme(
    "high-contrast",
    primary="#6CC8FF",
    secondary="#B0B0FF",
    accent="#FFD84A",
    warning="#FFD84A",
    error="#FF9A9A",
    success="#7CFF7C",
    foreground="#FFFFFF",
    background="#000000",
    surface="#000000",
    panel="#1C1C1C",
    dark=True,
    text_alpha=1.0,
)

THEMES = (
    _HIGH_CONTRAST,
    Theme(
        "high-contrast-light",
        primary="#00308F",
        secondary="#3A1D8C",
        accent="#8A2B00",
        warning="#6B4A00",
        error="#9B0016",
        success="#00531B",
        foreground="#000000",
        background="#FFFFFF",
        surface="#FFFFFF",
        panel="#E6E6E6",
        dark=False,
        text_alpha=1.0,
    ),
    replace(
        _HIGH_CONTRAST,
        name="black-and-white",
        primary="#FFFFFF",
        secondary="#C8C8C8",
        accent="#FFFFFF",
        warning="#FFFFFF",
        error="#FFFFFF",
        success="#FFFFFF",
        panel="#262626",
    ),
)

#: The theme's colours of the inks.
INKS = {
    "text": "foreground",
    "cross": "primary",
    "naught": "accent",
    "pale cross": "primary",
    "pale naught": "accent",
    "win": "success",
    "draw": "foreground",
    "open": "foreground",
    "loss": "error",
    "hint": "warning",
    "empty": "foreground",
    "label": "foreground",
    "grid": "foreground",
    "wall": "foreground",
}
#: The first share of background in an ink ...
_FADED = {
    "pale cross": 0.4,
    "pale naught": 0.4,
    "empty": 0.45,
    "label": 0.3,
    "grid": 0.6,
    "wall": 0.3,
}
#: ... and the minimum contrasts of text and of lines (WCAG 2, level AA).
TEXT_CONTRAST, LINE_CONTRAST = 4.5, 3.0
_LINES = {"grid", "wall", "empty"}
#: The grounds: an ink, and its share in the background.
GROUNDS = {
    "board": ("foreground", 0.0),
    "open": ("success", 0.16),
    "cross": ("primary", 0.13),
    "naught": ("accent", 0.13),
    "cursor": ("foreground", 0.2),
    "hint": ("warning", 0.22),
}
_STEPS = 20


class Palette:
    """The styles of the board in a theme.

    Args:
        plain: use only the terminal's two colours, with bold and reversed text.
    """

    def __init__(self, variables: Mapping[str, str], *, plain: bool = False) -> None:
        self.plain = plain
        names = {*INKS.values(), "background"}
        self._colours = {} if plain else {name: Color.parse(variables[name]) for name in names}
        self.style = lru_cache(maxsize=256)(self._style)

    def _style(
        self,
        ink: str,
        ground: str = "board",
        *,
        bold: bool = False,
        underline: bool = False,
        inverted: bool = False,
    ) -> Style:
        """Return the style of a letter.

        Args:
            ink: of `INKS`.
            ground: of `GROUNDS`.
            inverted: swap ink and ground.
        """
        if self.plain:
            return Style(bold=bold, underline=underline, reverse=inverted)
        if inverted:
            colour, behind = self.ground("board"), self.ink(ink, "board")
        else:
            colour, behind = self.ink(ink, ground), self.ground(ground)
        return Style(
            color=colour.rich_color, bgcolor=behind.rich_color, bold=bold, underline=underline
        )

    def ground(self, name: str) -> Color:
        """Return the colour of a ground."""
        ink, share = GROUNDS[name]
        return self._colours["background"].blend(self._colours[ink], share, 1.0)

    def ink(self, name: str, ground: str) -> Color:
        """Return the colour nearest to the theme's with enough contrast to a ground."""
        behind = self.ground(ground)
        wanted = self._colours[INKS[name]].blend(behind, _FADED.get(name, 0.0), 1.0)
        least = LINE_CONTRAST if name in _LINES else TEXT_CONTRAST
        extreme = max((_BLACK, _WHITE), key=lambda colour: contrast(colour, behind))
        for step in range(_STEPS + 1):
            colour = wanted.blend(extreme, step / _STEPS, 1.0)
            if contrast(colour, behind) >= least:
                return colour
        return extreme


_BLACK, _WHITE = Color(0, 0, 0), Color(255, 255, 255)


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
