"""How sentences end, and stand one after the other, in each language."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from .translation import code_of

#: The languages whose full stop is as wide as a letter, and has no space behind it.
_WIDE = {"zh"}


def in_a_row(sentences: Iterable[str], language: NullTranslations) -> str:
    """Return sentences one after the other."""
    return ("" if code_of(language) in _WIDE else " ").join(filter(None, sentences))


def as_sentence(text: str, language: NullTranslations) -> str:
    """Return a text that has no full stop, with one."""
    return text + ("\N{IDEOGRAPHIC FULL STOP}" if code_of(language) in _WIDE else ".")
