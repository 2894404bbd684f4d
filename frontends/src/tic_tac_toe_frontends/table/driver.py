"""The game loop of a table: it shows every change, and asks for the computers' moves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.game.engine import Turn, TurnLoop
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.limits import Progress
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark

from .advice import Advice
from .queries import Ask, ChooseMove, ExplainMove
from .table import Table

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

#: The pause before a computer's move while a person watches, in seconds.
DELAY_SECONDS = 0.25


class Seat(NamedTuple):
    """A seat at the table; the table's setup names its player."""

    mark: Mark


class Screen(Renderer):
    """Shows the table, whose state it reads itself."""

    def __init__(self, show: Callable[[], object]) -> None:
        self._show = show

    def render(self, game_state: GameState) -> None:
        """Show the table."""
        self._show()


class Driver:
    """Plays one game after the other at a table.

    People move, undo and start new games by calling the table; the driver shows every change, and
    asks for a computer's move at its turn. Late answers about an earlier state are dropped.

    Args:
        show: called after every change of the table, its advice or its remark.
        pause: calls its argument back, perhaps after a pause, before each query for a move.
        for_watchers: see `Advice`.
    """

    def __init__(
        self,
        table: Table,
        show: Callable[[], object],
        ask: Ask,
        pause: Callable[[Callable[[], object]], object] = lambda go_on: go_on(),
        *,
        for_watchers: bool = False,
    ) -> None:
        self.advice = Advice(table, ask, show, for_watchers=for_watchers)
        self._table = table
        self._show = show
        self._loop = TurnLoop(Seat(Mark.CROSS), Seat(Mark.NAUGHT), Screen(self._changed))
        self._ask = ask
        self._pause = pause
        self._turns: Generator[Turn[Seat], GameState | InvalidMove | None, GameState] | None = None
        self._changes = -1
        self._is_going_on = False
        self._has_stopped = False
        self._query: ChooseMove | None = None

    @property
    def progress(self) -> Progress | None:
        """The progress of the computer's search; ``None`` while there is none.

        Another thread may change it: a screen polls it.
        """
        query = self._thought
        return None if query is None else query.callback.progress or Progress()

    def move_now(self) -> bool:
        """End the computer's search, so that it plays the best move so far.

        Returns:
            whether there was a search.
        """
        query = self._thought
        if query is not None:
            query.callback.stop()
        return query is not None

    @property
    def _thought(self) -> ChooseMove | None:
        query = self._query
        is_asked = query is not None and query.state is self._table.state
        return query if is_asked and self._table.thinker and not self._table.problem else None

    def switch_coach(self) -> None:
        """Switch the table's coach on or off; off, it objects to nothing."""
        table = self._table
        table.remark = ""
        table.coach.is_on = not table.coach.is_on
        self._show_advice()
        table.overrule_coach()

    def go_on_without_coach(self) -> None:
        """Let the computer answer a move that the coach cannot judge."""
        self._table.coach.judge(self._table.state, None)
        self._ask_computer()

    def start(self) -> None:
        """Show the table, and follow its changes from now on."""
        self._table.on_change = self.go_on
        self.go_on()

    def stop(self) -> None:
        """Show nothing and make no moves any more, even during a search."""
        self._has_stopped = True
        self._table.on_change = lambda: None
        self.advice.reset()

    def go_on(self) -> None:
        """Show the table if it has changed, and ask for a computer's move at its turn.

        If ``ask`` answers before it returns, this returns at a person's turn or at the end of the
        game.
        """
        if self._is_going_on:
            return
        self._is_going_on = True
        try:
            while self._changes != self._table.changes and not self._has_stopped:
                self._changes = self._table.changes
                self._step()
                if self._changes == self._table.changes:
                    self._ask_computer()
        finally:
            self._is_going_on = False

    def _changed(self) -> None:
        self.advice.refresh()
        self._show()

    def _step(self) -> None:
        turns, self._turns = self._turns, None
        try:
            if turns is None:
                turns = self._loop.turns(self._table.state)
                next(turns)
            else:
                turns.send(self._table.state)
        except StopIteration:  # the game is over; the next change starts a new loop
            return
        self._turns = turns

    def _ask_computer(self) -> None:
        table, changes = self._table, self._changes
        if table.thinker is None:
            return
        if coached := table.coach.query(table.match, table.person):
            self._ask_coach(coached)
            return
        query = ChooseMove(table.state, table.thinker, table.new_rng(), table.opponents)

        def think() -> None:
            if changes == table.changes and not self._has_stopped:
                self._query = query
                self._ask(query, answer)

        def answer(found: int | BrainError) -> None:
            if self._has_stopped:
                return
            if self._query is query:
                self._query = None
            if isinstance(found, int):
                table.answer(query.state, found)
            elif table.fail(query.state, found):
                self._show()

        self._pause(think)

    def _ask_coach(self, query: ExplainMove) -> None:
        """Ask for the computer's move unless the coach objects to the person's."""
        table, changes = self._table, self._changes

        def judged(explanation: Explanation | None) -> None:
            if changes != table.changes or self._has_stopped:
                return
            table.coach.judge(table.state, explanation)
            if table.coach.objection is None:
                self._ask_computer()
            else:
                self._show_advice()

        self._ask(query, judged)

    def _show_advice(self) -> None:
        self.advice.changes += 1
        self._show()


#: The interval of `LongThought.poll`, and the time after which a search is long, in seconds.
POLL_SECONDS, LONG_SECONDS = 0.2, 0.8


class LongThought:
    """The progress of long searches only: screens show none of short ones.

    Attributes:
        progress: of a long search; ``None`` while there is none.
    """

    def __init__(self, driver: Driver) -> None:
        self.progress: Progress | None = None
        self._driver = driver
        self._seconds = 0.0

    @property
    def share(self) -> float | None:
        """The finished share of a long search, from 0 to 1; ``None`` while there is none."""
        return None if self.progress is None else self.progress.share

    def poll(self) -> bool:
        """Update after `POLL_SECONDS`; return whether a long search has begun or ended."""
        progress, was_long = self._driver.progress, self.progress is not None
        self._seconds = 0.0 if progress is None else self._seconds + POLL_SECONDS
        self.progress = progress if self._seconds >= LONG_SECONDS else None
        return was_long is not (self.progress is not None)
