"""For users' own games and front ends: a conformance check and doubles of players and screens."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from tic_tac_toe.game.players import Player
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.learning import symmetries
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules, Symmetric, rules_of
from tic_tac_toe.logic.rules.traits import Placement, count_moves, placement, traits_of

__all__ = ["RecordingRenderer", "ScriptedPlayer", "check_rules"]

#: The number of legal and of illegal moves that `check_rules` tries in each position at most.
SAMPLE = 16


class ScriptedPlayer(Player):
    """A player that plays the given cells one after the other, legal or not."""

    def __init__(self, mark: Mark, cells: Iterable[int]) -> None:
        super().__init__(mark)
        self._cells = iter(cells)
        self._played = 0

    def get_move(self, game_state: GameState) -> Move | None:
        """Return the next scripted move.

        Raises:
            InvalidMove: the script asks for an illegal cell; the game goes on with the next.
            AssertionError: the script is over and the game is not.
        """
        for cell in self._cells:
            self._played += 1
            return game_state.make_move_to(cell)
        raise AssertionError(f"the script of {self.mark} is over after {self._played} cells")


class RecordingRenderer(Renderer):
    """A renderer that keeps in `states` every state that it is given."""

    def __init__(self) -> None:
        self.states: list[GameState] = []

    def render(self, game_state: GameState) -> None:
        """Keep the state."""
        self.states.append(game_state)


class _Whole:
    """A whole number that is no `int`, as those of NumPy are."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value


def check_rules(rules: Rules | str, *, games: int = 20, rng: random.Random | None = None) -> None:
    """Play random games and raise `AssertionError` at the first promise of `Rules` that breaks.

    Each message starts with the promise. In every position of every game it tries the legal moves
    and the illegal ones, on large boards a sample of `SAMPLE` of each, and looks whether the board
    shows what `placement` says of them. Where positions can come back (`Traits.longest` is
    ``None``), marks may leave the board, those that `Traits.leaving` names if it is given, and
    games need not end.

        >>> check_rules("ultimate", games=1)

    Args:
        games: how many games each side begins.
        rng: where chance comes from; seeded with 0 unless given, so that a failure comes again.
    """
    rules = rules_of(rules)
    dice = rng or random.Random(0)
    twin = copy.deepcopy(rules)
    with _promise("rules are hashable, equal values"):
        before = hash(rules)
        _check(rules == twin and hash(twin) == before, "a copy differs")
    with _promise("the sides have two names"):
        sides = traits_of(rules).sides
        _check(sides[0] != sides[1], f"{sides}")
    for starter in (0, 1):
        for _ in range(games):
            for position in _random_game(rules, Position(turn=starter), dice):
                _check_position(rules, position, dice)
    for position in _random_game(rules, Position(), dice):
        for move in _some(list(rules.moves(position)), dice):
            with _promise("play takes every whole number, see operator.index", position, move):
                after = rules.play(position, cast("int", _Whole(move)))
                _check(after == rules.play(position, move), f"{after}")
    _check_symmetries(rules, dice)
    with _promise("rules do not change while games are played"):
        _check(rules == twin and hash(rules) == before, "they did")


@contextmanager
def _promise(promise: str, *details: object) -> Iterator[None]:
    """Let only `AssertionError` out, and let it begin with the promise that is broken."""
    try:
        yield
    except Exception as error:
        where = "".join(f": {detail}" for detail in details)
        cause = str(error) if isinstance(error, AssertionError) else repr(error)
        raise AssertionError(f"{promise}{where}: {cause}") from error


def _check(held: bool, found: str) -> None:
    if not held:
        raise AssertionError(found)


