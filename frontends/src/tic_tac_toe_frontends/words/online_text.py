"""Texts about online games, for every screen.

The arguments `seat` and `own` are the reader's seat, empty for a watcher.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.protocols.online.client import WATCHERS
from tic_tac_toe.protocols.online.events import (
    ABORT,
    DRAW,
    IDLE,
    KEEP_CHAT,
    LEFT,
    OFFERS,
    OPERATOR,
    REMATCH,
    SEATS,
    SIDES,
    TAKE_BACK,
    Accepted,
    Closed,
    Created,
    Declined,
    Event,
    Expired,
    Joined,
    Moved,
    Offered,
    Resigned,
    Said,
    TimedOut,
    Withdrawn,
)
from tic_tac_toe.protocols.online.game import (
    ABORTED,
    AGREED,
    CLOSED,
    EXPIRED,
    ON_BOARD,
    ON_TIME,
    RESIGNED,
    OnlineGame,
)
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    DUPLICATE,
    ILLEGAL,
    OK,
    REASONS,
    STALE,
    Answer,
    Notice,
    OpenGame,
    Presence,
    TalkLine,
)
from tic_tac_toe.protocols.online.requests import PERSON, Block, Report, Request
from tic_tac_toe.protocols.online.seat_book import NO_RESULT, PLAYING, WAITING, outcome_for

from .clock_text import clock_brief, clock_setting
from .evaluation_text import outcome_word
from .foreign import escaped, truncated
from .game_text import (
    OWN_ENDS,
    describe_move_of,
    describe_own_end,
    describe_own_turn,
    player_title,
    setup_menus,
)
from .rules_text import HUMAN, Drawn, piece_title, side_title, variant_title
from .translation import N_, as_sentence, join_sentences, localise

#: The code of an invalid request: only the server's own text gives the reason.
INVALID = "invalid"

#: The reason of a ban.
BANNED = "banned"

#: The sentences about offers, acceptances and refusals.
_OFFERS: Mapping[type[Event], Mapping[str, str]] = {
    Offered: {
        DRAW: N_("{player} offers a draw."),
        TAKE_BACK: N_("{player} asks to take their last move back."),
        REMATCH: N_("{player} offers a rematch."),
        KEEP_CHAT: N_(
            "{player} asks to keep the chat: the game's record would show it to everybody."
        ),
    },
    Accepted: {
        DRAW: N_("{player} accepts the draw."),
        TAKE_BACK: N_("{player} agrees: the move is taken back."),
        REMATCH: N_("{player} accepts the rematch."),
        KEEP_CHAT: N_("{player} agrees: the game's record shows the chat."),
    },
    Declined: {
        DRAW: N_("{player} declines the draw."),
        TAKE_BACK: N_("{player} does not agree to take the move back."),
        REMATCH: N_("{player} declines the rematch."),
        KEEP_CHAT: N_("{player} does not agree to keep the chat."),
    },
    Withdrawn: dict.fromkeys(OFFERS, N_("{player} takes the offer back.")),
}
#: The sentences to a player about their own answer or withdrawn offer.
_OWN_ANSWERS: Mapping[type[Event], Mapping[str, str]] = {
    Accepted: {
        DRAW: N_("You accept the draw."),
        TAKE_BACK: N_("You agree: the move is taken back."),
        REMATCH: N_("You accept the rematch."),
        KEEP_CHAT: N_("You agree: the game's record shows the chat."),
    },
    Declined: {
        DRAW: N_("You decline the draw."),
        TAKE_BACK: N_("You do not agree to take the move back."),
        REMATCH: N_("You decline the rematch."),
        KEEP_CHAT: N_("You do not agree to keep the chat."),
    },
    Withdrawn: dict.fromkeys(OFFERS, N_("You take your offer back.")),
}
#: The sentences about other events.
_EVENTS: Mapping[type[Event], str] = {
    Joined: N_("{player} joins: the game begins."),
    Created: N_("The game has been created."),
    Resigned: N_("{mark} resigns."),
    TimedOut: N_("The time of {player} has run out."),
    Closed: N_("{player} has closed the game."),
    Expired: N_("The server has ended the game, because nothing happened in it for a long time."),
}
#: The sentences about events that end a game, by their `what`.
_REASONED: Mapping[str, str] = {
    ABORT: N_("{player} has aborted the game."),
    IDLE: N_("{player} has not made the first move in time."),
    OPERATOR: N_("The operator of the server has ended the game."),
}
_GONE = N_("{player} has left the game.")
_DRAW_CLAIMED = N_("{player} claims a draw, because the other player has left.")
_PAIRED = N_("An opponent is found: {player} plays in another game now.")
_UNKNOWN = N_("Something has happened that this program does not know.")
#: The sentences about draws other than on the board.
_UNDECIDED = {
    CLOSED: N_("The game was closed before it began."),
    EXPIRED: N_("The game was ended because nobody played on."),
    ABORTED: N_("The game was aborted; it counts for nobody."),
    LEFT: N_("It is a draw, because a player has left."),
    AGREED: N_("The players have agreed on a draw."),
}
#: The sentences about losses other than on the board.
_DEFEATS = {RESIGNED: _EVENTS[Resigned], ON_TIME: _EVENTS[TimedOut], LEFT: _GONE}


def person_name(name: str, language: NullTranslations) -> str:
    """Return a person's name, safe to show; people without a name are guests."""
    return safe_line(name) or language.gettext("a guest")


