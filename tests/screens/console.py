"""The real console, in a thread, with lines that a person types when they are asked for."""

from __future__ import annotations

import contextlib
import io
import queue
import random
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.frontends.programs import PATIENCE
from tests.screens.screen import Sit
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name, play_moves
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.console.cli import Args, play
from tic_tac_toe_frontends.program.terminal import Terminal
from tic_tac_toe_frontends.table.table import Setup
from tic_tac_toe_frontends.words.translation import load

#: A line of a board in plain letters: its number, and what is in its cells.
_ROW = re.compile(r"^ *\d+ ((?:\S )*(?:  )*\S.*)$")
_OUTCOMES = {"win": "+", "draw": "=", "loss": "-"}
_WORDS = {"new": "yes", "go-on": "go"}
#: What is typed by those who play with the keyboard.
LINES = [
    *(
        "hint",
        "explain",
        "explain B2",
        "explain x",
        "coach",
        "go",
        "undo",
        "undo",
        "redo",
        "moves",
        "save",
        "save a",
        "save b.json",
        "save ../c",
    ),
    *("puzzle x", "lesson", "solution", "leave"),
    *("save ~nobody/x", "save \0", "help", "board", "?", "", " ", "\t", "-1", "99", "0", "5"),
    *("resign now", "resign", "yes", "next", "review", "undo undo", "deshacer", "B2 B2"),
    *("\x1b[2J", "x" * 5000),
]


class _Keyboard(io.StringIO):
    """Lines that come when they are typed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: queue.Queue[str] = queue.Queue()
        self.waits: queue.Queue[bool] = queue.Queue()

    def isatty(self) -> bool:
        return True

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        self.waits.put(True)
        return self.lines.get()


class _Paper(io.StringIO):
    """Takes what is said, as a terminal without escape sequences does."""

    def isatty(self) -> bool:
        return True


class Console:
    """A game at the console."""

    def __init__(
        self,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = "human",
        *,
        language: str = "en",
        held: bool = False,
        film_step: float = 0.001,
        starting: str = "X",
        **more: Any,
    ) -> None:
        assert not held, "the console waits with its computers"
        rules = find_rules(variant) if isinstance(variant, str) else variant
        setup = Setup(rules, x, o, starting)
        args = Args(setup, load(language, {}), seed=1, delay=0.0, starting=starting, **more)
        self._rules = rules
        self._keyboard, self._paper = _Keyboard(), _Paper()
        terminal = Terminal(self._keyboard, self._paper, {})
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(args, terminal), daemon=True)
        self._thread.start()
        self._keyboard.waits.get(timeout=PATIENCE)
        self._said = self._paper.getvalue()
        self.beginning = self._said

    def _run(self, args: Args, terminal: Terminal) -> None:
        try:
            play(args, terminal)
        except BaseException as error:
            self._error = error
        self._keyboard.waits.put(False)

    def type(self, line: str) -> str:
        """Type a line; return what is said to it, without the next prompt."""
        before = len(self._paper.getvalue())
        self._keyboard.lines.put(f"{line}\n")
        self._keyboard.waits.get(timeout=PATIENCE)
        if self._error is not None:
            raise self._error
        return self._paper.getvalue()[before:]

    def close(self) -> None:
        self._keyboard.lines.put("")
        self._thread.join(PATIENCE)
        assert self._error is None
        assert not self._thread.is_alive()

    @property
    def told(self) -> str:
        return " ".join(self._said.split())

    @property
    def marks(self) -> str:
        """The cells of the board that is shown when it is asked for."""
        rows = [found[1] for line in self.type("board").splitlines() if (found := _ROW.match(line))]
        columns = self._rules.shape.columns
        cells = "".join("".join(row.split()) for row in rows if len(row.split()) == columns)
        return cells[: self._rules.shape.cells].replace(".", " ").replace("#", " ").upper()

    @property
    def moves(self) -> list[str]:
        told = " ".join(self.type("moves").split("\n")[:-2])
        return [] if "No moves" in told else [each.split()[-1] for each in told.split(",")]

    @property
    def score(self) -> str:
        scores: list[str] = re.findall(r"^.+ \d+ : \d+ .+$", self._paper.getvalue(), re.M)
        return scores[-1]

    @property
    def values(self) -> list[str]:
        found = re.findall(r"(win|draw|loss) ?(\d*)(?=;|\n|$)", self._said)
        return sorted(f"{_OUTCOMES[outcome]}{number}" for outcome, number in found)

    @property
    def game(self) -> str:
        begun = r"^(\S[^:\n]*): .*\.\s[^:]*: "
        titles: list[str] = re.findall(begun, self._paper.getvalue(), re.MULTILINE)
        return titles[-1]

    @property
    def players(self) -> tuple[str, str]:
        text = " ".join(self._paper.getvalue().split())
        players: list[tuple[str, str]] = re.findall(r"X: ([^,.]*), O: ([^,.]*)\.", text)
        return players[-1]

    def play(self, *moves: str) -> None:
        for move in moves:
            self._said = self.type(move)

    def press(self, *commands: str) -> None:
        self.play(*(_WORDS.get(command, command) for command in commands))

    def choose(self, what: str, value: str) -> None:
        """Fail: everything is chosen on the command line."""
        raise NotImplementedError(what, value)

    def learn(self, lesson: str) -> None:
        self.play(f"lesson {lesson}")

    def save(self, path: Path) -> None:
        self.play(f"save {path}")

    def open(self, path: Path) -> None:
        raise NotImplementedError(path)

    def help(self) -> str:
        return self.type("help")

    def fumble(self, rng: random.Random) -> None:
        dice, cells = rng.random(), self._rules.shape.cells
        if dice < 0.5:
            line = cell_name(self._rules.shape, rng.randrange(cells))
        elif dice < 0.85:
            line = rng.choice(LINES)
        else:
            line = "".join(chr(rng.randrange(1, 0x2FFF)) for _ in range(rng.randrange(12)))
        said = self.type(line.replace("\n", " "))
        assert all(sign == "\n" or sign.isprintable() or sign == "\ufffd" for sign in said)
        state = play_moves(GameState.new(self._rules), " ".join(self.moves))
        assert self.marks == state.grid.cells

    def until(self, condition: Callable[[], object]) -> None:
        """See that it holds: nothing goes on at a console that waits at its prompt."""
        assert condition()


@contextlib.contextmanager
def sitting() -> Iterator[Sit]:
    """Return what opens consoles; they are left when the test ends."""
    with contextlib.ExitStack() as stack:

        def sit(*args: Any, **options: Any) -> Console:
            return stack.enter_context(contextlib.closing(Console(*args, **options)))

        yield sit
