"""The sentences of explanations, each with a function that decides whether it is true.

To teach the reader a sentence, add a function with its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tests.insight.following import (
    answers_are_safe,
    answers_hold,
    can_stop_only_one,
    copies,
    could_get_two_ways,
    follows,
    good_replies,
    has_no_way,
    holds_by_leaving,
    holds_by_pairs,
    holds_by_rows,
    images_of,
    makes_complete,
    must_play_under,
    must_stop_at,
    rows_of,
)
from tests.insight.reading import (
    _CELL,
    PLAYERS,
    READERS,
    Lie,
    Story,
    cell_in,
    lines_in,
    move_in,
    moves_in,
    need,
    pairs_in,
    reads,
    spots_in,
)
from tests.insight.signs import (
    SIDES,
    Board,
    Move,
    Values,
    can_complete,
    ways,
)


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


@reads("With {move}, {side} makes {other} play under {places} in the end.")
def zugzwang(story: Story, move: str, side: str, other: str, places: str) -> None:
    board = story.play(side, move, other)
    named = frozenset(cell_in(board.game, name) for name in re.findall(_CELL, places))
    need(named <= set(board.empty), "a place is taken")
    need(must_play_under(board, named), "the other side need not play there")


@reads(
    "With {move}, {side} wins in the {parity} rows from the bottom: it stops lines and never plays "
    "right under one."
)
def rows_win(story: Story, move: str, side: str, parity: str) -> None:
    board = story.play(side, move)
    need(holds_by_rows(board, rows_of(board.game, parity), must_win=True), "this does not win")


@reads("With {move}, {side} wins by the plan on the board.")
def plan_win(story: Story, move: str, side: str) -> None:
    board = story.play(side, move)
    need(story.values.worth(board).result == -1, "it does not win")


@reads("With {move}, {side} has a plan to win against every reply.")
def plans_win(story: Story, move: str, side: str) -> None:
    plan_win(story, move, side)


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


@reads("With {move}, {side} leaves {other} only lines through both {pair}, and takes one of them.")
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


@reads(
    "With {move}, {side} answers {spots} with {spot} and any other reply with {rest}, "
    "and can then stop every line."
)
def answers(story: Story, move: str, side: str, spots: str, spot: str, rest: str) -> None:
    answers_hold(story, story.play(side, move), spots, spot, rest)


@reads(
    "With {move}, {side} stops every line in the {parity} rows from the bottom, and never plays "
    "right under one."
)
def rows_hold(story: Story, move: str, side: str, parity: str) -> None:
    board = story.play(side, move)
    need(holds_by_rows(board, rows_of(board.game, parity), must_win=False), "this does not hold")


@reads("With {move}, {side} stops every line by the plan on the board.")
def plan_hold(story: Story, move: str, side: str) -> None:
    board = story.play(side, move)
    need(story.values.worth(board).result <= 0, "it does not hold")


@reads("With {move}, {side} has a plan against every reply, and does not lose.")
def plans_hold(story: Story, move: str, side: str) -> None:
    plan_hold(story, move, side)


# Why a side need not complete a line in misère play


@reads("With {move}, {side} can no longer complete a line of its own.")
def own_closed(story: Story, move: str, side: str) -> None:
    board, made = story.begin(side, move)
    need(not board.completes(made), "it completes one now")
    need(not can_complete(board.after(made), PLAYERS[side]), "there is a way to complete one")


@reads(
    "With {move}, {side} copies each move of {other} on the opposite side, "
    "and never completes a line first."
)
def opposite(story: Story, move: str, side: str, other: str) -> None:
    board = story.play(side, move, other)
    images = images_of(board.game)["opposite"]
    need(any(copies(board, image) for image in images), "copying completes a line first")


@reads(
    "With {move}, {side} copies each move of {other} as in a mirror, "
    "and never completes a line first."
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


@reads("Quicker: {move} wins at once.")
def at_once(story: Story, move: str) -> None:
    named = move_in(story.board, move)
    need(story.board.result(named) == 1, "it does not win at once")
    need(story.board.result(story.move) != 1, "the move made wins at once as well")


@reads("{side} could draw with {moves}.")
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


@reads("{side} could win sooner with {move}.")
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
    need(len(story.after.moves) == int(count), "the number of replies is another one")
    need(len(good_replies(story)) == int(good), "the number of good replies is another one")
