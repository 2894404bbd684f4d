"""Random games: the dice of Monte Carlo search, and the way to measure how fast rules are."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from operator import or_
from random import Random

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.forbidden import is_forbidden
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import without_misere
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.ultimate_playout import is_tabled, play_ultimate
from tic_tac_toe.logic.shapes import layout

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