def sentence(text: str, language: NullTranslations) -> str:
    """Return a sentence with a capital letter if it begins with a guest."""
    return text[:1].upper() + text[1:] if text.startswith(language.gettext("a guest")) else text


def seat_name(
    game: OnlineGame, seat: str, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return the player and the seat, as “Ann (X)”, “Ann (red)” and “nobody yet (O)”."""
    player, side = game.player(seat), side_title(game.rules, Mark(seat), language)
    if side == seat:
        side = piece_title(look, Mark(seat), language) or side
    if player is None:
        return language.gettext("nobody yet ({seat})").format(seat=side)
    if player.strategy:
        return f"{player_title(player.strategy, language, game.rules, here=False)} ({side})"
    return f"{person_name(player.name, language)} ({side})"


def safe_line(text: str) -> str:
    """Return an untrusted text as one short line, safe to show."""
    return escaped(truncated(text))


def describe_event(
    event: Event,
    game: OnlineGame,
    language: NullTranslations,
    own: str = "",
    look: Look = Look.MARKS,
) -> str:
    """Return a sentence about an event of a game.

    Args:
        game: the game after the event, or later.
    """
    _ = language.gettext
    player = seat_name(game, event.seat, language, look) if event.seat in SIDES else ""
    match event:
        case Moved(cell=cell):
            message = describe_move_of(player, cell, game.rules, language)
        case Said(removed=True):
            message = _("{player}: (this line was removed)").format(player=player)
        case Said(text=text):
            message = _("{player}: {text}").format(player=player, text=safe_line(text))
        case Accepted(what=what) | Declined(what=what) | Withdrawn(what=what) if event.seat == own:
            message = _(_OWN_ANSWERS[type(event)].get(what, _UNKNOWN))
        case Offered(what=what) | Accepted(what=what) | Declined(what=what) | Withdrawn(what=what):
            message = _(_OFFERS[type(event)].get(what, _UNKNOWN)).format(player=player)
        case _:
            message = _(_about(event)).format(player=player, mark=player)
    return sentence(message, language)


def _about(event: Event) -> str:
    """Return the sentence about an event other than a move, a line or an offer."""
    match event:
        case Closed(follower=follower) if follower:
            return _PAIRED
        case TimedOut(what=what) if what == LEFT:
            return _GONE
        case Expired(what=what) if what == LEFT:
            return _DRAW_CLAIMED
        case Expired(what=what) if what in _REASONED:
            return _REASONED[what]
    return _EVENTS.get(type(event), _UNKNOWN)


def describe_notice(notice: Notice, language: NullTranslations) -> str:
    """Return the operator's announcement as a sentence."""
    if notice.reason in REASONS:
        return describe_reason(notice.reason, language)
    message = language.gettext("The operator of the server says: {text}")
    return message.format(text=safe_line(notice.text))


def describe_end(
    game: OnlineGame, language: NullTranslations, look: Look = Look.MARKS
) -> list[str]:
    """Return why a game ended and who won; empty before the end."""
    _, end = language.gettext, game.end
    if end is None:
        return []
    if not end.winner:
        return [_(_UNDECIDED.get(end.reason, OWN_ENDS["draw"]))]
    lines = [_("{mark} wins.").format(mark=seat_name(game, end.winner, language, look))]
    if end.reason in _DEFEATS:
        loser = seat_name(game, SEATS[1 - SIDES[end.winner]], language, look)
        lines.insert(0, _(_DEFEATS[end.reason]).format(mark=loser, player=loser))
    return [sentence(line, language) for line in lines]


def describe_turn(
    game: OnlineGame, seat: str, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return a sentence to a seat, or to a watcher, about what the game waits for."""
    _ = language.gettext
    if game.end is not None:
        return join_sentences(describe_end(game, language, look), language)
    if game.waiting:
        return _("Waiting for somebody to join.")
    if game.turn == seat:
        return _("It is your turn: you play {mark}.").format(
            mark=side_title(game.rules, Mark(seat), language, look)
        )
    message = _("{mark} to move.").format(mark=seat_name(game, game.turn, language, look))
    return sentence(message, language)


def describe_offers(
    game: OnlineGame, seat: str, language: NullTranslations, look: Look = Look.MARKS
) -> list[str]:
    """Return the offers to a seat."""
    templates = _OFFERS[Offered]
    return [
        sentence(
            language.gettext(templates[what]).format(
                player=seat_name(game, theirs, language, look)
            ),
            language,
        )
        for theirs, what in sorted(game.offers)
        if theirs != seat and what in templates
    ]


def describe_players(game: OnlineGame, language: NullTranslations) -> str:
    """Return the game and its players in a line."""
    crosses, naughts = (seat_name(game, seat, language) for seat in SEATS)
    return language.gettext("{variant}: {crosses} against {naughts}.").format(
        variant=variant_title(game.rules, language), crosses=crosses, naughts=naughts
    )


def describe_watchers(presence: Presence | None, language: NullTranslations) -> str:
    """Return the number of watchers in words; empty if none or unknown."""
    if presence is None or not presence.watchers:
        return ""
    count = presence.watchers
    message = language.ngettext("{count} person watches.", "{count} people watch.", count)
    return message.format(count=count)


def opponent_menu(language: NullTranslations, offered: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return the possible opponents of a new game: names and titles.

    Args:
        offered: the server's opponents other than strategies.
    """
    players = setup_menus(language, offered)["x"]
    return [(PERSON if name == HUMAN else name, title) for name, title in players]


def describe_open_game(game: OpenGame, language: NullTranslations) -> str:
    """Return an open game in a line: game, creator, free seat, first side, clock."""
    _ = language.gettext
    free, starting = (text if text in SIDES else "?" for text in (game.seat, game.starting))
    try:
        rules = find_rules(game.variant)
    except InvalidVariant:
        title = safe_line(game.variant)
    else:
        title = variant_title(rules, language)
        free, starting = (
            side_title(rules, Mark(text), language) if text in SIDES else text
            for text in (free, starting)
        )
    return _("{variant}, by {name}: {seat} is free, {starting} begins, {clock}").format(
        variant=title,
        name=person_name(game.name, language),
        seat=free,
        starting=starting,
        clock=clock_setting(game.clock, language),
    )


def describe_refusal(answer: Answer, language: NullTranslations) -> str:
    """Return why a request was refused; empty if it was not."""
    _ = language.gettext
    if answer.status == STALE:
        return _("The game has changed meanwhile; nothing was done. Look again.")
    if answer.status not in (ILLEGAL, BUSY):
        return ""
    known = None if answer.reason == INVALID and answer.text else REASONS.get(answer.reason)
    sentence = localise(language, known or safe_line(answer.text or answer.reason))
    if answer.status == ILLEGAL:
        return _("{reason}.").format(reason=sentence)
    seconds = max(1, round(answer.retry / 1000))
    return _("{reason}; trying again in {seconds} s.").format(reason=sentence, seconds=seconds)


def describe_reason(reason: str, language: NullTranslations) -> str:
    """Return one of `REASONS` as a sentence, any other one in the server's words."""
    known = REASONS.get(reason)
    return safe_line(reason) if known is None else as_sentence(localise(language, known), language)


def describe_closing(reason: str, retry: int, now: float, language: NullTranslations) -> str:
    """Return why the server closes the connection.

    Args:
        reason, retry: see `Closing`.
        now: seconds since 1970; times are shown in the reader's zone.
    """
    if reason == BANNED and retry:
        until = datetime.fromtimestamp(now + retry / 1000)  # in the reader's zone
        return describe_ban(f"{until:%Y-%m-%d %H:%M}", language)
    return describe_reason(reason, language)


def describe_ban(until: str, language: NullTranslations) -> str:
    """Return that the reader's address is banned until a time."""
    message = language.gettext("The operator of this server keeps your address away until {time}.")
    return message.format(time=until)


def describe_loss(seconds: float, language: NullTranslations) -> str:
    """Return that the connection is lost, and the time of the next attempt."""
    return language.gettext("Connection lost; trying again in {seconds} s …").format(
        seconds=max(1, round(seconds))
    )


#: The standings of a player's game besides the outcomes of `evaluation_text.outcome_word`.
_STANDINGS = {
    WAITING: N_("waiting for an opponent"),
    PLAYING: N_("in progress"),
    NO_RESULT: N_("ended without a result"),
}


class OpenGameCells(NamedTuple):
    """An open game as the cells of a table."""

    title: str
    player: str
    clock: str
    starter: str


def open_game_headings(language: NullTranslations) -> OpenGameCells:
    """Return the headings of a table of open games."""
    _ = language.gettext
    return OpenGameCells(_("Game"), _("Player"), _("Clock"), _("Who starts"))


def open_game_cells(game: OpenGame, language: NullTranslations) -> OpenGameCells:
    """Return an open game as the cells of a table, in words to its next player."""
    _ = language.gettext
    name = person_name(game.name, language)
    starter = ""
    if game.starting in SIDES:
        starter = _("You") if game.starting == game.seat else name
    return OpenGameCells(
        named_variant(game.variant, language), name, clock_brief(game.clock, language), starter
    )


def named_variant(name: str, language: NullTranslations) -> str:
    """Return the title of a variant, whose name may be unknown here."""
    try:
        return variant_title(find_rules(name), language)
    except InvalidVariant:
        return safe_line(name)


def opponent_name(name: str, strategy: str, language: NullTranslations) -> str:
    """Return a person's name or a computer player's title."""
    if strategy:
        title = player_title(strategy, language)
        return language.gettext("Computer: {player}").format(player=title)
    return person_name(name, language)


def standing_word(standing: str, language: NullTranslations) -> str:
    """Return a standing in words to the reader."""
    if standing in _STANDINGS:
        return language.gettext(_STANDINGS[standing])
    return outcome_word(standing, language)


def describe_standing(
    game: OnlineGame, seat: str, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return a sentence or two about the state or the end of a game."""
    if seat and game.turn == seat:
        is_first = len(game.moves) < 2
        return describe_own_turn(Mark(seat), game.rules, language, Drawn(look), first=is_first)
    if seat and game.waiting and game.setup.pairing:
        return language.gettext("Waiting for somebody who wants to play …")
    if game.end is not None:
        return join_sentences(end_sentences(game, seat, language, look), language)
    return describe_turn(game, seat, language, look)


def end_sentences(
    game: OnlineGame, seat: str, language: NullTranslations, look: Look = Look.MARKS
) -> list[str]:
    """Return how a game ended, and why unless the board shows it."""
    outcome = outcome_for(game, seat) if seat else None
    if game.end is None or outcome is None:
        return describe_end(game, language, look)
    own = describe_own_end(outcome, language)
    return [own] if game.end.reason == ON_BOARD else [own, *describe_end(game, language, look)[:1]]


def describe_presence(
    game: OnlineGame, presence: Presence, seat: str, language: NullTranslations
) -> str:
    """Return the connected players, except the reader, and the number of watchers."""
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
    return join_sentences([*parts, describe_watchers(presence, language)], language)


def describe_arrival(game: OnlineGame, seat: str, language: NullTranslations) -> str:
    """Return a short text, for a window's title, that the player of a seat has joined."""
    player = game.player(seat)
    name = person_name("" if player is None else player.name, language)
    return sentence(language.gettext("{player} has come").format(player=name), language)


def describe_talk(line: TalkLine, language: NullTranslations) -> str:
    """Return a watcher's line to the other watchers."""
    _ = language.gettext
    name = safe_line(line.name) or _("Watcher {number}").format(number=line.number)
    return _("{player}: {text}").format(player=name, text=safe_line(line.text))


def describe_line(
    line: Said | TalkLine, game: OnlineGame, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return a player's or a watcher's line."""
    if isinstance(line, TalkLine):
        return describe_talk(line, language)
    return describe_event(line, game, language, look=look)


def speaker_name(
    game: OnlineGame, who: str, language: NullTranslations, look: Look = Look.MARKS
) -> str:
    """Return the name of a speaker of `client.speaker_of`."""
    if who == WATCHERS:
        return language.gettext("Watchers")
    return seat_name(game, who, language, look)


def describe_muted(
    game: OnlineGame,
    muted: Iterable[str],
    language: NullTranslations,
    look: Look = Look.MARKS,
) -> str:
    """Return the names of muted people."""
    _ = language.gettext
    return join_sentences(
        (
            _("You do not see what the watchers say.")
            if who == WATCHERS
            else _("You do not see what {player} says.").format(
                player=seat_name(game, who, language, look)
            )
            for who in sorted(muted)
        ),
        language,
    )


def describe_done(request: Request, answer: Answer, language: NullTranslations) -> str:
    """Return the result of a report or a block; empty for other requests."""
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
    """Return when a player can claim the game, from `Client.claim_left`; empty for never."""
    _ = language.gettext
    if left is None:
        return ""
    if left == 0:
        return _("The other player has left: you can claim the win or a draw.")
    return _(
        "If the other player does not come back, you can claim the game in {seconds} s."
    ).format(seconds=max(1, round(left / 1000)))


def describe_first_move(left: int | None, language: NullTranslations) -> str:
    """Return the time left for the first move, from `Client.first_move_left`."""
    if left is None:
        return ""
    message = language.gettext("The first move has to be made within {seconds} s.")
    return message.format(seconds=max(1, round(left / 1000)))


def warn_of_code(language: NullTranslations) -> str:
    """Return the question before a device takes a code."""
    return language.gettext(
        "This device will play with this code from now on, and show its games. Take no code that"
        " somebody else has given you: whoever has it can play in your seats. Use it here?"
    )


def describe_code_taken(language: NullTranslations) -> str:
    """Return that a device has taken a code."""
    return language.gettext(
        "This device has the code now. Your games of before stay on this device as well."
    )


def no_code(language: NullTranslations) -> str:
    """Return the refusal of a text that is no code."""
    return language.gettext("This is no code: it has 22 letters, digits, hyphens and underscores.")
