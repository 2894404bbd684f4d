"""``tic-tac-toe serve admin``: the operator's commands to a running server."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from tic_tac_toe.logic.registry import closest
from tic_tac_toe.protocols.online.addresses import is_address

from ...program.options import JSON, Parser
from ...program.process import DONE, Refused, reason_of, run
from ...program.terminal import Terminal, in_columns, screen_width
from ...words.foreign import escaped
from ...words.translation import N_
from ..args import PORT
from ..nodes.options import DATABASE_VARIABLE, data_file
from .commands import COMMANDS, describe_error
from .endpoint import usable_address, usual_path
from .fields import Command, Line

#: Seconds that the server may take, and bytes that are read of its answer.
PATIENCE, MOST_BYTES = 70.0, 64 * 1024 * 1024
#: The beginning of a game's address that looks like an option; only ``-h`` has one hyphen.
_WITH_HYPHEN = re.compile(r"-[A-Za-z0-9_][A-Za-z0-9_-]*")


class CommandParser(Parser):
    """A parser that recognises addresses of games: 1 in 64 begins with a hyphen."""

    def _parse_optional(self, arg_string: str) -> Any:
        is_short = arg_string != "-h" and _WITH_HYPHEN.fullmatch(arg_string)
        return None if is_short or is_address(arg_string) else super()._parse_optional(arg_string)


def main(arguments: Sequence[str], prog: str) -> int:
    """Run a command, and return the exit status of the process."""
    if not arguments or arguments[0].startswith("-"):
        return run(lambda: _overview(arguments, prog))
    return run(lambda: _run_command(arguments[0], arguments[1:], prog), as_json=JSON in arguments)


def _overview(arguments: Sequence[str], prog: str) -> int:
    about = N_("See and change what a server at work does: only root and its own user can.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    rows = [(f"  {name}", _(command.purpose)) for name, command in COMMANDS.items()]
    parser.epilog = "\n".join([_("commands:"), *in_columns(rows, screen_width() - 1)])
    parser.add_language()
    parser.arguments.add_argument("command", metavar="COMMAND", help=_("one of those below"))
    parser.read()
    return DONE


def _run_command(name: str, arguments: Sequence[str], prog: str) -> int:
    if name not in COMMANDS:
        parser = Parser(prog, arguments, "")
        message = parser.language.gettext("no command is called {name}; choose from {names}")
        meant = [each] if (each := closest(name[:40], COMMANDS)) else COMMANDS
        parser.error(message.format(name=repr(name[:40]), names=", ".join(meant)))
    command = COMMANDS[name]
    parser = CommandParser(f"{prog} {name}", arguments, command.purpose)
    _ = parser.language.gettext
    command.add_arguments(parser)
    parser.add_value("--admin", "PATH", _("the socket of the server"), Path)
    parser.add_value("--data", "FILE", _("where the server keeps its games"), Path)
    parser.add_port(_("where the server listens, if its games are in a database"))
    parser.add_flag("--json", _("print the answer as JSON, one object on a line"))
    parser.add_language()
    options = vars(parser.read())
    as_json = options.pop("json") or not command.shown
    is_named = options["admin"] is not None
    path = _path(options.pop("admin"), options.pop("data"), options.pop("port"))
    given = {field: options[field] for field in command.fields}
    values = {field: value for field, value in given.items() if value not in (None, False)}
    answer = _answer(path, {"command": name, **values}, parser.language, is_named=is_named)
    return _show(command, answer, parser.language, as_json=as_json)


def _answer(
    path: Path, command: Mapping[str, object], language: NullTranslations, *, is_named: bool
) -> list[Line]:
    """Return the lines of a server's answer; `is_named`: the operator gave the socket's path."""
    _ = language.gettext
    if not hasattr(socket, "AF_UNIX"):
        raise Refused(_("this system has no sockets that only one user reaches"))
    try:
        return list(send_command(path, command))
    except OSError as error:
        message = _("no server answers at {path}: {reason}")
        if path.is_dir():
            message = _("{path} is a folder; name the socket in it")
        elif not is_named:
            message = _(
                "no server answers at {path}: {reason}; if it runs, name its file with --data, or "
                "its socket with --admin"
            )
        reason = reason_of(error, language)
        raise Refused(message.format(path=escaped(str(path)), reason=reason)) from None


def _show(
    command: Command, answer: Sequence[Line], language: NullTranslations, *, as_json: bool
) -> int:
    terminal = Terminal.standard()
    text = command.heading if "line" in answer[0] else command.if_empty
    if text and not as_json and "error" not in answer[-1]:
        terminal.show_entry(language.gettext(text))
    for line in answer:
        if "error" in line:
            raise Refused(escaped(describe_error(line, language)), str(line["error"]))
        content = line.get("line")
        if isinstance(content, dict):
            if as_json:
                terminal.show(json.dumps(content))
            else:
                terminal.show_entry(command.describe(content, language))
    return DONE


def _path(admin: Path | None, data: Path | None, port: int | None) -> Path:
    if admin is not None:
        return admin
    if data is None and (port is not None or os.environ.get(DATABASE_VARIABLE)):
        return usual_path(None, PORT if port is None else port)
    return usual_path(data or data_file(), PORT)


def send_command(path: Path, command: Mapping[str, object]) -> Iterator[Line]:
    """Send a command to a server, and yield the lines of its answer.

    Raises:
        OSError: no server answers, or the answer is incomplete.
    """
    with (
        usable_address(path) as address,
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
