"""The one game loop, and the driver that plays it with synchronous players."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from tic_tac_toe.game.players import Player
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.repetition import settle
from tic_tac_toe.logic.validators import HasMark, validate_players

ErrorHandler: TypeAlias = Callable[[Exception], None]

Participant = TypeVar("Participant", bound=HasMark)


@dataclass(frozen=True)
class Turn(Generic[Participant]):
    """Whose turn it is, and in which state."""

    player: Participant
    state: GameState


@dataclass(frozen=True)
class TurnLoop(Generic[Participant]):
    """The game loop of every driver: it renders, asks, reports errors, and knows when to stop.

    Args:
        player1, player2: the participants, in any order.
        renderer: shows each state.
        error_handler: is told of each refused move; without one a refusal passes in silence.

    Raises:
        ValueError: both players use the same mark.
    """

    player1: Participant
    player2: Participant
    renderer: Renderer
    error_handler: ErrorHandler | None = None

    def __post_init__(self) -> None:
        validate_players(self.player1, self.player2)

    def turns(
        self, state: GameState
    ) -> Generator[Turn[Participant], GameState | InvalidMove | None, GameState]:
        """Yield each turn and receive what became of it; return the final state.

        A driver sends ``None`` to begin, as with any generator, and then the state after the turn,
        or the `InvalidMove` that kept it from changing: then the same player is asked again. The
        state sent need not be one move on, so that a driver can take moves back.
        """
        while True:
            self.renderer.render(state)
            if state.game_over:
                return state
            answer = yield Turn(self.player_of(state.current_mark), state)
            if isinstance(answer, GameState):
                state = answer
            elif not isinstance(answer, InvalidMove):
                raise TypeError(f"a turn ends in a GameState, not in {type(answer).__name__}")
            elif self.error_handler is not None:
                self.error_handler(answer)

    def player_of(self, mark: Mark) -> Participant:
        """Return who plays a mark."""
        return self.player1 if self.player1.mark == mark else self.player2


class TicTacToe(TurnLoop[Player]):
    """A game between two synchronous players."""

    def play(
        self, starting_mark: Mark = Mark.CROSS, *, state: GameState | None = None
    ) -> GameState:
        """Play a game to its end and return the final state.

        Args:
            starting_mark: who begins on an empty 3x3 grid.
            state: where to begin instead, with any rules: ``GameState.new(rules, mark)``.
        """
        turns = self.turns(state or GameState.new(starting_mark=starting_mark))
        answer, seen = None, list[GameState]()
        while True:
            try:
                turn = turns.send(answer)
            except StopIteration as end:
                final: GameState = end.value
                return final
            answer = after_turn(turn, _answer(turn), seen)


def after_turn(
    turn: Turn[Participant], answer: GameState | InvalidMove, seen: list[GameState]
) -> GameState | InvalidMove:
    """Return what became of a turn; a game whose position comes back too often is a draw.

    Args:
        seen: the states before this turn, to which it is added if the game moves on.
    """
    if isinstance(answer, InvalidMove):
        return answer
    seen.append(turn.state)
    return settle(answer, seen)


def _answer(turn: Turn[Player]) -> GameState | InvalidMove:
    try:
        return turn.player.make_move(turn.state)
    except InvalidMove as refusal:
        return refusal
