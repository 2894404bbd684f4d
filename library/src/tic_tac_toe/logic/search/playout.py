"""Random games: the dice of Monte Carlo search, and the way to measure how fast rules are."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate
from operator import or_
from random import Random
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import TABLED_CELLS, LineRules
from tic_tac_toe.logic.rules.renju import Renju, is_forbidden
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.shapes import blocks, layout


class _Tables(NamedTuple):
    """What a game on boards of one kind looks up; bit boards are those of a small board.

    Attributes:
        empty: the empty cells by the taken ones.
        lined: whether stones have a line.
        completing: the cells that would complete a line of the stones, taken or not.
        cells: of each small board, the cells of the whole board.
        places: of each cell of the whole board, its small board and its cell there.
    """

    empty: tuple[tuple[int, ...], ...]
    lined: tuple[bool, ...]
    completing: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, int], ...]


def is_tabled(rules: Ultimate) -> bool:
    """Return whether small boards are small enough for tables, and stay won once they are."""
    return rules.local.shape.cells <= TABLED_CELLS and not can_be_lost_again(rules)


def can_be_lost_again(rules: Ultimate) -> bool:
    """Return whether a small board that is won can be played in until its row is too long."""
    return rules.stays_open and rules.local.exact


def play_ultimate(
    rules: Ultimate, position: Position, rng: Random, *, decisive: bool = False
) -> int | None:
    """Return who wins a random game from a position that is not over: 0, 1, or ``None``.

    Every legal move is equally likely, and the same generator plays the same game as
    `playout.walk_randomly`.

    Args:
        rules: with boards that are `is_tabled`.
        decisive: a side that can win the game with one move does so.
    """
    empty, lined, completing, cells, places = _tables(rules.local)
    stays_open, random = rules.stays_open, rng.random
    boards = range(len(empty[0]))
    everything = (1 << len(boards)) - 1
    turn = position.turn
    owned = list(rules.won(position))
    own, other = (list(rules.side(position.stones[side]).boards) for side in (turn, 1 - turn))
    own_won, other_won = owned[turn], owned[1 - turn]
    closed = 0 if stays_open else own_won | other_won
    closed |= sum(1 << board for board in boards if own[board] | other[board] == everything)
    forced = position.memory % (len(boards) + 1)
    while closed != everything:
        if decisive and (goal := completing[own_won] & ~own_won & ~other_won):
            goal &= 1 << forced - 1 if forced else ~closed
            if any(
                goal >> board & 1 and completing[own[board]] & ~(own[board] | other[board])
                for board in boards
            ):
                return turn
        if forced:
            board = forced - 1
            choices = empty[own[board] | other[board]]
            cell = choices[int(random() * len(choices))]
        else:
            anywhere = sorted(
                cells[board][cell]
                for board in boards
                if not closed >> board & 1
                for cell in empty[own[board] | other[board]]
            )
            board, cell = places[anywhere[int(random() * len(anywhere))]]
        stones = own[board] | 1 << cell
        own[board] = stones
        here = 1 << board
        if lined[stones] and not (own_won | other_won) & here:
            own_won |= here
            if lined[own_won]:
                return turn
            if not stays_open:
                closed |= here
        if stones | other[board] == everything:
            closed |= here
        forced = 0 if closed >> cell & 1 else cell + 1
        own, other, own_won, other_won, turn = other, own, other_won, own_won, 1 - turn
    return None


@lru_cache(maxsize=16)
def _tables(local: LineRules) -> _Tables:
    count = local.shape.cells
    lined = tuple(map(bool, local.line_table))
    completing = tuple(
        sum(1 << cell for cell in range(count) if lined[stones | 1 << cell])
        for stones in range(1 << count)
    )
    whole = blocks(Ultimate(local).shape, local.shape)
    cells = tuple(tuple(whole.cell(board, cell) for cell in range(count)) for board in range(count))
    return _Tables(local.open_table, lined, completing, cells, tuple(whole.places))


#: A random game in which positions can come back is broken off after this number of plies.
ENDLESS_PLIES = 200


def random_playout(
    rules: Rules, position: Position, rng: Random, *, decisive: bool = False
) -> int | None:
    """Return who wins when both sides move evenly at random: 0, 1, or ``None`` for a draw.

    On boards without gravity every order of the empty cells is equally likely, and a line once
    made stays; so one shuffle is the whole game, and where it ended is found by bisection.

    Args:
        decisive: in ultimate a side that can win the game with one move does so; other games do
            not take notice.
    """
    inner = without_misere(rules)
    if type(inner) is LineRules and not inner.gravity and not inner.exact:
        winner = _first_line(inner, position, rng)
    elif isinstance(inner, LetterRules) and not inner.line.gravity and not inner.line.exact:
        winner = _first_line_of_letter(inner, position, rng)
    elif type(inner) is Ultimate and is_tabled(inner):
        if ended := inner.outcome(position):
            winner = ended.winner
        else:
            winner = play_ultimate(inner, position, rng, decisive=decisive and inner is rules)
    elif type(inner) is Renju:
        winner = _play_renju(inner, position, rng)
    else:
        return walk_randomly(rules, position, rng)
    return winner if winner is None or inner is rules else 1 - winner


def walk_randomly(rules: Rules, position: Position, rng: Random) -> int | None:
    """Return what `random_playout` does, move by move, for any rules.

    Where positions can come back, a game that has not ended after `ENDLESS_PLIES` is a draw.
    """
    moves, play, random = rules.moves, rules.play, rng.random
    plies = 0
    while cells := moves(position):
        position = play(position, cells[int(random() * len(cells))])
        plies += 1
        if plies == ENDLESS_PLIES and traits_of(rules).longest is None:
            return None
    outcome = rules.outcome(position)
    assert outcome is not None, "a position without moves is the end of the game"
    return outcome.winner


def _play_renju(rules: Renju, position: Position, rng: Random) -> int | None:
    """Return who wins when legal moves are drawn; only drawn cells are asked whether they are."""
    stones, turn = [*position.stones], position.turn
    if (ended := rules.outcome(position)) is not None:
        return ended.winner
    cells = [*rules.open_cells(position.occupied)]
    while True:
        drawn = len(cells)  # from here on lie the cells that are drawn and forbidden
        while drawn:
            at = int(rng.random() * drawn)
            drawn -= 1
            cells[at], cells[drawn] = cells[drawn], cells[at]
            if turn or not is_forbidden(rules.shape, stones[0], stones[1], cells[drawn]):
                break
        else:
            return None
        stones[turn] |= 1 << cells.pop(drawn)
        if rules.winning_line((stones[0], stones[1]), turn):
            return turn
        turn = 1 - turn


def _first_line(rules: LineRules, position: Position, rng: Random) -> int | None:
    """Return who first owns a line when the empty cells are filled in random order."""
    turn, has_line = position.turn, rules.has_line
    order = _shuffled(rules, position, rng)
    mover = tuple(accumulate(order[0::2], or_, initial=position.stones[turn]))
    other = tuple(accumulate(order[1::2], or_, initial=position.stones[1 - turn]))

    def ended(ply: int) -> bool:
        return has_line(mover[(ply + 1) // 2]) or has_line(other[ply // 2])

    ply = bisect_left(range(len(order) + 1), True, key=ended)
    if ply > len(order):
        return None
    return turn if ply % 2 else 1 - turn


def _first_line_of_letter(rules: LetterRules, position: Position, rng: Random) -> int | None:
    """Return who wins when random letters fill the empty cells in random order."""
    has_line = rules.line.has_line
    order = _shuffled(rules.line, position, rng)
    letters = rng.getrandbits(len(order) + 1)
    chosen = [(letters >> ply & 1, cell) for ply, cell in enumerate(order)]
    crosses, naughts = (
        tuple(accumulate((cell * (one == letter) for one, cell in chosen), or_, initial=stones))
        for letter, stones in enumerate(position.stones)
    )

    def ended(ply: int) -> bool:
        return has_line(crosses[ply]) or has_line(naughts[ply])

    ply = bisect_left(range(len(order) + 1), True, key=ended)
    last = min(ply, len(order))
    return rules.winner((position.turn + last) % 2, ply == last)


def _shuffled(rules: LineRules, position: Position, rng: Random) -> list[int]:
    """Return the empty cells in random order, each as a bit board."""
    table = layout(rules.shape)
    cells = table.cells(table.full & ~position.occupied)
    return [1 << cell for cell in sorted(cells, key=lambda _: rng.random())]
