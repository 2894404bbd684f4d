"""The console game from the command line to the last game's end."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import MARKS, GameState, Mark

from ..program.options import first_state
from ..program.process import DONE, INTERRUPTED, postponed_signals, run
from ..program.record_files import RecordFiles
from ..program.terminal import Terminal
from ..table.table import HUMAN, RANDOM
from ..table.thinking import DELAY_SECONDS
from ..words.game_text import describe_caveats, player_title, variant_title
from ..words.rules_text import describe_rules
from .args import Args, parse_args
from .players import Left, ask, describe_moves, make_player
from .renderers import ConsoleRenderer
from .session import Session


def main(
    argv: Sequence[str] | None = None, prog: str = "python -m console", epilog: str | None = None
) -> int:
    """Play games at the console and return the exit status of the process."""
    return run(lambda: play(parse_args(argv, prog, epilog)))


def play(args: Args, terminal: Terminal | None = None) -> int:
    """Play one game, or on a terminal as many as are wanted; return the exit status.

    Raises:
        Refused: the game cannot begin, or cannot be recorded.
    """
    terminal = terminal or Terminal.standard(plain=args.plain)
    table = Table(args, terminal)
    try:
        table.play_game()
        while terminal.interactive and table.wants_another():
            table.play_game()
    except Left as left:
        status = left.status
    except KeyboardInterrupt:  # while a computer was thinking
        terminal.show()
        status = INTERRUPTED
    else:
        return DONE
    terminal.show(args.language.gettext("The game ends here. Goodbye!"))
    return status


class Table:
    """Where two players sit down for one game after the other, and the score is kept."""

    def __init__(self, args: Args, terminal: Terminal) -> None:
        self._args = args
        self._terminal = terminal
        self._rng = random.Random(args.seed)
        self._score: Counter[Mark | None] = Counter()
        self._records = RecordFiles(args.language)
        self._record_path = None if args.record is None else Path(args.record)
        if self._record_path is not None:
            self._records.check(self._record_path)

    def play_game(self) -> None:
        """Play one game and record it, wherever it ends.

        Raises:
            Left: somebody left it unfinished.
        """
        args = self._args
        renderer = ConsoleRenderer(self._terminal, args.language)
        delay = self._delay_seconds()
        player1, player2 = (
            make_player(args.players[mark], mark, renderer, delay, self._rng) for mark in MARKS
        )
        match = Match(self._first_state())
        for note in self._opening_words(match.state):
            renderer.note(note)
        tags = tuple((mark.value, args.players[mark]) for mark in MARKS)
        session = Session(TicTacToe(player1, player2, renderer), match, renderer, tags)
        try:
            session.play()
        finally:
            with postponed_signals():
                if self._record_path is not None and (match.history or match.over):
                    self._records.append(self._record_path, session.record)
        self._score[match.winner] += 1

    def wants_another(self) -> bool:
        """Show the score and ask whether to play again."""
        _ = self._args.language.gettext
        score = _("Score: X {crosses}, O {naughts}, draws {draws}.")
        self._terminal.show(
            score.format(
                crosses=self._score[Mark.CROSS],
                naughts=self._score[Mark.NAUGHT],
                draws=self._score[None],
            )
        )
        yes, no = {_letters(_("yes")), "yes"}, {_letters(_("no")), "no", "quit"}
        while True:
            line = ask(self._terminal, _("Another game? (yes or no) "))
            answer = _letters(line.strip())
            if any(word.startswith(answer) for word in yes):
                return True
            if any(word.startswith(answer) for word in no):
                return False
            self._terminal.show(_("Type yes or no."))

    def _delay_seconds(self) -> float:
        if self._args.delay is not None:
            return self._args.delay
        return DELAY_SECONDS if self._terminal.interactive else 0.0

    def _first_state(self) -> GameState:
        args = self._args
        starting = None if args.starting in (None, RANDOM) else Mark(args.starting)
        if args.starting == RANDOM:
            starting = self._rng.choice(MARKS)
        return first_state(args.language, args.rules, args.position, args.moves, starting)

    def _opening_words(self, state: GameState) -> list[str]:
        """Return what to say before the first move."""
        args, _ = self._args, self._args.language.gettext
        words = [
            _("{variant}: {description}. X: {player_x}, O: {player_o}.").format(
                variant=variant_title(args.rules, args.language),
                description=describe_rules(args.rules, args.language),
                player_x=player_title(args.players[Mark.CROSS], args.language),
                player_o=player_title(args.players[Mark.NAUGHT], args.language),
            )
        ]
        words += describe_caveats(args.players.values(), args.rules, args.language)
        if HUMAN in args.players.values() and not state.game_over:
            words.append(
                " ".join([*describe_moves(state, args.language), _("Type help for more.")])
            )
        return words


def _letters(text: str) -> str:
    """Return a text for comparison: in small letters without accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
