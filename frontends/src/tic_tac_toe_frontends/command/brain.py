"""``tic-tac-toe brain``: a gomoku program for managers of Gomocup's protocol."""

from __future__ import annotations

import math
import os
import queue
import re
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from errno import EBADF
from functools import partial
from gettext import NullTranslations
from random import Random
from typing import TypeAlias

import tic_tac_toe
from tic_tac_toe.engines.choice import engine_for
from tic_tac_toe.game.strategies import answer_swap2, within
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.protocols.gomocup import LINE_END, LONGEST_LINE
from tic_tac_toe.protocols.gomocup.brain import Brain, Request

from ..program.files import STDIN, reading
from ..program.options import Parser
from ..program.process import DONE, Refused
from ..program.terminal import OutputLost
from ..words.translation import N_

#: The answer to ``ABOUT``.
ABOUT = f'name="Tic-tac-toe", version="{tic_tac_toe.__version__}"'
#: Seconds of search for each game when the program warms up, on the tournament board.
WARM_UP_SECONDS, USUAL_SHAPE = 0.01, Shape(15, 15)
#: The limits of a quick move.
AT_ONCE = Limits(work=0.0, cancelled=lambda: True)
#: The interpreter's switch interval in seconds: short, so that a due answer is not delayed.
SWITCH_SECONDS = 0.0005
#: The maximum of one wait in seconds; longer waits are repeated.
_LONGEST_WAIT = 3_600.0
_CHUNK = 4_096
_LINE_ENDS = re.compile(rb"[\r\n]+")

#: Chooses the cell of a move from a state, the seconds for it, and a function that tells to stop.
Think: TypeAlias = Callable[[GameState, float, Callable[[], bool]], int]


def main(arguments: Sequence[str], prog: str) -> int:
    """Play by the lines of standard input until ``END`` or the end; return the exit status.

    A running search is completed at the end of the input, while the output is open.
    """
    about = N_("Play gomoku with a manager of Gomocup's protocol, on standard input and output.")
    parser = Parser(prog, arguments, about)
    parser.add_language()
    parser.read()
    if sys.stdout is None:
        raise OutputLost(os.strerror(EBADF))
    sys.setswitchinterval(SWITCH_SECONDS)
    think = partial(think_by_clock, kept=Kept())
    program = BrainProgram(_write, think, warm_up=warm_up)
    threading.Thread(target=_read_input, args=[program, parser.language], daemon=True).start()
    program.run()
    return DONE


def think_by_clock(
    state: GameState, seconds: float, stop: Callable[[], bool], *, kept: Kept | None = None
) -> int:
    """Return the cell of the strongest strategy's move after some seconds.

    Args:
        kept: what was found out in the game so far.
    """
    move = within("minimax", Limits(seconds, cancelled=stop, kept=kept))(state)
    assert move is not None
    return move.number


def warm_up() -> None:
    """Load the code and the tables of all games, so that they delay no move."""
    for kind in Gomoku:
        start = GameState.new(kind.on(USUAL_SHAPE))
        state = start.make_move_to(USUAL_SHAPE.middle).after_state
        _quick_move(state)
        think_by_clock(state, WARM_UP_SECONDS, lambda: False)


