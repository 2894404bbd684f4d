"""The ``tic-tac-toe`` command: finds the subcommand and calls it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from gettext import NullTranslations
from importlib import import_module

from tic_tac_toe.logic.registry import closest
from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..program.options import JSON, language_of
from ..program.process import print_error, run
from ..program.terminal import in_columns, screen_width
from ..words.foreign import escaped
from ..words.translation import N_, localise

PROG = "tic-tac-toe"
WRONG_USAGE = 2

#: The subcommands and their purposes, in the order in which help lists them.
COMMANDS: Mapping[str, str] = {
    "console": N_("play at the console; also what a call without a command does"),
    "tui": N_("play on the full screen of the terminal, by keys and mouse"),
    "window": N_("play in a window"),
    "browser": N_("play in the browser, where Python runs in the page"),
    "serve": N_("let people anywhere play each other: a game server"),
    "online": N_("play at a game server, with people anywhere"),
    "analyse": N_("tell what a position and each of its moves are worth"),
    "explain": N_("tell why a move is good or bad, and prove it"),
    "puzzle": N_("solve a puzzle of the day, or of a game, a theme and a difficulty"),
    "balance": N_("list the first moves of a game by value, and which are fair"),
    "match": N_("let computer players play each other, and measure their strength"),
    "solve": N_("solve large positions exactly with the fast solver, in long searches too"),
    "plan": N_("show a plan that wins, or does not lose, without any search"),
    "check": N_("check the proof in a certificate"),
    "svg": N_("draw a position as a picture"),
    "tree": N_("draw the game tree from a position as a picture"),
    "variants": N_("list the games there are"),
    "replay": N_("step through recorded games"),
    "brain": N_("play gomoku with a manager of Gomocup's protocol"),
    "prepare": N_("compile the code of strong computer players before the first game"),
    "bench": N_("print the search signature, a number for developers"),
}
OTHER_NAMES = {"analyze": "analyse"}
#: Aliases of subcommands.
MEANT = {"page": "browser", "web": "browser", "gui": "window", "server": "serve", "play": "console"}
#: The subcommands of front ends; any other is a module of its name in this package.
FRONT_ENDS = {
    "console": "console.cli",
    "window": "window.cli",
    "browser": "browser.cli",
    "online": "console.online.cli",
    "serve": "server.cli",
}


class TranslatedLog(logging.Handler):
    """Prints the library's log records, translated."""

    def __init__(self, language: NullTranslations) -> None:
        super().__init__(logging.WARNING)
        self._language = language

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line to standard error."""
        print_error(escaped(localise(self._language, record.msg)))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand, the console without one, and return the exit status of the process."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    logging.lastResort = TranslatedLog(language_of(arguments))
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    if not arguments or arguments[0].startswith("-"):
        return _load("console")(arguments, PROG, _overview(language_of(arguments)))
    name, rest = OTHER_NAMES.get(arguments[0], arguments[0]), arguments[1:]
    if name not in COMMANDS:
        print_error(escaped(_describe_unknown(name[:40], language_of(rest))))
        return WRONG_USAGE
    return run(lambda: _load(name)(rest, f"{PROG} {name}"), as_json=JSON in rest)


def _describe_unknown(name: str, language: NullTranslations) -> str:
    """Return the message about an unknown command, with a similar one if possible."""
    _ = language.gettext
    if name in VARIANTS:
        message = _("{name} is a game; to play it: {command}")
        return message.format(name=name, command=f"{PROG} --variant {name}")
    meant = MEANT.get(name) or closest(name, COMMANDS)
    if meant:
        message = _("no command is called {name}; did you mean {command}?")
        return message.format(name=repr(name), command=f"{PROG} {meant}")
    message = _("no command is called {name}; choose from {names}")
    return message.format(name=repr(name), names=", ".join(COMMANDS))


def _load(name: str) -> Callable[..., int]:
    """Return the program of a subcommand; load only its module."""
    module = import_module(f"..{FRONT_ENDS.get(name, f'command.{name}')}", __package__)
    program: Callable[..., int] = module.main
    return program


def _overview(language: NullTranslations) -> str:
    _ = language.gettext
    rows = (("", name, _(meaning)) for name, meaning in COMMANDS.items())
    lines = in_columns(rows, screen_width() - 1)  # the width of `argparse`
    more = _("For help with one command: {command}").format(command=f"{PROG} analyse --help")
    return "\n".join([_("commands:"), *lines, "", more])
