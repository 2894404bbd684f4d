"""Programs that speak Gomocup's protocol as computer players, each in a process of its own."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tic_tac_toe.logic.exceptions import BrainError, Message, message, quoted
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.protocols.gomocup import LINE_END, LONGEST_LINE
from tic_tac_toe.protocols.gomocup.manager import Manager, Talk, check_game

#: Seconds that a brain may think about a move unless told otherwise.
USUAL_SECONDS = 1.0
#: Seconds that a brain may take longer than its limit before it is killed.
GRACE_SECONDS = 1.0
#: Seconds for starting a brain, and extra seconds for its first move on a new board: many build
#: their tables only then.
START_SECONDS = 10.0
#: The bytes of memory that a brain is allowed, those of the tournament.
MAX_MEMORY = 350 * 2**20
#: Seconds that a program has to end after ``END``.
PATIENCE = 1.0
#: The lines that may wait to be read; a program that writes more has to wait.
MOST_LINES = 256
#: Seconds after which a thread that waits for room looks whether the program has been ended.
_WAIT = 0.05
#: Bytes that are read at once.
_CHUNK = 4_096
_LINE_ENDS = re.compile(rb"[\r\n]+")
#: Windows has neither process groups nor pipes that a program can be handed by their number.
_IS_POSIX = os.name == "posix"


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


class Unended(Exception):
    """A program that has written the beginning of a line, and not its end."""


class Process:
    """A program that reads and writes lines; `end` has to be called.

    Its process group is killed at the end, and also soon after this process has ended, even by a
    crash. What it writes to standard error is dropped.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        lifeline, self._lifeline = os.pipe() if _IS_POSIX else (-1, -1)
        if _IS_POSIX:
            keeper = Path(__file__).with_name("keeper.py")
            command = [sys.executable, "-I", "-S", str(keeper), str(lifeline), *command]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=[lifeline] if _IS_POSIX else (),
                start_new_session=_IS_POSIX,
            )
        except OSError:
            self._cut_lifeline()
            raise
        finally:
            if _IS_POSIX:
                os.close(lifeline)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._rest = b""
        self._has_ended = False
        self._texts: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._collect, name="brain", daemon=True)
        self._reader.start()
        threading.Thread(target=self._write, name="brain", daemon=True).start()

    def send(self, lines: Sequence[str]) -> None:
        """Write lines, as soon as the program reads them; the caller does not wait for that."""
        self._texts.put("".join(line + LINE_END for line in lines).encode("ascii", "replace"))

    def unread(self) -> list[str]:
        """Return the lines that have not been read yet."""
        lines = list[str]()
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                self._lines.put(None)
                break
            lines.append(line)
        return lines

    def read(self, seconds: float) -> str | None:
        """Return the next line that the program writes; ``None`` once it has ended.

        Raises:
            TimeoutError: none came in time.
            Unended: the end of a line did not come in time, or the line is too long.
        """
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            if self._rest:
                raise Unended from None
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)  # for the next reader
            if len(self._rest) > LONGEST_LINE:
                raise Unended
        return line

    def end(self, patience: float = PATIENCE) -> None:
        """Ask the program to end, and kill it with all that it has started after some seconds."""
        with self._lock:
            if self._has_ended:
                return
            self._has_ended = True
        if patience:
            self.send(["END"])
        self._texts.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._kill()
        self._process.wait()
        self._cut_lifeline()
        self._reader.join(PATIENCE)  # longer only if a program that left its group has the pipe

    def _cut_lifeline(self) -> None:
        if _IS_POSIX:
            os.close(self._lifeline)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if _IS_POSIX:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _write(self) -> None:
        """Write what there is to send, in a thread; then the program's standard input ends."""
        with contextlib.suppress(OSError), self._input as stream:
            while (text := self._texts.get()) is not None:
                stream.write(text)

    def _collect(self) -> None:
        """Collect the lines that the program writes, in a thread."""
        with self._output as stream, contextlib.suppress(OSError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                *lines, self._rest = _LINE_ENDS.split(self._rest + chunk)
                for line in lines:
                    self._put(line.decode("ascii", "replace"))
                if len(self._rest) > LONGEST_LINE or self._has_ended:
                    break
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Let a line be read, as soon as there is room; after the end it does not matter."""
        while not self._has_ended:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=_WAIT)
                return
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(line)
