"""The options that several programs share, and the parser of their command lines."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from gettext import NullTranslations
from typing import NoReturn

import tic_tac_toe
from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidVariant,
)
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import parse_moves, parse_state
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules

from ..words.foreign import harmless
from ..words.game_text import player_choices
from ..words.messages import localise
from ..words.players import HUMAN, PLAYERS, STARTERS
from ..words.translation import LANGUAGES, find_language, load
from .argument_errors import translate
from .process import Refused, complain
from .terminal import Terminal

#: The longest pause before a move, in seconds.
LONGEST_DELAY = 3_600


class Parser(argparse.ArgumentParser):
    """A parser whose help and errors are in the reader's language, without control characters.

    Attributes:
        arguments: where positional arguments are added.
        options: where options are added.
    """

    def __init__(
        self, prog: str, language: NullTranslations, description: str, epilog: str | None = None
    ) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            add_help=False,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.language = language
        _ = language.gettext
        self.arguments = self.add_argument_group(_("positional arguments"))
        self.options = self.add_argument_group(_("options"))
        self.options.add_argument("-h", "--help", action="help", help=_("show this and end"))
        self.options.add_argument(
            "--version",
            action="version",
            version=f"tic-tac-toe {tic_tac_toe.__version__}",
            help=_("show the version and end"),
        )

    def format_help(self) -> str:
        """Return the help with its first word translated too."""
        return super().format_help().replace("usage: ", self.language.gettext("usage: "), 1)

    def error(self, message: str) -> NoReturn:
        """Print the error and the command for help, in two lines, and end with status 2."""
        complain(harmless(translate(message, self.language)))
        try_this = self.language.gettext("For help: {command}").format(
            command=f"{self.prog} --help"
        )
        complain(try_this)
        sys.exit(2)

    def add_language(self) -> None:
        """Add ``--lang``."""
        self.options.add_argument(
            "--lang",
            metavar="LANGUAGE",
            type=self._language_code,
            help=self.language.gettext("the language: {codes}; else that of the locale").format(
                codes=", ".join(LANGUAGES)
            ),
        )

    def add_variant(self) -> None:
        """Add ``--variant``, whose value is `Rules`."""
        self.options.add_argument(
            "--variant",
            metavar="NAME",
            type=self._rules,
            default="tic-tac-toe",
            help=self.language.gettext(
                "the game: a name that “tic-tac-toe variants” lists, or columns, rows and line "
                "length, such as mnk:7,6,4 or mnk:7,6,4,gravity"
            ),
        )

    def add_delay(self, help_text: str) -> None:
        """Add ``--delay``, in seconds."""
        self.options.add_argument("--delay", metavar="SECONDS", type=self._seconds, help=help_text)

    def add_plain(self) -> None:
        """Add ``--plain``."""
        self.options.add_argument(
            "--plain",
            action="store_true",
            help=self.language.gettext("words only, for screen readers and simple terminals"),
        )

    def add_players(self) -> None:
        """Add ``-X`` and ``-O``, of `PLAYERS`, as ``player_x`` and ``player_o``."""
        _, add = self.language.gettext, self.options.add_argument
        add(
            "-X",
            dest="player_x",
            metavar="PLAYER",
            choices=PLAYERS,
            default=HUMAN,
            help=_("who plays X: {players} (human unless given)").format(
                players=player_choices(PLAYERS, self.language)
            ),
        )
        add(
            "-O",
            dest="player_o",
            metavar="PLAYER",
            choices=PLAYERS,
            default="minimax",
            help=_("who plays O (minimax unless given)"),
        )

    def add_starting(self) -> None:
        """Add ``--starting``, of `STARTERS`."""
        self.options.add_argument(
            "--starting",
            choices=STARTERS,
            help=self.language.gettext("who moves first (X unless given)"),
        )

    def add_seed(self) -> None:
        """Add ``--seed``."""
        self.options.add_argument(
            "--seed",
            metavar="NUMBER",
            type=self.whole_number,
            help=self.language.gettext(
                "make chance repeatable: the same number gives the same game"
            ),
        )

    def _rules(self, name: str) -> Rules:
        try:
            return find_rules(name)
        except InvalidVariant as error:
            raise argparse.ArgumentTypeError(localise(self.language, error)) from None

    def _language_code(self, name: str) -> str:
        code = find_language(name)
        if code is None:
            message = self.language.gettext("choose from {codes}")
            raise argparse.ArgumentTypeError(message.format(codes=", ".join(LANGUAGES)))
        return code

    def _seconds(self, text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= LONGEST_DELAY:
            message = self.language.gettext("a number of seconds from 0 to {most} is needed")
            raise argparse.ArgumentTypeError(message.format(most=LONGEST_DELAY))
        return seconds

    def whole_number(self, text: str) -> int:
        """Return the number that a text is; a type of an option."""
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


def language_of(
    argv: Sequence[str] | None, environ: Mapping[str, str] | None = None
) -> NullTranslations:
    """Return the language of help and errors, before the options are read.

    Args:
        argv: the arguments, those of the process unless given.
        environ: the environment, that of the process unless given.

    A wrong ``--lang`` is ignored here, and refused when the options are read. If the encoding of
    the output lacks letters of the language, it is English.
    """
    arguments = sys.argv[1:] if argv is None else argv
    environ = os.environ if environ is None else environ
    code = None
    for option, following in zip(arguments, [*arguments[1:], ""]):
        if option == "--lang":
            code = find_language(following)
        elif option.startswith("--lang="):
            code = find_language(option.partition("=")[2])
    language = load(code, environ)
    letters = LANGUAGES[language.info().get("language", "en")]
    return language if Terminal.standard().can_show(letters) else load("en", environ)


def first_state(
    language: NullTranslations,
    rules: Rules,
    position: str | None = None,
    moves: str | None = None,
    starting_mark: Mark | None = None,
) -> GameState:
    """Return the state that a position and moves from there describe; the empty board by default.

    Raises:
        Refused: they do not describe a state; the message says why.
    """
    try:
        if position is None:
            state = GameState.new(rules, starting_mark or Mark.CROSS)
        else:
            state = parse_state(position, rules, starting_mark)
        return parse_moves(state, moves or "")
    except (InvalidGameState, InvalidMove, InvalidNotation) as error:
        raise Refused(harmless(localise(language, error))) from None
