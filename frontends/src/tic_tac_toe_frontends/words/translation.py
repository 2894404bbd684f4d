"""Messages in the reader's language: which one that is, and where its translations are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

DOMAIN = "tictactoe"
LOCALE = Path(__file__).parent / "locale"

#: The languages and what they call themselves, English first.
LANGUAGE_TITLES = {"en": "English", "es": "Español", "zh": "中文", "ru": "Русский"}
#: The letters that an output must be able to show for each language.
LANGUAGES: Mapping[str, str] = {"en": "", "es": "áéíóúñ¿¡", "zh": "中文", "ru": "Щы"}

#: Marks a message that is translated later, where it is shown.
N_ = str
#: The same for a context and a message.
pgettext = NullTranslations().pgettext


def load(
    language: str | None, environ: Mapping[str, str], folder: Path = LOCALE
) -> NullTranslations:
    """Return the messages of a language, of the environment's unless one is named.

    Nothing is installed globally: each part that shows messages is given them.

    Args:
        language: a code such as ``es``, ``es_MX.UTF-8`` or ``zh-Hans``.
        environ: where ``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` are looked up.
        folder: has the compiled messages by language.

    Raises:
        ValueError: there are no messages in the language that was named.
    """
    code = find_language(language) if language is not None else negotiate(environ)
    if code is None:
        raise ValueError(f"no messages in this language; choose from {', '.join(LANGUAGES)}")
    path = folder / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if code == "en" or not path.is_file():
        return NullTranslations()
    with path.open("rb") as file:
        return GNUTranslations(file)


def code_of(language: NullTranslations) -> str:
    """Return the code of the language that messages are in."""
    return str(language.info().get("language", "en"))


def negotiate(environ: Mapping[str, str]) -> str:
    """Return the first language of the environment that there are messages in, else English.

    As in GNU gettext, ``LANGUAGE`` is a list that comes before the locale, unless the locale says
    to speak no language at all (``C``).
    """
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale in ("C", "POSIX"):
        return "en"
    wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next(filter(None, map(find_language, wanted)), "en")


def find_language(name: str) -> str | None:
    """Return the code of a language for any of its regions and scripts, or ``None``."""
    parts = re.findall(r"[^-_.@\s]+", name)  # as in zh_Hans_CN.UTF-8
    code = parts[0].lower() if parts else ""
    return code if code in LANGUAGES else None
