"""What tables of online games say of each game, in the reader's language, on every screen.

Names are other people's: they come out of here on one line, without anything harmful.
"""

from __future__ import annotations

from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.protocols.online.events import DRAW, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame, OwnGame
from tic_tac_toe.protocols.online.standing import WITHOUT_RESULT

from .clock_text import clock_brief
from .game_text import player_title
from .online_text import foreign, person_name
from .rules_text import variant_title
from .translation import N_
from .worth_text import outcome_word

#: How one's own game stands or has ended, beside the outcomes of `worth_text.outcome_word`.
WAITING, PLAYING, NO_RESULT = "waiting", "playing", "none"
_STANDINGS = {
    WAITING: N_("waiting for an opponent"),
    PLAYING: N_("in progress"),
    NO_RESULT: N_("ended without a result"),
}


class OpenGameCells(NamedTuple):
    """What the columns of a table of open games say of one."""

    title: str
    player: str
    clock: str
    starter: str


def open_game_headings(language: NullTranslations) -> OpenGameCells:
    """Return what the columns of a table of open games are called."""
    _ = language.gettext
    return OpenGameCells(_("Game"), _("Player"), _("Clock"), _("Who starts"))


def open_game_cells(game: OpenGame, language: NullTranslations) -> OpenGameCells:
    """Return what a table says of a game that waits for a player; it speaks to that player."""
    _ = language.gettext
    name = person_name(game.name, language)
    starter = ""
    if game.starting in SIDES:
        starter = _("You") if game.starting == game.seat else name
    return OpenGameCells(
        named_variant(game.variant, language), name, clock_brief(game.clock, language), starter
    )


def named_variant(name: str, language: NullTranslations) -> str:
    """Return what menus call the game of a name, which may be unknown here."""
    try:
        return variant_title(find_rules(name), language)
    except InvalidVariant:
        return foreign(name)


def opponent_name(name: str, strategy: str, language: NullTranslations) -> str:
    """Return what an opponent is called: a person by name, a computer player by its title."""
    if strategy:
        title = player_title(strategy, language)
        return language.gettext("Computer: {player}").format(player=title)
    return person_name(name, language)


def outcome_for(game: OnlineGame, seat: str) -> Result | None:
    """Return how a game has ended for a seat; ``None`` if it goes on, or counts for nobody."""
    if game.end is None or game.end.reason in WITHOUT_RESULT:
        return None
    if not game.end.winner:
        return "draw"
    return "win" if game.end.winner == seat else "loss"


def standing_of(game: OnlineGame, seat: str) -> str:
    """Return how a game stands for a seat: of `outcome_for`, or named here."""
    if game.end is None:
        return WAITING if game.waiting else PLAYING
    return outcome_for(game, seat) or NO_RESULT


def standing_of_own(game: OwnGame) -> str:
    """Return how a game of the list of own games stands for its player, as `standing_of`."""
    if game.stage in (WAITING, PLAYING):
        return game.stage
    if game.result == DRAW:
        return "draw"
    if game.result not in SIDES:
        return NO_RESULT
    return "win" if game.result == game.seat else "loss"


def standing_word(standing: str, language: NullTranslations) -> str:
    """Return in words how a game stands for the reader, of `standing_of`."""
    if standing in _STANDINGS:
        return language.gettext(_STANDINGS[standing])
    return outcome_word(standing, language)
