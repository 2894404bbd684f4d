"""The command-line parser and the shared options of all programs."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from gettext import NullTranslations
from inspect import signature
from typing import NoReturn, TypeVar

import tic_tac_toe
from tic_tac_toe.loading import find_game
from tic_tac_toe.logic.exceptions import (
    BrainError,
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidStrategy,
    InvalidVariant,
)
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_state, play_moves
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, variant_name
from tic_tac_toe.opponents import BRAIN_PREFIX, is_own, public_name

from ..words.foreign import escaped
from ..words.game_text import menu_choices, setup_menus
from ..words.rules_text import FIRST_OPPONENT, HUMAN, PLAYERS, STARTERS
from ..words.translation import LANGUAGES, code_of, find_language, labelled, load, localise
from .argument_errors import translate, unknown_text
from .process import Refused, error_object, print_error
from .terminal import Terminal, columns_of, in_lines


class PlayersAndPrograms(tuple[str, ...]):
    """The choices of an option for players: the listed ones, and programs."""

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or is_own(str(name))


def unplayable_reason(options: argparse.Namespace) -> BrainError | None:
    """Return why a program among the players cannot play the chosen game, if so."""
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
        programs: accept programs too; they must exist, but are not run yet.
    """

    def read(text: str) -> str:
        if programs and is_own(text):
            from tic_tac_toe.opponents import find_strategy  # rarely asked for

            try:
                find_strategy(text)
            except InvalidStrategy as error:
                raise argparse.ArgumentTypeError(localise(language, error)) from None
        return text

    options.add_argument(
        name,
        metavar="PLAYER",
        type=read,
        choices=PlayersAndPrograms((*PLAYERS, "MODULE:FUNCTION", f"{BRAIN_PREFIX}PATH"))
        if programs
        else PLAYERS,
        default=usual,
        help=meaning,
    )


Taken = TypeVar("Taken")