def _random_game(rules: Rules, position: Position, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of one random game, the final one included.

    Of a game that can go on for ever, as many are yielded as the board has cells.
    """
    limit = traits_of(rules).longest
    for _ in range(1 + (rules.shape.cells if limit is None else limit)):
        yield position
        moves = rules.moves(position)
        if not moves:
            return
        position = rules.play(position, rng.choice(list(moves)))
    if limit is not None:
        raise AssertionError(f"a game ends within {limit} moves: it went on after {position}")


def _check_position(rules: Rules, position: Position, rng: random.Random) -> None:
    with _promise("reachable positions are valid", position):
        rules.validate(position)
    with _promise("moves are numbers, ascending without repeats", position):
        moves, every_move = rules.moves(position), range(count_moves(rules))
        _check(isinstance(moves, Sequence), f"{type(moves).__name__} is not a sequence")
        _check(list(moves) == sorted(set(moves)), f"{list(moves)}")
        whole = all(type(move) is int and move in every_move for move in moves)
        _check(whole, f"{list(moves)}, each of 0 to {every_move[-1]} (see Traits.choices)")
    with _promise("moves are over when the game is", position):
        outcome = rules.outcome(position)
        _check(bool(moves) == (outcome is None), f"{outcome}, {len(moves)} moves")
    with _promise("the same question has the same answer", position):
        again = list(rules.moves(position)), rules.outcome(position)
        _check((list(moves), outcome) == again, f"{again}")
    with _promise("impossible positions are refused", position):
        _check_overlap(rules, position)
    with _promise("marks that leave next are on the board", position):
        leaving = _leaving(rules, position)
        _check(all(position.occupied >> cell & 1 for cell in leaving or ()), f"{leaving}")
    if outcome is not None:
        _check_outcome(outcome, position)
    for move in _some(list(moves), rng):
        _check_move(rules, position, move)
    if outcome is None:
        for move in _some(sorted(set(every_move) - set(moves)), rng):
            with _promise("play refuses illegal moves with InvalidMove", position, move):
                _check(_refuses(rules, position, move), "it played")


def _check_symmetries(rules: Rules, rng: random.Random) -> None:
    """Play a game and its images under some of the symmetries that the rules state."""
    with _promise("the first symmetry leaves all cells where they are"):
        every = symmetries(rules)
        _check(every[0].cells == tuple(range(rules.shape.cells)), f"{every[0].cells}")
    for image in [*every] if len(every) <= SAMPLE else rng.sample(every, SAMPLE):
        with _promise("a symmetry is a permutation of the cells", image.cells):
            _check(sorted(image.cells) == list(range(rules.shape.cells)), "it is none")
        for position in _random_game(rules, Position(), rng):
            turned = image(position)
            with _promise("symmetries keep positions valid", image.cells, position):
                rules.validate(turned)
            with _promise("symmetries keep the moves", image.cells, position):
                moves = sorted(image.moves[move] for move in rules.moves(position))
                _check(moves == list(rules.moves(turned)), f"{moves}")
            with _promise("symmetries keep who wins", image.cells, position):
                ends = rules.outcome(position), rules.outcome(turned)
                _check(len({end and end.winner for end in ends}) == 1, f"{ends}")
                _check((ends[0] is None) == (ends[1] is None), f"{ends}")
            for move in _some(list(rules.moves(position)), rng):
                with _promise("a move and a symmetry come in any order", image.cells, position):
                    after = rules.play(turned, image.moves[move])
                    _check(after == image(rules.play(position, move)), f"{move}: {after}")


def _some(moves: list[int], rng: random.Random) -> list[int]:
    """Return the moves, or a sample where there are many."""
    return moves if len(moves) <= SAMPLE else rng.sample(moves, SAMPLE)


def _leaving(rules: Rules, position: Position) -> Sequence[int] | None:
    """Return the cells whose marks leave next, or ``None`` where the rules do not say."""
    leaving = traits_of(rules).leaving
    return None if leaving is None else leaving(position)


def _check_overlap(rules: Rules, position: Position) -> None:
    """Put both marks into each taken cell at once: no game does that."""
    if position.occupied:
        try:
            rules.validate(position._replace(stones=(position.occupied, position.occupied)))
        except InvalidGameState:
            return
        raise AssertionError("two marks in one cell were accepted")


def _check_outcome(outcome: Outcome, position: Position) -> None:
    with _promise("the winner is 0, 1 or None", position):
        winner = outcome.winner
        _check(winner is None or (type(winner) is int and winner in (0, 1)), f"{winner!r}")
    with _promise("the cells of an outcome hold marks and ascend without repeats", position):
        cells = outcome.cells
        _check(all(position.occupied >> cell & 1 for cell in cells), f"{cells}")
        _check(list(cells) == sorted(set(cells)), f"{cells}")


def _check_move(rules: Rules, position: Position, move: int) -> None:
    with _promise("play accepts legal moves", position, move):
        after = rules.play(position, move)
        _check(isinstance(after, Position), f"{type(after).__name__} is not a Position")
    with _promise("play is a function", position, move):
        _check(after == rules.play(position, move), "a second answer differs")
    with _promise("players alternate", position, move):
        _check(after.turn == 1 - position.turn, f"{after}")
    placed = placement(rules, position.turn, move)
    if placed is None:
        with _promise("a move that places nothing leaves the same cells taken", position, move):
            _check(after.occupied == position.occupied, f"{after}")
    else:
        _check_placement(rules, position, placed, after)
    if isinstance(rules, Symmetric):
        with _promise("a representative stands for itself", after):
            representative = rules.canonical(after)
            _check(rules.canonical(representative) == representative, f"{representative}")
        with _promise("equivalent positions have as many moves", after):
            _check(len(rules.moves(representative)) == len(rules.moves(after)), f"{representative}")


def _check_placement(rules: Rules, position: Position, placed: Placement, after: Position) -> None:
    stone = 1 << placed.cell
    marks_stay = traits_of(rules).longest is not None
    if marks_stay:
        with _promise("a move adds one mark, in its cell", position, placed):
            _check(after.occupied == position.occupied | stone != position.occupied, f"{after}")
        with _promise("marks stay where they are", position, placed):
            pairs = zip(after.stones, position.stones)
            _check(all(now & before == before for now, before in pairs), f"{after}")
    with _promise("a move places the letter that its number says", position, placed):
        _check(bool(after.stones[placed.mark] & stone), f"{after}")
    leaving = _leaving(rules, position)
    if not marks_stay and leaving is not None:
        with _promise("only marks that are said to leave do", position, placed):
            left = position.occupied & ~after.occupied
            _check(not left & ~sum(1 << cell for cell in leaving), f"{after}")


def _refuses(rules: Rules, position: Position, move: int) -> bool:
    try:
        rules.play(position, move)
    except InvalidMove:
        return True
    return False
