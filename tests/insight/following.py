"""What follows on a board of signs by play: threats, answers, pairs, copies and plans."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tests.insight.reading import Story, move_in, need, spots_in
from tests.insight.signs import SIDES, Board, Game, Line, Move, open_lines, ways, worth_of


def can_stop_only_one(board: Board, side: int, cells: Sequence[int]) -> None:
    """Check that a side has just these ways to complete a line, and each reply stops one at most.

    Args:
        board: where the other side is to move.
    """
    need(set(ways(board, side)) == set(cells), "these are not the cells that complete a line")
    need(len(cells) > 1, "one can be stopped")
    for reply in board.moves:
        if board.result(reply) is None:
            left = set(cells).intersection(ways(board.after(reply), side))
            need(len(left) >= len(cells) - 1, "one reply stops two")


def has_no_way(board: Board, side: int) -> None:
    """Check that a side, which is to move, cannot complete a line at once."""
    need(not ways(board, side), "the other side can complete a line itself")


def must_stop_at(board: Board, cell: int) -> None:
    """Check that the side to move loses at once unless it takes this cell."""
    side = 1 - board.turn
    need(cell in ways(board, side), "nothing is to be stopped there")
    has_no_way(board, board.turn)
    for reply in board.moves:
        if reply.cell != cell and board.result(reply) is None:
            need(bool(ways(board.after(reply), side)), "another reply stops it as well")


def could_get_two_ways(board: Board, side: int) -> bool:
    """Return whether a side, if it were to move, could get two ways to complete a line."""
    board = board.with_turn(side)
    return any(
        len(ways(board.after(move), side)) > 1 for move in board.moves if board.result(move) is None
    )


def holds_by_pairs(board: Board, side: int, pairs: Sequence[tuple[int, int]]) -> None:
    """Check that a side needs both cells of a pair for every line, and gets one at most.

    Args:
        board: where this side is to move.
    """
    need(board.turn == side, "the pairs are answers to the side that moves")
    lines = open_lines(board, side)
    for line in lines:
        need(any(set(pair) <= set(line) for pair in pairs), "a line does without the pair")
    for pair in pairs:
        need(all(board.signs[cell] == "." for cell in pair), "a cell of the pair is taken")
        need(any(set(pair) <= set(line) for line in lines), "no line needs the pair")
        low, high = max(pair), min(pair)
        are_free = set(pair) <= set(board.playable)
        need(are_free or low - high == board.game.columns, "the other cell cannot be played")


@lru_cache(maxsize=1 << 18)
def holds_by_rows(board: Board, rows: frozenset[int], *, must_win: bool) -> bool:
    """Return whether the side that has just moved holds by cells of some rows.

    It completes a line, else stops one, else takes a cell of the rows, else another, and never one
    right under a line of the other side.

    Args:
        must_win: it completes a line in every play.
    """
    if not board.empty:
        return not must_win
    for reply in board.moves:
        if board.completes(reply):
            return False
        middle = board.after(reply)
        if not ways(middle, middle.turn):
            threats = ways(middle, board.turn)
            safe = not_under_lines(middle)
            wanted = [cell for cell in safe if cell // board.game.columns in rows]
            cells = threats or wanted or safe
            nexts = (middle.after(move) for move in middle.moves if move.cell in cells)
            if len(threats) > 1 or not (middle.empty or not must_win):
                return False
            if middle.empty and not any(
                holds_by_rows(after, rows, must_win=must_win) for after in nexts
            ):
                return False
    return True


def not_under_lines(board: Board) -> list[int]:
    """Return the cells that the side to move can take without opening a line to the other side."""
    return [
        move.cell
        for move in board.moves
        if move.cell - board.game.columns not in ways(board.after(move), 1 - board.turn)
    ]


@lru_cache(maxsize=1 << 18)
def must_play_under(board: Board, places: frozenset[int]) -> bool:
    """Return whether the side to move in the end has to play under a place, and loses there.

    It does nothing that lets the other side complete a line at once, as long as it can.
    """
    side, threats = 1 - board.turn, ways(board, 1 - board.turn)
    if not board.empty or ways(board, board.turn) or len(threats) > 1:
        return False
    safe = [reply for reply in board.moves if not ways(board.after(reply), side)]
    if not safe:
        stops = [reply for reply in board.moves if not threats or reply.cell in threats]
        return all(reply.cell - board.game.columns in places for reply in stops)
    return all(
        any(
            must_play_under(middle.after(move), places)
            for middle in [board.after(reply)]
            for move in middle.moves
            if move.cell in (ways(middle, board.turn) or middle.playable)
        )
        for reply in safe
    )


def makes_complete(board: Board, count: int) -> bool:
    """Return whether the side to move has to complete a line in its next ``count`` moves."""
    return count > 0 and all(
        board.completes(reply)
        or any(
            not middle.completes(move) and makes_complete(middle.after(move), count - 1)
            for middle in [board.after(reply)]
            for move in middle.moves
        )
        for reply in board.moves
    )


@lru_cache(maxsize=1 << 16)
def copies(board: Board, image: Line) -> bool:
    """Return whether copying each move of the side to move by an image completes no line first."""
    for reply in board.moves:
        if not board.completes(reply):
            middle = board.after(reply)
            copy = Move(image[reply.cell], SIDES[middle.turn])
            if middle.empty and (
                copy not in middle.moves
                or middle.completes(copy)
                or not copies(middle.after(copy), image)
            ):
                return False
    return True


def images_of(game: Game) -> dict[str, list[Line]]:
    """Return for each cell its image on the opposite side, and as in each mirror of a board."""
    cells = [divmod(cell, game.columns) for cell in range(game.columns * game.rows)]
    down, right = game.rows - 1, game.columns - 1
    mirrors = [[(r, right - c) for r, c in cells], [(down - r, c) for r, c in cells]]
    if down == right:
        mirrors += [[(c, r) for r, c in cells], [(right - c, down - r) for r, c in cells]]
    opposite = [[(down - r, right - c) for r, c in cells]]
    return {
        name: [tuple(r * game.columns + c for r, c in image) for image in images]
        for name, images in (("opposite", opposite), ("mirror", mirrors))
    }


def can_leave(board: Board, side: int, pairs: tuple[tuple[int, int], ...]) -> bool:
    """Return whether a side has a way to play on which never takes both cells of a pair."""
    if any(all(board.signs[cell] == SIDES[side] for cell in pair) for pair in pairs):
        return False
    if board.turn == side:
        nexts = [move for move in board.moves if not board.completes(move)]
        return not board.empty or any(can_leave(board.after(move), side, pairs) for move in nexts)
    return all(
        board.completes(reply) or can_leave(board.after(reply), side, pairs)
        for reply in board.moves
    )


def holds_by_leaving(board: Board, pairs: Sequence[tuple[int, int]]) -> None:
    """Check that the side that has just moved needs a pair for every line, and can leave one."""
    side = 1 - board.turn
    lines = open_lines(board, side)
    for line in lines:
        need(any(set(pair) <= set(line) for pair in pairs), "a line does without the pair")
    for pair in pairs:
        need(any(set(pair) <= set(line) for line in lines), "no line needs the pair")
        need(all(board.signs[cell] == "." for cell in pair), "a cell of the pair is taken")
    need(can_leave(board, side, tuple(pairs)), "it has to take both")


def answers_are_safe(story: Story, board: Board, named: str, first: str, second: str) -> None:
    """Check that a side answers all replies that complete nothing, and completes nothing either.

    Args:
        named: the replies that the first answer is for; the second one is for the others.
    """
    need(board.game.misere, "a line is an aim")
    replies = spots_in(board, named)
    need(set(replies) < set(board.playable), "there is no other reply")
    for reply in board.moves:
        if not board.completes(reply) and len(board.empty) > 1:
            middle = board.after(reply)
            answer = move_in(middle, first if reply.cell in replies else second)
            need(not middle.completes(answer), "the answer completes a line")
            need(worth_of(story.values, middle, answer).result >= 0, "the answer loses")


@lru_cache(maxsize=1 << 16)
def follows(board: Board, *, must_win: bool) -> bool:
    """Return whether playing above each move of the side to move lets it complete no line.

    Args:
        must_win: the side that follows completes a line in every play.
    """
    if not board.empty:
        return not must_win
    for move in board.moves:
        if board.completes(move):
            return False
        middle = board.after(move)
        above = [each for each in middle.moves if each.cell == move.cell - board.game.columns]
        if not above or not (
            middle.completes(above[0]) or follows(middle.after(above[0]), must_win=must_win)
        ):
            return False
    return True


def answers_hold(story: Story, board: Board, named: str, first: str, second: str) -> None:
    """Check that answers to all replies are legal, and that the side to move cannot win then.

    Args:
        named: the replies that the first answer is for; the second one is for the others.
    """
    side, replies = board.turn, spots_in(board, named)
    need(not board.game.misere, "in misère play a line is no aim")
    need(set(replies) < set(board.playable), "there is no other reply")
    for reply in board.moves:
        need(not board.completes(reply), "a reply completes a line")
        if len(board.empty) > 1:
            middle = board.after(reply)
            [spot] = spots_in(middle, first if reply.cell in replies else second)
            answers = [move for move in middle.moves if move.cell == spot]
            need(len(answers) == 1, "the answer is not legal")
            worth = worth_of(story.values, middle, answers[0])
            need(worth.result >= 0, f"{SIDES[side]} wins against the answer")


def good_replies(story: Story) -> list[Move]:
    """Return the replies that do not lose."""
    board = story.after
    return [each for each in board.moves if worth_of(story.values, board, each).result >= 0]


def rows_of(game: Game, parity: str) -> frozenset[int]:
    """Return the odd or even rows, counted from 1 at the bottom, as they lie from the top."""
    return frozenset(range(game.rows - (1 if parity == "odd" else 2), -1, -2))