#: The user's name and password in an address, of any characters.
_PASSWORD = re.compile(r"://.*@", re.DOTALL)
_GAPS_IN_TEXT = re.compile(r"(?<=[^\n])\n(?=[^\n ])")
#: The option for output in JSON, including failures.
JSON = "--json"
#: The longest pause before a move, in seconds.
LONGEST_DELAY = 3_600
#: The longest thought about a move, in seconds.
LONGEST_THOUGHT = 3_600
#: The largest number of a port.
LAST_PORT = 65_535


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps help by columns of the screen; `argparse` would count letters.

    A line end in a text is a blank, unless an empty or an indented line follows.

    Args:
        usage: the heading of the usage.
    """

    def __init__(self, prog: str, usage: str) -> None:
        super().__init__(prog)
        self._before_usage = usage

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None,
    ) -> str:
        stand_in = "-" * columns_of(prefix or self._before_usage)
        text = super()._format_usage(usage, actions, groups, stand_in)
        return text.replace(stand_in, prefix or self._before_usage, 1)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return in_lines(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = _GAPS_IN_TEXT.sub(" ", text).split("\n")
        return "\n".join(indent + line for each in lines for line in in_lines(each, width))


class Parser(argparse.ArgumentParser):
    """A parser with help and errors in the reader's language, without control characters.

    Args:
        given: the command line; ``None`` for that of the process.
        description: in English, to be translated.

    Attributes:
        language: the reader's.
        arguments: the group of positional arguments.
        options: the group of options.
    """

    def __init__(self, prog: str, given: Sequence[str] | None, description: str) -> None:
        self._given = sys.argv[1:] if given is None else list(given)
        self.language = language_of(self._given)
        _ = self.language.gettext
        super().__init__(
            prog=prog,
            description=_(description),
            add_help=False,
            allow_abbrev=False,
            formatter_class=partial(_HelpFormatter, usage=_("usage: ")),
        )
        self.arguments = self.add_argument_group(_("positional arguments"))
        self.options = self.add_argument_group(_("options"))
        self.options.add_argument("-h", "--help", action="help", help=_("show this and end"))
        self.options.add_argument(
            "--version",
            action="version",
            version=f"tic-tac-toe {tic_tac_toe.__version__}",
            help=_("show the version and end"),
        )

    def read(self) -> argparse.Namespace:
        """Return the parsed command line; end with status 2 if it is wrong."""
        options, unknown = self.parse_known_args(self._given)
        if unknown:
            unknown = _PASSWORD.sub("://…@", "\n".join(unknown)).split("\n")
            self.error(unknown_text(unknown, self._option_string_actions, self.language))
        if reason := unplayable_reason(options):
            self.error(localise(self.language, reason))
        return options

    def format_help(self) -> str:
        """Return the help with translated headings."""
        text = super().format_help()
        for title in filter(None, (self.arguments.title, self.options.title)):
            text = text.replace(f"\n{title}:\n", f"\n{labelled(title, '', self.language)}\n")
        return text

    def error(self, message: str) -> NoReturn:
        """Print the error and the help command in two lines, and end with status 2.

        Quoted arguments are printed without passwords of addresses.
        """
        text = escaped(translate(_PASSWORD.sub("://…@", message), self.language))
        print_error(text)
        if JSON in self._given and sys.stdout is not None:
            print(json.dumps(error_object(text, "usage")))
        try_this = self.language.gettext("For help: {command}").format(
            command=f"{self.prog} --help"
        )
        print_error(try_this)
        sys.exit(2)

    def add_flag(self, name: str, meaning: str) -> None:
        """Add an option without a value."""
        self.options.add_argument(name, action="store_true", help=meaning)

    def add_value(
        self,
        name: str,
        metavar: str,
        meaning: str,
        kind: Callable[[str], object] = str,
        *,
        usual: object = None,
    ) -> None:
        """Add an option with a value.

        Args:
            metavar: the value's name in the help.
            kind: parses the value; raises `argparse.ArgumentTypeError`.
        """
        self.options.add_argument(name, metavar=metavar, type=kind, default=usual, help=meaning)

    def add_choice(
        self,
        name: str,
        choices: Sequence[str],
        meaning: str,
        *,
        usual: str | None = None,
        metavar: str | None = None,
    ) -> None:
        """Add an option with choices and the default ``usual``.

        Args:
            metavar: the value's name in the help, by default all choices.
        """
        self.options.add_argument(
            name, choices=choices, metavar=metavar, default=usual, help=meaning
        )

    def add_language(self) -> None:
        """Add ``--lang``."""
        about = self.language.gettext("the language: {codes}; else that of the locale")
        about = about.format(codes=", ".join(LANGUAGES))
        self.add_value("--lang", "LANGUAGE", about, self._language_code)

    def add_variant(self, meaning: str = "") -> None:
        """Add ``--variant``, whose value is `Rules`; the usual meaning is the game to play."""
        about = meaning or self.language.gettext(
            "the game: a name that “tic-tac-toe variants” lists, or columns, rows and line "
            "length, such as mnk:7,6,4 or mnk:7,6,4,gravity; MODULE:CLASS is a game of your own"
        )
        self.add_value("--variant", "NAME", about, self._rules, usual=TIC_TAC_TOE)

    def add_delay(self, meaning: str, *, usual: float | None = None) -> None:
        """Add ``--delay``, in seconds."""
        kind = self.seconds(LONGEST_DELAY, or_zero=True)
        self.add_value("--delay", "SECONDS", meaning, kind, usual=usual)

    def add_port(self, meaning: str, *, usual: int | None = None) -> None:
        """Add ``--port``; 0 is any free one."""
        self.add_value("--port", "NUMBER", meaning, self.number(0, LAST_PORT), usual=usual)

    def add_plain(self) -> None:
        """Add ``--plain``."""
        about = self.language.gettext("words only, for screen readers and simple terminals")
        self.add_flag("--plain", about)

    def add_moves(self) -> None:
        """Add ``--moves``."""
        self.add_value(
            "--moves", "MOVES", self.language.gettext("make these moves first, as in “B2 A1 C3”")
        )

    def add_game(self, *, programs: bool = True) -> None:
        """Add the players, the first side, the thinking time, the variant and the language.

        Args:
            programs: accept programs at a path as players.
        """
        _, language = self.language.gettext, self.language
        about_x = _("who plays X (human unless given): {players}").format(
            players=menu_choices(setup_menus(language)["x"], language)
        )
        add_player(self.options, "-X", about_x, HUMAN, language, programs=programs)
        about_o = _("who plays O ({usual} unless given)")
        if programs:
            about_o = _(
                "who plays O ({usual} unless given); MODULE:FUNCTION is a player of your own, "
                "gomocup:PATH a program that speaks Gomocup's protocol"
            )
        about_o = about_o.format(usual=FIRST_OPPONENT)
        add_player(self.options, "-O", about_o, FIRST_OPPONENT, language, programs=programs)
        self.add_choice("--starting", STARTERS, _("who moves first (X unless given)"))
        self.add_think()
        self.add_variant()
        self.add_language()

    def add_think(self) -> None:
        """Add ``--think``, in seconds."""
        about = self.language.gettext("the time of a computer's thought about a move, by the clock")
        kind = self.seconds(LONGEST_THOUGHT, or_zero=False)
        self.add_value("--think", "SECONDS", about, kind)

    def add_seed(self) -> None:
        """Add ``--seed``."""
        about = self.language.gettext("make chance repeatable: the same number gives the same game")
        self.add_value("--seed", "NUMBER", about, self.whole_number)

    def _rules(self, name: str) -> Rules:
        try:
            return find_game(name)
        except InvalidVariant as error:
            raise argparse.ArgumentTypeError(localise(self.language, error)) from None

    def _language_code(self, name: str) -> str:
        code = find_language(name)
        if code is None:
            message = self.language.gettext("choose from {codes}")
            raise argparse.ArgumentTypeError(message.format(codes=", ".join(LANGUAGES)))
        return code

    def seconds(self, most: int, *, or_zero: bool) -> Callable[[str], float]:
        """Return the type of an option whose value is a number of seconds, of at most ``most``.

        Args:
            or_zero: accept 0 too.
        """

        def read(text: str) -> float:
            _ = self.language.gettext
            try:
                seconds = float(text.replace(",", "."))  # the decimal comma of many languages
            except ValueError:
                seconds = math.nan
            if 0 < seconds <= most or (or_zero and seconds == 0):
                return seconds
            message = (
                _("a number of seconds from 0 to {most} is needed")
                if or_zero
                else _("a number of seconds above 0, and {most} at most, is needed")
            )
            raise argparse.ArgumentTypeError(message.format(most=most))

        return read

    def whole_number(self, text: str) -> int:
        """Parse a whole number; a type of an option."""
        try:
            return int(text)
        except ValueError:
            message = self.language.gettext("a whole number is needed")
            raise argparse.ArgumentTypeError(message) from None

    def number(self, least: int, most: int) -> Callable[[str], int]:
        """Return the type of an option whose value is a whole number in a range."""

        def read(text: str) -> int:
            number = self.whole_number(text)
            if not least <= number <= most:
                message = self.language.gettext("a number from {least} to {most} is needed")
                raise argparse.ArgumentTypeError(message.format(least=least, most=most))
            return number

        return read


def from_options(
    kind: Callable[..., Taken], options: argparse.Namespace, **others: object
) -> Taken:
    """Return an instance of a class with fields from parsed options, and others by name."""
    values = vars(options) | others
    return kind(**{name: values[name] for name in signature(kind).parameters})


def language_of(arguments: Sequence[str]) -> NullTranslations:
    """Return the language of help and errors, before the options are parsed.

    An unknown ``--lang`` is ignored here, and refused by the parser. If the encoding of the output
    lacks letters of the language, English is used.
    """
    code = None
    for option, following in zip(arguments, [*arguments[1:], ""]):
        if option == "--lang":
            code = find_language(following)
        elif option.startswith("--lang="):
            code = find_language(option.partition("=")[2])
    language = load(code, os.environ)
    letters = LANGUAGES[code_of(language)]
    return language if Terminal.standard().can_show(letters) else load("en", os.environ)


@dataclass(frozen=True)
class PositionArgs:
    """The position on the command line.

    Attributes:
        position: ``None`` for the empty board.
        starter: the mark that moved first.
    """

    language: NullTranslations
    rules: Rules
    position: str | None = None
    moves: str | None = None
    starter: Mark | None = None

    def state(self) -> GameState:
        """Return the state after the moves.

        Raises:
            Refused: the arguments do not describe a state; the message says why.
        """
        try:
            if self.position is None:
                state = GameState.new(self.rules, self.starter or Mark.CROSS)
            else:
                state = parse_state(self.position, self.rules, self.starter)
            return play_moves(state, self.moves or "")
        except (InvalidGameState, InvalidMove, InvalidNotation) as error:
            raise Refused(escaped(localise(self.language, error)), error.code) from None


def add_position(parser: Parser) -> None:
    """Add the optional position, ``--variant``, ``--moves`` and ``--starting``."""
    _ = parser.language.gettext
    parser.arguments.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help=_("a character a cell, rows parted by /, as in XXO/O.X/.O.; else the empty board"),
    )
    parser.add_variant()
    parser.add_moves()
    parser.add_choice("--starting", ("X", "O"), _("who moved first (X unless given)"))


def position_of(options: argparse.Namespace, language: NullTranslations) -> PositionArgs:
    """Return the parsed options of `add_position`."""
    starter = None if options.starting is None else Mark(options.starting)
    return PositionArgs(language, options.variant, options.position, options.moves, starter)


def arguments_of(state: GameState) -> str:
    """Return a state as arguments of a shell command, the inverse of `PositionArgs.state`."""
    arguments = ["--variant", variant_name(state.rules)]
    if state != GameState.new(state.rules):
        arguments.append(format_state(state))
    return shlex.join(arguments)
