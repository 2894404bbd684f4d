"""A game on any screen, as the person before it sees and plays it: what every driver offers."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_place
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import letters
from tic_tac_toe_frontends.table.table import Table


class Place(NamedTuple):
    """Where scenarios are played.

    Attributes:
        needs: the programs and packages that it takes.
        marks: the layer of its scenarios, where it is not the quick one.
    """

    needs: tuple[str, ...] = ()
    marks: tuple[pytest.MarkDecorator, ...] = ()


#: The screens; the fixture of each is called after it: ``sit_at_console``.
SCREENS = {
    "console": Place(),
    "window": Place(("tkinter", "Xvfb")),
    "full_screen": Place(marks=(pytest.mark.medium,)),
    "notebook": Place(),
    # The page is one for all tests of it.
    "page": Place(("chromium", "node", "npm"), (pytest.mark.xdist_group("browser"),)),
}

#: The names of commands in `COMMANDS` that scenarios call otherwise.
COMMAND_NAMES = {
    "new": "new-game",
    "next": "next-level",
    "now": "move-now",
    **{step: f"replay-{step}" for step in ("first", "back", "on", "last")},
}

REPEATING = 3 * "A1 B1 A2 B2 C3 A3 "
#: A game of each family: its name, its moves, and what is told at the end.
WHOLE_GAMES = [
    ("misere-tic-tac-toe", "A1 B2 A2 C3 A3", "O wins"),
    ("wild", "XB2 OA1 XC1 XA3", "Player 2 wins"),
    ("misere-wild", "XB2 OA1 XC1 XA3", "Player 1 wins"),
    ("vanishing-reuse", REPEATING, "A draw: this position has come 3 times."),
    ("vanishing-late", "A1 C2 B1 C3 A3 A2 C1", "Decided by A1, B1, C1."),
    ("notakto-2", "A1 B1 C1 D1 E2 F3", "Player 1 wins"),
    ("order-and-chaos:3,3,3", "XB2 OA1 XC1 XA3", "Order wins"),
    ("qubic", "1A1 1A2 2A1 2A2 3A1 3A2 4A1", "Decided by 1A1, 2A1, 3A1, 4A1."),
    ("score-four", "A1 A2 A1 A2 A1 A2 A1", "Decided by 1A1, 2A1, 3A1, 4A1."),
    ("mnk:4,4,3,torus", "B1 B2 A1 C2 D1", "Decided by A1, B1, D1."),
    ("connect-four,pie", "4 swap 3 4 3 4 3 4", " wins"),
    ("mnk:5,5,4,gravity,wild", "X1 O2 X1 O2 X1 O2 X1", "Player 1 wins"),
    ("gomoku", "A1 A2 B1 B2 C1 C2 D1 D2 E1", "Decided by A1, B1, C1, D1, E1."),
]


class Screen(Protocol):
    """A person before a screen.

    Whatever the person does is done when a verb returns; a computer that is not held has moved by
    then. What is found beside the game (hints, values, a review) may come later: see `tells`.
    Sentences are English unless the game is begun in another language.
    """

    @property
    def told(self) -> str:
        """All that is said of the game now, in a row: whose turn it is, the last move, remarks."""

    @property
    def marks(self) -> str:
        """What is in the cells of the shown position, in reading order, a blank for each empty one.

        Marks are capital letters, also those that leave next.
        """

    @property
    def moves(self) -> list[str]:
        """The moves so far, as they are listed, without the side: ``B2``, ``4``, ``OB2``."""

    @property
    def score(self) -> str:
        """The score in words, as in ``You 1 : 0 Easy``"""

    @property
    def values(self) -> list[str]:
        """What moves lead to, sorted: ``+2``, ``=`` or ``-1``; none while that is not shown."""

    @property
    def game(self) -> str:
        """What the game is called."""

    @property
    def players(self) -> tuple[str, str]:
        """What the players of X and of O are called, as in ``("Person", "Easy")``."""

    def play(self, *moves: str) -> None:
        """Try moves, one after the other, as players write them: ``B2``, ``4``, ``XB2``, ``swap``.

        A screen with a mouse clicks the cell, after choosing the letter.
        """

    def press(self, *commands: str) -> None:
        """Give commands one after the other, by key, button, menu or word.

        Their names: ``new``, ``undo``, ``redo``, ``hint``, ``analysis``, ``resign`` (confirmed
        where that is asked for), ``first``, ``back``, ``on``, ``last`` (steps through the moves),
        ``film``, ``review``, ``fault-back``, ``fault-on``, ``play-on``, ``next`` (the next level),
        ``now`` (move now), ``names`` (of rows and columns), ``explain``, ``coach``, ``go-on``.
        """

    def choose(self, what: str, value: str) -> None:
        """Choose among what is offered.

        What: ``x``, ``o``, ``starting``, ``variant``, ``look``, ``language`` or ``letter``; the
        values are the names that the library gives them.
        """

    def learn(self, lesson: str) -> None:
        """Begin a lesson, by its name."""

    def save(self, path: Path) -> None:
        """Save the game to a file; a refusal is then among what is told."""

    def open(self, path: Path) -> None:
        """Go on with the game of a file; a refusal is then among what is told."""

    def help(self) -> str:
        """Open the help, close it again, and return what it told."""

    def fumble(self, rng: random.Random) -> None:
        """Do something at random that only such a screen has: keys, clicks anywhere, sizes, lines.

        It may begin other games, but never leaves; dialogs that come of it are closed again. It
        ends with a look whether what is shown is a game that the rules allow.
        """

    def until(self, condition: Callable[[], object]) -> None:
        """Let the screen go on until something holds; fail where it never does."""


class Sit(Protocol):
    """Sits down before a screen, at a new game; the fixture closes it when the test ends."""

    def __call__(
        self,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = "human",
        *,
        language: str = "en",
        held: bool = False,
        film_step: float = 0.001,
        **more: Any,
    ) -> Screen:
        """Return the screen.

        Args:
            held: a computer may think for ever: do not wait for it.
            film_step: how long a film shows each position, in seconds.
            more: ``starting``, ``opponents``: see `PlayArgs`.
        """


def tells(screen: Screen, *texts: str) -> None:
    """Wait until texts are among what is told."""

    def is_told() -> bool:
        told = screen.told
        return all(text in told for text in texts)

    try:
        screen.until(is_told)
    except AssertionError:
        raise AssertionError(f"{texts} did not come; told was: {screen.told}") from None


def is_at_rest(table: Table) -> bool:
    """Return whether no computer is about to move at a table."""
    return table.thinker is None or bool(table.problem or table.coach.objection)


class Move(NamedTuple):
    """A move as hands make it: the letter that is chosen first, if any, and the cell or the word.

    Attributes:
        special: the name of a move that places nothing; ``cell`` means nothing then.
    """

    cell: int
    letter: str = ""
    special: str = ""


def move_of(rules: Rules, name: str) -> Move:
    """Return how a move is made that players write like this; under gravity by any cell above."""
    if name == "swap":
        return Move(0, special=name)
    has_letter = name[0] in letters(rules) and len(name) > 1
    place = name[1:] if has_letter else name
    return Move(parse_place(GameState.new(rules), place), name[0] if has_letter else "")
