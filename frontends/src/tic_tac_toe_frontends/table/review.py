"""The review of a finished game, move by move, without blocking the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from tic_tac_toe.game.evaluate import Fault, ReviewedMove
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import Evaluation

from .queries import Ask, ReviewMove, ValueState
from .table import Table

#: The signs of faults, as in chess records.
SIGNS: Mapping[Fault, str] = {Fault.SLOWER: "?!", Fault.MISTAKE: "?", Fault.BLUNDER: "??"}


class HasMatch(Protocol):
    """The subject of a review: a table, or anything else with a match."""

    @property
    def match(self) -> Match:
        """The present game."""


class Progress(NamedTuple):
    """The progress of a review in moves."""

    done: int
    total: int


class Review:
    """Evaluates the moves of a finished game, the last ones first.

    A new game or an undo ends the review.

    Args:
        changed: called after each change to show.

    Attributes:
        moves: the reviewed moves by their ply.
        chances: the expectation of X by ply, from 0 for a loss to 1 for a win.
    """

    def __init__(
        self, table: HasMatch, ask: Ask, changed: Callable[[], object] = lambda: None
    ) -> None:
        self.moves: dict[int, ReviewedMove] = {}
        self.chances: dict[int, float] = {}
        self._table = table
        self._ask = ask
        self._changed = changed
        self._match: Match | None = None
        self._ply = 0
        self._after: Evaluation | None = None
        self._question = 0  # the number of the last query
        self._is_waiting = False
        self._is_going_on = False

    @property
    def possible(self) -> bool:
        """Whether there is a finished game with moves to review."""
        match = self._table.match
        return match.over and match.ply > 0

    @property
    def is_on(self) -> bool:
        """Whether the review has started."""
        return self._match is not None

    @property
    def progress(self) -> Progress:
        """The progress in moves."""
        return Progress(len(self.moves), self._ply)

    @property
    def is_complete(self) -> bool:
        """Whether all moves have been reviewed."""
        return self.is_on and len(self.moves) == self._ply

    @property
    def points(self) -> dict[int, ReviewedMove]:
        """The turning points, in the order of the game."""
        return {ply: self.moves[ply] for ply in sorted(self.moves) if self._turns(ply)}

    @property
    def signs(self) -> dict[int, str]:
        """The signs of the faults by ply."""
        faults = {ply: move.fault for ply, move in self.moves.items()}
        return {ply: SIGNS[fault] for ply, fault in faults.items() if fault is not None}

    def start(self) -> None:
        """Review the game, unless that is impossible or has started."""
        if self.possible and not self._is_current():
            self._reset()
            self._match, self._ply = self._table.match, self._table.match.ply
            self._changed()
            self._go_on()

    def stop(self) -> None:
        """End the review, and drop its results."""
        if self.is_on:
            self._reset()
            self._changed()

    def refresh(self) -> None:
        """Drop the review of another game."""
        if self.is_on and not self._is_current():
            self._reset()

    def ask_again(self) -> None:
        """Repeat the running query, whose answer was dropped."""
        if self._is_waiting:
            self._is_waiting = False
            self._go_on()

    def _turns(self, ply: int) -> bool:
        return self.moves[ply].is_turning_point

    def _is_current(self) -> bool:
        match = self._table.match
        return self._match is match and match.ply == self._ply and match.over

    def _reset(self) -> None:
        self._match, self._ply, self._after = None, 0, None
        self.moves, self.chances = {}, {}
        self._question += 1
        self._is_waiting = False

    def _go_on(self) -> None:
        """Ask about one move after the other; a loop, because answers may come at once."""
        if self._is_going_on:
            return
        self._is_going_on = True
        try:
            while self._match is not None and not self._is_waiting and not self.is_complete:
                self._is_waiting = True
                self._question += 1
                self._ask_next(self._match, self._question)
        finally:
            self._is_going_on = False

    def _ask_next(self, match: Match, question: int) -> None:
        def valued(value: Evaluation) -> None:
            if question == self._question:
                self._record_value(match.state, value)

        def reviewed(move: ReviewedMove) -> None:
            if question == self._question:
                self.moves[ply] = move
                self._record_value(move.state, move.before)

        ply = self._ply - len(self.moves)
        if self._after is None:
            self._ask(ValueState(match.state), valued)
        else:
            move = match.history[ply - 1]
            self._ask(ReviewMove(move.before_state, move.number, self._after), reviewed)

    def _record_value(self, state: GameState, value: Evaluation) -> None:
        """Record the value of a state, and go on with the move before it."""
        self._after, self._is_waiting = value, False
        chance = value.expectation
        if state.current_mark.side != 0:
            chance = 1 - chance
        self.chances[self._ply - len(self.moves)] = chance
        self._changed()
        self._go_on()


def play_on(table: Table, match: Match, ply: int) -> None:
    """Start a new game at a table from a position of another game.

    Args:
        ply: the number of its moves to repeat.
    """
    start = match.start
    setup = table.setup._replace(rules=start.rules, starting=start.starting_mark.value)
    table.new_game(setup, state=start, moves=[move.number for move in match.history[:ply]])
