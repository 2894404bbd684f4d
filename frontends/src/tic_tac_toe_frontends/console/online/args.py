"""The command line of online play at the console."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

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

from ...program.options import Parser
from ...words.game_text import menu_choices, setup_menus
from ...words.online_text import opponent_menu
from ...words.translation import N_, localise
from .address import ServerAddress, parse_address
from .seats import usual_path


class OnlineArgs(NamedTuple):
    """The options of online play.

    Attributes:
        address: the server, and the game if one is named.
        wishes: the game to create, at once or later; its id and its token stand for new ones.
        creates: whether a game is created at once.
        watch: take no seat in the game.
        language: the messages to speak with.
        plain: use words only.
        seat_file: where seats are kept.
        asks_for_code: whether the first line of the input is the person's code.
        silent: whether no bell rings.
    """

    address: ServerAddress
    wishes: Create
    creates: bool
    watch: bool
    language: NullTranslations
    plain: bool
    seat_file: Path
    asks_for_code: bool = False
    silent: bool = False


def parse_args(argv: Sequence[str] | None = None, prog: str = "tic-tac-toe online") -> OnlineArgs:
    """Return what the command line asks for; end the program with status 2 where it is wrong."""
    parser = _parser(argv, prog)
    language = parser.language
    _ = language.gettext
    found = parser.read()
    if found.create and found.address.game:
        parser.error(_("--create goes with the address of a server, not with that of a game"))
    if found.watch and not found.address.game:
        parser.error(_("--watch goes with the address of a game only"))
    wishes = Create(
        "any",
        "A" * 22,
        found.create or next(iter(VARIANTS)),
        found.name,
        found.seat,
        opponent=found.opponent,
        open=found.open,
        clock=found.clock,
    )
    try:
        read_request(write_request(wishes))
    except InvalidRequest as error:
        parser.error(localise(language, error))
    return OnlineArgs(
        found.address,
        wishes,
        bool(found.create),
        found.watch,
        language,
        found.plain,
        Path(found.seat_file) if found.seat_file else usual_path(),
        found.code,
        found.silent,
    )


def _parser(argv: Sequence[str] | None, prog: str) -> Parser:
    parser = Parser(prog, argv, N_("Play with people and programs at a game server."))
    language = parser.language
    _ = language.gettext
    parser.arguments.add_argument(
        "address",
        metavar="URL",
        type=lambda text: parse_address(text, language),
        help=_("the server, as in http://localhost:8765, or one of its games"),
    )
    parser.add_value("--name", "NAME", _("the name that others see (none unless given)"), usual="")
    games = menu_choices(setup_menus(language)["variant"], language)
    about_create = _("create a game: {names}").format(names=games)
    parser.add_choice("--create", list(VARIANTS), about_create, usual="", metavar="VARIANT")
    parser.add_flag("--open", _("show the new game in the lobby"))
    about_opponent = _("against whom: {players} (person unless given)").format(
        players=menu_choices(opponent_menu(language), language)
    )
    # A server may offer further players: it refuses those that it does not have.
    parser.add_value("--opponent", "PLAYER", about_opponent, usual=PERSON)
    parser.add_value(
        "--clock",
        "SECONDS+INCREMENT",
        _("seconds for each side, and those that every move adds"),
        lambda text: _clock(text, language),
    )
    parser.add_choice(
        "--seat",
        (*SEATS, RANDOM_SEAT),
        _("what to play in the new game (random unless given)"),
        usual=RANDOM_SEAT,
    )
    parser.add_flag("--watch", _("watch the game and take no seat"))
    parser.add_language()
    parser.add_plain()
    parser.add_value("--seat-file", "FILE", _("where seats are kept, to come back into them"))
    parser.add_flag("--code", _("ask for your code from another device, to find its games here"))
    parser.add_flag("--silent", _("ring no bell when an opponent comes or it is your turn"))
    return parser


def _clock(text: str, language: NullTranslations) -> Clock:
    seconds, _plus, increment = text.partition("+")
    if not (seconds + increment).isascii() or not (seconds + (increment or "0")).isdigit():
        message = language.gettext("expected seconds for each side, as in 300 or 300+3")
        raise argparse.ArgumentTypeError(message)
    return Clock(int(seconds[:9]), int(increment[:9] or "0"))
