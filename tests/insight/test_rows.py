"""Explanations on large boards of lines, judged by strings that know nothing of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from operator import itemgetter

from tic_tac_toe import Explanation, format_state
from tic_tac_toe.insight.facts import Fact

SIZE = 15
#: The most fours that are looked for.
MOST_FOURS = 12
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

# -- the games, by strings -------------------------------------------------------------------------


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
    """Yield five cells in a row with at least so many marks of a side, and at most so many not."""
    for cells, signs_of in ROWS:
        signs = signs_of(board)
        if signs.count(mark) >= count:
            for at in range(len(cells) - 4):
                here = signs[at : at + 5]
                if here.count(mark) >= count and here.count(rival(mark)) <= most:
                    yield cells[at : at + 5]


def empty_in(board: str, mark: str, count: int) -> tuple[int, ...]:
    """Return the empty cells that stand with so many marks of a side alone in five cells."""
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


# -- facts -----------------------------------------------------------------------------------------


def is_row(cells: tuple[int, ...], size: int) -> bool:
    """Return whether cells follow each other in a row."""
    return len(cells) == size and any(
        {*cells} == {*line[at : at + size]}
        for direction in DIRECTIONS
        for line in [line_through(cells[0], direction)]
        for at in range(len(line) - size + 1)
    )


def is_line(board: str, cell: int, mark: str, line: tuple[int, ...]) -> bool:
    """Return whether a mark in a cell fills five cells in a row."""
    after = put(board, cell, mark)
    return cell in line and is_row(line, 5) and all(after[one] == mark for one in line)


def leaves_fork(game: str, board: str, mark: str, cells: tuple[int, ...]) -> bool:
    """Return whether these are the cells in which a side wins, and a mark stops one at most."""
    other = rival(mark)
    return (
        len(cells) > 1
        and wins(game, board, mark) == tuple(sorted(cells))
        and not wins(game, board, other)
        and all(
            len(wins(game, put(board, cell, other), mark)) >= len(cells) - 1
            for cell in (cells if game != "gomoku-caro" else beside(board, cells))
        )
    )


def is_open_four(game: str, board: str, cell: int, mark: str) -> tuple[int, ...]:
    """Return the ends of four marks in a row through a cell, if both are empty and win."""
    for direction in DIRECTIONS:
        marks, ends = run(board, cell, direction)
        if len(marks) == 4 and ends == "..":
            cells = line_through(cell, direction)
            first = cells.index(marks[0])
            found = cells[first - 1], cells[first + 4]
            if {*found} <= {*wins(game, board, mark)}:
                return found
    return ()


def groups(board: str, mark: str, cell: int, empty: int) -> set[frozenset[int]]:
    """Return the fours through a cell that lack an empty one."""
    return {
        frozenset(places) - {empty}
        for places in fives(board, mark, 4, 0)
        if cell in places and empty in places
    }


def beside(board: str, cells: tuple[int, ...]) -> set[int]:
    """Return the empty cells in a row with others, five cells away at most."""
    rows = [(cell, line_through(cell, direction)) for cell in cells for direction in DIRECTIONS]
    near = {one for cell, row in rows for one in row if abs(row.index(one) - row.index(cell)) <= 5}
    return {cell for cell in near if board[cell] == "."}


def fork(game: str, board: str, mark: str, fact: Fact) -> bool:
    return leaves_fork(game, put(board, fact.moves[0], mark), mark, fact.cells)


def open_four(game: str, board: str, mark: str, fact: Fact) -> bool:
    after = put(board, fact.moves[0], mark)
    ends = is_open_four(game, after, fact.moves[0], mark)
    return {*ends} == {*fact.cells} and fork(game, board, mark, fact)


def double_four(game: str, board: str, mark: str, fact: Fact) -> bool:
    after = put(board, fact.moves[0], mark)
    one, two = (groups(after, mark, fact.moves[0], cell) for cell in fact.cells)
    return bool(one and two) and len(one | two) > 1 and fork(game, board, mark, fact)


def no_answer(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, (cell,) = put(board, fact.moves[0], mark), fact.cells
    return (
        wins(game, after, mark) == (cell,)
        and not wins(game, after, rival(mark))
        and not may_play(game, after, cell, rival(mark))
    )


def no_stop(game: str, board: str, mark: str, fact: Fact) -> bool:
    return (
        wins(game, board, rival(mark)) == fact.cells
        and not wins(game, board, mark)
        and not answers(game, board, mark)
    )


def four_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    move, answer, rest = fact.moves
    after, other = put(board, move, mark), rival(mark)
    if wins(game, after, other) or answers(game, after, other) != (answer,):
        return False
    last = put(put(after, answer, other), rest, mark)
    in_row = any(move in run(last, rest, each)[0] for each in DIRECTIONS)
    ends = is_open_four(game, last, rest, mark)
    return in_row and bool(ends) and not wins(game, last, other) and fact.cells == (answer, rest)


def by_fours(game: str, board: str, mark: str, fact: Fact) -> bool:
    """Return whether each move of a line makes a four, with the answers named alone."""
    other = rival(mark)
    for at in range(0, len(fact.moves), 2):
        board = put(board, fact.moves[at], mark)
        if not wins(game, board, mark) or wins(game, board, other):
            return False
        if answers(game, board, other) != fact.moves[at + 1 : at + 2]:
            return False
        if at + 1 < len(fact.moves):
            board = put(board, fact.moves[at + 1], other)
    return fact.code != "fours" or 2 * fact.count - 1 == len(fact.moves)


def double_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    move = fact.moves[0]
    after = put(board, move, mark)
    made = [
        three
        for three in fact.lines
        if move in three
        and all(after[cell] == mark for cell in three)
        and any(
            {*three, cell} == {*run(put(after, cell, mark), cell, direction)[0]}
            and is_open_four(game, put(after, cell, mark), cell, mark)
            and may_play(game, after, cell, mark)
            for cell in fact.cells
            for direction in DIRECTIONS
        )
    ]
    return len(made) == len(fact.lines) == 2 and not is_row(tuple({*made[0], *made[1]}), 5)


def two_ways(game: str, board: str, mark: str, fact: Fact) -> bool:
    return not wins(game, board, mark) and leaves_fork(game, board, rival(mark), fact.cells)


def stops(game: str, board: str, mark: str, fact: Fact) -> bool:
    move, other = fact.moves[0], rival(mark)
    return (
        wins(game, board, other) == (move,)
        and is_line(board, move, other, fact.lines[0])
        and not wins(game, put(board, move, mark), other)
    )


def makes_fork(game: str, board: str, mark: str) -> bool:
    """Return whether a side, were it to move, could get two ways to win that nothing stops."""
    return any(
        len(wins(game, after, mark)) > 1
        and not wins(game, after, rival(mark))
        and not answers(game, after, rival(mark))
        for cell in empty_in(board, mark, 3)
        if may_play(game, board, cell, mark)
        for after in [put(board, cell, mark)]
    )


def stops_fork(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, other = put(board, fact.moves[0], mark), rival(mark)
    return makes_fork(game, board, other) and not makes_fork(game, after, other)


def stops_fours(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, other = put(board, fact.moves[0], mark), rival(mark)
    return wins_by_fours(game, board, other) and not wins_by_fours(game, after, other)


def four(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, other = put(board, fact.moves[0], mark), rival(mark)
    lacking = [cell for cell in fact.lines[0] if after[cell] == "."]
    return (
        len(lacking) == 1
        and is_line(after, lacking[0], mark, fact.lines[0])
        and lacking[0] in wins(game, after, mark)
        and not wins(game, after, other)
        and fact.cells == answers(game, after, other) != ()
    )


def open_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    move = fact.moves[0]
    after = put(board, move, mark)
    rows = [run(after, move, direction) for direction in DIRECTIONS]
    return any(len(marks) == 3 and ends == ".." for marks, ends in rows) and all(
        may_play(game, after, cell, mark)
        and is_open_four(game, put(after, cell, mark), cell, mark)
        and any(move in run(put(after, cell, mark), cell, each)[0] for each in DIRECTIONS)
        for cell in fact.cells
    )


def three(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, (cell,) = put(board, fact.moves[0], mark), fact.cells
    then = put(after, cell, mark)
    return (
        not wins(game, after, mark)
        and not wins(game, after, rival(mark))
        and not wins_by_fours(game, board, mark)
        and may_play(game, after, cell, mark)
        and bool(wins(game, then, mark))
        and has_won_by_fours(game, then, mark, MOST_FOURS)
    )


def closes_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    (line,), other = fact.lines, rival(mark)
    rows = [run(board, line[0], direction) for direction in DIRECTIONS]
    return any({*marks} == {*line} and ends == ".." for marks, ends in rows) and (
        board[line[0]] == other and is_row((*line, fact.moves[0]), 4)
    )


def completes(game: str, board: str, mark: str, fact: Fact) -> bool:
    move = fact.moves[0]
    return move in wins(game, board, mark) and is_line(board, move, mark, fact.lines[0])


def must(game: str, board: str, mark: str, fact: Fact) -> bool:
    return not wins(game, board, mark) and answers(game, board, mark) == fact.moves


def barred(game: str, board: str, mark: str, fact: Fact) -> bool:
    return game == "renju" and mark == "X" and why_barred(board, fact.cells[0]) == fact.code


JUDGES: dict[str, Callable[[str, str, str, Fact], bool]] = {
    **{judge.__name__: judge for judge in (fork, open_four, double_four, no_answer, no_stop)},
    **{judge.__name__: judge for judge in (four_three, double_three, two_ways, stops, stops_fork)},
    **{judge.__name__: judge for judge in (stops_fours, four, open_three, three, closes_three)},
    **{judge.__name__: judge for judge in (completes, must)},
    **dict.fromkeys(("forces", "fours"), by_fours),
    **dict.fromkeys(("barred_three", "barred_four", "barred_overline"), barred),
}
#: Facts that are told of what others prove, or that a search proves; see the test of threats.
OTHERS = {"wins", "loses", "is_lost", "turns_win", "missed", "threats"}


def judge(game: str, explanation: Explanation) -> Iterator[str]:
    """Yield the codes of the facts of an explanation, each found to be true."""
    for fact, state in explanation.facts:
        board, mark = format_state(state)[: SIZE * (SIZE + 1) - 1].replace("/", ""), "XO"[fact.side]
        if fact.code not in OTHERS:
            assert JUDGES[fact.code](game, board, mark, fact), (fact, format_state(state))
        yield fact.code
