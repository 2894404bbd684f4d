"""The command line of online play at the console."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.requests import (
    PERSON,
    RANDOM_SEAT,
    Create,
    InvalidRequest,
    read_request,
    write_request,
)

from ...program.options import Parser, language_of
from ...words.game_text import player_choices, player_title, titled_choice, variant_choices
from ...words.messages import localise
from ...words.players import HUMAN
from .address import ServerAddress, parse_address
from .seats import usual_path


class OnlineArgs(NamedTuple):
    """The options of online play.

    Attributes:
        address: the server, and the game if one is named.
        name: what others see.
        create: the variant of a game to create at once; empty for none.
        is_open: whether the lobby shows a game that is created so.
        opponent: `PERSON` or a strategy.
        clock: the clock of games that are created.
        seat: which seat to take in them.
        watch: take no seat in the game.
        language: the messages to speak with.
        plain: use words only.
        seat_file: where seats are kept.
    """

    address: ServerAddress
    name: str
    create: str
    is_open: bool
    opponent: str
    clock: Clock | None
    seat: str
    watch: bool
    language: NullTranslations
    plain: bool
    seat_file: Path


def parse_args(argv: Sequence[str] | None = None, prog: str = "tic-tac-toe online") -> OnlineArgs:
    """Return what the command line asks for; end the program with status 2 where it is wrong."""
    language = language_of(argv)
    _ = language.gettext
    parser = _parser(language, prog)
    found = parser.parse_args(argv)
    if found.create and found.address.game:
        parser.error(_("--create goes with the address of a server, not with that of a game"))
    if found.watch and not found.address.game:
        parser.error(_("--watch goes with the address of a game only"))
    asked = Create(
        "a",
        "A" * 22,
        found.create or next(iter(VARIANTS)),
        found.name,
        found.seat,
        opponent=found.opponent,
        clock=found.clock,
    )
    try:
        read = read_request(write_request(asked))
    except InvalidRequest as error:
        parser.error(localise(language, error))
    values = vars(found) | {
        "name": read.name if isinstance(read, Create) else "",
        "language": language,
        "seat_file": Path(found.seat_file) if found.seat_file else usual_path(),
    }
    return OnlineArgs(**{name: values[name] for name in OnlineArgs._fields})


def opponent_choices(language: NullTranslations) -> str:
    """Return the names of opponents that can be typed, each with its title."""
    person = titled_choice(PERSON, player_title(HUMAN, language))
    return f"{person}; {player_choices(STRATEGIES, language)}"


def _parser(language: NullTranslations, prog: str) -> Parser:
    _ = language.gettext
    parser = Parser(prog, language, _("Play with people and programs at a game server."))
    add = parser.options.add_argument

    parser.arguments.add_argument(
        "address",
        metavar="URL",
        type=lambda text: parse_address(text, language),
        help=_("the server, as in http://localhost:8765, or one of its games"),
    )
    add(
        "--name", default="", metavar="NAME", help=_("the name that others see (none unless given)")
    )
    add(
        "--create",
        default="",
        metavar="VARIANT",
        choices=list(VARIANTS),
        help=_("create a game: {names}").format(names=variant_choices(language)),
    )
    add("--open", dest="is_open", action="store_true", help=_("show the new game in the lobby"))
    add(
        "--opponent",
        default=PERSON,
        metavar="PLAYER",
        choices=(PERSON, *STRATEGIES),
        help=_("against whom: {players} (person unless given)").format(
            players=opponent_choices(language)
        ),
    )
    add(
        "--clock",
        metavar="SECONDS+INCREMENT",
        type=lambda text: _clock(text, language),
        help=_("seconds for each side, and those that every move adds"),
    )
    add(
        "--seat",
        default=RANDOM_SEAT,
        choices=(*SEATS, RANDOM_SEAT),
        help=_("what to play in the new game (random unless given)"),
    )
    add("--watch", action="store_true", help=_("watch the game and take no seat"))
    parser.add_language()
    parser.add_plain()
    add("--seat-file", metavar="FILE", help=_("where seats are kept, to come back into them"))
    return parser


def _clock(text: str, language: NullTranslations) -> Clock:
    seconds, _plus, increment = text.partition("+")
    if not (seconds + increment).isascii() or not (seconds + (increment or "0")).isdigit():
        message = language.gettext("expected seconds for each side, as in 300 or 300+3")
        raise argparse.ArgumentTypeError(message)
    return Clock(int(seconds[:9]), int(increment[:9] or "0"))
