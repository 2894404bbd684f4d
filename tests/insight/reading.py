"""A strict reader of explanations in English, who takes each sentence at its word.

They look up every cell on a board of signs, follow every play that a sentence speaks of, and ask
for exact values where it speaks of winning, drawing and losing. A sentence that they do not know is
not read, and that is a fault as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.insight.signs import (
    Board,
    Game,
    Line,
    Move,
    Values,
    Worth,
    lines_of,
    worth_of,
)

_MOVE = r"(?:column \d+|[XO]?[A-Z]\d{1,2})"
_CELL = r"(?:row \d+ from the bottom of column \d+|[A-Z]\d{1,2})"
#: Under gravity a column names its lowest empty cell.
_SPOT = f"(?:{_CELL}|{_MOVE})"
#: In a list of moves a column has its number alone.
_PLAYED = rf"[XO] (?:{_MOVE}|\d+)"
_PAIR = f"{_SPOT} and {_SPOT}"


def _list_of(part: str, word: str) -> str:
    return f"{part}(?:, {part})*(?: {word} {part})?"


#: The sides by their names, which are numbers where both place both letters.
PLAYERS = {"X": 0, "O": 1, "Player 1": 0, "Player 2": 1}
#: What may stand in the places of a sentence.
PLACES = {
    "side": "[XO]|Player [12]",
    "other": "[XO]|Player [12]",
    "move": _MOVE,
    "moves": _list_of(_MOVE, "or"),
    "spot": _SPOT,
    "rest": _SPOT,
    "spots": _list_of(_SPOT, "and"),
    "either": _list_of(_SPOT, "or"),
    "pair": _PAIR,
    "places": _list_of(_CELL, "or"),
    "number": r"\d+",
    "good": r"\d+",
    "count": r"\d+",
    "parity": "odd|even",
    "pairs": f"{_PAIR}(?:, {_PAIR})*, or {_PAIR}",
    "line": f"(?:a line of \\d+|{_CELL}-{_CELL})",
    "played": f"{_PLAYED}(?:, {_PLAYED})*",
}


class Lie(Exception):
    """A sentence is not true, or names what is not there."""


def need(holds: bool, otherwise: str) -> None:
    """Raise `Lie` unless something holds."""
    if not holds:
        raise Lie(otherwise)


@dataclass
class Story:
    """A move, and what has been said about it so far.

    Attributes:
        board: the position before the move.
        missed: the moves that were said to have won instead.
        forced: the position after an answer that was said to be forced.
    """

    board: Board
    move: Move
    values: Values
    missed: list[Move] = field(default_factory=list)
    forced: Board | None = None

    @property
    def side(self) -> int:
        """The side that makes the move."""
        return self.board.turn

    @property
    def after(self) -> Board:
        """The position after the move, which must not have ended the game."""
        need(self.board.result(self.move) is None, "the game is over after the move")
        return self.board.after(self.move)

    @property
    def others(self) -> list[Move]:
        """The legal moves besides the one that is made."""
        found = [move for move in self.board.moves if move != self.move]
        need(bool(found), "there is no other move")
        return found

    def worth(self, move: Move) -> Worth:
        """Return what a move instead of the one made is worth to the side that makes it."""
        return worth_of(self.values, self.board, move)

    def begin(self, side: str, name: str) -> tuple[Board, Move]:
        """Return the position in which a side makes a named move, and the move.

        That is the move of the story, one that was said to have won instead, a reply to the move,
        or what follows a forced answer.
        """
        mover, forced, self.forced = PLAYERS[side], self.forced, None
        if forced is not None and forced.turn == mover:
            return forced, move_in(forced, name)
        if mover != self.side:
            return self.after, move_in(self.after, name)
        move = move_in(self.board, name)
        need(move in (self.move, *self.missed), f"{name} is neither the move nor one just named")
        return self.board, move

    def play(self, side: str, name: str, other: str = "") -> Board:
        """Return the position after a named move, which must not end the game; see `begin`.

        Args:
            other: the other side, where the sentence names it.
        """
        need(side != other, "both sides are one")
        board, move = self.begin(side, name)
        need(board.result(move) is None, f"{name} ends the game")
        return board.after(move)

    def moves(self, side: str) -> None:
        """Check that it is this side that makes the move."""
        need(PLAYERS[side] == self.side, f"it is not {side} who moves")

    def is_told(self, side: str, name: str) -> None:
        """Check that a side and a name are those of the story's move."""
        self.moves(side)
        need(move_in(self.board, name) == self.move, f"{name} is not the move")


