"""Programs that play gomoku badly, each in a way of its own: ``brains.py KIND``."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

#: The board that all of them play on.
SIZE = 15


def text_of(kind: str, *arguments: str) -> str:
    """Return the text by which a player of a kind is found."""
    command = [sys.executable, "-I", "-S", __file__, kind, *arguments]
    return f"gomocup:{shlex.join(command)}"


class Board:
    """The cells that are taken, as the manager has told it."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def first_free(self) -> str:
        cells = (f"{column},{row}" for row in range(SIZE) for column in range(SIZE))
        return next(cell for cell in cells if cell not in self.taken)


def play(move: Callable[[Board], str], start: str = "OK", *, heeds_end: bool = True) -> None:
    """Play by the protocol, but for what the arguments say."""
    board, in_board = Board(), False
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "START":
            board = Board()
            say(start)
        elif word == "BOARD":
            in_board = True
        elif in_board and word != "DONE":
            board.taken.add(word.rpartition(",")[0])
        elif word in ("TURN", "DONE", "BEGIN"):
            in_board = False
            board.taken.add(rest)
            cell = move(board)
            board.taken.add(cell)
            say(cell)
        elif word == "END" and heeds_end:
            return


def say(line: str) -> None:
    print(line, flush=True)


def hang(_board: Board) -> str:
    time.sleep(3600)
    return ""


def after_a_move(move: Callable[[Board], str]) -> Callable[[Board], str]:
    """Return what plays the first move on a board honestly, and others as ``move`` does."""
    return lambda board: move(board) if len(board.taken - {""}) > 1 else board.first_free()


def start_slowly(board: Board) -> str:
    """Take long for the first move on a board."""
    if len(board.taken - {""}) < 2:
        time.sleep(0.8)
    return board.first_free()


def complain(board: Board) -> str:
    """Refuse an ``INFO`` in the midst of a thought, as programs do that read while they think."""
    say("ERROR Unknown command: TIME_LEFT")
    say("UNKNOWN command")
    return board.first_free()


def complain_and_hang(board: Board) -> str:
    complain(board)
    return hang(board)


def complain_and_crash(board: Board) -> str:
    complain(board)
    return crash(board)


def answer_twice(board: Board) -> str:
    first = board.first_free()
    board.taken.add(first)
    return f"{first}\n{board.first_free()}"


def crash(_board: Board) -> str:
    sys.exit(3)


def flood(_board: Board) -> str:
    while True:
        say("MESSAGE I think")


def write_one_line(_board: Board) -> str:
    while True:
        print("x" * 100, end="", flush=True)


def answer_without_end(board: Board) -> str:
    print(board.first_free(), end="", flush=True)
    return hang(board)


def leave_a_child(folder: str) -> None:
    """Hang after a move, with a child that hangs too; the file tells its process id."""
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"])
    Path(folder, "child").write_text(str(child.pid), encoding="ascii")
    play(after_a_move(hang), heeds_end=False)
    time.sleep(3600)


def leave_a_number(file: str) -> None:
    """Play honestly; the file tells the process id."""
    Path(file).write_text(str(os.getpid()), encoding="ascii")
    play(Board.first_free)


def ignore_everything() -> None:
    for _line in sys.stdin:
        pass
    time.sleep(3600)


KINDS: dict[str, Callable[[], None]] = {
    "honest": lambda: play(Board.first_free),
    "outside": lambda: play(lambda _board: "15,3"),
    "occupied": lambda: play(lambda board: min(board.taken - {""})),
    "nonsense": lambda: play(lambda _board: "H8"),
    "refusing": lambda: play(Board.first_free, "ERROR no such board"),
    "hanging": lambda: play(after_a_move(hang)),
    "doubling": lambda: play(answer_twice),
    "crashing": lambda: play(crash),
    "flooding": lambda: play(flood),
    "endless": lambda: play(write_one_line),
    "unended": lambda: play(after_a_move(answer_without_end)),
    "slow": lambda: play(start_slowly),
    "complaining": lambda: play(complain),
    "complaining and hanging": lambda: play(after_a_move(complain_and_hang)),
    "complaining and crashing": lambda: play(after_a_move(complain_and_crash)),
    "stubborn": lambda: play(Board.first_free, heeds_end=False),
    "silent": ignore_everything,
    "dead": lambda: None,
    "numbered": lambda: leave_a_number(sys.argv[2]),
    "parent": lambda: leave_a_child(sys.argv[2]),
}

if __name__ == "__main__":
    KINDS[sys.argv[1]]()
