"""Looking back at a game on any screen: step by step, as a film, and from mistake to mistake."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from ..words.review_text import (
    SIGNS_LEGEND,
    describe_certainty,
    describe_fault,
    describe_line,
    describe_progress,
    describe_review,
)
from .autoplay import Autoplay
from .queries import Ask
from .review import Review, play_on
from .table import Table

#: The steps through the moves, of `Replay.steps`.
STEPS = ("first", "back", "on", "last")


class LookingBack:
    """What people do with the moves of the game at a table, besides making them.

    Args:
        ask: how a review finds what moves were worth.
        show: shows the table after every change.
        later: see `Autoplay`.

    Attributes:
        film: shows the moves one after the other.
        review: what the moves of the finished game were worth.
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
        """Whether each command does something now, by its name."""
        table = self._table
        self.review.look()
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
        """Whether the move that led to the position on the screen is under review as a fault."""
        return self._moment in self.review.signs

    @property
    def has_own_fault(self) -> bool:
        """Whether that move was a person's, who can try another one instead."""
        history = self._table.match.history
        return self.has_fault and history[self._moment - 1].player in self._table.people

    @property
    def better(self) -> tuple[int, ...]:
        """The best moves instead of the fault that is shown, if it is one and they are known."""
        return self.review.moves[self._moment].better if self.has_fault else ()

    def start_review(self) -> None:
        """Review the finished game, unless that has been begun."""
        self._table.remark = ""
        self.review.start()
        self._show()

    def look(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.film.stop()
        self._table.remark = ""
        self._table.replay.show(self._table.match, ply)
        self._show()

    def step(self, name: str) -> None:
        """Make a step of `STEPS`, if it leads somewhere."""
        ply = self._table.replay.steps(self._table.match).get(name)
        if ply is not None:
            self.look(ply)

    def step_to_fault(self, direction: int) -> None:
        """Show the nearest mistake before (-1) or after (1) the position on the screen."""
        ply = self._fault(direction)
        if ply is not None:
            self.look(ply)

    def play_on(self) -> None:
        """Begin a game from the position on the screen; after an own fault from the one before."""
        if self._table.replay.ply is not None:
            self.film.stop()
            play_on(self._table, self._table.match, self._moment - self.has_own_fault)

    def tell(self, language: NullTranslations, *, legend: bool = True) -> list[str]:
        """Return what the review says of the position on the screen, or of the whole game.

        Args:
            legend: say with the latter what the signs behind moves mean.
        """
        review = self.review
        review.look()
        if not review.is_on:
            return []
        if self.has_fault:
            move = review.moves[self._moment]
            person = self._table.person
            fault = describe_fault(self._moment, move, language, person)
            return [*filter(None, [fault, describe_line(move, language)])]
        if not review.is_complete:
            return [describe_progress(*review.progress, language)]
        moves = review.moves
        told = [
            describe_review(moves, language),
            describe_certainty(moves.values(), language),
        ]
        is_told = legend and review.signs
        return [*told, *([language.gettext(SIGNS_LEGEND)] if is_told else [])]

    @property
    def _moment(self) -> int:
        return self._table.replay.moment(self._table.match)

    def _fault(self, direction: int) -> int | None:
        """Return the nearest move with a fault in a direction."""
        faults, here = self.review.signs, self._moment
        beyond = [ply for ply in faults if (ply - here) * direction > 0]
        return min(beyond, key=lambda ply: abs(ply - here), default=None)