Reader = Callable[..., None]
READERS: list[tuple[re.Pattern[str], Reader]] = []


def reads(words: str) -> Callable[[Reader], Reader]:
    """Register a function that checks a sentence; it gets the story, and a text for each place."""
    pattern = re.escape(words).replace(r"\{", "{").replace(r"\}", "}").replace(r"\ ", " ")
    for place, form in PLACES.items():
        pattern = pattern.replace(f"{{{place}}}", f"(?P<{place}>{form})", 1)
        pattern = pattern.replace(f"{{{place}}}", f"(?P={place})")

    def register(reader: Reader) -> Reader:
        READERS.append((re.compile(pattern), reader))
        return reader

    return register


# Names


def move_in(board: Board, name: str) -> Move:
    """Return the legal move of a name."""
    if number := re.fullmatch(r"(?:column )?(\d+)", name):
        column = int(number[1]) - 1
        found = [move for move in board.moves if move.cell % board.game.columns == column]
    else:
        *signs, letter, row = re.findall(r"[A-Z]|\d+", name)
        cell = _cell_at(board.game, ord(letter) - ord("A"), int(row) - 1)
        allowed = signs or board.signs_of(board.turn)
        found = [move for move in board.moves if move.cell == cell and move.sign in allowed]
    need(len(found) == 1, f"{name} is no legal move")
    return found[0]


def cell_in(game: Game, name: str) -> int:
    """Return the cell of a name; in columns rows are counted from the bottom."""
    if found := re.fullmatch(r"row (\d+) from the bottom of column (\d+)", name):
        return _cell_at(game, int(found[2]) - 1, game.rows - int(found[1]))
    return _cell_at(game, ord(name[0]) - ord("A"), int(name[1:]) - 1)


def _cell_at(game: Game, column: int, row: int) -> int:
    is_on_board = 0 <= column < game.columns and 0 <= row < game.rows
    need(is_on_board, "there is no such cell")
    return row * game.columns + column


def spots_in(board: Board, names: str) -> list[int]:
    """Return the cells of a list of names, all different."""
    found = [
        cell_in(board.game, name) if re.fullmatch(_CELL, name) else move_in(board, name).cell
        for name in re.findall(_SPOT, names)
    ]
    need(len(set(found)) == len(found), "a cell is named twice")
    return found


def moves_in(board: Board, names: str) -> list[Move]:
    """Return the legal moves of a list of names, all different."""
    found = [move_in(board, name) for name in re.findall(_MOVE, names)]
    need(len(set(found)) == len(found), "a move is named twice")
    return found


def pairs_in(board: Board, names: str) -> list[tuple[int, int]]:
    """Return the cells of a list of pairs, all different."""
    cells = spots_in(board, names)
    return list(zip(cells[::2], cells[1::2], strict=True))


def lines_in(game: Game, name: str) -> list[Line]:
    """Return the lines that a name can mean: one by its ends, or all by their length."""
    if found := re.fullmatch(r"a line of (\d+)", name):
        need(int(found[1]) == game.length, f"no line has {found[1]} cells")
        return list(lines_of(game))
    ends = {cell_in(game, each) for each in name.split("-")}
    lines = [line for line in lines_of(game) if {line[0], line[-1]} == ends]
    need(bool(lines), f"{name} is no line")
    return lines
