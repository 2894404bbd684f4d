"""A brain's side of the protocol: lines of the manager in, answers and requests to think out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.shapes import Shape

from . import LONGEST_LINE, NO_LIMIT, OTHER, OWN, format_cell, read_cell, read_number, read_rule

#: What a brain answers if it takes over the other colour, at ``SWAP2BOARD``.
SWAP = "SWAP"
#: The numbers of stones at which ``SWAP2BOARD`` asks.
_SWAP2_STONES = (0, 3, 5)
#: The commands that also end the lines of a board that has no end.
_BEGINNINGS = ("START", "RECTSTART", "RESTART")

#: Seconds that a brain thinks if its manager sets no limit for a move.
USUAL_SECONDS = 1.0
#: A move takes at most the time that is left for the game, divided by this number.
MOVES_TO_COME = 25
#: A search takes at most this share of the time until the deadline.
SEARCH_SHARE = 0.9
#: The reserve for sending the answer: seconds, and a share of the limit.
SPARE_SECONDS, SPARE_SHARE = 0.03, 0.05


class Limits(NamedTuple):
    """The limits of ``INFO``, in milliseconds and bytes; ``None`` where nothing was said.

    Attributes:
        timeout_turn: for a move; 0: as fast as possible.
        timeout_match: for all moves of a game; 0: none.
        time_left: what is left of that, negative where it is used up.
        max_memory: 0: none.
    """

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    max_memory: int | None = None

    def after(self, seconds: float) -> Limits:
        """Return the limits that remain once a move has taken a number of seconds."""
        left = self._match - 1000 * seconds
        return self if math.isinf(left) else self._replace(time_left=math.floor(left))

    @property
    def deadline(self) -> float:
        """Seconds from the request after which the answer is due, infinite without a limit."""
        milliseconds = min(
            self._match, math.inf if not self.timeout_turn else max(0, self.timeout_turn)
        )
        return max(0.0, _without_spare(milliseconds / 1000))

    @property
    def seconds(self) -> float:
        """Seconds that a move should take: 0 for as fast as possible, at most `deadline`."""
        if self.timeout_turn is not None and self.timeout_turn <= 0:
            return 0.0
        wanted = USUAL_SECONDS if self.timeout_turn is None else math.inf
        return min(
            SEARCH_SHARE * self.deadline, max(0.0, self._match / 1000 / MOVES_TO_COME), wanted
        )

    @property
    def _match(self) -> float:
        """The milliseconds that are left for the game."""
        if self.time_left is not None:
            return math.inf if self.time_left >= NO_LIMIT else self.time_left
        return self.timeout_match or math.inf


def _without_spare(seconds: float) -> float:
    """Return a limit less the reserve, which is never more than half of it."""
    if math.isinf(seconds):
        return seconds
    return seconds - min(seconds / 2, SPARE_SECONDS + SPARE_SHARE * seconds)


@dataclass(frozen=True, eq=False)
class Request:
    """What a brain has to find; give it to `Brain.answer` with the cells.

    Attributes:
        state: where it is to move; X is the side that moved first.
        seconds: how long the search should take; 0: as short as possible.
        deadline: seconds after which the answer is due.
        max_memory: the bytes that the process may use, 0 without a limit.
        is_swap2: whether it is the opening Swap2 that is asked about. The answer is three cells for
            the empty board; else none to take the other colour, one to move, or, after three
            stones, two for the other side to choose.
    """

    state: GameState
    seconds: float
    deadline: float
    max_memory: int = 0
    is_swap2: bool = False


class Refusal(Exception):
    """A command that cannot be obeyed; the text is the answer."""


@dataclass
class Brain:
    """What a brain knows of its game; it neither thinks nor reads a clock.

    `receive` never raises, whatever the line. A new command makes an earlier request void: its
    answer is not sent any more.

    Args:
        about: the answer to ``ABOUT``: pairs such as ``name="..."``, separated by commas.

    Attributes:
        request: what is to be found now, if anything is.
        is_over: whether the manager has sent ``END``; the process ends within a second.
    """

    about: str
    request: Request | None = None
    is_over: bool = False
    _shape: Shape | None = None
    _kind: Gomoku | None = Gomoku.FREE
    _stones: dict[int, int] = field(default_factory=dict)
    _limits: Limits = field(default_factory=Limits)
    _spent: float = 0.0
    _collect: Callable[[list[str]], None] | None = None
    _lines: list[str] = field(default_factory=list)

    def receive(self, line: str) -> list[str]:
        """Obey a line of the manager, and return the lines of the answer.

        Where the answer has to be thought of, `request` says what to find.
        """
        text = line[:LONGEST_LINE].strip(" \t\r\n\0\ufeff")
        word, _, rest = text.partition(" ")
        word = word.upper()
        if not text or self.is_over:
            return []
        try:
            if word == "INFO":
                self._note(rest)
            elif word == "END":
                self.is_over, self.request = True, None
            elif self._collect is not None and word not in _BEGINNINGS:
                return self._read_on(text)
            elif command := self._commands.get(word):
                return command(rest)
            else:
                return ["UNKNOWN command"]
        except Refusal as refusal:
            return [f"ERROR {refusal}"]
        return []

    def answer(self, request: Request, cells: Sequence[int], seconds: float = 0.0) -> list[str]:
        """Return the lines that answer a request; none if it is void.

        Args:
            cells: the cell of the move; at ``SWAP2BOARD`` see `Request.is_swap2`.
            seconds: how long it took; they are no longer left for the game, unless the manager says
                what is left.
        """
        if request is not self.request:
            return []
        self.request = None
        self._spent += seconds
        shape = request.state.rules.shape
        if not request.is_swap2:
            self._stones[cells[0]] = OWN
        return [" ".join(format_cell(cell, shape) for cell in cells) or SWAP]

    @property
    def _commands(self) -> Mapping[str, Callable[[str], list[str]]]:
        return {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": lambda _rest: self._begin(self._board),
            "BEGIN": lambda _rest: self._think(self._stones),
            "TURN": self._turn,
            "BOARD": lambda _rest: self._await_lines(self._set_board),
            "SWAP2BOARD": lambda _rest: self._await_lines(self._set_swap2),
            "TAKEBACK": self._take_back,
            "ABOUT": lambda _rest: [self.about],
        }

    @property
    def _board(self) -> Shape:
        if self._shape is None:
            raise Refusal("no game has been started")
        return self._shape

    def _start(self, rest: str) -> list[str]:
        size = read_number(rest)
        if size is None or size < 1:
            raise Refusal("START needs the size of the board")
        return self._begin(Shape(size, size))

    def _start_rectangle(self, rest: str) -> list[str]:
        columns, rows = (read_number(part) for part in f"{rest},".split(",", 2)[:2])
        if columns is None or rows is None or min(columns, rows) < 1:
            raise Refusal("RECTSTART needs width and height of the board")
        return self._begin(Shape(rows, columns))

    def _begin(self, shape: Shape) -> list[str]:
        try:
            (self._kind or Gomoku.FREE).on(shape)
        except InvalidVariant:
            raise Refusal("the board needs 5 to 26 columns and rows") from None
        self._shape, self._stones, self.request = shape, {}, None
        self._collect, self._spent = None, 0.0
        return ["OK"]

    def _turn(self, rest: str) -> list[str]:
        return self._think({**self._stones, self._empty_cell(rest, self._stones): OTHER})

    def _take_back(self, rest: str) -> list[str]:
        cell = read_cell(rest, self._board)
        if cell is None or cell not in self._stones:
            raise Refusal("there is no such stone")
        del self._stones[cell]
        self.request = None
        return ["OK"]

    def _note(self, rest: str) -> None:
        key, _, text = rest.strip().partition(" ")
        key, number = key.lower(), read_number(text)
        if number is None:
            return
        if key == "rule":
            self._kind = read_rule(number)
        elif key in Limits._fields:
            self._limits = self._limits._replace(**{key: number})
            if key == "time_left":
                self._spent = 0.0

    def _await_lines(self, collect: Callable[[list[str]], None]) -> list[str]:
        self._collect, self._lines, self.request = collect, [], None
        return []

    def _read_on(self, text: str) -> list[str]:
        """Take a line of a board; the last one is ``DONE``."""
        if text.upper() != "DONE":
            if self._shape is None or len(self._lines) <= self._shape.cells:
                self._lines.append(text)  # one more than there can be is enough to refuse them
            return []
        assert self._collect is not None
        collect, self._collect = self._collect, None
        collect(self._lines)
        return []

    def _set_board(self, lines: list[str]) -> None:
        stones: dict[int, int] = {}
        for line in lines:
            place, _, owner = line.rpartition(",")
            if owner.strip() not in ("1", "2"):
                raise Refusal("a line of BOARD is x,y,1 for an own stone or x,y,2 for another one")
            stones[self._empty_cell(place, stones)] = int(owner)
        self._think(stones)

    def _set_swap2(self, lines: list[str]) -> None:
        if len(lines) not in _SWAP2_STONES:
            raise Refusal("SWAP2BOARD has 0, 3 or 5 stones")
        stones: dict[int, int] = {}
        for ply, line in enumerate(lines):
            first = len(lines) % 2 == ply % 2  # its own stones: those of the side to move
            stones[self._empty_cell(line, stones)] = OWN if first else OTHER
        self._request(stones, is_swap2=True)

    def _empty_cell(self, text: str, stones: Mapping[int, int]) -> int:
        cell = read_cell(text, self._board)
        if cell is None:
            raise Refusal("a cell is written x,y")
        if cell < 0:
            raise Refusal("that cell is outside the board")
        if cell in stones:
            raise Refusal("that cell is not empty")
        return cell

    def _think(self, stones: dict[int, int]) -> list[str]:
        self._request(stones)
        self._stones = stones
        return []

    def _request(self, stones: Mapping[int, int], *, is_swap2: bool = False) -> None:
        state, limits = self._state_of(stones), self._limits.after(self._spent)
        memory = limits.max_memory or 0
        self.request = Request(state, limits.seconds, limits.deadline, memory, is_swap2)

    def _state_of(self, stones: Mapping[int, int]) -> GameState:
        """Return the state in which the brain is to move."""
        if self._kind is None:
            raise Refusal("games with this rule are not played here")
        own = sum(owner == OWN for owner in stones.values())
        if 2 * own > len(stones):
            raise Refusal("it is the other side's turn")
        letters = {OWN: "X", OTHER: "O"} if 2 * own == len(stones) else {OWN: "O", OTHER: "X"}
        cells = [" "] * self._board.cells
        for cell, owner in stones.items():
            cells[cell] = letters[owner]
        try:
            grid = Grid("".join(cells), shape=self._board)
            state = GameState(grid, Mark.CROSS, rules=self._kind.on(self._board))
        except (InvalidGameState, InvalidVariant) as error:
            raise Refusal(str(error)) from None
        if state.game_over:
            raise Refusal("the game is over")
        return state
