"""Looking back at a game: step by step, as a film, and from mistake to mistake."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidMove

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
from .queries import Ask
from .review import Review, play_on
from .table import Replay, Table

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


#: The steps through the moves, of `Replay.steps`.
STEPS = ("first", "back", "on", "last")


class LookingBack:
    """Stepping through the game at a table, its film and its review.

    Args:
        later: see `Autoplay`.
    """

    def __init__(
        self,
        table: Table,
        ask: Ask,
        show: Callable[[], object],
        later: Callable[[Callable[[], object]], object],
    ) -> None:
        self.film = Autoplay(table, show, later)
        self.review = Review(table, ask, show)
        self._table = table
        self._show = show

    @property
    def possible(self) -> dict[str, bool]:
        """Whether each command has an effect now, by its name."""
        table = self._table
        self.review.refresh()
        steps = table.replay.steps(table.match)
        return {
            **{name: name in steps for name in STEPS},
            "film": table.match.ply > 0,
            "review": self.review.possible and not self.review.is_on,
            "fault-back": self._fault(-1) is not None,
            "fault-on": self._fault(1) is not None,
            "play-on": table.replay.ply is not None,
        }

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

    def start_review(self) -> None:
        """Review the finished game, unless the review has started."""
        self._table.remark = ""
        self.review.start()
        self._show()

    def show_ply(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.film.stop()
        self._table.remark = ""
        self._table.replay.show(self._table.match, ply)
        self._show()

    def step(self, name: str) -> None:
        """Make a step of `STEPS`, if possible."""
        ply = self._table.replay.steps(self._table.match).get(name)
        if ply is not None:
            self.show_ply(ply)

    def step_to_fault(self, direction: int) -> None:
        """Show the nearest mistake before (-1) or after (1) the shown position."""
        ply = self._fault(direction)
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
        if not review.is_on:
            return []
        if self.has_fault:
            move = review.moves[self._moment]
            person = self._table.person
            fault = describe_fault(self._moment, move, language, person, drawn)
            return [*filter(None, [fault, describe_line(move, language, drawn)])]
        if not review.is_complete:
            return [describe_progress(*review.progress, language)]
        moves = review.moves
        sentences = [
            describe_review(moves, language, drawn),
            describe_certainty(moves.values(), language),
        ]
        is_told = legend and review.signs
        return [*sentences, *([language.gettext(SIGNS_LEGEND)] if is_told else [])]

    @property
    def _moment(self) -> int:
        return self._table.replay.moment(self._table.match)

    def _fault(self, direction: int) -> int | None:
        faults, here = self.review.signs, self._moment
        beyond = [ply for ply in faults if (ply - here) * direction > 0]
        return min(beyond, key=lambda ply: abs(ply - here), default=None)
