"""Games of five in a row by strings that know nothing of the library: wins, fours and threes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter

SIZE = 15
#: The most fours of a win that is claimed, and of one that is denied.
MOST_FOURS, FEW_FOURS = 12, 3
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@cache
def line_through(cell: int, direction: tuple[int, int]) -> tuple[int, ...]:
    """Return the cells in one direction from edge to edge."""
    (down, right), (row, column) = direction, divmod(cell, SIZE)
    while 0 <= row - down < SIZE and 0 <= column - right < SIZE:
        row, column = row - down, column - right
    found = []
    while 0 <= row < SIZE and 0 <= column < SIZE:
        found.append(row * SIZE + column)
        row, column = row + down, column + right
    return tuple(found)


def rival(mark: str) -> str:
    return "O" if mark == "X" else "X"


def put(board: str, cell: int, mark: str) -> str:
    """Return a board with one more mark."""
    assert board[cell] == "."
    return board[:cell] + mark + board[cell + 1 :]


def run(board: str, cell: int, direction: tuple[int, int]) -> tuple[tuple[int, ...], str]:
    """Return the marks of one side around a cell, and the signs at their ends; ``#`` the edge."""
    cells = line_through(cell, direction)
    mark, first = board[cell], cells.index(cell)
    last = first
    while first > 0 and board[cells[first - 1]] == mark:
        first -= 1
    while last + 1 < len(cells) and board[cells[last + 1]] == mark:
        last += 1
    before = board[cells[first - 1]] if first else "#"
    behind = board[cells[last + 1]] if last + 1 < len(cells) else "#"
    return cells[first : last + 1], before + behind


def makes_line(game: str, board: str, cell: int, mark: str) -> bool:
    """Return whether a mark in an empty cell wins by the rules of a game."""
    after = put(board, cell, mark)
    for direction in DIRECTIONS:
        marks, ends = run(after, cell, direction)
        if game == "gomoku" or (game == "renju" and mark == "O"):
            if len(marks) >= 5:
                return True
        elif len(marks) == 5 and not (game == "gomoku-caro" and ends == rival(mark) * 2):
            return True
    return False


ROWS = tuple(
    (cells, itemgetter(*cells))
    for direction in DIRECTIONS
    for cells in sorted({line_through(cell, direction) for cell in range(SIZE * SIZE)})
    if len(cells) >= 5
)


