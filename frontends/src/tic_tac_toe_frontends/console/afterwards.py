"""What can be answered when a game at the console is over."""

from __future__ import annotations

import unicodedata
from gettext import NullTranslations

from ..table.ladder import Offer
from ..words.game_text import player_title
from ..words.translation import pgettext
from .commands import Command, translated_words

#: The words for what can be asked for beside another game, in the order in which they are told.
WORDS = (
    pgettext("command", "next"),
    pgettext("command", "review"),
    pgettext("command", "save"),
)


def describe_afterwards(offer: Offer | None, language: NullTranslations) -> list[str]:
    """Return what can be done with the game that is over, and what is offered next."""
    _, words = language.gettext, translated_words(language, WORDS)
    lines = [
        _("To see where the game turned, type {word}.").format(word=words["review"]),
        _("To keep this game, type {word} and a file name.").format(word=words["save"]),
    ]
    if offer is not None:
        message = _("To play the next level, {level}, type {word}.")
        level = player_title(offer.level, language)
        lines.insert(0, message.format(level=level, word=words["next"]))
    return lines


def parse_answer(line: str, language: NullTranslations) -> Command:
    """Return what is wanted after a game: ``yes``, ``no``, or one of `WORDS`, or another line.

    Each can be abbreviated but ``save``, which takes the name of a file. An empty line is ``yes``.
    """
    _, words = language.gettext, translated_words(language, WORDS)
    word, _space, argument = line.strip().partition(" ")
    answer = letters_of(word)
    if answer in (letters_of(words["save"]), "save"):
        return Command("save", argument.strip())
    known = {
        "yes": ("yes", _("yes")),
        "no": ("no", _("no"), "quit"),
        "next": ("next", words["next"]),
        "review": ("review", words["review"]),
    }
    for name, forms in known.items():
        if not argument and any(letters_of(form).startswith(answer) for form in forms):
            return Command(name)
    return Command(line)


def letters_of(text: str) -> str:
    """Return a text for comparison: in small letters without accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
