"""Programs that speak Gomocup's protocol as computer players."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tic_tac_toe.game.strategies import Strategy
from tic_tac_toe.logic.exceptions import BrainError, Message, message, quoted, reason_of
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.protocols.gomocup.manager import Manager, Talk, check_game

from .process import PATIENCE, Process, Unended

#: Seconds that a brain may think about a move unless told otherwise.
USUAL_SECONDS = 1.0
#: Seconds that a brain may take longer than its limit before it is killed.
GRACE_SECONDS = 1.0
#: Seconds that a brain has to start, and more for its first move on a new board: what is not ready
#: by then, such as tables, is made while it thinks.
START_SECONDS = 10.0
#: The bytes of memory that a brain is allowed, those of the tournament.
MAX_MEMORY = 350 * 2**20


class BrainPlayer:
    """A strategy: a program that speaks Gomocup's protocol, in a process of its own.

    The process starts at the first move. `close` ends it, and a later move starts it again; so
    does a move after an error, at which the process is killed. Moves may be asked for in threads;
    one is answered after the other.

    Args:
        command: the program and its arguments.
        seconds: how long it may think about a move.
        grace, start: see `GRACE_SECONDS` and `START_SECONDS`.
        name: what people are told it is called; unless given, the name of its file.
        clock: in seconds.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: float = USUAL_SECONDS,
        *,
        grace: float = GRACE_SECONDS,
        start: float = START_SECONDS,
        name: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name: str = Path(command[0]).name if name is None else name
        self._command = (*command,)
        self._seconds = seconds
        self._grace = grace
        self._start = start
        self._clock = clock
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._manager = self._new_manager()

    def __repr__(self) -> str:
        return f"BrainPlayer({[*self._command]!r}, {self._seconds:g})"

    def __call__(self, state: GameState, _rng: random.Random | None = None, /) -> Move | None:
        """Return the move of the program, or ``None`` once the game is over.

        Raises:
            BrainError: the program cannot play the game, or does not answer as it should.
        """
        if state.game_over:
            return None
        check_game(self.name, state)
        with self._lock:
            try:
                process = self._process or self._open()
                self._drive(process, self._manager.start(state), self._start)
                seconds = self._seconds + self._grace
                if self._manager.is_new_board:
                    seconds += self._start
                cell = self._drive(process, self._manager.move(state), seconds)
            except BaseException:  # after Ctrl-C as well the question would stay open
                self._end_process(0)
                raise
        return state.make_move_to(cell)

    def close(self) -> None:
        """End the process within a second, in the middle of a thought as well."""
        self._end_process()

    def leave(self) -> None:
        """End the process soon; the caller does not wait."""
        process, self._process = self._process, None
        if process is not None:
            threading.Thread(target=process.end, daemon=True).start()

    def _open(self) -> Process:
        self._manager = self._new_manager()
        try:
            self._process = Process(self._command)
        except OSError as error:
            raise BrainError(
                "{brain} cannot be started: {reason}",
                "brain_start",
                brain=self.name,
                reason=message(error.strerror or str(error)),
            ) from None
        return self._process

    def _end_process(self, patience: float = PATIENCE) -> None:
        if process := self._process:
            process.end(patience)
            if self._process is process:
                self._process = None

    def _new_manager(self) -> Manager:
        return Manager(self.name, max(1, round(self._seconds * 1000)), MAX_MEMORY)

    def _drive(self, process: Process, talk: Talk, seconds: float) -> int:
        """Carry a talk of the manager to the program and back; return what it found."""
        deadline = self._clock() + seconds
        self._manager.hear(process.unread())
        try:
            lines = next(talk)
            while True:
                process.send(lines)
                lines = talk.send(self._read(process, deadline))
        except StopIteration as end:
            found: int = end.value
            return found

    def _read(self, process: Process, deadline: float) -> str:
        try:
            line = process.read(deadline - self._clock())
        except TimeoutError:
            raise self._failure(
                message("{brain} did not answer in time", "brain_late", brain=self.name)
            ) from None
        except Unended:
            raise self._failure(
                message("{brain} writes a line without end", "brain_unended", brain=self.name)
            ) from None
        if line is None:
            raise self._failure(
                message("{brain} has ended without an answer", "brain_ended", brain=self.name)
            )
        return line

    def _failure(self, problem: Message) -> BrainError:
        """Return the error of a problem, with what the brain had complained of, if it had."""
        if not self._manager.complaint:
            return BrainError(problem)
        said = quoted(self._manager.complaint)
        return BrainError(
            message(
                "{problem}; before that it wrote {text}", problem.code, problem=problem, text=said
            )
        )


class FunctionPlayer:
    """A function of one's own at a table: its faults become a `BrainError`.

    Args:
        name: what screens call it.
        choose: the function.
    """

    def __init__(self, name: str, choose: Strategy) -> None:
        self._name, self._choose = name, choose

    def __call__(self, state: GameState, rng: random.Random | None = None, /) -> Move | None:
        """Return the move that the function chooses.

        Raises:
            BrainError: it fails, or returns no legal move.
        """
        try:
            move = self._choose(state, rng)
        except Exception as error:
            raise self._failure(reason_of(error)) from error
        if move is None or move.number not in state.legal_moves:
            raise self._failure("it returned no legal move")
        return move

    def _failure(self, reason: str) -> BrainError:
        return BrainError(
            "{player} failed: {reason}", "player_failed", player=self._name, reason=reason
        )

    def leave(self) -> None:
        """Do nothing: a function has no process to end."""

    close = leave
