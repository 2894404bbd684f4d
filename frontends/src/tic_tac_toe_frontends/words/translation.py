"""Messages in the reader's language: which one that is, and how its sentences are put together.

The library itself speaks English: its errors carry their sentences as templates with parameters.
The catalogues have the templates; `make locale` collects them from the library's source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from tic_tac_toe.logic.exceptions import GameError, Message

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


def localise(language: NullTranslations, message: object) -> str:
    """Return a message of the library, or an error that carries one, in another language.

    Parameters that are messages are translated as well. Any other value is returned as its text.
    """
    if isinstance(message, GameError):
        message = message.message
    if not isinstance(message, Message):
        return str(message)
    text = language.gettext(message.template) if message.template else ""
    if not message.params:
        return text
    parts = {
        name: localise(language, part) if isinstance(part, (GameError, Message)) else part
        for name, part in message.params
    }
    return text.format(**parts)


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
