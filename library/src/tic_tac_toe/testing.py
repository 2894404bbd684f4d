"""For users' own games and front ends: a conformance check and doubles of players and screens."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from tic_tac_toe.game.players import Player
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules, Symmetric
from tic_tac_toe.logic.rules.traits import traits_of

#: The number of legal and of illegal cells that `check_rules` tries in each position at most.
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


def check_rules(rules: Rules, *, games: int = 20, rng: random.Random | None = None) -> None:
    """Play random games and raise `AssertionError` at the first promise of `Rules` that breaks.

    Each message starts with the promise. In every position of every game it tries the legal cells
    and the illegal ones, on large boards a sample of `SAMPLE` of each. Where positions can come
    back (`Traits.longest` is ``None``), marks may leave the board and games need not end.

    Args:
        games: how many games each side begins.
        rng: where chance comes from; seeded with 0 unless given, so that a failure comes again.
    """
    dice = rng or random.Random(0)
    twin = copy.deepcopy(rules)
    with _promise("rules are hashable, equal values"):
        before = hash(rules)
        _check(rules == twin and hash(twin) == before, "a copy differs")
    for starter in (0, 1):
        for _ in range(games):
            for position in _random_game(rules, Position(turn=starter), dice):
                _check_position(rules, position, dice)
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
        cells = rules.moves(position)
        if not cells:
            return
        position = rules.play(position, rng.choice(list(cells)))
    if limit is not None:
        raise AssertionError(f"a game ends within {limit} moves: it went on after {position}")


def _check_position(rules: Rules, position: Position, rng: random.Random) -> None:
    with _promise("reachable positions are valid", position):
        rules.validate(position)
    with _promise("moves are cells, ascending without repeats", position):
        cells = rules.moves(position)
        _check(isinstance(cells, Sequence), f"{type(cells).__name__} is not a sequence")
        _check(list(cells) == sorted(set(cells)), f"{list(cells)}")
        whole = all(type(cell) is int and 0 <= cell < rules.shape.cells for cell in cells)
        _check(whole, f"{list(cells)}")
    with _promise("moves are over when the game is", position):
        outcome = rules.outcome(position)
        _check(bool(cells) == (outcome is None), f"{outcome}, {len(cells)} moves")
    with _promise("the same question has the same answer", position):
        again = list(rules.moves(position)), rules.outcome(position)
        _check((list(cells), outcome) == again, f"{again}")
    with _promise("impossible positions are refused", position):
        _check_overlap(rules, position)
    if outcome is not None:
        _check_outcome(outcome, position)
    for cell in _some(list(cells), rng):
        _check_move(rules, position, cell)
    if outcome is None:
        for cell in _some(sorted(set(range(rules.shape.cells)) - set(cells)), rng):
            with _promise("play refuses illegal cells with InvalidMove", position, cell):
                _check(_refuses(rules, position, cell), "it played")


def _some(cells: list[int], rng: random.Random) -> list[int]:
    """Return the cells, or a sample where there are many."""
    return cells if len(cells) <= SAMPLE else rng.sample(cells, SAMPLE)


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


def _check_move(rules: Rules, position: Position, cell: int) -> None:
    with _promise("play accepts legal cells", position, cell):
        after = rules.play(position, cell)
        _check(isinstance(after, Position), f"{type(after).__name__} is not a Position")
    with _promise("play is a function", position, cell):
        _check(after == rules.play(position, cell), "a second answer differs")
    with _promise("players alternate", position, cell):
        _check(after.turn == 1 - position.turn, f"{after}")
    if traits_of(rules).longest is not None:
        with _promise("a move adds one mark, in its cell", position, cell):
            _check(after.occupied == position.occupied | 1 << cell != position.occupied, f"{after}")
        with _promise("marks stay where they are", position, cell):
            pairs = zip(after.stones, position.stones)
            _check(all(now & before == before for now, before in pairs), f"{after}")
    if isinstance(rules, Symmetric):
        with _promise("a representative stands for itself", after):
            representative = rules.canonical(after)
            _check(rules.canonical(representative) == representative, f"{representative}")
        with _promise("equivalent positions have as many moves", after):
            _check(len(rules.moves(representative)) == len(rules.moves(after)), f"{representative}")


def _refuses(rules: Rules, position: Position, cell: int) -> bool:
    try:
        rules.play(position, cell)
    except InvalidMove:
        return True
    return False
