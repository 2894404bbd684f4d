"""``tic-tac-toe serve admin``: what an operator asks of a server at work."""

from __future__ import annotations

import argparse
import json
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tic_tac_toe.logic.registry import closest
from tic_tac_toe.protocols.online.events import SEATS

from ..program.options import Parser
from ..program.process import DONE, REFUSED, Refused, complain, reason_of, run
from ..program.terminal import Terminal, in_columns
from ..words.foreign import harmless
from ..words.translation import N_
from .admin_place import reachable, usual_path
from .admin_text import LINES, describe_error
from .args import PORT
from .statements import OVER, PLAYING, WAITING
from .storage_args import data_file

#: Seconds that the server is waited for, and bytes that are read of its answer at most.
PATIENCE, MOST_BYTES = 70.0, 64 * 1024 * 1024
#: The commands and their purposes.
COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "status": N_("tell who is there, what is slow and what is refused"),
        "games": N_("list games, the latest first"),
        "show": N_("list the events of a game"),
        "end": N_("end a game without a winner"),
        "hide": N_("show a game to its players only"),
        "unhide": N_("show a game to everybody again"),
        "delete": N_("delete a game"),
        "line": N_("remove a line of chat"),
        "rename": N_("give the player at a seat another name"),
        "export": N_("print all that belongs to a seat, as JSON"),
        "forget": N_("remove the name, the key and the chat of a seat"),
        "ban": N_("keep an address or a network away for a time"),
        "unban": N_("let an address or a network in again"),
        "bans": N_("list who is kept away"),
        "announce": N_("tell everybody who is connected something"),
        "drain": N_("begin no new games, and let those that are played go on"),
    }
)
_TIME = re.compile(r"([0-9]{1,6})([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}


def main(arguments: Sequence[str], prog: str) -> int:
    """Carry out a command, and return the exit status of the process."""
    if not arguments or arguments[0].startswith("-"):
        return run(lambda: _overview(arguments, prog))
    return run(lambda: _ask(arguments[0], arguments[1:], prog))


def _overview(arguments: Sequence[str], prog: str) -> int:
    about = N_("See and change what a server at work does: only whoever started it can do that.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    rows = [(f"  {name}", _(purpose)) for name, purpose in COMMANDS.items()]
    parser.epilog = "\n".join([_("commands:"), *in_columns(rows)])
    parser.add_language()
    parser.arguments.add_argument("command", metavar="COMMAND", help=_("one of those below"))
    parser.read()
    return DONE


def _ask(name: str, arguments: Sequence[str], prog: str) -> int:
    if name not in COMMANDS:
        parser = Parser(prog, arguments, "")
        message = parser.language.gettext("no command is called {name}; choose from {names}")
        meant = [each] if (each := closest(name[:40], COMMANDS)) else COMMANDS
        parser.error(message.format(name=repr(name[:40]), names=", ".join(meant)))
    parser = Parser(f"{prog} {name}", arguments, COMMANDS[name])
    _ = parser.language.gettext
    if name in FORMS:
        FORMS[name](parser)
    parser.add_value("--admin", "PATH", _("the socket of the server"), Path)
    parser.add_value("--data", "FILE", _("where the server keeps its games"), Path)
    about_port = _("where the server listens, if its games are in a database")
    parser.add_port(about_port)
    parser.add_flag("--json", _("print the answer as JSON, one object on a line"))
    parser.add_language()
    options = vars(parser.read())
    as_json = options.pop("json") or name == "export"
    path = _path(options.pop("admin"), options.pop("data"), options.pop("port"))
    options.pop("lang", None)
    values = {field: value for field, value in options.items() if value not in (None, False)}
    try:
        answer = list(asked(path, {"command": name, **values}))
    except OSError as error:
        message = _("no server answers at {path}: {reason}")
        raise Refused(message.format(path=harmless(str(path)), reason=reason_of(error))) from None
    terminal = Terminal.standard()
    for line in answer:
        if "error" in line:
            complain(harmless(describe_error(line, parser.language)))
            return REFUSED
        told = line.get("line")
        if isinstance(told, dict):
            terminal.show(json.dumps(told) if as_json else LINES[name](told, parser.language))
    return DONE


def _path(admin: Path | None, data: Path | None, port: int | None) -> Path:
    if admin is not None:
        return admin
    if port is not None and data is None:
        return usual_path(None, port)
    return usual_path(data or data_file(), PORT)


def asked(path: Path, command: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Send a command to a server, and yield the lines of its answer.

    Raises:
        OSError: no server answers there, or not to the end.
    """
    with (
        reachable(path) as address,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
    ):
        connection.settimeout(PATIENCE)
        connection.connect(address)
        connection.sendall(f"{json.dumps(command)}\n".encode())
        left = MOST_BYTES
        with connection.makefile("rb") as answer:
            while text := answer.readline(left):
                left -= len(text)
                try:
                    line = json.loads(text)
                except ValueError:
                    break
                yield line
                if "ok" in line or "error" in line:
                    return
    raise ConnectionError("the answer has no end")


# -- what the commands are given -------------------------------------------------------------------


def _add_game(parser: Parser) -> None:
    about = parser.language.gettext("the address of the game: 22 letters and digits")
    parser.arguments.add_argument("game", metavar="GAME", help=about)


def _add_seat(parser: Parser) -> None:
    _add_game(parser)
    about = parser.language.gettext("the seat of the player")
    parser.arguments.add_argument("seat", metavar="SEAT", choices=SEATS, help=about)


def _add_games(parser: Parser) -> None:
    _ = parser.language.gettext
    parser.arguments.add_argument(
        "game", metavar="GAME", nargs="?", help=_("the beginning of an address of a game")
    )
    parser.add_value("--name", "TEXT", _("games of players with this in their name"))
    parser.add_choice("--state", (WAITING, PLAYING, OVER), _("games in this state"))
    parser.options.add_argument(
        "--from",
        dest="address",
        metavar="ADDRESS",
        help=_("games that are followed from this address or network now"),
    )
    about = _("how many to list at most ({number} unless given)").format(number=20)
    parser.add_value("--limit", "NUMBER", about, parser.number(1, 1_000))


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
    parser.arguments.add_argument("network", metavar="ADDRESS", help=about)


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
    parser.arguments.add_argument("text", metavar="TEXT", help=about)


def _add_drain(parser: Parser) -> None:
    _ = parser.language.gettext
    parser.options.add_argument(
        "--for",
        dest="seconds",
        metavar="TIME",
        type=_time_reader(parser),
        help=_("how long, such as 90s, 30m, 2h or 7d (until it is ended unless given)"),
    )
    parser.add_flag("--off", _("begin new games again"))


def _time_reader(parser: Parser) -> Callable[[str], int]:
    """Return the type of an option whose value is a time."""

    def read(text: str) -> int:
        found = _TIME.fullmatch(text)
        if found is None or not (seconds := int(found[1]) * _SECONDS[found[2]]):
            message = parser.language.gettext("a time such as 90s, 30m, 2h or 7d is needed")
            raise argparse.ArgumentTypeError(message)
        return seconds

    return read


#: What adds the arguments of a command; those that are missing have none.
FORMS: Mapping[str, Callable[[Parser], None]] = MappingProxyType(
    {
        **dict.fromkeys(("show", "hide", "unhide", "delete"), _add_game),
        **dict.fromkeys(("export", "forget"), _add_seat),
        "games": _add_games,
        "end": _add_reason,
        "line": _add_line,
        "rename": _add_name,
        "ban": _add_ban,
        "unban": _add_network,
        "announce": _add_text,
        "drain": _add_drain,
    }
)
