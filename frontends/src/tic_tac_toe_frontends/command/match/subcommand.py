"""``tic-tac-toe match``: plays the missing pairs, and reports on all of them."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.contest.openings import EMPTY_BOARD, check_opening, openings_of
from tic_tac_toe.contest.plan import CLOCKS, Plan, PlannedPair, PlayedPair
from tic_tac_toe.contest.sprt import InvalidTest, Sprt
from tic_tac_toe.contest.standings import SequentialTest
from tic_tac_toe.logic.exceptions import GameError, InvalidMove, InvalidStrategy
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.opponents import BRAIN_PREFIX, find_strategy

from ...program.files import check_writable, reading, writing
from ...program.options import Parser, from_options
from ...program.process import DONE, Refused, print_error, print_note
from ...program.record_files import RecordFiles
from ...program.terminal import Terminal
from ...words.translation import N_, localise
from ..progress import ProgressLine
from .journal_file import JournalFile
from .report import Report, as_object, describe, progress_parts, report_of
from .workers import WorkerLost, play_all

#: Maxima of the options: pairs, processes, and seconds for a move.
MOST_PAIRS = 1_000_000
MOST_PROCESSES = 256
MOST_SECONDS = 3_600
#: The value of ``--openings`` for games from the empty board.
NO_OPENINGS = "none"


class MatchArgs(NamedTuple):
    """The options; their help describes each."""

    language: NullTranslations
    players: list[str]
    variant: Rules
    pairs: int
    concurrency: int
    think: float | None
    time: float | None
    clock: str
    sprt: Sprt | None
    openings: str | None
    seed: int
    out: str | None
    records: str | None
    json: bool


def parse_args(arguments: Sequence[str], prog: str) -> MatchArgs:
    """Return the parsed command line; end with status 2 if it is wrong."""
    parser = _parser(arguments, prog)
    options, language = parser.read(), parser.language
    if len(options.players) < 2:
        parser.error(language.gettext("a match needs two players or more"))
    if options.sprt is not None and len(options.players) > 2:
        parser.error(language.gettext("--sprt needs exactly two players"))
    is_program = any(name.startswith(BRAIN_PREFIX) for name in options.players)
    if is_program and options.clock != "wall":
        parser.error(language.gettext("programs go by their own clock: --clock wall"))
    return from_options(MatchArgs, options, language=language)


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
    about_clock = _(
        "what seconds are: “wall”, those that pass, unless given; or “cpu”, those that the "
        "processor works for a player, on a busy machine the fairer ones"
    )
    parser.add_choice("--clock", [*CLOCKS], about_clock, usual="wall")
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


#: The minimum interval of progress reports in seconds, in a live line or in printed lines.
REFRESH_SECONDS = 0.5


def main(arguments: Sequence[str], prog: str) -> int:
    """Play a match and return the exit status of the process."""
    args = parse_args(arguments, prog)
    plan = _plan_of(args)
    if args.records:
        with writing(args.records, args.language):
            check_writable(Path(args.records))  # before the games, not after them
    match = _RunningMatch(args, plan)
    try:
        report = match.play()
    except (KeyboardInterrupt, SystemExit):
        match.report_interruption()
        raise
    except WorkerLost:
        _ = args.language.gettext
        raise Refused(
            _("a process that played games was ended from outside; the same command goes on")
            if args.out
            else _("a process that played games was ended from outside")
        ) from None
    except GameError as error:
        raise Refused(localise(args.language, error), error.code) from None
    terminal = Terminal.standard()
    if args.records:
        RecordFiles(args.language).write(args.records, _records(report), overwrite=True)
    if args.json:
        terminal.show(json.dumps(as_object(report)))
    else:
        terminal.show_lines(describe(report, args.language))
    return DONE


class _RunningMatch:
    """Plays the missing pairs of a match, and shows the progress."""

    def __init__(self, args: MatchArgs, plan: Plan) -> None:
        self._args, self._plan, self._language = args, plan, args.language
        self._total = args.pairs * len(plan.pairings)
        self._played: dict[int, PlayedPair] = {}
        self._line = ProgressLine(args.language)
        self._shown = -math.inf

    def play(self) -> Report:
        """Return the report at the end of the match."""
        try:
            with JournalFile(self._args.out, self._plan, self._language) as journal:
                # With a smaller --pairs than before, later pairs do not count.
                self._played = {
                    number: pair for number, pair in journal.pairs.items() if number < self._total
                }
                sprt = self._args.sprt
                test = SequentialTest(sprt, self._played.values()) if sprt else None
                if self._line.active:
                    self._show_progress()
                with closing(play_all(self._missing(), self._args.concurrency)) as pairs:
                    while not (test and test.decision) and (pair := next(pairs, None)):
                        journal.add(pair)
                        self._played[pair.number] = pair
                        if test:
                            test.add(pair)
                        self._show_progress(pair)
                return self._report()
        finally:
            self._line.hide()

    def report_interruption(self) -> None:
        _, count = self._language.gettext, len(self._played)
        if self._args.out:
            text = _("stopped after pair {count} of {total}; the same command goes on from there")
        else:
            text = _("stopped after pair {count} of {total}; with --out they would be kept")
        print_error(text.format(count=count, total=self._total))

    def _missing(self) -> Iterator[PlannedPair]:
        pairs = self._plan.pairs(self._args.pairs)
        return (pair for pair in pairs if pair.number not in self._played)

    def _report(self) -> Report:
        return report_of(self._plan, self._total, self._played, self._args.sprt)

    def _show_progress(self, pair: PlayedPair | None = None) -> None:
        """Show the progress on standard error, unless that was done just before."""
        now = time.monotonic()
        if now < self._shown + REFRESH_SECONDS:
            return
        self._shown = now
        parts = progress_parts(self._report(), pair.sides if pair else None, self._language)
        if self._line.active:
            self._line.show(parts)
        else:
            print_note("; ".join(parts))


def _plan_of(args: MatchArgs) -> Plan:
    openings = _openings(args.openings, args.variant, args.language)
    return Plan(
        variant_name(args.variant),
        tuple(args.players),
        openings,
        args.seed,
        args.think,
        args.time,
        args.clock,
    )


def _openings(
    name: str | None, rules: Rules, language: NullTranslations
) -> tuple[tuple[int, ...], ...]:
    """Return the openings of a file or of the library, or the empty board.

    Raises:
        Refused: the file cannot be read, holds another game, or holds a finished one.
    """
    if name is None:
        return openings_of(rules)
    if name == NO_OPENINGS:
        return EMPTY_BOARD
    records = RecordFiles(language).read(name)
    _ = language.gettext
    with reading(name, language):
        for number, record in enumerate(records, start=1):
            if record.rules != rules or record.start or record.starting_mark is not Mark.CROSS:
                message = _("game {number} is another game, or begins elsewhere or with O")
                raise Refused(message.format(number=number))
            try:
                check_opening(rules, record.moves)
            except InvalidMove:
                message = _("game {number} is over after its opening")
                raise Refused(message.format(number=number)) from None
        if not records:
            raise Refused(_("No games."))
    return tuple(record.moves for record in records)


def _records(report: Report) -> Iterator[Record]:
    rules = find_rules(report.plan.variant)
    for pair in report.pairs:
        yield from pair.records(rules, report.names)
