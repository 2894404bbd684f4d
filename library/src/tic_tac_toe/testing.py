"""For users' own games and front ends: a conformance check and doubles of players and screens."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from tic_tac_toe.game.players import Player
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules, Symmetric

#: How many legal and illegal cells `check_rules` tries in each position at most.
SAMPLE = 16


class ScriptedPlayer(Player):
    """A player that plays the given cells one after the other, legal or not."""

    def __init__(self, mark: Mark, cells: Iterable[int]) -> None:
        super().__init__(mark)
        self._cells = iter(cells)

    def get_move(self, game_state: GameState) -> Move | None:
        """Return the next scripted move, ``None`` at the end of the script.

        Raises:
            InvalidMove: the script asks for an illegal cell.
        """
        cell = next(self._cells, None)
        return None if cell is None else game_state.make_move_to(cell)


class RecordingRenderer(Renderer):
    """A renderer that keeps every state it is shown, in `states`."""

    def __init__(self) -> None:
        self.states: list[GameState] = []

    def render(self, game_state: GameState) -> None:
        """Keep the state."""
        self.states.append(game_state)


def check_rules(rules: Rules, *, games: int = 20, rng: random.Random | None = None) -> None:
    """Play random games and raise `AssertionError` at the first promise of `Rules` that breaks.

    Each message starts with the promise. In every position of every game it tries the legal cells
    and the illegal ones, on large boards a sample of `SAMPLE` of each.

    Args:
        games: how many games each side begins.
        rng: where chance comes from; seeded with 0 unless given, so that a failure comes again.
    """
    dice = rng or random.Random(0)
    _check(hash(rules) == hash(rules) and rules == rules, "rules are hashable, equal values")
    for starter in (0, 1):
        for _ in range(games):
            for position in _random_game(rules, Position(turn=starter), dice):
                _check_position(rules, position, dice)


def _random_game(rules: Rules, position: Position, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of one random game, the final one included."""
    limit = rules.shape.cells
    for _ in range(limit + 1):
        yield position
        cells = rules.moves(position)
        if not cells:
            return
        position = rules.play(position, rng.choice(cells))
    raise AssertionError(f"a game ends within {limit} moves: it went on after {position}")


def _check_position(rules: Rules, position: Position, rng: random.Random) -> None:
    try:
        rules.validate(position)
    except InvalidGameState as error:
        raise AssertionError(f"reachable positions are valid: {position}: {error}") from error
    cells = rules.moves(position)
    outcome = rules.outcome(position)
    _check(list(cells) == sorted(set(cells)), f"moves ascend without repeats: {position}")
    _check(all(0 <= cell < rules.shape.cells for cell in cells), f"moves are cells: {position}")
    _check(bool(cells) == (outcome is None), f"moves are over when the game is: {position}")
    _check(
        list(cells) == list(rules.moves(position)) and outcome == rules.outcome(position),
        f"the same question has the same answer: {position}",
    )
    if outcome is not None:
        _check_outcome(outcome, position)
    for cell in _some(list(cells), rng):
        _check_move(rules, position, cell)
    if outcome is None:
        for cell in _some(sorted(set(range(rules.shape.cells)) - set(cells)), rng):
            _check_refusal(rules, position, cell)


def _some(cells: list[int], rng: random.Random) -> list[int]:
    """Return the cells, or a sample where there are many."""
    return cells if len(cells) <= SAMPLE else rng.sample(cells, SAMPLE)


def _check_outcome(outcome: Outcome, position: Position) -> None:
    _check(outcome.winner in (0, 1, None), f"the winner is 0, 1 or None: {position}")
    _check(
        all(position.occupied >> cell & 1 for cell in outcome.cells),
        f"the cells of an outcome hold marks: {position}",
    )
    _check(
        list(outcome.cells) == sorted(set(outcome.cells)),
        f"the cells of an outcome ascend without repeats: {position}",
    )


def _check_move(rules: Rules, position: Position, cell: int) -> None:
    after = rules.play(position, cell)
    _check(isinstance(after, Position), f"play returns a Position: {position}, {cell}")
    _check(after == rules.play(position, cell), f"play is a function: {position}, {cell}")
    _check(after.turn == 1 - position.turn, f"players alternate: {position}, {cell}")
    _check(
        after.occupied == position.occupied | 1 << cell != position.occupied,
        f"a move adds one mark, in its cell: {position}, {cell}",
    )
    _check(
        all(now & before == before for now, before in zip(after.stones, position.stones)),
        f"marks stay where they are: {position}, {cell}",
    )
    if isinstance(rules, Symmetric):
        representative = rules.canonical(after)
        _check(
            rules.canonical(representative) == representative,
            f"a representative stands for itself: {after}",
        )
        _check(
            len(rules.moves(representative)) == len(rules.moves(after)),
            f"equivalent positions have as many moves: {after}",
        )


def _check_refusal(rules: Rules, position: Position, cell: int) -> None:
    try:
        rules.play(position, cell)
    except InvalidMove:
        return
    raise AssertionError(f"play refuses illegal cells with InvalidMove: {position}, {cell}")


def _check(promise: bool, message: str) -> None:
    if not promise:
        raise AssertionError(message)
