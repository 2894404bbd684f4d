"""The puzzles that come with the library, and the lines of text that hold them.

Each game has a file of JSON lines, compressed by gzip, in ``puzzle_data``; `tools.puzzles` makes
them. The first line describes the collection, and each other one is a puzzle.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from functools import lru_cache
from pkgutil import get_data

from tic_tac_toe.insight.puzzles import Puzzle, Turn, Wrong
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.catalogue import variant_name

FORMAT = "tic-tac-toe-puzzles"
VERSION = 1
FOLDER = "puzzle_data"
LICENCE = "MIT"
#: What zlib calls the format of gzip.
GZIP = 16 + zlib.MAX_WBITS
#: The games with puzzles; the puzzles of the days take them in turns.
GAMES = (
    *("tic-tac-toe", "connect-four", "gomoku", "vanishing", "misere-tic-tac-toe", "4x4x3"),
    *("wild", "notakto", "renju", "misere-wild", "vanishing-late"),
)
#: A prime number that is no divisor of the number of puzzles of a game: days that follow each other
#: have puzzles that do not.
STRIDE = 7919


@lru_cache(maxsize=4)
def shipped(rules: Rules | str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game that come with the library, the easiest first.

    >>> [len(shipped(name)) for name in ("tic-tac-toe", "notakto", "qubic")]
    [31, 6, 0]
    """
    rules = rules_of(rules)
    try:
        name = variant_name(rules)
    except InvalidVariant:
        return ()
    try:
        data = get_data("tic_tac_toe.insight", f"{FOLDER}/{file_name(name)}")
    except FileNotFoundError:
        return ()
    assert data is not None, "packages can be read"
    return parse_collection(rules, data)


def game_of_day(day: int) -> str:
    """Return the game of the puzzle of a day, which is counted like `datetime.date.toordinal`."""
    return GAMES[day % len(GAMES)]


def number_of_day(day: int, count: int) -> int:
    """Return which puzzle of `game_of_day` is that of the day, the same everywhere.

    Args:
        count: the number of the game's puzzles.
    """
    return day // len(GAMES) * STRIDE % count


def file_name(variant: str) -> str:
    """Return the name of the file with the puzzles of a game."""
    return f"{variant}.jsonl.gz"


def format_collection(rules: Rules, puzzles: Iterable[Puzzle], source: str, command: str) -> bytes:
    """Return the bytes of a file; the same puzzles give the same bytes.

    Args:
        source: where the positions come from.
        command: that which finds the same puzzles again.
    """
    lines = [line_of(puzzle) for puzzle in puzzles]
    head = {
        "format": FORMAT,
        "version": VERSION,
        "variant": variant_name(rules),
        "puzzles": len(lines),
        "source": source,
        "command": command,
        "licence": LICENCE,
    }
    text = "\n".join([json.dumps(head), *lines, ""])
    packer = zlib.compressobj(9, zlib.DEFLATED, GZIP)
    packed = packer.compress(text.encode("ascii")) + packer.flush()
    return packed[:9] + b"\xff" + packed[10:]  # of an unknown system, whichever this is


def parse_collection(rules: Rules, data: bytes) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file."""
    head, *lines = zlib.decompress(data, GZIP).decode("ascii").splitlines()
    assert json.loads(head)["format"] == FORMAT, "made by this module"
    return tuple(parse_line(rules, line) for line in lines)


def line_of(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of JSON, without its end.

    Each turn is a list: the right move, the look-ahead that is sure of it, the moves to choose
    from, the reply, and a list of move, reply and what is left for each wrong move.
    """
    told = {
        "moves": puzzle.moves,
        "kind": puzzle.kind,
        "outcome": puzzle.outcome,
        "difficulty": puzzle.difficulty,
        "theme": puzzle.theme,
        "turns": [(t.move, t.depth, t.choices, t.reply, t.wrong) for t in puzzle.turns],
    }
    return json.dumps(told, separators=(",", ":"))


def parse_line(rules: Rules, line: str) -> Puzzle:
    """Return the puzzle that a line holds."""
    told = json.loads(line)
    position = GameState.new(rules).position
    for move in told["moves"]:
        position = rules.play(position, move)
    turns = (
        Turn(move, depth, choices, tuple(Wrong(*each) for each in wrong), reply)
        for move, depth, choices, reply, wrong in told["turns"]
    )
    return Puzzle(
        GameState.at(rules, position),
        told["kind"],
        told["outcome"],
        tuple(turns),
        tuple(told["moves"]),
        told["theme"],
    )
