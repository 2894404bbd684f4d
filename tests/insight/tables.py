"""Games at which explanations are asked for, with a board of signs beside the library's states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from tests.insight.sentences import Judged, judge
from tests.insight.signs import SIDES, Board, Game, Move, Played, Values, Worth, worth_of
from tic_tac_toe import Explanation, GameState, explain, find_rules, parse_state
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.search.evaluation import MATE, MoveEvaluation, Result
from tic_tac_toe.solver import FastSolver
from tic_tac_toe.solver.book import with_book

RESULTS: dict[int, Result] = {1: "win", 0: "draw", -1: "loss"}
#: Games whose names do not say their rules.
GAMES = {"tic-tac-toe": "3,3,3", "connect-four": "7,6,4,gravity", "wild": "3,3,3,wild"}
#: A board with more cells is not played to the end in Python.
MOST_CELLS = 9


class Solved:
    """Values by the fast solver of the library, which knows bigger games."""

    def __init__(self, name: str) -> None:
        self.rules = find_rules(name)
        self.solver = with_book(self.rules, FastSolver(self.rules, Limits(threads=1)))
        self._known: dict[Board, Worth] = {}

    def worth(self, board: Board) -> Worth:
        """Return what a position is worth to the side to move."""
        if board not in self._known:
            score = self.solver.score(parse_state(text_of(board), self.rules).position)
            plies = MATE - abs(score) if score else len(board.empty)
            self._known[board] = Worth((score > 0) - (score < 0), plies)
        return self._known[board]


@dataclass(frozen=True)
class Table:
    """A game at which explanations are asked for.

    Attributes:
        name: of the game in the library.
        game: the same for the reader.
        values: exact values of its positions.
    """

    name: str
    game: Game
    values: Values

    def explain(self, board: Board, move: Move) -> Explanation:
        """Return why a move is good, from the exact values."""
        state, known = _valued(self, board)
        return explain(state, name_of(board, move), values=known)

    def read(self, board: Board, move: Move, text: str) -> list[Judged]:
        """Return what the reader makes of the sentences of an explanation."""
        return list(judge(board, move, self.values, text)) if text else []

    def positions(self) -> Iterator[Board]:
        """Yield every position in which the game goes on."""
        todo, seen = [self.game.start], {self.game.start}
        for board in todo:
            yield board
            for move in board.moves:
                after = board.after(move)
                if board.result(move) is None and after not in seen:
                    seen.add(after)
                    todo.append(after)

    def played(self, rng: Random, opening: int) -> Iterator[Board]:
        """Yield positions of games in which three of four moves are the best ones, without end.

        Args:
            opening: the moves at random with which a game begins; what is yielded comes after them.
        """
        while True:
            board, is_over, made = self.game.start, False, 0
            while not is_over:
                if made < opening:
                    move = rng.choice(board.moves)
                else:
                    yield board
                    move = self._played(board, rng)
                is_over = board.result(move) is not None
                board, made = board.after(move), made + 1

    def _played(self, board: Board, rng: Random) -> Move:
        ranks = {move: worth_of(self.values, board, move).rank for move in board.moves}
        best = [move for move, rank in ranks.items() if rank == max(ranks.values())]
        return rng.choice(best if rng.random() < 0.75 else board.moves)


@lru_cache(maxsize=4)
def _valued(place: Table, board: Board) -> tuple[GameState, tuple[MoveEvaluation, ...]]:
    """Return the library's state of a position, and the exact values of its moves."""
    state, known = parse_state(text_of(board), place.name), list[MoveEvaluation]()
    for move in board.moves:
        result, plies = worth_of(place.values, board, move)
        number = state.move(name_of(board, move)).number
        known.append(MoveEvaluation.solved(number, RESULTS[result], plies))
    return state, tuple(known)


@cache
def table(name: str) -> Table:
    """Return the table of a game; values are kept from one test to the next."""
    game = Game.of(GAMES.get(name, name.removeprefix("mnk:")))
    is_small = game.columns * game.rows <= MOST_CELLS
    return Table(name, game, Played() if is_small else Solved(name))


def text_of(board: Board) -> str:
    """Return a position as the library writes it."""
    columns = board.game.columns
    rows = [board.signs[at : at + columns] for at in range(0, len(board.signs), columns)]
    return f"{'/'.join(rows)} {'xo'[board.turn]}"


def board_of(place: Table, text: str) -> Board:
    """Return the board of signs of a written position."""
    rows, mark, *_ = text.split(" ")
    return Board(place.game, rows.replace("/", ""), SIDES.lower().index(mark))


def cell_name_of(board: Board, cell: int) -> str:
    """Return the name of a cell by its column and its row from the top."""
    row, column = divmod(cell, board.game.columns)
    return f"{chr(ord('A') + column)}{row + 1}"


def name_of(board: Board, move: Move) -> str:
    """Return what players write for a move."""
    if board.game.gravity:
        return str(move.cell % board.game.columns + 1)
    return (move.sign if board.game.wild else "") + cell_name_of(board, move.cell)


def moves_of(boards: Iterable[Board], least: int) -> Iterator[tuple[Board, Move]]:
    """Yield all moves of positions, until there are at least so many."""
    count = 0
    for board in boards:
        yield from ((board, move) for move in board.moves)
        count += len(board.moves)
        if count >= least:
            return
