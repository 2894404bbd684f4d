"""What is said of a player's own code, on every screen."""

from __future__ import annotations

from gettext import NullTranslations

from .translation import N_

#: What stands beside a code wherever it is shown.
OWN_CODE_WARNING = N_("Whoever has this code can play in your seats. Give it to nobody.")


def warn_of_code(language: NullTranslations) -> str:
    """Return what is asked before a device takes a code."""
    return language.gettext(
        "This device will play with this code from now on, and show its games. Take no code that"
        " somebody else has given you: whoever has it can play in your seats. Use it here?"
    )


def warn_of_own_code(language: NullTranslations) -> str:
    """Return what has to be known by whoever sees a code of one's own."""
    return language.gettext(OWN_CODE_WARNING)


def describe_code_taken(language: NullTranslations) -> str:
    """Return that a device has taken a code."""
    return language.gettext(
        "This device has the code now. Your games of before stay on this device as well."
    )


def no_code(language: NullTranslations) -> str:
    """Return that a text is no code."""
    return language.gettext("This is no code: it has 22 letters, digits, hyphens and underscores.")
