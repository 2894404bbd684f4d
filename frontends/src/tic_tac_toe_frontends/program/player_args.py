"""The players of a command line: names that are listed, and programs that the person names."""

from __future__ import annotations

import argparse
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import BrainError, InvalidStrategy
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.opponents.registry import BRAIN_PREFIX, public_name

from ..words.rules_text import PLAYERS
from ..words.translation import localise


class PlayersAndPrograms(tuple[str, ...]):
    """The choices of an option that lists players, and takes programs beside them."""

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or str(name).startswith(BRAIN_PREFIX)


def reason_against_programs(options: argparse.Namespace) -> BrainError | None:
    """Return why a program among the players cannot play the game of the options, if one cannot."""
    given = vars(options)
    names = [*given.get("players", ()), given.get("X"), given.get("O")]
    programs = [name for name in names if name and name.startswith(BRAIN_PREFIX)]
    if not programs or given.get("variant") is None:
        return None
    from tic_tac_toe.protocols.gomocup.manager import check_game  # rarely asked for

    try:
        for name in programs:
            check_game(public_name(name), GameState.new(options.variant))
    except BrainError as error:
        return error
    return None


def add_player(
    options: argparse._ActionsContainer,
    name: str,
    meaning: str,
    usual: str,
    language: NullTranslations,
    *,
    programs: bool,
) -> None:
    """Add an option whose value is the name of a player.

    Args:
        programs: whether programs are players, too. They are looked for, and not run yet.
    """

    def read(text: str) -> str:
        if programs and text.startswith(BRAIN_PREFIX):
            from tic_tac_toe.opponents.finding import find_strategy  # rarely asked for

            try:
                find_strategy(text)
            except InvalidStrategy as error:
                raise argparse.ArgumentTypeError(localise(language, error)) from None
        return text

    options.add_argument(
        name,
        metavar="PLAYER",
        type=read,
        choices=PlayersAndPrograms((*PLAYERS, f"{BRAIN_PREFIX}PATH")) if programs else PLAYERS,
        default=usual,
        help=meaning,
    )
