"""One game after the other between two players, on any screen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import MARKS, GameState, Mark, Move
from tic_tac_toe.logic.notation import move_at
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules.placements import letters
from tic_tac_toe.logic.rules.traits import beginner
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.opponents.registry import Opponents, public_name

from ..words.rules_text import HUMAN, LEVELS, RANDOM
from .setup import Setup


class Replay:
    """The ply of a game that people look at; the game itself is not changed.

    Attributes:
        ply: the number of moves before the shown position; ``None`` for the present position.
    """

    def __init__(self) -> None:
        self.ply: int | None = None

    def moment(self, match: Match) -> int:
        """Return the number of moves before the shown position."""
        return match.ply if self.ply is None else min(self.ply, match.ply)

    def state(self, match: Match) -> GameState:
        """Return the position that is shown."""
        moment = self.moment(match)
        return match.history[moment - 1].after_state if moment else match.start

    def last_cell(self, match: Match) -> int | None:
        """Return the cell of the move that led to the shown position, if one did."""
        moment = self.moment(match)
        return match.history[moment - 1].cell_index if moment else None

    def show(self, match: Match, ply: int) -> None:
        """Show the position after ``ply`` moves; after the last one the present position."""
        ply = min(max(ply, 0), match.ply)
        self.ply = None if ply == match.ply else ply

    def steps(self, match: Match) -> dict[str, int]:
        """Return where steps lead to, by their names: ``first``, ``back``, ``on`` and ``last``.

        Steps that lead nowhere are left out.
        """
        moment = self.moment(match)
        plies = {"first": 0, "back": moment - 1, "on": moment + 1, "last": match.ply}
        return {name: ply for name, ply in plies.items() if ply != moment and 0 <= ply <= match.ply}

    def return_to_present(self) -> None:
        """Show the present position."""
        self.ply = None


class Table:
    """A game in progress between people and computers, the score, and the next game.

    The score counts the games of one variant between the same players: another variant or another
    player starts it again.

    The table knows no screen, no clock and no thread. A screen shows `state`, or the position of
    the past that `replay` stands at, and passes on what people do. While `thinker` names a
    strategy, `answer` expects its move: see `Driver`. A refusal raises `InvalidMove` with the
    reason and changes nothing.

    Args:
        setup: the first game; tic-tac-toe against `FIRST_OPPONENT` unless given.
        rng: the source of chance.
        state: where the first game begins instead of the empty board.
        opponents: the computer players; a program ends when it is not seated any more.

    Attributes:
        on_change: called after every change.
        problem: why the computer at its turn makes no move, until the game changes.
        remark: what people are told about what they did last, such as why it was refused; whatever
            they do next with the game, its advice or its past empties it.
        changes: the number of changes of the game so far.
        replay: which position is shown; what people do to the game ends the look back.
    """

    def __init__(
        self,
        setup: Setup | None = None,
        rng: random.Random | None = None,
        state: GameState | None = None,
        opponents: Opponents | None = None,
    ) -> None:
        self.setup = setup or Setup()
        self.opponents = opponents or Opponents()
        self.problem: BrainError | None = None
        self.remark = ""
        self.rng = rng or random.Random()
        self.on_change: Callable[[], object] = lambda: None
        self.score: Counter[Mark | None] = Counter()
        self.changes = 0
        self.replay = Replay()
        self._letter = "X"
        self.match = Match(state or self._first_state())
        #: A game that is over when it is opened does not count.
        self._opened_over = self.match.over

    def __repr__(self) -> str:
        return f"Table({self.setup.x} against {self.setup.o}, {self.match!r})"

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        return self.match.state

    @property
    def people(self) -> set[Mark]:
        """The marks that people play."""
        return {mark for mark, name in self.setup.players.items() if name == HUMAN}

    @property
    def person(self) -> Mark | None:
        """The mark of the one person who plays a computer; ``None`` among people or computers."""
        people = self.people
        return next(iter(people)) if len(people) == 1 else None

    @property
    def outcome(self) -> Result | None:
        """How the game ended for that person; ``None`` while it goes on, or if there is none."""
        if self.person is None or not self.match.over:
            return None
        winner = self.match.winner
        return "draw" if winner is None else "win" if winner is self.person else "loss"

    @property
    def thinker(self) -> str | None:
        """The strategy to move; ``None`` at a person's turn and once the game is over."""
        turn = self.match.turn
        name = HUMAN if turn is None else self.setup.players[turn]
        return None if name == HUMAN else name

    @property
    def last_cell(self) -> int | None:
        """The cell of the last move, if there was one."""
        history = self.match.history
        return history[-1].cell_index if history else None

    @property
    def can_take_back(self) -> bool:
        """Whether a person has a move to take back."""
        return self.match.can_take_back(self.people)

    @property
    def can_play_again(self) -> bool:
        """Whether there is a move to play again."""
        return self.match.can_redo

    @property
    def record(self) -> Record:
        """The game so far as it is written to files."""
        return self.match.record(
            (mark.value, public_name(name)) for mark, name in self.setup.players.items()
        )

    def new_game(
        self,
        setup: Setup | None = None,
        *,
        state: GameState | None = None,
        moves: Iterable[int] = (),
        resigned: Mark | None = None,
    ) -> None:
        """Begin another game; the present one is left unfinished.

        Args:
            setup: the game and its players; the same again unless given.
            state: where it begins instead of the empty board.
            moves: those made from there at once.
            resigned: the side that has given up after them, in a game that ended so elsewhere.

        Raises:
            InvalidMove: one of those moves is illegal.
        """
        setup = setup or self.setup
        before, self.setup = self.setup, setup
        try:
            match = Match(state or self._first_state())
            for number in moves:
                match.submit(match.state.current_mark, number)
            if resigned is not None and not match.over:
                match.resign(resigned)
        except InvalidMove:
            self.setup = before
            raise
        self.match = match
        self._opened_over = match.over
        if (setup.rules, setup.players) != (before.rules, before.players):
            self.score.clear()
            self.opponents.keep(setup.players.values())
        self.replay.return_to_present()
        self._notify()

    def change_players(self, setup: Setup) -> None:
        """Let the players of a setup go on with the game.

        If the setup has other rules or another starter, or if the game is over, a new game begins.
        """
        match, before = self.match, self.setup
        goes_on = setup.rules == before.rules and setup.starting == before.starting
        if match.over or not goes_on:
            self.new_game(setup)
        else:
            self.new_game(setup, state=match.start, moves=[move.number for move in match.history])

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that people choose among; none where each side has its own."""
        return letters(self.state.rules)

    @property
    def letter(self) -> str:
        """Which letter people place next, where they choose: it stays as it is until they do."""
        known = not self.letters or self._letter in self.letters
        return self._letter if known else self.letters[0]

    def choose(self, letter: str) -> None:
        """Let people place this letter from now on."""
        if letter in self.letters:
            self._letter = letter
            self._notify()

    def play_cell(self, cell: int, ply: int | None = None) -> Move:
        """Make the move of a person who points at a cell; see `place`.

        Under gravity the mark falls; in games in which people choose it is `letter`.
        """
        return self.place(move_at(self.state, cell, self.letter), ply)

    def place(self, number: int, ply: int | None = None) -> Move:
        """Make a person's move.

        Args:
            number: the move as the rules number it, in plain games the cell.
            ply: the `Match.ply` that the person saw, if the screen may lag behind.

        Raises:
            InvalidMove: the move is illegal, the game has moved on, or it is a computer's turn.
        """
        if self.thinker is not None:
            raise InvalidMove("It's the other player's turn", "wrong_turn")
        move = self.match.submit(self.state.current_mark, number, ply)
        self.replay.return_to_present()
        self._moved_on()
        return move

    def answer(self, state: GameState, number: int) -> bool:
        """Make a computer's move, if the game has not moved on since the computer was asked.

        Args:
            state: the state that it was asked about, the same object.

        Returns:
            whether the move was made: after an undo or a new game it is dropped.
        """
        if self.thinker is None or state is not self.state:
            return False
        self.match.submit(state.current_mark, number)
        self._moved_on()
        return True

    def fail(self, state: GameState, problem: BrainError) -> bool:
        """Note why a computer makes no move; the game waits until people change something.

        Args:
            state: the state that it was asked about, the same object.

        Returns:
            whether it matters: after an undo or a new game it is dropped.
        """
        if self.thinker is None or state is not self.state:
            return False
        self.problem = problem
        return True

    def take_back(self) -> list[Move]:
        """Take moves back to a person's turn and return them, the oldest first."""
        winner, was_counted = self.match.winner, self.match.over and not self._opened_over
        taken = self.match.take_back(self.people)
        if was_counted:
            self.score[winner] -= 1
        self._opened_over = False
        self.replay.return_to_present()
        self._notify()
        return taken

    def play_again(self) -> list[Move]:
        """Play again what was taken back, to a person's turn, and return those moves."""
        played = self.match.play_again(self.people)
        self.replay.return_to_present()
        self._moved_on()
        return played

    def resign(self) -> None:
        """Give up for the person to move, or for the only person while a computer thinks.

        Raises:
            InvalidMove: the game is over, or only computers play.
        """
        mark, people = self.match.turn, self.people
        if mark is not None and mark not in people:
            if len(people) != 1:
                raise InvalidMove("It's the other player's turn", "wrong_turn")
            (mark,) = people
        self.match.resign(mark or Mark.CROSS)
        self.replay.return_to_present()
        self._moved_on()

    def new_rng(self) -> random.Random:
        """Return a source of chance for one query, which another thread may use."""
        return random.Random(self.rng.getrandbits(64))

    def _first_state(self) -> GameState:
        starting = self.setup.starting
        mark = self.rng.choice(MARKS) if starting == RANDOM else Mark(starting)
        rules = self.setup.rules
        return GameState.new(rules, MARKS[beginner(rules, mark.side)])

    def _moved_on(self) -> None:
        if self.match.over:
            self.score[self.match.winner] += 1
        self._notify()

    def _notify(self) -> None:
        self.changes += 1
        self.problem = None
        self.remark = ""
        self.on_change()


class Offer(NamedTuple):
    """The next game for a person who has won.

    Attributes:
        level: the computer's level in it, of `LEVELS`.
        setup: the game, which is the same but for the level.
    """

    level: str
    setup: Setup


def next_level(name: str) -> str | None:
    """Return the level above a player; ``None`` above the strongest, or if it is not a level."""
    return dict(pairwise(LEVELS)).get(name)


def offer_after(table: Table) -> Offer | None:
    """Return what is offered at the end of a game.

    Nothing unless the one person who plays a computer has won, and there is a level above it.
    """
    if table.outcome != "win" or table.person is None:
        return None
    level = next_level(table.setup.players[table.person.other])
    if level is None:
        return None
    setup = table.setup
    is_cross = table.person is Mark.CROSS
    return Offer(level, setup._replace(o=level) if is_cross else setup._replace(x=level))
