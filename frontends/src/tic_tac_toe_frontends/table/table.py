"""A series of games between two players, for any screen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import MARKS, GameState, Mark, Move
from tic_tac_toe.logic.notation import move_at
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.traits import beginner, letters
from tic_tac_toe.logic.search.evaluation import Result
from tic_tac_toe.opponents import Opponents, public_name

from ..words.rules_text import FIRST_OPPONENT, HUMAN, LEVELS, RANDOM
from .coach import Coach

if TYPE_CHECKING:
    from .task import Task


class Setup(NamedTuple):
    """A game and its players.

    Attributes:
        x, o: the player of each mark, of `PLAYERS`.
        starting: the first side, of `STARTERS`.
    """

    rules: Rules = TIC_TAC_TOE
    x: str = HUMAN
    o: str = FIRST_OPPONENT
    starting: str = "X"

    @property
    def players(self) -> dict[Mark, str]:
        """The players by mark."""
        return {Mark.CROSS: self.x, Mark.NAUGHT: self.o}


#: The result of `opponent_in` if no person plays.
TWO_COMPUTERS = "computers"


def opponent_in(setup: Setup) -> str:
    """Return the person's opponent in a setup, of `PLAYERS`."""
    if HUMAN not in (setup.x, setup.o):
        return TWO_COMPUTERS
    return setup.o if setup.x == HUMAN else setup.x


def with_opponent(setup: Setup, name: str) -> Setup:
    """Return a setup with another opponent; the person keeps their side.

    Args:
        name: of `PLAYERS`; `TWO_COMPUTERS` changes nothing.
    """
    if name == TWO_COMPUTERS:
        return setup
    if setup.o == HUMAN and setup.x != HUMAN:
        return setup._replace(x=name)
    return setup._replace(x=HUMAN, o=name)