def fives(board: str, mark: str, count: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the fives with ``count`` marks of a side or more, ``most`` of the rival or fewer."""
    for cells, signs_of in ROWS:
        signs = signs_of(board)
        if signs.count(mark) >= count:
            for at in range(len(cells) - 4):
                here = signs[at : at + 5]
                if here.count(mark) >= count and here.count(rival(mark)) <= most:
                    yield cells[at : at + 5]


def empty_in(board: str, mark: str, count: int) -> tuple[int, ...]:
    """Return the empty cells of fives with ``count`` marks of a side or more, none of the rival."""
    found = {cell for places in fives(board, mark, count, 0) for cell in places}
    return tuple(sorted(cell for cell in found if board[cell] == "."))


@lru_cache(maxsize=1 << 16)
def wins(game: str, board: str, mark: str) -> tuple[int, ...]:
    """Return the empty cells in which a side wins at once."""
    tried = empty_in(board, mark, 4)
    return tuple(cell for cell in tried if makes_line(game, board, cell, mark))


def fours_of(board: str, cell: int, direction: tuple[int, int]) -> set[frozenset[int]]:
    """Return the groups of four marks of X with a cell that one more mark makes exactly five."""
    found = set[frozenset[int]]()
    for empty in line_through(cell, direction):
        if board[empty] == ".":
            marks, _ = run(put(board, empty, "X"), empty, direction)
            if len(marks) == 5 and cell in marks:
                found.add(frozenset(marks) - {empty})
    return found


def three_of(board: str, cell: int, direction: tuple[int, int]) -> bool:
    """Return whether X has a three in a row: a mark that is allowed makes a straight four of it."""
    for empty in line_through(cell, direction):
        if board[empty] != ".":
            continue
        after = put(board, empty, "X")
        marks, ends = run(after, empty, direction)
        if len(marks) == 4 and cell in marks and ends == "..":
            fives = [end for end in line_through(cell, direction) if after[end] == "."]
            exact = [
                end
                for end in fives
                for line, _ in [run(put(after, end, "X"), end, direction)]
                if len(line) == 5 and set(marks) < set(line)
            ]
            if len(exact) == 2 and why_barred(board, empty) == "":
                return True
    return False


def why_barred(board: str, cell: int) -> str:
    """Return what forbids a cell to X in renju; empty if nothing does."""
    after = put(board, cell, "X")
    lengths = [len(run(after, cell, direction)[0]) for direction in DIRECTIONS]
    if 5 in lengths:
        return ""
    if max(lengths) > 5:
        return "barred_overline"
    if sum(len(fours_of(after, cell, direction)) for direction in DIRECTIONS) > 1:
        return "barred_four"
    if sum(three_of(after, cell, direction) for direction in DIRECTIONS) > 1:
        return "barred_three"
    return ""


def may_play(game: str, board: str, cell: int, mark: str) -> bool:
    return game != "renju" or mark == "O" or not why_barred(board, cell)


def answers(game: str, board: str, mark: str) -> tuple[int, ...]:
    """Return where a side can leave the other one, which has a four, no cell to win with."""
    threats = wins(game, board, rival(mark))
    tried = threats
    if game == "gomoku-caro":  # a mark at an end may close a line
        tried = tuple(
            cell
            for cell in range(SIZE * SIZE)
            if board[cell] == "."
            and any(
                cell in line and abs(line.index(cell) - line.index(threat)) <= 5
                for threat in threats
                for direction in DIRECTIONS
                for line in [line_through(threat, direction)]
            )
        )
    return tuple(
        cell
        for cell in tried
        if not wins(game, put(board, cell, mark), rival(mark)) and may_play(game, board, cell, mark)
    )


@lru_cache(maxsize=1 << 16)
def wins_by_fours(game: str, board: str, mark: str, depth: int = MOST_FOURS) -> bool:
    """Return whether a side, to move, wins by fours alone, as many at most."""
    if wins(game, board, mark):
        return True
    urgent = wins(game, board, rival(mark))
    tried = answers(game, board, mark) if urgent else empty_in(board, mark, 3)
    if not depth:
        return False
    for cell in tried:
        if not may_play(game, board, cell, mark):
            continue
        after = put(board, cell, mark)
        if wins(game, after, mark) and has_won_by_fours(game, after, mark, depth - 1):
            return True
    return False


def has_won_by_fours(game: str, board: str, mark: str, depth: int) -> bool:
    """Return whether a side that has just made a four wins by fours against every answer."""
    if wins(game, board, rival(mark)):
        return False
    return all(
        wins_by_fours(game, put(board, cell, rival(mark)), mark, depth)
        for cell in answers(game, board, rival(mark))
    )


def wins_by_threats(game: str, board: str, mark: str, depth: int) -> bool:
    """Return whether a side, to move, wins by fours and threes, as many at most before fours."""
    if wins_by_fours(game, board, mark):
        return True
    if not depth:
        return False
    return any(
        has_won_by_threats(game, put(board, cell, mark), mark, depth - 1)
        for cell in threatening(game, board, mark)
    )


def threatening(game: str, board: str, mark: str) -> list[int]:
    """Return the cells after which a side threatens to win by fours."""
    if wins(game, board, rival(mark)):
        tried = answers(game, board, mark)
    else:
        tried = empty_in(board, mark, 2)
    return [
        cell
        for cell in tried
        if may_play(game, board, cell, mark) and wins_by_fours(game, put(board, cell, mark), mark)
    ]


def has_won_by_threats(game: str, board: str, mark: str, depth: int) -> bool:
    """Return whether a side that has just moved wins by threats against every reply."""
    other = rival(mark)
    if wins(game, board, other):
        return False
    replies = answers(game, board, other) if wins(game, board, mark) else free(game, board, other)
    return all(wins_by_threats(game, put(board, cell, other), mark, depth) for cell in replies)


def free(game: str, board: str, mark: str) -> list[int]:
    cells = [cell for cell, sign in enumerate(board) if sign == "."]
    return [cell for cell in cells if may_play(game, board, cell, mark)]
