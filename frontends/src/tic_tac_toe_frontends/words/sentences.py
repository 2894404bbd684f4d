"""How sentences end, and how they and their parts stand one after the other, in each language."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from .translation import code_of

#: The languages whose signs are as wide as a letter, and have no space behind them.
_WIDE = {"zh"}
#: The signs at the end of a sentence.
_ENDS = (".", "!", "?", "…", "。", "！", "？")  # noqa: RUF001  # as Chinese has them


def in_a_row(sentences: Iterable[str], language: NullTranslations) -> str:
    """Return sentences one after the other."""
    return ("" if code_of(language) in _WIDE else " ").join(filter(None, sentences))


def listed(names: Iterable[str], language: NullTranslations) -> str:
    """Return names, or other short words, with commas between them."""
    return ("\N{IDEOGRAPHIC COMMA}" if code_of(language) in _WIDE else ", ").join(names)


def in_clauses(parts: Iterable[str], language: NullTranslations) -> str:
    """Return parts of a sentence with semicolons between them."""
    return ("\N{FULLWIDTH SEMICOLON}" if code_of(language) in _WIDE else "; ").join(parts)


def labelled(label: str, text: str, language: NullTranslations) -> str:
    """Return a text behind what it is about, with a colon between them."""
    colon = "\N{FULLWIDTH COLON}" if code_of(language) in _WIDE else ": "
    return f"{label}{colon}{text}".rstrip()


def as_sentence(text: str, language: NullTranslations, *, capital: bool = True) -> str:
    """Return a text with a full stop, unless it has an end, and with a capital letter.

    Args:
        capital: false where the text may begin with a name, such as that of a program.
    """
    stop = "\N{IDEOGRAPHIC FULL STOP}" if code_of(language) in _WIDE else "."
    begun = f"{text[:1].upper()}{text[1:]}" if capital else text
    return begun + ("" if text.endswith(_ENDS) else stop)