class Replay:
    """The position of a game that is shown; the game itself does not change.

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
        """Return the plies of possible steps, by name: ``first``, ``back``, ``on`` and ``last``.

        Impossible steps are left out.
        """
        moment = self.moment(match)
        plies = {"first": 0, "back": moment - 1, "on": moment + 1, "last": match.ply}
        return {name: ply for name, ply in plies.items() if ply != moment and 0 <= ply <= match.ply}

    def return_to_present(self) -> None:
        """Show the present position."""
        self.ply = None


class Table:
    """A game in progress between people and computers, the score, and the next game.

    The score counts the games of one variant between the same players; another variant or player
    resets it.

    The table knows no screen, no clock and no thread. A screen shows `state`, or the past position
    of `replay`, and calls the table for people's actions. While `thinker` names a strategy,
    `answer` expects its move: see `Driver`. A refusal raises `InvalidMove` with the reason and
    changes nothing.

    Args:
        setup: the first game, by default tic-tac-toe against `FIRST_OPPONENT`.
        state: the first position of the first game, by default the empty board.
        opponents: the computer players; a program ends when it leaves the table.

    Attributes:
        problem: why the computer cannot move, until the game changes.
        remark: a sentence about the last action, such as a refusal; the next action clears it.
        changes: the number of changes so far.
        replay: the shown position; any change of the game returns to the present.
        coach: objects to a person's moves, if it is on; any change of the game ends an objection.
        task: the puzzle or exercise that is solved in this game; see `Study`.
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
        self.coach = Coach()
        self.task: Task | None = None
        self._letter = "X"
        self.match = Match(state or self._first_state())
        #: A game that was over when it was opened does not count.
        self._opened_over = self.match.over

    def __repr__(self) -> str:
        return f"Table({self.setup.x} against {self.setup.o}, {self.match!r})"

    @property
    def state(self) -> GameState:
        """The present state of the game."""
        return self.match.state

    @property
    def people(self) -> set[Mark]:
        """The marks that people play."""
        return {mark for mark, name in self.setup.players.items() if name == HUMAN}

    @property
    def person(self) -> Mark | None:
        """The mark of the only person; ``None`` between two people or two computers."""
        people = self.people
        return next(iter(people)) if len(people) == 1 else None

    @property
    def outcome(self) -> Result | None:
        """The result for that person; ``None`` without one, or before the end."""
        if self.person is None or not self.match.over:
            return None
        winner = self.match.winner
        return "draw" if winner is None else "win" if winner is self.person else "loss"

    @property
    def thinker(self) -> str | None:
        """The strategy to move; ``None`` at a person's turn and after the end."""
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
        """The record of the game so far."""
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
        counts: bool = False,
        task: Task | None = None,
    ) -> None:
        """Start another game; the present one stays unfinished.

        Args:
            setup: the game and its players, by default the same again.
            state: the first position, by default the empty board.
            resigned: the side that resigned after these moves, in a game played elsewhere.
            counts: whether the score counts a game that is over.
            task: what is to be solved in it.

        Raises:
            InvalidMove: a move is illegal.
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
        self.task = task
        self._opened_over = match.over and not counts
        if (setup.rules, setup.players) != (before.rules, before.players):
            self.score.clear()
            self.opponents.keep(setup.players.values())
        if match.over and counts:
            self.score[match.winner] += 1
        self.replay.return_to_present()
        self._notify()

    def change_players(self, setup: Setup) -> None:
        """Continue the game with the players of a setup.

        Start a new game if the setup has other rules or another first side, or the game is over.
        """
        match, before = self.match, self.setup
        goes_on = setup.rules == before.rules and setup.starting == before.starting
        if match.over or not goes_on:
            self.new_game(setup)
        else:
            self.new_game(setup, state=match.start, moves=[move.number for move in match.history])

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters to choose from; none if each side has its own."""
        return letters(self.state.rules)

    @property
    def letter(self) -> str:
        """The chosen letter to place, which holds until another choice."""
        known = not self.letters or self._letter in self.letters
        return self._letter if known else self.letters[0]

    def choose(self, letter: str) -> None:
        """Set the letter to place."""
        if letter in self.letters:
            self._letter = letter
            self._notify()

    def play_cell(self, cell: int, ply: int | None = None) -> Move:
        """Make a person's move in a cell; see `place`.

        Under gravity the mark falls; in games with a choice its letter is `letter`.
        """
        return self.place(move_at(self.state, cell, self.letter), ply)

    def place(self, number: int, ply: int | None = None) -> Move:
        """Make a person's move.

        Args:
            number: the number of the move, in plain games the cell.
            ply: the `Match.ply` on the screen, if that may lag behind.

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
        """Make a computer's move, if the game is still in the state of the query.

        Args:
            state: the state that it was asked about, the same object.

        Returns:
            whether the move was made; after an undo or a new game it is dropped.
        """
        if self.thinker is None or state is not self.state:
            return False
        self.match.submit(state.current_mark, number)
        self._moved_on()
        return True

    def fail(self, state: GameState, problem: BrainError) -> bool:
        """Record why a computer cannot move; the game waits for a person's action.

        Args:
            state: the state that it was asked about, the same object.

        Returns:
            whether the game is still in that state; otherwise the problem is dropped.
        """
        if self.thinker is None or state is not self.state:
            return False
        self.problem = problem
        return True

    def take_back(self) -> list[Move]:
        """Undo to a person's turn, and return the undone moves, the oldest first."""
        winner, was_counted = self.match.winner, self.match.over and not self._opened_over
        taken = self.match.take_back(self.people)
        if was_counted:
            self.score[winner] -= 1
        self._opened_over = False
        self.replay.return_to_present()
        self._notify()
        return taken

    def play_again(self) -> list[Move]:
        """Redo to a person's turn, and return the redone moves."""
        played = self.match.play_again(self.people)
        self.replay.return_to_present()
        self._moved_on()
        return played

    def overrule_coach(self) -> None:
        """Let the computer answer the move that the coach objects to."""
        if self.coach.objection is not None:
            self._notify()

    def resign(self) -> None:
        """Resign for the person to move, or for the only person at a computer's turn.

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
        """Return a random generator for one query, which may run in another thread."""
        return random.Random(self.rng.getrandbits(64))

    def _first_state(self) -> GameState:
        starting = self.setup.starting
        mark = self.rng.choice(MARKS) if starting == RANDOM else Mark(starting)
        rules = self.setup.rules
        return GameState.new(rules, MARKS[beginner(rules, mark.side)])

    def _moved_on(self) -> None:
        if self.match.over and self.task is None:
            self.score[self.match.winner] += 1
        self._notify()

    def _notify(self) -> None:
        self.changes += 1
        self.problem = None
        self.remark = ""
        self.coach.objection = None
        self.on_change()


class Offer(NamedTuple):
    """The next game, against a computer of another level.

    Attributes:
        level: of `LEVELS`.
        setup: the same game at that level.
    """

    level: str
    setup: Setup


#: After this number of losses against one level, and no win, an easier level is offered.
PATIENCE = 3


def offer_after(table: Table) -> Offer | None:
    """Return the next level after a person's win against a computer, if there is one."""
    level = dict(pairwise(LEVELS)).get(opponent_in(table.setup))
    return _offer(table, level) if table.outcome == "win" else None


def easier_after(table: Table) -> Offer | None:
    """Return the level below after `PATIENCE` losses without a win, if there is one."""
    if table.person is None or table.outcome != "loss":
        return None
    lost, won = table.score[table.person.other], table.score[table.person]
    below: dict[str, str] = dict(pairwise(reversed(LEVELS)))
    level = below.get(opponent_in(table.setup))
    return _offer(table, level) if lost >= PATIENCE and not won else None


def _offer(table: Table, level: str | None) -> Offer | None:
    return None if level is None else Offer(level, with_opponent(table.setup, level))
