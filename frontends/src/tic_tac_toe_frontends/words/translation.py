"""The reader's language: finding it, translating messages, and joining sentences.

The library's errors carry English templates with parameters. `make locale` collects these templates
from the library's source into the catalogues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from tic_tac_toe.logic.exceptions import GameError, Message

DOMAIN = "tictactoe"
LOCALE = Path(__file__).parent / "locale"

#: The languages with their own names, English first.
LANGUAGE_TITLES = {"en": "English", "es": "Español", "zh": "中文", "ru": "Русский"}
#: Letters of each language that an output must be able to encode.
LANGUAGES: Mapping[str, str] = {"en": "", "es": "áéíóúñ¿¡", "zh": "中文", "ru": "Щы"}

#: Marks a message for translation when it is shown.
N_ = str
#: The same for a context and a message.
pgettext = NullTranslations().pgettext


def load(
    language: str | None, environ: Mapping[str, str], folder: Path = LOCALE
) -> NullTranslations:
    """Return the messages of a language, by default the environment's.

    Nothing is installed globally: messages are passed to the code that shows them.

    Args:
        language: a code such as ``es``, ``es_MX.UTF-8`` or ``zh-Hans``.
        environ: has ``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG``.
        folder: of the compiled catalogues.

    Raises:
        ValueError: the named language has no catalogue.
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
    """Return the language code of messages."""
    return str(language.info().get("language", "en"))


def negotiate(environ: Mapping[str, str]) -> str:
    """Return the first language of the environment with a catalogue, else English.

    As in GNU gettext, ``LANGUAGE`` is a list that precedes the locale, unless the locale is ``C``.
    """
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale in ("C", "POSIX"):
        return "en"
    wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next(filter(None, map(find_language, wanted)), "en")


def find_language(name: str) -> str | None:
    """Return a language's code for any of its regions and scripts; ``None`` if unknown."""
    parts = re.findall(r"[^-_.@\s]+", name)  # as in zh_Hans_CN.UTF-8
    code = parts[0].lower() if parts else ""
    return code if code in LANGUAGES else None


def localise(language: NullTranslations, message: object) -> str:
    """Return a translated message of the library or of its error.

    Parameters that are messages are translated too. Any other value is returned as its text.
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


#: The languages with full-width punctuation, which no space follows.
_WIDE = {"zh"}
#: The punctuation at the end of a sentence.
_ENDS = (".", "!", "?", "…", "。", "！", "？")  # noqa: RUF001  # as Chinese has them


def join_sentences(sentences: Iterable[str], language: NullTranslations) -> str:
    """Return sentences joined as the language requires."""
    return ("" if code_of(language) in _WIDE else " ").join(filter(None, sentences))


def join_names(names: Iterable[str], language: NullTranslations) -> str:
    """Return names, or other short words, with commas between them."""
    return ("\N{IDEOGRAPHIC COMMA}" if code_of(language) in _WIDE else ", ").join(names)


def join_clauses(parts: Iterable[str], language: NullTranslations) -> str:
    """Return parts of a sentence with semicolons between them."""
    return ("\N{FULLWIDTH SEMICOLON}" if code_of(language) in _WIDE else "; ").join(parts)


def labelled(label: str, text: str, language: NullTranslations) -> str:
    """Return a label, a colon and a text."""
    colon = "\N{FULLWIDTH COLON}" if code_of(language) in _WIDE else ": "
    return f"{label}{colon}{text}".rstrip()


def as_sentence(text: str, language: NullTranslations, *, capital: bool = True) -> str:
    """Return a text with a capital letter, and a full stop unless it has punctuation.

    Args:
        capital: false if the text may begin with a name, such as a program's.
    """
    stop = "\N{IDEOGRAPHIC FULL STOP}" if code_of(language) in _WIDE else "."
    begun = f"{text[:1].upper()}{text[1:]}" if capital else text
    return begun + ("" if text.endswith(_ENDS) else stop)
