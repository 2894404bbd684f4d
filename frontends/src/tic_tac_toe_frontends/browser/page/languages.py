"""The page's language: which one, and its messages."""

from __future__ import annotations

import io
from gettext import GNUTranslations, NullTranslations

import js

from ...words.translation import find_language
from .dom import all_of, document, fetch_bytes, load_item, set_text, window
from .words import NAMES, WORDS


def wanted_language() -> str:
    """Return the language of the address, else of the last visit, else of the browser."""
    asked = js.URLSearchParams.new(window.location.search).get("lang")
    names = [asked, load_item("language"), *window.navigator.languages]
    found = (find_language(str(name)) for name in names if name)
    return next(filter(None, found), "en")


async def load_messages(code: str) -> NullTranslations:
    """Return the messages of one of `LANGUAGES`, and set the page's language attribute.

    If they cannot be fetched, the page is in English.
    """
    messages = NullTranslations()
    if code != "en":
        try:
            messages = GNUTranslations(io.BytesIO(await fetch_bytes(f"locale/{code}.mo")))
        except OSError:
            code = "en"
    document.documentElement.lang = code
    return messages


def write_words(language: NullTranslations) -> None:
    """Write the static words of the page and the names of its buttons."""
    for element in all_of("[data-word]"):
        set_text(element, language.gettext(WORDS[element.dataset.word]))
    for element in all_of("[data-name]"):
        element.setAttribute("aria-label", language.gettext(NAMES[element.dataset.name]))
