"""The command line of online play at the console, with the server's address."""

from __future__ import annotations

import argparse
import re
from argparse import ArgumentTypeError
from collections.abc import Sequence
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.addresses import is_address
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
from .seats import usual_path

#: Longer addresses are refused unread.
LONGEST = 2_000

_GAME_PATH = re.compile(r"(?P<prefix>(?:/.*)?)/games/(?P<game>[^/]*)/?")
_GAME_FRAGMENT = re.compile(r"game=(?P<game>[^&]*)")


class ServerAddress(NamedTuple):
    """A game server.

    Attributes:
        base: the address of its pages, as ``http://localhost:8765``.
        game: the requested game; empty for the lobby.
    """

    base: str
    game: str = ""

    @property
    def socket(self) -> str:
        """The address of its WebSocket."""
        return f"ws{self.base.removeprefix('http')}/ws"

    def page_of(self, game: str) -> str:
        """Return the address of a game in a browser."""
        return f"{self.base}/#game={game}"

    def page_of_code(self, code: str) -> str:
        """Return the address that passes a person's code to a browser."""
        return f"{self.base}/#code={code}"

    def address_of(self, game: str) -> str:
        """Return the address of a game for the command line."""
        return f"{self.base}/games/{game}"


def parse_address(text: str, language: NullTranslations) -> ServerAddress:
    """Return the server and perhaps the game of a web address.

    Without a scheme, as in ``localhost:8765``, it is http.

    Raises:
        ArgumentTypeError: the address is invalid; the message says why.
    """
    _ = language.gettext
    if len(text) > LONGEST:
        raise ArgumentTypeError(
            _("an address has at most {count} characters").format(count=LONGEST)
        )
    if not text.isprintable() or " " in text:
        raise ArgumentTypeError(_("an address has no spaces and no control characters"))
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ArgumentTypeError(_("this is no web address")) from None
    if parts.scheme not in ("http", "https"):
        raise ArgumentTypeError(_("an address begins with http:// or https://"))
    if not host or port == 0:
        raise ArgumentTypeError(_("the address names no host"))
    if parts.username is not None or parts.password is not None or parts.query:
        raise ArgumentTypeError(
            _("an address of a game has no user name, no password and no query")
        )
    return _of_parts(parts, host, port, language)


def _of_parts(
    parts: SplitResult, host: str, port: int | None, language: NullTranslations
) -> ServerAddress:
    path, game = parts.path, ""
    if found := _GAME_PATH.fullmatch(path):
        path, game = found["prefix"], found["game"]
    elif fragment := _GAME_FRAGMENT.fullmatch(parts.fragment):
        game = fragment["game"]
    if (found or parts.fragment) and not is_address(game):
        raise ArgumentTypeError(language.gettext("the address names no game"))
    shown = f"[{host}]" if ":" in host else host
    number = "" if port is None else f":{port}"
    return ServerAddress(f"{parts.scheme}://{shown}{number}{path.rstrip('/')}", game)


class OnlineArgs(NamedTuple):
    """The options of online play.

    Attributes:
        address: the server and perhaps a game.
        wishes: the game to create, now or later; its id and token are placeholders.
        creates: create a game at the start.
        watch: take no seat.
        plain: use no drawings and no escape sequences.
        asks_for_code: read the person's code from the first line of the input.
        silent: never ring the bell.
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
    """Return the parsed command line; end with status 2 if it is wrong."""
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
    # Any name is accepted: servers may have further players, and refuse unknown ones.
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
