"""The console program: options, one game after the other, records."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from gettext import NullTranslations
from pathlib import Path

from tic_tac_toe.game.strategies import STRATEGIES, TIMED
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.rules.traits import beginner

from ..program.options import Parser, PositionArgs, from_options
from ..program.process import DONE, INTERRUPTED, postponed_signals, run
from ..program.record_files import RecordFiles
from ..program.terminal import Terminal
from ..table.driver import DELAY_SECONDS
from ..table.looking_back import Review, explaining
from ..table.queries import ExplainMove, ask_here
from ..table.results import on_this_device
from ..table.setup import PlayArgs, opponents_of_options, setup_of_options
from ..table.table import Offer, Setup, Table, offer_after
from ..table.task import Choice
from ..table.telling import score_text
from ..words.game_text import describe_caveats, player_title
from ..words.review_text import (
    describe_certainty,
    describe_fault,
    describe_line,
    describe_progress,
    describe_review,
)
from ..words.rules_text import HUMAN, RANDOM, describe_rules, side_title, variant_title
from ..words.translation import N_, as_sentence, join_sentences
from .commands import (
    AFTERWARDS,
    COMMANDS,
    KNOWN_AFTERWARDS,
    Command,
    describe_command_meant,
    describe_moves,
    is_move,
    parse_command,
    translated_words,
)
from .players import PlayerLeft, ask, show_help
from .renderers import ConsoleRenderer
from .session import Session


@dataclass(frozen=True)
class Args(PlayArgs):
    """The options of the console.

    Attributes:
        plain: use no drawings and no escape sequences.
        record: the file to which games are appended, if any.
        position: the first position, by default the empty board.
        moves: moves made from there before the first prompt.
        coach: object to moves that throw something away.
        choice: the puzzle to begin with, if any.
    """

    plain: bool = False
    record: str | None = None
    position: str | None = None
    moves: str | None = None
    coach: bool = False
    choice: Choice | None = None


def parse_args(
    argv: Sequence[str] | None = None, prog: str = "python -m console", epilog: str | None = None
) -> Args:
    """Return the parsed command line; end with status 2 if it is wrong."""
    about = N_("Play tic-tac-toe and its relatives: you are X, and the computer is O.")
    parser = Parser(prog, argv, about)
    _ = parser.language.gettext
    parser.add_game()
    parser.add_seed()
    parser.add_delay(_("pause before a computer's move (0.25 on a terminal, else 0)"))
    parser.add_plain()
    parser.add_flag("--coach", _("tell what a move throws away, before the computer answers"))
    parser.add_value("--record", "FILE", _("add each game to this file"))
    parser.options.add_argument(
        "--from",
        dest="position",
        metavar="POSITION",
        help=_("begin from a position: a character a cell, rows parted by /, as in XXO/O.X/.O."),
    )
    parser.add_moves()
    parser.epilog = epilog
    found = parser.read()
    if found.starting == RANDOM and found.position is not None:
        parser.error(parser.language.gettext("--starting random goes with the empty board only"))
    return from_options(
        Args,
        found,
        setup=setup_of_options(found),
        language=parser.language,
        opponents=opponents_of_options(found),
        choice=None,
    )


def main(
    argv: Sequence[str] | None = None, prog: str = "python -m console", epilog: str | None = None
) -> int:
    """Play games at the console and return the exit status of the process."""
    return run(lambda: play(parse_args(argv, prog, epilog)))


def play(args: Args, terminal: Terminal | None = None, note: str = "") -> int:
    """Play one game, or on a terminal games until the person quits; return the exit status.

    Args:
        note: shown below the board until the first move, if the terminal is cleared for each board.

    Raises:
        Refused: the game cannot start, or cannot be recorded.
    """
    terminal = terminal or Terminal.standard(plain=args.plain)
    console = Console(args, terminal)
    if note and terminal.fancy:
        console.show_with_next_board(note)
    try:
        while console.play_game():
            pass
    except PlayerLeft as left:
        status = left.status
    except KeyboardInterrupt:  # during a computer's search
        terminal.show()
        status = INTERRUPTED
    else:
        return DONE
    finally:
        args.opponents.close()
    terminal.show(args.language.gettext("The game ends here. Goodbye!"))
    return status


class Console:
    """Plays one game after the other at a terminal, and records them.

    Raises:
        Refused: the game cannot start, or cannot be recorded.
    """

    def __init__(self, args: Args, terminal: Terminal) -> None:
        self._args = args
        self._terminal = terminal
        self._rng = random.Random(args.seed)
        self._records = RecordFiles(args.language)
        self._record_path = None if args.record is None else Path(args.record)
        if self._record_path is not None:
            self._records.check(self._record_path)
        self._table = Table(args.setup, self._rng, self._first_state(), args.opponents)
        self._table.coach.is_on = args.coach
        self._renderer = ConsoleRenderer(terminal, args.language)
        delay = DELAY_SECONDS if terminal.interactive else 0.0
        self._session = Session(
            self._table,
            self._renderer,
            delay=delay if args.delay is None else args.delay,
            store=on_this_device(),
        )
        if args.choice is not None:
            self._session.study.open(args.choice)

    def show_with_next_board(self, text: str) -> None:
        """Show a line below the board until the first move."""
        self._renderer.show_with_next_board(text)

    def play_game(self) -> bool:
        """Play and record one game, even if it stays unfinished, and start the next one.

        Returns:
            whether there is a next game.

        Raises:
            PlayerLeft: a person quits.
        """
        if self._table.task is None:
            for note in self._opening_words(self._table.state):
                self._renderer.show_with_next_board(note)
        following: Setup | None = None
        try:
            self._session.play()
            if self._terminal.interactive:
                following = self._next_setup()
        finally:
            match = self._table.match
            with postponed_signals():
                is_game = self._table.task is None and bool(match.history or match.over)
                if self._record_path is not None and is_game:
                    self._records.append(self._record_path, self._table.record)
        if following is not None:
            self._table.new_game(following, state=self._first_state())
        return following is not None

    def _next_setup(self) -> Setup:
        """Run the commands after a game until the person chooses the next game.

        After an undo this game goes on, and the question follows at its new end.

        Raises:
            PlayerLeft: a person quits.
        """
        language, table = self._args.language, self._table
        prompt = language.gettext("Another game? (yes or no) ")
        while True:
            self._terminal.show(score_text(table, language))
            offer = offer_after(table)
            self._terminal.show_wrapped(*describe_afterwards(offer, language))
            while table.match.over:
                line = ask(self._terminal, prompt)
                command = parse_command(
                    line.strip() or "yes", language, KNOWN_AFTERWARDS, abbreviated=True
                )
                word = "" if command is None else command.word
                if word in ("no", "quit"):
                    raise PlayerLeft(DONE)
                if word == "yes" or (word == "next" and offer):
                    return offer.setup if offer and word == "next" else table.setup
                self._run_command(line, command)
            self._session.go_on()

    def _run_command(self, line: str, command: Command | None) -> None:
        """Run a command after a game, or show the possible ones."""
        language, state = self._args.language, self._table.state
        word = "" if command is None else command.word
        is_final = word in ("undo", "redo") and self._table.match.resigned is not None
        if word == "board":
            self._renderer.show_board(state)
        elif word == "help":
            show_help(self._terminal, language, AFTERWARDS, None)
        elif word == "review":
            self._review()
        elif (
            command is None
            or word not in AFTERWARDS
            or is_final
            or not self._session.run_command(command)
        ):
            self._terminal.show_wrapped(self._describe_refusal(line, word))

    def _describe_refusal(self, line: str, word: str) -> str:
        """Return the refusal of a line after a game, with the possible commands."""
        language, table = self._args.language, self._table
        _ = language.gettext
        remedy = _("Type yes or no, or help.")
        if word in COMMANDS or is_move(table.state, line):
            why = as_sentence(_("The game is over"), language)
            if table.match.resigned is not None:
                remedy = _("The moves of a game that was resigned cannot be taken back.")
            elif table.can_take_back:
                remedy = _("Type undo to take back a move and go on from there, or quit.")
        else:
            why = "" if word else describe_command_meant(line, language, KNOWN_AFTERWARDS)
        return join_sentences([why, remedy], language)

    def _review(self) -> None:
        """Show each fault and the better moves, then a summary of the game."""
        language, terminal = self._args.language, self._terminal
        review = Review(self._table, ask_here)
        terminal.show(describe_progress(0, self._table.match.ply, language))
        review.start()
        for ply, move in sorted(review.moves.items()):
            query = ExplainMove(move.state, move.number, explaining(move))
            why = query() if move.is_turning_point and move.is_proved else None
            if fault := describe_fault(ply, move, language, self._table.person, why=why):
                terminal.show_wrapped(*filter(None, [fault, describe_line(move, language)]))
        terminal.show_wrapped(
            describe_review(review.moves, language),
            describe_certainty(review.moves.values(), language),
        )

    def _unused_time_warnings(self) -> list[str]:
        if self._args.opponents.think is None:
            return []
        message = self._args.language.gettext("{player} does not use the time of --think.")
        names = dict.fromkeys(self._table.setup.players.values())
        idle = (name for name in names if name in STRATEGIES and name not in TIMED)
        return [message.format(player=player_title(name, self._args.language)) for name in idle]

    def _first_state(self) -> GameState:
        args = self._args
        starting = None if args.starting in (None, RANDOM) else Mark(args.starting)
        if args.starting == RANDOM:
            starting = MARKS[beginner(args.setup.rules, self._rng.choice(MARKS).side)]
        position = PositionArgs(
            args.language, args.setup.rules, args.position, args.moves, starting
        )
        return position.state()

    def _opening_words(self, state: GameState) -> list[str]:
        """Return the lines before the first move."""
        language, setup = self._args.language, self._table.setup
        _ = language.gettext
        words = [
            _("{variant}: {description}. {x}: {player_x}, {o}: {player_o}.").format(
                variant=variant_title(setup.rules, language),
                description=describe_rules(setup.rules, language),
                x=side_title(setup.rules, Mark.CROSS, language),
                player_x=player_title(setup.x, language, setup.rules),
                o=side_title(setup.rules, Mark.NAUGHT, language),
                player_o=player_title(setup.o, language, setup.rules),
            )
        ]
        words += self._unused_time_warnings()
        words += describe_caveats(setup.players.values(), setup.rules, language)
        if HUMAN in setup.players.values() and not state.game_over:
            words.append(
                join_sentences(
                    [*describe_moves(state, language), _("Type help for more.")], language
                )
            )
        return words


def describe_afterwards(offer: Offer | None, language: NullTranslations) -> list[str]:
    """Return the commands after a game, and the offer of the next level."""
    _, words = language.gettext, translated_words(language, AFTERWARDS)
    lines = [
        _("To see where the game turned, type {word}.").format(word=words["review"]),
        _("To keep this game, type {word} and a file name.").format(word=words["save"]),
    ]
    if offer is not None:
        message = _("To play the next level, {level}, type {word}.")
        level = player_title(offer.level, language, offer.setup.rules)
        lines.insert(0, message.format(level=level, word=words["next"]))
    return lines
