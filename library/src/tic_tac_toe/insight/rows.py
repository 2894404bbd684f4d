"""Reasons in games of lines on large boards, where no exact values are known: threats.

A *four* threatens to complete a line with the next move, and a *three* to win by fours; see
`tic_tac_toe.logic.search.threats`, which finds both. Those names are told in five in a row alone.
What a search did not find is told of no one unless the search came to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.lines import LineProver
from tic_tac_toe.insight.provers import Prover
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.search.threats import Proof, ThreatSearch, board_of, deepened, has_threats
from tic_tac_toe.solver.certificates import board_for

#: The marks of a line in the games in which fours and threes have their names.
FIVE: Final = 5
#: The positions that are looked at for a win by fours, and for one by fours and threes.
FOURS_NODES, THREATS_NODES = 200, 60
#: The most moves of a win by threats that make threes or fours before fours alone win.
MOST_THREATS: Final = 3
#: The most fours of a win whose moves are told one by one.
MOST_TOLD: Final = 3
#: How long a win takes that begins with more fours than can be answered.
PLIES_OF_FORK: Final = 3
#: What may not be played in renju, by the code of the fact.
BARRED: Final = {
    "double three": "barred_three",
    "double four": "barred_four",
    "overline": "barred_overline",
}
#: Wins that a search has found, and no certificate proves.
SEARCHED: Final = ("double_three", "threats")
#: Wins whose certificate is that of a plainer reason.
_PLAIN: Final = {
    **dict.fromkeys(("open_four", "double_four"), "fork"),
    **dict.fromkeys(("four_three", "fours"), "forces"),
}


class RowProver(Prover):
    """Finds reasons in a game of lines without gravity that is not misère.

    Args:
        rules: of the game.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._certified: LineProver | None = None
        with suppress(InvalidVariant):
            self._certified = LineProver(board_for(rules))
        self.by = "proof" if self._certified else "search"

    # -- wins ------------------------------------------------------------------------------------

    def reason(self, position: Position, move: int, must_win: bool) -> Fact | None:
        """Return why a move wins, if that is seen."""
        board, side = board_of(self._rules, position), position.turn
        if board is None or not must_win:
            return None
        if board.threats().wins[side] >> move & 1:
            return Fact("completes", side, (move,), lines=(self._line(board, side, move),))
        with _put(board, side, move):
            wins = board.threats().wins
            if wins[1 - side]:
                return None
            if ways := wins[side]:
                free = board.playable & ~board.barred(1 - side)
                answers = board.stops(side, ways) & free
                if free and not answers:  # in renju the game is a draw if X may not move
                    return self._too_many(board, side, move, ways)
                if answers and (fact := self._fours(board, side, move, answers)):
                    return fact
        return self._threats(board, side, move)

    def best(self, position: Position, moves: Sequence[int], must_win: bool) -> Fact | None:
        """Return a win by one of these moves, if a search for the fewest threats begins with it."""
        board, side = board_of(self._rules, position), position.turn
        if board is None or not must_win:
            return None
        kind, proof = deepened(ThreatSearch(board, side, THREATS_NODES), MOST_THREATS)
        if proof is None or proof.line[0] not in set(moves):
            return None
        if kind == "threats":
            return self._by_threats(board, side, proof.line)
        return self.reason(position, proof.line[0], must_win)

    def _too_many(self, board: LineBoard, side: int, move: int, ways: int) -> Fact | None:
        """Return how a side wins that has just made more fours than can be answered."""
        cells = tuple(cells_of(ways))
        made = [self._line(board, side, cell, move) for cell in cells]
        lines = tuple(line or self._line(board, side, cell) for line, cell in zip(made, cells))
        if len(cells) == 1:
            return Fact(
                "no_answer", side, (move,), cells, lines, because=self._barred(board, cells)
            )
        if len(cells) > 2 and board.ends_count:  # a mark at an end may stop two of them
            return Fact("threats", side, (move,))
        code = "fork"
        if board.rules.length == FIVE and len(cells) == 2 and all(made):
            code = "open_four" if self._is_open(board, side, move, cells) else "double_four"
        return Fact(code, side, (move,), cells, lines)

    def _is_open(self, board: LineBoard, side: int, move: int, ends: tuple[int, ...]) -> bool:
        """Return whether a mark stands in a row of four between two cells."""
        own = board.stones[side]
        return any(
            {cells[0], cells[-1]} == {*ends} and all(own >> cell & 1 for cell in cells[1:-1])
            for cells in _windows(board, move, FIVE + 1)
        )

    def _fours(self, board: LineBoard, side: int, move: int, answers: int) -> Fact | None:
        """Return how a side wins by fours that has just made one."""
        search, proofs = ThreatSearch(board, side, FOURS_NODES), list[tuple[int, Proof]]()
        for answer in cells_of(answers):
            with _put(board, 1 - side, answer):
                proof = search.shortest_by_fours()
            if proof is None:
                return None
            proofs.append((answer, proof))
        answer, proof = max(proofs, key=lambda each: each[1].plies)
        line = (move, answer, *proof.line[:-2])
        if board.ends_count:  # there may be other answers
            return Fact("threats", side, line)
        if four_three := self._four_three(board, side, line):
            return four_three
        if board.rules.length != FIVE or (len(line) < 2 * MOST_TOLD and not board.is_renju):
            return Fact("forces", side, line)
        return Fact("fours", side, line, count=(len(line) + 1) // 2)

    def _four_three(self, board: LineBoard, side: int, line: tuple[int, ...]) -> Fact | None:
        """Return that a side, which has just made a four, makes an open four with the next move."""
        if board.rules.length != FIVE or len(line) != 3:
            return None
        move, answer, rest = line
        with _put(board, 1 - side, answer), _put(board, side, rest):
            ways = board.threats().wins[side]
            fact = self._too_many(board, side, rest, ways)
        if fact is None or fact.code != "open_four" or move not in fact.lines[0]:
            return None
        return Fact("four_three", side, line, (answer, rest), fact.lines)

    def _threats(self, board: LineBoard, side: int, move: int) -> Fact | None:
        """Return that a move wins by threes and fours, if a search proves it."""
        search = ThreatSearch(board, side, THREATS_NODES)
        for depth in range(MOST_THREATS):
            if proof := search.after(move, depth):
                return self._by_threats(board, side, (move, *proof.line))
            if search.nodes >= search.node_limit:
                break
        return None

    def _by_threats(self, board: LineBoard, side: int, line: tuple[int, ...]) -> Fact:
        return self._double_three(board, side, line[0]) or Fact("threats", side, line)

    def _double_three(self, board: LineBoard, side: int, move: int) -> Fact | None:
        """Return that a move, which is proved to win, makes two threes."""
        with _put(board, side, move):
            if board.threats().wins[side]:
                return None
            threes = self._threes(board, side, move)
        # By the distance of neighbouring cells, which tells rows through one cell apart.
        rows = {min(b - a, c - b): (a, b, c) for (a, b, c), _ in threes}
        if len(rows) != 2:
            return None
        cells = tuple(sorted({cell for _, cell in threes}))
        return Fact("double_three", side, (move,), cells, tuple(rows.values()))

    # -- beside the reason -----------------------------------------------------------------------

    def stopped(self, position: Position, move: int) -> Fact | None:
        """Return what the other side was about to do, and cannot after the move."""
        board, side = board_of(self._rules, position), position.turn
        if board is None:
            return None
        ways = board.threats().wins[1 - side]
        if ways:
            line = self._line(board, 1 - side, move) if ways == 1 << move else ()
            return Fact("stops", side, (move,), lines=(line,)) if line else None
        before = self._by_fours(board, 1 - side)
        if before is None:
            return None
        first = before.line[0]
        with _put(board, 1 - side, first):
            many = board.threats().wins[1 - side]
        with _put(board, side, move):
            if board.threats().wins[side] or not self._has_no_fours(board, 1 - side):
                return None
        if before.plies == PLIES_OF_FORK and many & (many - 1):
            return Fact("stops_fork", side, (move,))
        return Fact("stops_fours", side, (move,)) if board.rules.length == FIVE else None

    def two_ways(self, position: Position, move: int) -> Fact | None:
        """Return that the other side can complete a line, and this one cannot stop it."""
        board, side = board_of(self._rules, position), position.turn
        has_choice = len(self._rules.moves(position)) > 1
        if board is None or board.threats().wins[side] or not has_choice:
            return None
        ways = board.threats().wins[1 - side]
        cells = tuple(cells_of(ways))
        if len(cells) == 2 or (len(cells) > 2 and not board.ends_count):
            return Fact("two_ways", side, (move,), cells)
        if cells and ways & board.barred(side):
            return Fact("no_stop", side, (move,), cells, because=self._barred(board, cells))
        return None

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that after every other move the other side completes a line at once."""
        board, side = board_of(self._rules, position), position.turn
        has_choice = len(self._rules.moves(position)) > 1
        if board is None or board.threats().wins[side] or not has_choice:
            return None
        ways = board.threats().wins[1 - side]
        if not ways or board.stops(1 - side, ways) & ~board.barred(side) != 1 << move:
            return None
        return Fact("must", side, (move,))

    def noted(self, position: Position, move: int) -> tuple[Fact, ...]:
        """Return what is true of a move where no value is known."""
        found = [self.stopped(position, move)]
        board, side = board_of(self._rules, position), position.turn
        if board is not None:
            found += [self._made(board, side, move), self._closed(board, side, move)]
        return tuple(filter(None, found))

    def _made(self, board: LineBoard, side: int, move: int) -> Fact | None:
        """Return the four or the three that a move makes."""
        could = self._has_no_fours(board, side)
        with _put(board, side, move):
            wins = board.threats().wins
            if wins[1 - side]:
                return None
            if ways := wins[side]:
                answers = board.stops(side, ways) & ~board.barred(1 - side)
                made = [self._line(board, side, cell, move) for cell in cells_of(ways)]
                lines, cells = tuple(filter(None, made)), tuple(cells_of(answers))
                return Fact("four", side, (move,), cells, lines[:1]) if cells and lines else None
            if board.rules.length != FIVE or not could:
                return None
            threes = self._threes(board, side, move)
            for a, b, c in (three for three, _ in threes):
                if b - a == c - b:
                    cells = tuple(sorted(cell for three, cell in threes if three == (a, b, c)))
                    return Fact("open_three", side, (move,), cells, ((a, b, c),))
            proof = self._by_fours(board, side)
            return Fact("three", side, (move,), proof.line[:1]) if proof else None

    def _closed(self, board: LineBoard, side: int, move: int) -> Fact | None:
        """Return three marks of the other side in a row, one end of which a move closes."""
        if board.rules.length != FIVE:
            return None
        own, other = board.stones[side], board.stones[1 - side]
        for cells in _windows(board, move, FIVE):
            if move not in (cells[0], cells[-1]):
                continue
            three = cells[1:-1]
            signs = [other >> cell & 1 for cell in cells]
            if signs == [0, 1, 1, 1, 0] and not any(own >> cell & 1 for cell in cells):
                return Fact("closes_three", side, (move,), lines=(tuple(sorted(three)),))
        return None

    # -- what is on the board --------------------------------------------------------------------

    def _line(
        self, board: LineBoard, side: int, cell: int, through: int | None = None
    ) -> tuple[int, ...]:
        """Return a line that a mark of a side in an empty cell completes; empty if none is.

        Args:
            through: a cell that the line shall hold.
        """
        needed = 1 << cell if through is None else 1 << cell | 1 << through
        own, other = board.stones[side], board.stones[1 - side]
        exact = board.rules.exact or (board.is_renju and side == 0)
        for mask, fence in board.geometry.places:
            if needed & ~mask or mask & ~own != 1 << cell or (exact and fence & own):
                continue
            if board.ends_count and fence.bit_count() == 2 and not fence & ~other:
                continue
            return tuple(cells_of(mask))
        return ()

    def _by_fours(self, board: LineBoard, side: int) -> Proof | None:
        return ThreatSearch(board, side, FOURS_NODES).shortest_by_fours()

    def _has_no_fours(self, board: LineBoard, side: int) -> bool:
        """Return whether a side, were it to move, would have no win by fours; it was looked for."""
        search = ThreatSearch(board, side, FOURS_NODES)
        return search.by_fours() is None and search.nodes < search.node_limit

    def _threes(
        self, board: LineBoard, side: int, move: int
    ) -> list[tuple[tuple[int, int, int], int]]:
        """Return three marks in a row of four, one of them a move, and the cell that is empty.

        A mark there makes an open four.
        """
        found = list[tuple[tuple[int, int, int], int]]()
        own, empty = board.stones[side], board.full & ~(board.stones[0] | board.stones[1])
        barred = board.barred(side)
        for cells in _windows(board, move, FIVE + 1):
            four, ends = cells[1:-1], 1 << cells[0] | 1 << cells[-1]
            lacking = [cell for cell in four if not own >> cell & 1]
            if move not in four or len(lacking) != 1 or (ends | 1 << lacking[0]) & ~empty:
                continue
            if barred >> lacking[0] & 1:
                continue
            with _put(board, side, lacking[0]):
                if not ends & ~board.threats().wins[side]:
                    a, b, c = sorted({*four} - {*lacking})
                    found.append(((a, b, c), lacking[0]))
        return found

    def _barred(self, board: LineBoard, cells: Iterable[int]) -> tuple[Fact, ...]:
        """Return why cells are forbidden to X."""
        why = board.forbidden(0)
        return tuple(Fact(BARRED[why[cell]], 0, (), (cell,)) for cell in cells if cell in why)

    # -- proofs ----------------------------------------------------------------------------------

    def certificate(self, position: Position, fact: Fact) -> str:
        """Return a reason as a file that `certificate_check` reads; empty where it has none."""
        if self._certified is None or fact.code in SEARCHED:
            return ""
        plain = replace(fact, code=_PLAIN.get(fact.code, fact.code))
        return self._certified.certificate(position, plain)


def finds_rows(rules: Rules) -> bool:
    """Return whether `RowProver` knows a game."""
    return has_threats(rules) and not traits_of(rules).gravity


@contextmanager
def _put(board: LineBoard, side: int, cell: int) -> Iterator[None]:
    """Put a mark on a board for a while."""
    board.toggle(cell, side)
    try:
        yield
    finally:
        board.toggle(cell, side)


def _windows(board: LineBoard, cell: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield the cells in a row that hold a cell, as many as told, where the board has edges."""
    for row in board.geometry.through[cell]:
        if row.kinds[0].is_ring:
            continue
        at = row.cells.index(cell)
        for first in range(max(0, at - size + 1), min(at, len(row.cells) - size) + 1):
            yield row.cells[first : first + size]
