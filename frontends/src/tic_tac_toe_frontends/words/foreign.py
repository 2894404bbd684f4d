"""Other people's texts, as they may be shown: not too long, and without hidden characters."""

from __future__ import annotations

import unicodedata

_DANGEROUS = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def escape_hidden(text: str) -> str:
    """Return a text in which control characters, and marks that turn or hide text, are escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        repr(sign)[1:-1] if unicodedata.category(sign) in _DANGEROUS else sign for sign in text
    )


def shortened(text: str, most: int = 200) -> str:
    """Return the beginning of a text that comes from outside, at most ``most`` letters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
