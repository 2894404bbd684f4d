"""What is said of a player's own code, on every screen."""

from __future__ import annotations

from gettext import NullTranslations


def warn_of_code(language: NullTranslations) -> str:
    """Return what is asked before a device takes a code."""
    return language.gettext(
        "This device will play with this code from now on, and show its games. Take no code that"
        " somebody else has given you: whoever has it can play in your seats. Use it here?"
    )


def describe_code_taken(language: NullTranslations) -> str:
    """Return that a device has taken a code."""
    return language.gettext(
        "This device has the code now. Your games of before stay on this device as well."
    )


def no_code(language: NullTranslations) -> str:
    """Return that a text is no code."""
    return language.gettext("This is no code: it has 22 letters, digits, hyphens and underscores.")
