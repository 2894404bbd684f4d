"""Untrusted texts, made safe to show: shortened, and without control characters."""

from __future__ import annotations

import unicodedata

_DANGEROUS = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def escaped(text: str) -> str:
    """Return a text with control characters, and marks that reverse or hide text, escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        repr(sign)[1:-1] if unicodedata.category(sign) in _DANGEROUS else sign for sign in text
    )


def truncated(text: str, most: int = 200) -> str:
    """Return a text, cut after ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
