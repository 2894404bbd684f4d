"""The command line of ``tic-tac-toe match``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.contest.sprt import InvalidTest, Sprt
from tic_tac_toe.logic.exceptions import InvalidStrategy
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.opponents.finding import find_strategy

from ...program.options import Parser, taken_as
from ...words.translation import N_, localise

#: Limits of the options: pairs, processes, and seconds for a move.
MOST_PAIRS = 1_000_000
MOST_PROCESSES = 256
MOST_SECONDS = 3_600
#: The value of ``--openings`` for games that begin from the empty board.
NO_OPENINGS = "none"


class MatchArgs(NamedTuple):
    """What is to be played; the options' help says what each means."""

    language: NullTranslations
    players: list[str]
    variant: Rules
    pairs: int
    concurrency: int
    think: float | None
    time: float | None
    sprt: Sprt | None
    openings: str | None
    seed: int
    out: str | None
    records: str | None
    json: bool


def parse_args(arguments: Sequence[str], prog: str) -> MatchArgs:
    """Return what the command line asks for; end with status 2 where it is wrong."""
    parser = _parser(arguments, prog)
    options, language = parser.read(), parser.language
    if len(options.players) < 2:
        parser.error(language.gettext("a match needs two players or more"))
    if options.sprt is not None and len(options.players) > 2:
        parser.error(language.gettext("--sprt needs exactly two players"))
    return taken_as(MatchArgs, options, language=language)


def _parser(arguments: Sequence[str], prog: str) -> Parser:
    about = N_("Let computer players play each other, and measure which is the stronger.")
    parser = Parser(prog, arguments, about)
    _, add_value = parser.language.gettext, parser.add_value
    parser.epilog = _(
        "Games are played in pairs: the same opening twice, with the colours changed. Of more\n"
        "than two players each plays each other. With --out the match can be stopped at any\n"
        "time: the same command goes on where it was."
    )
    parser.arguments.add_argument(
        "players",
        metavar="PLAYER",
        nargs="+",
        type=_player_type(parser.language),
        help=_("the names of two computer players or more"),
    )
    parser.add_variant()
    about_pairs = _("how many pairs any two players play, 100 unless given; at most with --sprt")
    add_value("--pairs", "NUMBER", about_pairs, parser.number(1, MOST_PAIRS), usual=100)
    about_processes = _("how many processes play at the same time (1 unless given)")
    kind = parser.number(1, MOST_PROCESSES)
    add_value("--concurrency", "NUMBER", about_processes, kind, usual=1)
    about_think = _("let players that can go by the clock think this long before each move")
    add_value("--think", "SECONDS", about_think, parser.seconds(MOST_SECONDS, or_zero=False))
    about_time = _("a player that takes longer than this for a move loses the game")
    add_value("--time", "SECONDS", about_time, parser.seconds(MOST_SECONDS, or_zero=False))
    about_sprt = _(
        "stop as soon as it is clear whether the first player is stronger by the first or by the "
        "second number of Elo, as in 0,10"
    )
    add_value("--sprt", "ELO0,ELO1", about_sprt, _sprt_type(parser.language))
    about_openings = _(
        "a file of records whose moves are the openings; “none” for the empty board; else those "
        "that the library has for the game"
    )
    add_value("--openings", "FILE", about_openings)
    about_seed = _("make chance repeatable: the same number gives the same games (0 unless given)")
    add_value("--seed", "NUMBER", about_seed, parser.whole_number, usual=0)
    add_value("--out", "FILE", _("write each finished pair to this file, and go on from it"))
    add_value("--records", "FILE", _("write the records of all games to this file"))
    parser.add_flag("--json", _("print one JSON object"))
    parser.add_language()
    return parser


def _player_type(language: NullTranslations) -> Callable[[str], str]:
    def read(name: str) -> str:
        try:
            find_strategy(name)
        except InvalidStrategy as error:
            raise argparse.ArgumentTypeError(localise(language, error)) from None
        return name

    return read


def _sprt_type(language: NullTranslations) -> Callable[[str], Sprt]:
    def read(text: str) -> Sprt:
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError:
            message = language.gettext("two numbers are needed, as in 0,10")
            raise argparse.ArgumentTypeError(message) from None
        try:
            return Sprt(elo0, elo1)
        except InvalidTest as error:
            raise argparse.ArgumentTypeError(localise(language, error)) from None

    return read
