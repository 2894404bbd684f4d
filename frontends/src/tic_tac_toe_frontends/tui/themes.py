"""Themes besides Textual's own: two with the greatest contrast, and one without colours."""

from __future__ import annotations

from dataclasses import replace

from textual.theme import Theme

#: What is used unless another theme is asked for; the second where NO_COLOR is set.
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
