"""Looking back at a game: its moves step by step, as a film, in a list, and judged by a review."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.game.evaluate import Fault, ReviewedMove, agreeing
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation

from ..words.explanation_text import SEEKING_WHY, why_sentences
from ..words.review_text import (
    SIGNS_LEGEND,
    describe_certainty,
    describe_fault,
    describe_line,
    describe_progress,
    describe_review,
)
from ..words.rules_text import LETTERED, Drawn
from ..words.translation import N_
from .queries import Ask, ExplainMove, ReviewMove, ValueState
from .table import Replay, Table

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

#: Seconds between two steps of the film.
STEP_SECONDS = 0.8


class Autoplay:
    """Steps through the game at a table until its last move.

    It stops when people step themselves, or the game changes.

    Args:
        show: called after every step, start and stop.
        later: calls back after `STEP_SECONDS`.
    """

    def __init__(
        self,
        table: Table,
        show: Callable[[], object],
        later: Callable[[Callable[[], object]], object],
    ) -> None:
        self.is_running = False
        self._table = table
        self._show = show
        self._later = later
        self._expected = (0, 0)
        self._run = 0

    def toggle(self) -> None:
        """Start or stop; after the last position start from the first one."""
        table = self._table
        table.remark = ""
        if self.is_running:
            self.stop()
        elif table.match.ply:
            if table.replay.ply is None:
                table.replay.show(table.match, 0)
            self.is_running = True
            self._run += 1
            self._wait()
        self._show()

    def stop(self) -> None:
        """Stay at the shown position."""
        self.is_running = False

    def _wait(self) -> None:
        run = self._run
        self._expected = self._place
        self._later(lambda: self._step(run))

    @property
    def _place(self) -> tuple[int, int]:
        table = self._table
        return table.changes, table.replay.moment(table.match)

    def _step(self, run: int) -> None:
        if not self.is_running or run != self._run:
            return
        table = self._table
        if self._place == self._expected:
            table.replay.show(table.match, self._expected[1] + 1)
            self.is_running = table.replay.ply is not None
        else:
            self.is_running = False
        if self.is_running:
            self._wait()
        self._show()


#: Why a click on a past position makes no move.
LOOKING_BACK = N_("You are looking back; go to the end to play on.")


def describe_past(match: Match, replay: Replay, language: NullTranslations) -> str:
    """Return a sentence about the shown past position."""
    message = language.gettext("Looking back: after move {count} of {total}.")
    return message.format(count=replay.moment(match), total=match.ply)


def check_present(table: Table) -> None:
    """Refuse a move while a past position is shown.

    Raises:
        InvalidMove: people look back.
    """
    if table.replay.ply is not None:
        raise InvalidMove(LOOKING_BACK, "looking_back")


class LookingBack:
    """Stepping through the game at a table, its film, its review and the reasons of its moves.

    A complete review shows the first mistake, unless people have stepped on their own meanwhile.
    The reason of a mistake is looked for when it is shown.

    Args:
        later: see `Autoplay`.

    Attributes:
        changes: the number of changes to show so far.
    """

    def __init__(
        self,
        table: Table,
        ask: Ask,
        show: Callable[[], object],
        later: Callable[[Callable[[], object]], object],
    ) -> None:
        self.changes = 0
        self.film = Autoplay(table, self._changed, later)
        self.review = Review(table, ask, self._reviewed)
        self._table = table
        self._ask = ask
        self._show = show
        self._whys: dict[tuple[GameState, int], Explanation] = {}
        self._asked: tuple[GameState, int] | None = None  # the newest query
        self._wanted: Move | None = None  # by `explain`
        self._start: int | None = None  # the ply at the start of a review that is not complete

    @property
    def may_review(self) -> bool:
        """Whether the game can be reviewed and its review has not started."""
        self.review.refresh()
        return self.review.possible and not self.review.is_on

    @property
    def has_fault(self) -> bool:
        """Whether the move before the shown position is a fault according to the review."""
        return self._moment in self.review.signs

    @property
    def has_persons_fault(self) -> bool:
        """Whether that fault is a person's, who may try another move."""
        history = self._table.match.history
        return self.has_fault and history[self._moment - 1].player in self._table.people

    @property
    def better(self) -> tuple[int, ...]:
        """The best moves instead of the shown fault, if known."""
        return self.review.moves[self._moment].better if self.has_fault else ()

    @property
    def why(self) -> Explanation | None:
        """The explanation of the move before the shown position, if that is told."""
        shown = self._shown
        is_told = self.has_fault or shown is self._wanted
        return self._whys.get(_key(shown)) if shown is not None and is_told else None

    @property
    def written(self) -> dict[int, str]:
        """The signs in empty cells for what is told of that move; see `Advice.written`."""
        return {} if self.why is None else dict(self.why.marks().written)

    @property
    def may_explain(self) -> bool:
        """Whether a move led to the shown position, and no review is looking for faults."""
        return self._shown is not None and (self.review.is_complete or not self.review.is_on)

    def explain(self) -> None:
        """Find out why the move before the shown position is good or bad."""
        self._table.remark = ""
        if self._shown is not None and self.may_explain:
            self._wanted = self._shown
            self._send_why(self._shown)
        self._changed()

    def start_review(self) -> None:
        """Review the finished game, unless the review has started."""
        self._table.remark = ""
        if not self.review.is_on:
            self._start = self._moment
        self.review.start()
        self._changed()

    def show_ply(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.film.stop()
        self._table.remark = ""
        self._table.replay.show(self._table.match, ply)
        self._changed()

    def step(self, name: str) -> None:
        """Make a step of `Replay.steps`, if possible."""
        ply = self._table.replay.steps(self._table.match).get(name)
        if ply is not None:
            self.show_ply(ply)

    def step_to_fault(self, direction: int) -> None:
        """Show the nearest mistake before (-1) or after (1) the shown position."""
        ply = self.fault(direction)
        if ply is not None:
            self.show_ply(ply)

    def play_on(self) -> None:
        """Start a game from the shown position, or from the one before a fault of one's own."""
        if self._table.replay.ply is not None:
            self.film.stop()
            play_on(self._table, self._table.match, self._moment - self.has_persons_fault)

    def describe(
        self, language: NullTranslations, drawn: Drawn = LETTERED, *, legend: bool = True
    ) -> list[str]:
        """Describe the review's findings about the shown position, or about the whole game.

        Args:
            legend: explain the signs after moves as well.
        """
        review = self.review
        review.refresh()
        why = self.why
        if self.has_fault:
            move = review.moves[self._moment]
            person = self._table.person
            fault = describe_fault(self._moment, move, language, person, drawn, why)
            return [*filter(None, [fault, describe_line(move, language, drawn)])]
        if self._shown is not None and self._shown is self._wanted:
            return why_sentences(why, language, drawn) if why else [language.gettext(SEEKING_WHY)]
        if not review.is_on:
            return []
        if not review.is_complete:
            return [describe_progress(*review.progress, language)]
        moves = review.moves
        sentences = [
            describe_review(moves, language, drawn),
            describe_certainty(moves.values(), language),
        ]
        is_told = legend and review.signs
        return [*sentences, *([language.gettext(SIGNS_LEGEND)] if is_told else [])]

    def _reviewed(self) -> None:
        """Show the progress of the review, and at its end the first mistake."""
        review = self.review
        if review.is_complete and review.first_fault is not None and self._start == self._moment:
            self._table.replay.show(self._table.match, review.first_fault)
        if review.is_complete or not review.is_on:
            self._start = None
        self._changed()

    def _changed(self) -> None:
        move = self.review.moves.get(self._moment)
        is_thrown = move is not None and move.is_turning_point and move.is_proved
        if move and is_thrown and self._shown and self.may_explain:
            self._send_why(self._shown, explaining(move))
        self.changes += 1
        self._show()

    def _send_why(self, move: Move, values: tuple[MoveEvaluation, ...] = ()) -> None:
        """Ask why a move is good or bad, unless that is known or the newest query."""
        key = _key(move)

        def done(answer: Explanation) -> None:
            self._whys[key] = answer
            self.changes += 1
            self._show()

        if key not in self._whys and key != self._asked:
            self._asked = key
            self._ask(ExplainMove(*key, values), done)

    @property
    def _moment(self) -> int:
        return self._table.replay.moment(self._table.match)

    @property
    def _shown(self) -> Move | None:
        """The move before the shown position."""
        moment = self._moment
        return self._table.match.history[moment - 1] if moment else None

    def fault(self, direction: int) -> int | None:
        """Return the ply of the nearest mistake before (-1) or after (1) the shown position."""
        self.review.refresh()
        faults, here = self.review.signs, self._moment
        beyond = [ply for ply in faults if (ply - here) * direction > 0]
        return min(beyond, key=lambda ply: abs(ply - here), default=None)


def explaining(move: ReviewedMove) -> tuple[MoveEvaluation, ...]:
    """Return the values of moves that a review knows, for the explanation of a fault."""
    better = (MoveEvaluation(each, move.before) for each in move.better)
    return (MoveEvaluation(move.number, move.after), *better)


def _key(move: Move) -> tuple[GameState, int]:
    return move.before_state, move.number


#: The signs of faults, as in chess records.
SIGNS: Mapping[Fault, str] = {Fault.SLOWER: "?!", Fault.MISTAKE: "?", Fault.BLUNDER: "??"}


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
        values: the evaluations of the positions by their ply, each for the side to move there.
    """

    def __init__(
        self, table: Table, ask: Ask, changed: Callable[[], object] = lambda: None
    ) -> None:
        self.moves: dict[int, ReviewedMove] = {}
        self.values: dict[int, Evaluation] = {}
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

    @property
    def first_fault(self) -> int | None:
        """The ply of the first fault, if any; people's own and grave ones go before others."""
        match, people = self._table.match, self._table.people
        return min(
            self.signs,
            key=lambda ply: (
                self.moves[ply].fault is Fault.SLOWER,
                match.history[ply - 1].player not in people,
                ply,
            ),
            default=None,
        )

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

    def _turns(self, ply: int) -> bool:
        return self.moves[ply].is_turning_point

    def _is_current(self) -> bool:
        match = self._table.match
        return self._match is match and match.ply == self._ply and match.over

    def _reset(self) -> None:
        self._match, self._ply, self._after = None, 0, None
        self.moves, self.values = {}, {}
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
                self._record_value(value)

        def reviewed(move: ReviewedMove) -> None:
            if question == self._question:
                self.moves[ply] = move
                self._let_agree(ply)
                self._record_value(move.before)

        ply = self._ply - len(self.moves)
        if self._after is None:
            self._ask(ValueState(match.state), valued)
        else:
            move = match.history[ply - 1]
            self._ask(ReviewMove(move.before_state, move.number, self._after), reviewed)

    def _let_agree(self, ply: int) -> None:
        """Judge the moves after one again that has proved what was estimated of their states."""
        while (later := self.moves.get(ply + 1)) is not None:
            agreed = agreeing(later, self.moves[ply])
            if agreed is later:
                return
            self.moves[ply + 1], self.values[ply] = agreed, agreed.before
            ply += 1

    def _record_value(self, value: Evaluation) -> None:
        """Record the value of a state, and go on with the move before it."""
        self._after, self._is_waiting = value, False
        self.values[self._ply - len(self.moves)] = value
        self._changed()
        self._go_on()


class ValuePoint(NamedTuple):
    """A point in the graph of a game's value.

    Attributes:
        ply: the number of moves before the position.
        share: the expectation of X from 0 for a loss to 1 for a win.
        is_exact: whether that is proved.
        is_fault: whether the move before the position is a fault.
    """

    ply: int
    share: float
    is_exact: bool
    is_fault: bool


def value_graph(review: Review, match: Match) -> tuple[ValuePoint, ...]:
    """Return the graph of a game's value as far as the game is reviewed, ascending."""
    signs, points = review.signs, list[ValuePoint]()
    for ply, value in sorted(review.values.items()):
        side = (match.history[ply - 1].after_state if ply else match.start).current_mark.side
        share = value.expectation if side == 0 else 1 - value.expectation
        points.append(ValuePoint(ply, share, value.outcome != "open", ply in signs))
    return tuple(points)


def play_on(table: Table, match: Match, ply: int) -> None:
    """Start a new game at a table from a position of another game.

    Args:
        ply: the number of its moves to repeat.
    """
    start = match.start
    setup = table.setup._replace(rules=start.rules, starting=start.starting_mark.value)
    table.new_game(setup, state=start, moves=[move.number for move in match.history[:ply]])


class ListedMove(NamedTuple):
    """A move in a list.

    Attributes:
        ply: the number of moves up to and including this one.
        name: the move as players write it.
        letter: the side's letter for a line of text; empty if sides have other names.
        current: whether the screen shows the position after it.
    """

    ply: int
    mark: Mark
    name: str
    current: bool = False
    letter: str = ""

    def __str__(self) -> str:
        """Return the move with its mark, as ``X B2``, or ``OB2`` if the mover chose the letter."""
        return f"{self.letter} {self.name}".lstrip()


class Row(NamedTuple):
    """A line of the list: its number and a move of each side, or ``None``."""

    number: int
    first: ListedMove | None
    second: ListedMove | None


def replayed(state: GameState, numbers: Iterable[int]) -> list[Move]:
    """Return the moves of these numbers from a state, in order.

    Raises:
        InvalidMove: a move is illegal.
    """
    moves: list[Move] = []
    for number in numbers:
        moves.append(state.make_move_to(number))
        state = moves[-1].after_state
    return moves


def list_of_moves(moves: Iterable[Move], shown: int | None = None) -> list[ListedMove]:
    """Return the moves of a game.

    Args:
        shown: the number of moves before the position on the screen.
    """
    return [_listed(ply, move, ply == shown) for ply, move in enumerate(moves, start=1)]


def _listed(ply: int, move: Move, current: bool) -> ListedMove:
    state, player = move.before_state, move.player
    side = traits_of(state.rules).sides[player.side]
    letter = side if side == player else ""
    return ListedMove(ply, player, move_name(state, move.number), current, letter)


def rows_of(match: Match, shown: int | None = None) -> list[Row]:
    """Return the moves in lines of one move of each side, the side that began first.

    Args:
        shown: the number of moves before the position on the screen.
    """
    entries: list[ListedMove | None] = [*list_of_moves(match.history, shown)]
    if entries and match.history[0].player is not match.start.starting_mark:
        entries.insert(0, None)
    if len(entries) % 2:
        entries.append(None)
    pairs = zip(entries[::2], entries[1::2])
    return [Row(number, *pair) for number, pair in enumerate(pairs, start=1)]


def in_a_line(moves: Iterable[Move]) -> str:
    """Return moves in one line, as ``X B2, O A1``."""
    return ", ".join(map(str, list_of_moves(moves)))
