"""What is said of the people at an online game, and of what they have to do soon."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.events import SEATS, Said
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import DUPLICATE, OK, Answer, Presence, TalkLine
from tic_tac_toe.protocols.online.requests import Block, Report, Request
from tic_tac_toe.protocols.online.surroundings import WATCHERS

from .online_text import (
    describe_event,
    describe_refusal,
    describe_watchers,
    foreign,
    person_name,
    seat_name,
    sentence,
)
from .sentences import in_a_row


def describe_presence(
    game: OnlineGame, presence: Presence, seat: str, language: NullTranslations
) -> str:
    """Return which players are connected, and how many people watch; oneself is not mentioned."""
    _ = language.gettext
    parts = []
    for theirs in SEATS:
        player = game.player(theirs)
        if theirs == seat or player is None or player.strategy:
            continue
        name = seat_name(game, theirs, language)
        here = theirs in presence.seats
        message = _("{player} is connected.") if here else _("{player} is not connected.")
        parts.append(sentence(message.format(player=name), language))
    return in_a_row([*parts, describe_watchers(presence, language)], language)


def describe_arrival(game: OnlineGame, seat: str, language: NullTranslations) -> str:
    """Return in few words that the player of a seat has come, for the title of a window."""
    player = game.player(seat)
    name = person_name("" if player is None else player.name, language)
    return sentence(language.gettext("{player} has come").format(player=name), language)


def describe_talk(line: TalkLine, language: NullTranslations) -> str:
    """Return a line that a watcher has said to the others."""
    _ = language.gettext
    name = foreign(line.name) or _("Watcher {number}").format(number=line.number)
    return _("{player}: {text}").format(player=name, text=foreign(line.text))


def describe_line(line: Said | TalkLine, game: OnlineGame, language: NullTranslations) -> str:
    """Return a line that a player or a watcher has said."""
    if isinstance(line, TalkLine):
        return describe_talk(line, language)
    return describe_event(line, game, language)


def speaker_name(game: OnlineGame, who: str, language: NullTranslations) -> str:
    """Return what somebody is called who says lines, of `surroundings.speaker_of`."""
    return language.gettext("Watchers") if who == WATCHERS else seat_name(game, who, language)


def describe_muted(game: OnlineGame, muted: Iterable[str], language: NullTranslations) -> str:
    """Return whose lines are not shown."""
    _ = language.gettext
    return in_a_row(
        (
            _("You do not see what the watchers say.")
            if who == WATCHERS
            else _("You do not see what {player} says.").format(
                player=seat_name(game, who, language)
            )
            for who in sorted(muted)
        ),
        language,
    )


def describe_done(request: Request, answer: Answer, language: NullTranslations) -> str:
    """Return what became of a report or of a block; empty for other requests."""
    _ = language.gettext
    if not isinstance(request, Report | Block):
        return ""
    if answer.status not in (OK, DUPLICATE):
        return describe_refusal(answer, language)
    if isinstance(request, Report):
        return _("Reported to the operator of this server.")
    if request.on:
        return _("You will not meet this player again, and see none of their lines here.")
    return _("You can meet this player again.")


def describe_claim(left: int | None, language: NullTranslations) -> str:
    """Return when a player can claim the game, from `Client.claim_left`; empty if never."""
    _ = language.gettext
    if left is None:
        return ""
    if left == 0:
        return _("The other player has left: you can claim the win or a draw.")
    return _(
        "If the other player does not come back, you can claim the game in {seconds} s."
    ).format(seconds=max(1, round(left / 1000)))


def describe_first_move(left: int | None, language: NullTranslations) -> str:
    """Return how long there is for the first move, from `Client.first_move_left`."""
    if left is None:
        return ""
    message = language.gettext("The first move has to be made within {seconds} s.")
    return message.format(seconds=max(1, round(left / 1000)))