class BrainProgram:
    """A brain that reads its manager's lines while it searches, and answers in time.

    One thread passes lines to `read`, one runs `run`, and a new one searches for each request. The
    search first finds a quick move, which is played if nothing better is found in time, or if the
    process already exceeds its memory limit.

    Args:
        write: sends lines to the manager.
        clock: in seconds.
        warm_up: called before the first game.
    """

    def __init__(
        self,
        write: Callable[[Sequence[str]], object],
        think: Think = think_by_clock,
        clock: Callable[[], float] = time.monotonic,
        warm_up: Callable[[], object] | None = None,
    ) -> None:
        self._write = write
        self._warm_up = warm_up
        self._think = think
        self._clock = clock
        self._brain = Brain(ABOUT)
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._asked: Request | None = None
        self._begun, self._due = clock(), math.inf
        self._quick: Sequence[int] = ()
        self._has_input_ended = False

    def read(self, lines: Iterator[str]) -> None:
        """Receive the manager's lines; `run` ends some time after the last one."""
        try:
            for line in lines:
                self._events.put(partial(self._receive, line))
        except Refused as refusal:
            self._events.put(partial(self._refuse, refusal))
        self._events.put(self._note_end_of_input)

    def run(self) -> None:
        """Answer until ``END``, or until all lines are answered.

        Raises:
            Refused: raised by the lines.
        """
        while not self._brain.is_over and not (self._has_input_ended and self._asked is None):
            wait = min(max(0.0, self._due - self._clock()), _LONGEST_WAIT)
            try:
                self._events.get(timeout=wait)()
            except queue.Empty:
                if self._asked is not None and self._clock() >= self._due:
                    self._answer(self._asked, self._quick or _any_move(self._asked.state))

    def _note_end_of_input(self) -> None:
        self._has_input_ended = True

    def _refuse(self, refusal: Refused) -> None:
        raise refusal

    def _receive(self, line: str) -> None:
        if self._warm_up and line.upper().startswith(("START", "RECTSTART")):
            self._warm_up()
            self._warm_up = None
        self._write(self._brain.receive(line))
        request = self._brain.request
        if request is self._asked:
            return
        self._asked, self._due, self._quick = request, math.inf, ()
        self._begun = self._clock()
        if request is None:
            return
        if request.deadline and not request.is_swap2:
            self._due = self._begun + request.deadline
        threading.Thread(target=self._find, args=[request], daemon=True).start()

    def _find(self, request: Request) -> None:
        """Find the answer to a request, in its own thread."""
        begun = self._clock()

        def is_late() -> bool:
            is_void = request is not self._asked or self._brain.is_over
            return is_void or self._clock() - begun >= request.seconds

        cells: Sequence[int] = ()
        try:
            if request.is_swap2:
                cells = answer_swap2(request.state, is_late)
            else:
                cells = _quick_move(request.state)
                is_full = 0 < request.max_memory < _used_memory()
                if request.seconds and not is_full:
                    self._events.put(partial(self._remember, request, cells))
                    left = max(0.0, request.seconds - (self._clock() - begun))
                    cells = (self._think(request.state, left, is_late),)
        except Exception as error:  # no error of a search may end the game
            self._events.put(partial(self._report_problem, request, type(error).__name__))
            cells = cells or _any_move(request.state)
        self._events.put(partial(self._answer, request, cells))

    def _remember(self, request: Request, cells: Sequence[int]) -> None:
        if request is self._asked:
            self._quick = cells

    def _report_problem(self, request: Request, problem: str) -> None:
        if request is self._asked:
            self._write([f"DEBUG the search failed: {problem}"])

    def _answer(self, request: Request, cells: Sequence[int]) -> None:
        self._write(self._brain.answer(request, cells, self._clock() - self._begun))
        if request is self._asked:
            self._asked, self._due = None, math.inf


def _quick_move(state: GameState) -> tuple[int]:
    return (engine_for(state.rules).think(state.position, AT_ONCE, Random(0)).best[0],)


def _any_move(state: GameState) -> tuple[int]:
    """Return the legal move nearest to the middle of the board."""
    shape = state.rules.shape
    row, column = divmod(shape.middle, shape.columns)

    def distance(cell: int) -> int:
        down, right = divmod(cell, shape.columns)
        return max(abs(down - row), abs(right - column))

    return (min(state.legal_cells, key=distance),)


def _used_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


def _write(lines: Sequence[str]) -> None:
    if lines:
        sys.stdout.buffer.write(
            "".join(line + LINE_END for line in lines).encode("ascii", "replace")
        )
        sys.stdout.buffer.flush()


def _read_input(program: BrainProgram, language: NullTranslations) -> None:
    """Pass standard input to a brain; at its end stop a brain whose output is closed."""
    program.read(_lines(language))
    if hasattr(select, "poll"):  # Windows cannot find out
        output = select.poll()
        output.register(sys.stdout.fileno(), 0)
        output.poll()
        program.read(iter(["END"]))


def _lines(language: NullTranslations) -> Iterator[str]:
    """Yield the lines of standard input, unbuffered: a buffer would delay lines.

    Raises:
        Refused: the input cannot be read.
    """
    rest = b""
    with reading(STDIN, language):
        if sys.stdin is None:
            raise OSError(EBADF, os.strerror(EBADF))
        while chunk := os.read(sys.stdin.fileno(), _CHUNK):
            *lines, rest = _LINE_ENDS.split(rest + chunk)
            rest = rest[:LONGEST_LINE]
            yield from (line.decode("ascii", "replace") for line in lines)
    yield rest.decode("ascii", "replace")
