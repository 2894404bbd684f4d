"""A strict reader of explanations in English, who takes each sentence at its word.

They look up every cell on a board of signs, follow every play that a sentence speaks of, and ask
for exact values where it speaks of winning, drawing and losing. A sentence that they do not know is
not read, and that is a fault as well. To teach them a sentence, add a function with its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tests.insight.signs import (
    SIDES,
    Board,
    Game,
    Line,
    Move,
    Values,
    Worth,
    can_complete,
    lines_of,
    open_lines,
    ways,
    worth_of,
)

_MOVE = r"(?:column \d+|[XO]?[A-Z]\d{1,2})"
_CELL = r"(?:row \d+ of column \d+|[A-Z]\d{1,2})"
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


class Judged(NamedTuple):
    """What the reader makes of a sentence.

    Attributes:
        kind: the function that has read it; empty if none could.
        fault: why it is not true; empty if it is.
    """

    sentence: str
    kind: str
    fault: str


def judge(board: Board, move: Move, values: Values, text: str) -> Iterator[Judged]:
    """Yield what the reader makes of each sentence of an explanation.

    Args:
        board: the position before the move.
        move: the move that is explained.
        values: who is asked for exact values.
        text: all sentences, in the order in which they are told.
    """
    story = Story(board, move, values)
    for sentence in re.split(r"(?<=\.) ", text):
        yield _judge_one(story, sentence)


def _judge_one(story: Story, sentence: str) -> Judged:
    for pattern, reader in READERS:
        if found := pattern.fullmatch(sentence):
            kind = reader.__name__
            try:
                reader(story, **found.groupdict())
            except Lie as lie:
                return Judged(sentence, kind, str(lie))
            return Judged(sentence, kind, "")
    return Judged(sentence, "", "not read")


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
    if found := re.fullmatch(r"row (\d+) of column (\d+)", name):
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


# What follows by play


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
    """Return whether the side to move completes a line within so many moves of it, forced to."""
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


# Results


@reads("{side} wins with {move}.")
def wins(story: Story, side: str, move: str) -> None:
    story.is_told(side, move)
    need(story.worth(story.move).result == 1, "it does not win")


@reads("{side} keeps the draw with {move}.")
def draws(story: Story, side: str, move: str) -> None:
    story.is_told(side, move)
    need(story.values.worth(story.board).result == 0, "there was no draw to keep")
    need(story.worth(story.move).result == 0, "it does not draw")


@reads("{side} is lost already.")
def is_lost(story: Story, side: str) -> None:
    story.moves(side)
    need(story.values.worth(story.board).result == -1, "it is not lost")


@reads("{side} throws the win away.")
def drops_win(story: Story, side: str) -> None:
    story.moves(side)
    need(story.values.worth(story.board).result == 1, "there was no win")
    need(story.worth(story.move).result == 0, "it is no draw")


@reads("{side} turns a win into a loss.")
def turns_win(story: Story, side: str) -> None:
    story.moves(side)
    need(story.values.worth(story.board).result == 1, "there was no win")
    need(story.worth(story.move).result == -1, "it does not lose")


@reads("{side} loses with {move}.")
def loses(story: Story, side: str, move: str) -> None:
    story.is_told(side, move)
    need(story.values.worth(story.board).result == 0, "it was no draw before")
    need(story.worth(story.move).result == -1, "it does not lose")


# Why a side wins


@reads("{side} completes {line} with {move}.")
def completes(story: Story, side: str, line: str, move: str) -> None:
    board, made = story.begin(side, move)
    signs = board.after(made).signs
    need(board.completes(made), "it completes nothing")
    need(
        any(
            made.cell in cells and all(signs[cell] == made.sign for cell in cells)
            for cells in lines_in(board.game, line)
        ),
        "it does not complete this line",
    )


@reads("With {move}, {side} can complete a line at {either}; {other} can stop only one.")
def fork(story: Story, move: str, side: str, either: str, other: str) -> None:
    board = story.play(side, move, other)
    has_no_way(board, board.turn)
    can_stop_only_one(board, PLAYERS[side], spots_in(board, either))


@reads(
    "With {move}, {side} can complete a line at {spot} or right above it; "
    "{other} can stop only one."
)
def stacked(story: Story, move: str, side: str, spot: str, other: str) -> None:
    board = story.play(side, move, other)
    [stop] = spots_in(board, spot)
    must_stop_at(board, stop)
    stopped = board.after(Move(stop, SIDES[board.turn]))
    need(stop - board.game.columns in ways(stopped, 1 - board.turn), "not right above")


@reads("{side} wins with threats that {other} must answer: {played}.")
def forces(story: Story, side: str, other: str, played: str) -> None:
    need(side != other, "both sides are one")
    names = [each.split(" ", 1) for each in played.split(", ")]
    need([mark for mark, _ in names[:2]] == [side, other][: len(names)], "it is not their turn")
    need(all(a != b for (a, _), (b, _) in pairwise(names)), "it is not their turn")
    need(len(names) % 2 == 1, "the last move is not of the side that wins")
    board, move = story.begin(*names[0])
    for (_, answer), (_, name) in zip(names[1::2], names[2::2], strict=True):
        need(board.result(move) is None, "the game is over before its end")
        board = board.after(move)
        reply = move_in(board, answer)
        must_stop_at(board, reply.cell)
        board = board.after(reply)
        move = move_in(board, name)
    if not board.completes(move):
        need(board.result(move) is None, "the game ends without a line")
        board = board.after(move)
        has_no_way(board, board.turn)
        can_stop_only_one(board, 1 - board.turn, ways(board, 1 - board.turn))


@reads("With {move}, {side} can force a line against every reply.")
def quiet(story: Story, move: str, side: str) -> None:
    board = story.play(side, move)
    need(not board.game.misere, "in misère play a line is no aim")
    need(story.values.worth(board).result == -1, "it is not lost")


@reads("With {move}, {side} can always play right above {other}, and so completes {line}.")
def follow_win(story: Story, move: str, side: str, other: str, line: str) -> None:
    board = story.play(side, move, other)
    lines_in(board.game, line)
    need(follows(board, must_win=True), "it does not win by playing right above")


@reads(
    "With {move}, {side} makes {other} play under {places} in the end, and completes a line there."
)
def zugzwang(story: Story, move: str, side: str, other: str, places: str) -> None:
    board = story.play(side, move, other)
    named = frozenset(cell_in(board.game, name) for name in re.findall(_CELL, places))
    need(named <= set(board.empty), "a place is taken")
    need(must_play_under(board, named), "the other side need not play there")


@reads("With {move}, {side} wins by taking cells of the {parity} rows, and by stopping lines.")
def rows_win(story: Story, move: str, side: str, parity: str) -> None:
    board = story.play(side, move)
    need(holds_by_rows(board, rows_of(board.game, parity), must_win=True), "this does not win")


@reads("With {move}, {side} wins by the plan on the board.")
def plan_win(story: Story, move: str, side: str) -> None:
    board = story.play(side, move)
    need(story.values.worth(board).result == -1, "it does not win")


@reads("With {move}, {side} leaves {other} only cells that complete a line of {other}.")
def no_safe_cell(story: Story, move: str, side: str, other: str) -> None:
    board = story.play(side, move, other)
    need(all(board.completes(reply) for reply in board.moves), "a cell completes nothing")


@reads("With {move}, {side} can make {other} complete a line of its own within {count} moves.")
def no_safe_soon(story: Story, move: str, side: str, other: str, count: str) -> None:
    board = story.play(side, move, other)
    need(makes_complete(board, int(count)), "it need not complete a line so soon")


# Why a side wins or loses in any game


@reads("{side} wins at once with {move}.")
def wins_now(story: Story, side: str, move: str) -> None:
    board, made = story.begin(side, move)
    need(board.result(made) == 1, "it does not win at once")


@reads("{side} loses at once with {move}.")
def loses_now(story: Story, side: str, move: str) -> None:
    board, made = story.begin(side, move)
    need(board.result(made) == -1, "it does not lose at once")


@reads("With {move}, {side} leaves {other} only replies that lose at once.")
def no_safe(story: Story, move: str, side: str, other: str) -> None:
    board = story.play(side, move, other)
    need(all(board.result(reply) == -1 for reply in board.moves), "a reply does not lose at once")


@reads("With {move}, {side} wins at once after every reply.")
def no_defence(story: Story, move: str, side: str) -> None:
    board = story.play(side, move)
    for reply in board.moves:
        result = board.result(reply)
        if result is None:
            middle = board.after(reply)
            result = -max(middle.result(each) or 0 for each in middle.moves)
        need(result == -1, "there is no win at once after a reply")


@reads("{side} completes {line} with {move}, and that loses.")
def poison(story: Story, side: str, line: str, move: str) -> None:
    completes(story, side, line, move)
    need(story.board.game.misere, "a line is an aim")


# Why a side does not lose


@reads("With {move}, {side} leaves {other} no line to complete.")
def closed(story: Story, move: str, side: str, other: str) -> None:
    need(side != other, "both sides are one")
    board, made = story.begin(side, move)
    if board.result(made) is None:
        board = board.after(made)
        need(not can_complete(board, PLAYERS[other]), "there is a way to complete one")


@reads("With {move}, {side} leaves {other} only lines through both {pair}, and takes one.")
def pair(story: Story, move: str, side: str, other: str, pair: str) -> None:
    board = story.play(side, move, other)
    holds_by_pairs(board, PLAYERS[other], pairs_in(board, pair))


@reads("With {move}, {side} leaves {other} only lines through {pairs}, and takes one of each.")
def pairs(story: Story, move: str, side: str, other: str, pairs: str) -> None:
    board = story.play(side, move, other)
    holds_by_pairs(board, PLAYERS[other], pairs_in(board, pairs))


@reads("With {move}, {side} can always play right above {other}, who gets no line.")
def follow(story: Story, move: str, side: str, other: str) -> None:
    board = story.play(side, move, other)
    need(follows(board, must_win=False), "it does not hold by playing right above")


@reads("With {move}, {side} makes {other} stop at {spot}.")
def must_stop(story: Story, move: str, side: str, other: str, spot: str) -> None:
    board = story.play(side, move, other)
    [stop] = spots_in(board, spot)
    must_stop_at(board, stop)
    story.forced = board.after(Move(stop, SIDES[board.turn]))


@reads("After {move}, {side} answers every reply with {spot}, and {other} gets no line.")
def answer(story: Story, move: str, side: str, spot: str, other: str) -> None:
    answers_hold(story, story.play(side, move, other), "", spot, spot)


@reads(
    "With {move}, {side} answers {spots} with {spot} and any other reply with {rest}, "
    "and can then stop every line."
)
def answers(story: Story, move: str, side: str, spots: str, spot: str, rest: str) -> None:
    answers_hold(story, story.play(side, move), spots, spot, rest)


@reads("With {move}, {side} stops every line by taking cells of the {parity} rows.")
def rows_hold(story: Story, move: str, side: str, parity: str) -> None:
    board = story.play(side, move)
    need(holds_by_rows(board, rows_of(board.game, parity), must_win=False), "this does not hold")


@reads("With {move}, {side} stops every line by the plan on the board.")
def plan_hold(story: Story, move: str, side: str) -> None:
    board = story.play(side, move)
    need(story.values.worth(board).result <= 0, "it does not hold")


# Why a side need not complete a line in misère play


@reads("With {move}, {side} can no longer complete a line of its own.")
def own_closed(story: Story, move: str, side: str) -> None:
    board, made = story.begin(side, move)
    need(not board.completes(made), "it completes one now")
    need(not can_complete(board.after(made), PLAYERS[side]), "there is a way to complete one")


@reads(
    "With {move}, {side} copies each move of {other} on the opposite side, "
    "and completes no line first."
)
def opposite(story: Story, move: str, side: str, other: str) -> None:
    board = story.play(side, move, other)
    images = images_of(board.game)["opposite"]
    need(any(copies(board, image) for image in images), "copying completes a line first")


@reads(
    "With {move}, {side} copies each move of {other} as in a mirror, and completes no line first."
)
def mirror(story: Story, move: str, side: str, other: str) -> None:
    board = story.play(side, move, other)
    images = images_of(board.game)["mirror"]
    need(any(copies(board, image) for image in images), "copying completes a line first")


@reads("With {move}, {side} needs both {pair} for a line, and never has to take both.")
def own_pair(story: Story, move: str, side: str, pair: str) -> None:
    board = story.play(side, move)
    holds_by_leaving(board, pairs_in(board, pair))


@reads("With {move}, {side} needs {pairs}, for a line, and never has to take both.")
def own_pairs(story: Story, move: str, side: str, pairs: str) -> None:
    board = story.play(side, move)
    holds_by_leaving(board, pairs_in(board, pairs))


@reads(
    "With {move}, {side} can take {spot} next, where {other} would complete a line, "
    "and never has to complete one."
)
def safe_answer(story: Story, move: str, side: str, spot: str, other: str) -> None:
    board = story.play(side, move, other)
    [cell] = spots_in(board, spot)
    need(cell in ways(board, board.turn), "the other side would complete nothing there")
    answers_are_safe(story, board, "", spot, spot)


@reads(
    "With {move}, {side} answers {spots} with {spot}, any other safe reply with {rest}, "
    "and never has to complete a line."
)
def safe_answers(story: Story, move: str, side: str, spots: str, spot: str, rest: str) -> None:
    answers_are_safe(story, story.play(side, move), spots, spot, rest)


# What is said beside the reason


@reads("{side} could win with {move}.")
def missed(story: Story, side: str, move: str) -> None:
    story.moves(side)
    named = move_in(story.board, move)
    need(named != story.move, "it is the move that was made")
    need(story.worth(story.move).result < 1, "the move made wins as well")
    need(story.worth(named).result == 1, "it does not win")
    story.missed.append(named)


@reads("{side} could win at once with {move}.")
def at_once(story: Story, side: str, move: str) -> None:
    story.moves(side)
    named = move_in(story.board, move)
    need(story.board.result(named) == 1, "it does not win at once")
    need(story.board.result(story.move) != 1, "the move made wins at once as well")


@reads("{side} could keep the draw with {moves}.")
def kept(story: Story, side: str, moves: str) -> None:
    story.moves(side)
    need(story.values.worth(story.board).result == 0, "there was no draw")
    need(story.worth(story.move).result == -1, "the move made does not lose")
    for named in moves_in(story.board, moves):
        need(story.worth(named).result == 0, "one of them does not draw")


@reads("{other} was about to complete {line}.")
def stops(story: Story, other: str, line: str) -> None:
    side = PLAYERS[other]
    need(side != story.side, "it is the side that moves")
    board, is_over = story.board, story.board.result(story.move) is not None
    for cells in lines_in(board.game, line):
        left = [cell for cell in cells if board.signs[cell] == "."]
        has_marks = all(
            board.signs[cell] in board.signs_of(side) for cell in cells if cell not in left
        )
        if len(left) == 1 and has_marks and left[0] in ways(board, side):
            need(is_over or left[0] == story.move.cell, "the move does not stop it")
            return
    raise Lie("there was no such threat")


@reads("{other} was about to get two ways to complete a line.")
def stops_fork(story: Story, other: str) -> None:
    side = PLAYERS[other]
    need(side != story.side, "it is the side that moves")
    need(could_get_two_ways(story.board, side), "there was no such threat")
    is_over = story.board.result(story.move) is not None
    need(is_over or not could_get_two_ways(story.after, side), "it still can")


@reads("{other} can complete a line at {either}; {side} can stop only one.")
def two_ways(story: Story, other: str, either: str, side: str) -> None:
    story.moves(side)
    need(side != other, "both sides are one")
    has_no_way(story.board, story.side)
    can_stop_only_one(story.board, 1 - story.side, spots_in(story.board, either))


@reads("After any other move, {other} completes a line at once.")
def must(story: Story, other: str) -> None:
    side = PLAYERS[other]
    need(side != story.side, "it is the side that moves")
    need(not ways(story.after, side), "and so it is after this move")
    for move in story.others:
        need(story.board.result(move) is None, "another move ends the game")
        need(bool(ways(story.board.after(move), side)), "another move stops it as well")


@reads("After any other move, {other} has won or wins at once.")
def must_end(story: Story, other: str) -> None:
    need(PLAYERS[other] != story.side, "it is the side that moves")
    for move in story.others:
        result = story.board.result(move)
        if result is None:
            after = story.board.after(move)
            result = -max(after.result(reply) or 0 for reply in after.moves)
        need(result == -1, "another move does not lose so soon")


@reads("Any other move loses at once.")
def must_not(story: Story) -> None:
    need(story.board.result(story.move) != -1, "this move loses at once as well")
    need(all(story.board.result(move) == -1 for move in story.others), "another does not")


@reads("Any other move completes a line.")
def must_poison(story: Story) -> None:
    need(not story.board.completes(story.move), "this move completes a line as well")
    need(all(story.board.completes(move) for move in story.others), "another does not")


@reads("Any other move completes a line of {side}, or {other} can force one within {count} moves.")
def must_soon(story: Story, side: str, other: str, count: str) -> None:
    story.moves(side)
    need(side != other, "both sides are one")
    for move in story.others:
        if not story.board.completes(move):
            after = story.board.after(move)
            replies = [reply for reply in after.moves if not after.completes(reply)]
            need(
                any(makes_complete(after.after(reply), int(count)) for reply in replies),
                "another move does not lose so soon",
            )


@reads("Any other move loses.")
def only(story: Story) -> None:
    need(story.worth(story.move).result > -1, "this move loses as well")
    need(all(story.worth(move).result == -1 for move in story.others), "another does not lose")


@reads("No other move wins.")
def only_win(story: Story) -> None:
    need(story.worth(story.move).result == 1, "this move does not win")
    need(all(story.worth(move).result < 1 for move in story.others), "another wins")


@reads("{side} wins sooner with {move}.")
def sooner(story: Story, side: str, move: str) -> None:
    story.moves(side)
    made, named = story.worth(story.move), story.worth(move_in(story.board, move))
    need(made.result == named.result == 1, "not both of them win")
    need(named.plies < made.plies, "it takes as long")


@reads("{side} has only one good reply, {move}.")
def trap(story: Story, side: str, move: str) -> None:
    need(PLAYERS[side] != story.side, "it is the side that moves")
    need(good_replies(story) == [move_in(story.after, move)], "this is not the only good reply")


@reads("{side} has {good} good replies of {count}.")
def trap_many(story: Story, side: str, good: str, count: str) -> None:
    need(PLAYERS[side] != story.side, "it is the side that moves")
    need(len(story.after.moves) == int(count), "there are not so many replies")
    need(len(good_replies(story)) == int(good), "there are not so many good replies")
