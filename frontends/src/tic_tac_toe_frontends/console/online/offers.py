"""How a person at the console answers offers, and takes own ones back."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import DRAW, KEEP_CHAT, REMATCH, TAKE_BACK

from ...program.process import Refused
from ...words.online_text import describe_reason
from ..commands import IN_GAME, translated_words

#: What the words of offers stand for after “accept”, “decline” and “withdraw”.
OFFER_WORDS = {"draw": DRAW, "undo": TAKE_BACK, "rematch": REMATCH, "keep": KEEP_CHAT}


def answer_offer(
    client: Client, word: str, language: NullTranslations, *, accepts: bool = True
) -> None:
    """Agree to the offer of the other side that a word names, or refuse it; no word: the only one.

    Raises:
        Refused: nothing is offered, or several things are and the command names none of them.
    """
    what = _named(client, word, language, own=False)
    if not what:
        raise Refused(describe_reason("no_offer", language))
    answer = client.accept if accepts else client.decline
    answer(what)


def withdraw_offer(client: Client, word: str, language: NullTranslations) -> None:
    """Take back the own offer that a word names, or the only one; see `answer_offer`."""
    what = _named(client, word, language, own=True)
    if not what:
        raise Refused(language.gettext("You have offered nothing that could be taken back."))
    client.decline(what)


def _named(client: Client, word: str, language: NullTranslations, *, own: bool) -> str:
    """Return the offer that a word names; empty if there is no word and no offer."""
    _, game = language.gettext, client.game
    offers = () if game is None else game.offers
    offered = sorted(what for seat, what in offers if (seat == client.seat) == own)
    words = translated_words(language, IN_GAME)
    wanted = {words[ours]: what for ours, what in OFFER_WORDS.items()} | OFFER_WORDS
    if word and word not in wanted:
        raise Refused(_("Answer to one of: {words}").format(words=", ".join(OFFER_WORDS)))
    if not word and len(offered) > 1:
        names = ", ".join(words[ours] for ours, what in OFFER_WORDS.items() if what in offered)
        raise Refused(_("There are several offers. Say which: {words}").format(words=names))
    return wanted[word] if word else next(iter(offered), "")
