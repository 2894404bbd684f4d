"""The arguments of the operator's commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from tic_tac_toe.protocols.online.events import SEATS

from ...program.options import Parser
from ..moderation import network_named
from ..storage.statements import OVER, PLAYING, WAITING
from .forms import LISTED, MOST_LISTED, game_named

_TIME = re.compile(r"([0-9]{1,6})([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}


def _add_game(parser: Parser) -> None:
    about = parser.language.gettext("the address of the game, the beginning of it, or its URL")
    parser.arguments.add_argument("game", metavar="GAME", type=_game_reader(parser), help=about)


def _add_seat(parser: Parser) -> None:
    _add_game(parser)
    about = parser.language.gettext("the seat of the player")
    parser.arguments.add_argument("seat", metavar="SEAT", type=str.upper, choices=SEATS, help=about)


def _add_games(parser: Parser) -> None:
    _ = parser.language.gettext
    about = _("the address of the game, the beginning of it, or its URL")
    kind = _game_reader(parser)
    parser.arguments.add_argument("game", metavar="GAME", nargs="?", type=kind, help=about)
    parser.add_value("--name", "TEXT", _("games of players with this in their name"))
    parser.add_choice("--state", (WAITING, PLAYING, OVER), _("games in this state"))
    parser.options.add_argument(
        "--from",
        dest="address",
        metavar="ADDRESS",
        type=_network_reader(parser),
        help=_("games that are followed from this address or network now"),
    )
    _add_limit(parser)


def _add_limit(parser: Parser) -> None:
    message = parser.language.gettext("how many to list at most ({number} unless given)")
    about = message.format(number=LISTED)
    parser.add_value("--limit", "NUMBER", about, parser.number(1, MOST_LISTED))


def _add_report(parser: Parser) -> None:
    about = parser.language.gettext("the report, as “reports” names it")
    parser.arguments.add_argument("report", metavar="REPORT", help=about)


def _add_reason(parser: Parser) -> None:
    _add_game(parser)
    parser.add_value("--reason", "TEXT", parser.language.gettext("what the players are told"))


def _add_line(parser: Parser) -> None:
    _add_game(parser)
    about = parser.language.gettext("the number of the event, as “show” lists it")
    parser.arguments.add_argument(
        "version", metavar="VERSION", type=parser.number(1, 10_000), help=about
    )


def _add_name(parser: Parser) -> None:
    _add_seat(parser)
    parser.arguments.add_argument("name", metavar="NAME", help=parser.language.gettext("the name"))


def _add_network(parser: Parser) -> None:
    about = parser.language.gettext("an address, or a network such as 192.0.2.0/24")
    kind = _network_reader(parser)
    parser.arguments.add_argument("network", metavar="ADDRESS", type=kind, help=about)


def _add_ban(parser: Parser) -> None:
    _add_network(parser)
    _ = parser.language.gettext
    parser.options.add_argument(
        "--for",
        dest="seconds",
        metavar="TIME",
        type=_time_reader(parser),
        required=True,
        help=_("how long, such as 90s, 30m, 2h or 7d"),
    )
    parser.add_value("--why", "TEXT", _("why: a note that only operators see"))


def _add_text(parser: Parser) -> None:
    about = parser.language.gettext("one line")

    def read(text: str) -> str:
        if not text.strip():
            message = parser.language.gettext("a line that says something is needed")
            raise argparse.ArgumentTypeError(message)
        return text

    parser.arguments.add_argument("text", metavar="TEXT", type=read, help=about)


def _add_drain(parser: Parser) -> None:
    _ = parser.language.gettext
    either = parser.options.add_mutually_exclusive_group()
    either.add_argument(
        "--for",
        dest="seconds",
        metavar="TIME",
        type=_time_reader(parser),
        help=_("how long, such as 90s, 30m, 2h or 7d (until it is ended unless given)"),
    )
    either.add_argument("--off", action="store_true", help=_("begin new games again"))


def _game_reader(parser: Parser) -> Callable[[str], str]:
    def read(text: str) -> str:
        try:
            return game_named(text)
        except ValueError:
            message = parser.language.gettext("{text} is neither a game's address nor its URL")
            raise argparse.ArgumentTypeError(message.format(text=repr(text))) from None

    return read


def _network_reader(parser: Parser) -> Callable[[str], str]:
    def read(text: str) -> str:
        try:
            return str(network_named(text))
        except ValueError:
            message = parser.language.gettext(
                "an address or a network such as 192.0.2.0/24 is needed"
            )
            raise argparse.ArgumentTypeError(message) from None

    return read


def _time_reader(parser: Parser) -> Callable[[str], int]:
    def read(text: str) -> int:
        found = _TIME.fullmatch(text)
        if found is None or not (seconds := int(found[1]) * _SECONDS[found[2]]):
            message = parser.language.gettext("a time such as 90s, 30m, 2h or 7d is needed")
            raise argparse.ArgumentTypeError(message)
        return seconds

    return read


#: Adds the arguments of a command; commands that are not listed have none.
ARGUMENTS: Mapping[str, Callable[[Parser], None]] = MappingProxyType(
    {
        **dict.fromkeys(("show", "hide", "unhide", "delete"), _add_game),
        **dict.fromkeys(("export", "forget"), _add_seat),
        "games": _add_games,
        "end": _add_reason,
        "line": _add_line,
        "rename": _add_name,
        "reports": _add_limit,
        "dismiss": _add_report,
        "ban": _add_ban,
        "unban": _add_network,
        "announce": _add_text,
        "drain": _add_drain,
    }
)
