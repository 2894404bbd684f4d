"""The list of a game's moves, for every screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.rules.traits import traits_of


class ListedMove(NamedTuple):
    """A move in a list.

    Attributes:
        ply: the number of moves up to and including this one.
        name: the move as players write it.
        letter: the side's letter for a line of text; empty if sides have other names.
        current: whether the screen shows the position after it.
    """

    ply: int
    mark: Mark
    name: str
    current: bool = False
    letter: str = ""

    def __str__(self) -> str:
        """Return the move with its mark, as ``X B2``, or ``OB2`` if the mover chose the letter."""
        return f"{self.letter} {self.name}".lstrip()


class Row(NamedTuple):
    """A line of the list: its number and a move of each side, or ``None``."""

    number: int
    first: ListedMove | None
    second: ListedMove | None


def replayed(state: GameState, numbers: Iterable[int]) -> list[Move]:
    """Return the moves of these numbers from a state, in order.

    Raises:
        InvalidMove: a move is illegal.
    """
    moves: list[Move] = []
    for number in numbers:
        moves.append(state.make_move_to(number))
        state = moves[-1].after_state
    return moves


def list_of_moves(moves: Iterable[Move], shown: int | None = None) -> list[ListedMove]:
    """Return the moves of a game.

    Args:
        shown: the number of moves before the position on the screen.
    """
    return [_listed(ply, move, ply == shown) for ply, move in enumerate(moves, start=1)]


def _listed(ply: int, move: Move, current: bool) -> ListedMove:
    state, player = move.before_state, move.player
    side = traits_of(state.rules).sides[player.side]
    letter = side if side == player else ""
    return ListedMove(ply, player, move_name(state, move.number), current, letter)


def rows_of(match: Match, shown: int | None = None) -> list[Row]:
    """Return the moves in lines of one move of each side, the side that began first.

    Args:
        shown: the number of moves before the position on the screen.
    """
    entries: list[ListedMove | None] = [*list_of_moves(match.history, shown)]
    if entries and match.history[0].player is not match.start.starting_mark:
        entries.insert(0, None)
    if len(entries) % 2:
        entries.append(None)
    pairs = zip(entries[::2], entries[1::2])
    return [Row(number, *pair) for number, pair in enumerate(pairs, start=1)]


def in_a_line(moves: Iterable[Move]) -> str:
    """Return moves in one line, as ``X B2, O A1``."""
    return ", ".join(map(str, list_of_moves(moves)))
