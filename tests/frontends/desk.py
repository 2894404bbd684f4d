"""What tests of games at a table share: a person at the console, later answers, quick answers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from gettext import NullTranslations
from typing import Any, NamedTuple, cast

import pytest

from tests.frontends.programs import CLEAR, without_escapes
from tic_tac_toe.game.evaluate import Fault, ReviewedMove
from tic_tac_toe.insight.explain import Explanation
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe_frontends.console.cli import parse_args, play
from tic_tac_toe_frontends.console.players import ConsolePlayer
from tic_tac_toe_frontends.console.renderers import ConsoleRenderer
from tic_tac_toe_frontends.console.session import Session
from tic_tac_toe_frontends.program.terminal import Terminal
from tic_tac_toe_frontends.table.queries import (
    AnalyseMoves,
    ChooseMove,
    ExplainMove,
    FindHint,
    MoveValues,
    ReviewMove,
    ValueState,
)
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.words.rules_text import HUMAN

#: Two people play.
PEOPLE = Setup(x=HUMAN, o=HUMAN)


class Desk:
    """A plain terminal with lines typed beforehand."""

    def __init__(self, *lines: str, language: NullTranslations | None = None) -> None:
        self._stdout = io.StringIO()
        typed = io.StringIO("".join(f"{line}\n" for line in lines))
        self.terminal = Terminal(typed, self._stdout, {})
        self.renderer = ConsoleRenderer(self.terminal, language)

    @property
    def said(self) -> str:
        """Everything that was shown."""
        return self._stdout.getvalue()

    @property
    def answers(self) -> list[str]:
        """What was said after each prompt, which is left out."""
        return [part.strip() for part in re.split("[XO]'s move:\n", self.said)[1:]]

    def person(self, mark: Mark) -> ConsolePlayer:
        """Return a player who types here."""
        return ConsolePlayer(mark, self.terminal, self.renderer.language, self.renderer)

    def session(
        self, start: GameState | None = None, cells: Iterable[int] | None = None
    ) -> Session:
        """Return a game of X at this desk against O, who plays the cells, or is a person too."""
        start, answers = start or GameState.new(), iter(cells or ())
        setup = Setup(start.rules, o=HUMAN if cells is None else "random")
        table = Table(setup, state=start)
        return Session(table, self.renderer, lambda _query, done: done(cast("Any", next(answers))))


class Later:
    """Queries that are answered when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, Callable[[Any], object]]] = []

    def ask(self, query: Any, done: Callable[[Any], object]) -> None:
        self.asked.append((query, done))

    def answer(self, number: int = -1) -> None:
        query, done = self.asked[number]
        done(query())


def table_after(*cells: int, setup: Setup = PEOPLE) -> Table:
    """Return a table at which people have played cells."""
    table = Table(setup)
    for cell in cells:
        table.place(cell)
    return table


def played(*arguments: str, typed: str = "") -> str:
    """Return what the console says in a game with these arguments, played in this process."""
    stdout = io.StringIO()
    args = parse_args(arguments)
    assert play(args, Terminal(io.StringIO(typed), stdout, {}, plain=args.plain)) == 0
    return stdout.getvalue()


class FakeScreen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Seen(NamedTuple):
    """What a person saw on a screen, and how the program ended there."""

    status: int
    written: str

    @property
    def pages(self) -> list[str]:
        """What stood on the screen each time before it was cleared, and in the end."""
        return [without_escapes(page) for page in self.written.split(CLEAR)[1:]]

    def tells(self, *texts: str) -> None:
        """See that texts were written, one after the other."""
        at = 0
        for text in texts:
            found = self.written.find(text, at)
            assert found >= 0, f"{text!r} did not come after: {self.written[:at]!r}"
            at = found + len(text)


def seen(*arguments: str, typed: Iterable[str] = (), size: tuple[int, int] = (80, 24)) -> Seen:
    """Return what is seen of games at the console on a screen, played in this process.

    Args:
        typed: the lines that are typed.
        size: the columns and lines of the screen.
    """
    keyboard, screen = FakeScreen("".join(f"{line}\n" for line in typed)), FakeScreen()
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LANGUAGE", raising=False)
        for name, value in zip(("LC_ALL", "COLUMNS", "LINES"), ("C.UTF-8", *map(str, size))):
            patch.setenv(name, value)
        args = parse_args(arguments)
        status = play(args, Terminal(keyboard, screen, {"TERM": "xterm"}, plain=args.plain))
    return Seen(status, screen.getvalue())


def answer_soon(query: Any) -> Any:
    """Answer a query; about a board of more than nine cells without thought."""
    state = query.state
    if state.rules.shape.cells <= 9:
        return query()
    if isinstance(query, ChooseMove):
        return state.legal_cells[0]
    likely, unlikely = Evaluation(chance=0.6), Evaluation(chance=0.4)
    if isinstance(query, ValueState):
        return unlikely
    if isinstance(query, ReviewMove):
        fault = Fault.MISTAKE if state.position.marks % 3 == 0 else None
        return ReviewedMove(state, query.number, likely, unlikely, fault)
    if isinstance(query, ExplainMove):
        return Explanation(state, query.move, likely, unlikely)
    if isinstance(query, FindHint):
        return likely._replace(best=tuple(state.legal_cells[:3]), depth=1)
    if isinstance(query, AnalyseMoves):
        return MoveValues(tuple(MoveEvaluation(move, Evaluation()) for move in state.legal_moves))
    return None
