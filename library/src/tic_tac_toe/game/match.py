"""The push side of a game: an authority that accepts or refuses submitted moves."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import TypeAlias

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.repetition import settle

#: What a match can begin with: a state, the rules or the name of a game, or a game to go on with.
Start: TypeAlias = StateLike | Record


class Match:
    """One game in progress, with the moves played and those taken back.

    Front ends and servers submit moves and show what follows. Every refusal raises `InvalidMove`
    with the reason and changes nothing.

        >>> match = Match("connect-four")
        >>> match.play("4"), match.play("4"), match.play("5")
        (<Move 4>, <Move 4>, <Move 5>)
        >>> match
        <Match connect-four: 4 4 5, not finished>
        >>> match.undo()
        <Move 5>
        >>> match.record().result
        '*'

    Args:
        start: where the game begins: a state, the rules or the name of a game; an empty 3x3 grid
            unless given. Of a record all moves are played again.
    """

    def __init__(self, start: Start | None = None) -> None:
        self.start: GameState
        if isinstance(start, Record):
            self.start = start.initial_state
        else:
            self.start = GameState.new() if start is None else state_of(start)
        self._moves: list[Move] = []
        self._undone: list[Move] = []  # the next to redo comes last
        self._resigned: Mark | None = None
        if isinstance(start, Record):
            for move in start.moves:
                self.play(move)
            self._resigned = start.resigned

    def __repr__(self) -> str:
        return f"<Match {self.record().summary}>"

    def __str__(self) -> str:
        """Return a drawing in plain text, and below it whose turn it is or how the game ended."""
        from tic_tac_toe.pictures.letters import describe

        drawing = describe(self.state)
        if self._resigned is None:
            return drawing
        return f"{drawing.rpartition(chr(10))[0]}\n{self._resigned} has resigned"

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from tic_tac_toe.pictures.svg import svg

        return svg(self.state, last=self._moves[-1].cell_index if self._moves else None)

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        return self._moves[-1].after_state if self._moves else self.start

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves played so far, the oldest first."""
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """The number of moves played since the start: the sequence number of the next."""
        return len(self._moves)

    @property
    def resigned(self) -> Mark | None:
        """The mark that gave up, or ``None``."""
        return self._resigned

    def record(self, tags: Iterable[tuple[str, str]] = ()) -> Record:
        """Return the game so far as it is written to files."""
        numbers = tuple(move.number for move in self._moves)
        return Record.from_moves(self.start, numbers, tags=tuple(tags), resigned=self._resigned)

    @property
    def over(self) -> bool:
        """Whether the game has ended, on the board or by resignation."""
        return self._resigned is not None or self.state.game_over

    @property
    def turn(self) -> Mark | None:
        """The mark to move; ``None`` once the game is over."""
        return None if self.over else self.state.current_mark

    @property
    def winner(self) -> Mark | None:
        """The mark that has won, on the board or because the other resigned."""
        return self.state.winner if self._resigned is None else self._resigned.other

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back."""
        return bool(self._moves) and self._resigned is None

    @property
    def can_redo(self) -> bool:
        """Whether there is a move to play again."""
        return bool(self._undone) and self._resigned is None

    def submit(self, mark: Mark, cell: int, ply: int | None = None) -> Move:
        """Play a move and return it; moves that were taken back can no longer be redone.

        Args:
            mark: the side that moves.
            cell: where to place it, or what the rules number the move.
            ply: the `ply` that the sender saw; a move for an earlier ply is refused.

        Raises:
            InvalidMove: the game is over, ``ply`` is not the current one, it is the other side's
                turn, or the cell is illegal.
        """
        if self.over:
            raise InvalidMove("The game is over", "game_over")
        if ply is not None and ply != self.ply:
            raise InvalidMove(
                "The game has moved on: {count} moves have been played",
                "stale_move",
                count=self.ply,
            )
        if _mark(mark) is not self.state.current_mark:
            raise InvalidMove("It's the other player's turn", "wrong_turn")
        return self._append(self.state.make_move_to(cell))

    def _append(self, move: Move) -> Move:
        """Add a legal move to the history, and draw the game where its position came too often."""
        earlier = (self.start, *(past.after_state for past in self._moves))
        settled = settle(move.after_state, earlier)
        if settled is not move.after_state:
            move = replace(move, after_state=settled)
        self._moves.append(move)
        self._undone.clear()
        return move

    def play(self, move: int | str | Move) -> Move:
        """Play a move of the side to move and return it.

        Args:
            move: its number or its name; see `GameState.move`.

        Raises:
            InvalidMove: the game is over, or the move is illegal.
            InvalidNotation: the text is no move; the message lists what is accepted.
        """
        if self.over:
            raise InvalidMove("The game is over", "game_over")
        return self._append(self.state.move(move))

    def undo(self) -> Move:
        """Take back the last move and return it.

        Raises:
            InvalidMove: no move was made, or the game was resigned.
        """
        if not self.can_undo:
            raise InvalidMove("There is no move to take back", "nothing_to_take_back")
        move = self._moves.pop()
        self._undone.append(move)
        return move

    def redo(self) -> Move:
        """Play again the move that was taken back last and return it.

        Raises:
            InvalidMove: no move was taken back, or the game was resigned.
        """
        if not self.can_redo:
            raise InvalidMove("There is no move to play again", "nothing_to_play_again")
        move = self._undone.pop()
        self._moves.append(move)
        return move

    def take_back(self, people: Container[Mark]) -> list[Move]:
        """Take moves back to the last turn of a person, and return them, the oldest first.

        Args:
            people: the marks that people play.

        Raises:
            InvalidMove: no person has moved yet, or the game was resigned.
        """
        ply = self._last_turn_of(people)
        if ply is None or not self.can_undo:
            raise InvalidMove("There is no move to take back", "nothing_to_take_back")
        return [self.undo() for _ in range(self.ply - ply)][::-1]

    def can_take_back(self, people: Container[Mark]) -> bool:
        """Whether `take_back` would find a move."""
        return self.can_undo and self._last_turn_of(people) is not None

    def play_again(self, people: Container[Mark]) -> list[Move]:
        """Redo moves until it is a person's turn, and return them.

        Raises:
            InvalidMove: no move was taken back, or the game was resigned.
        """
        played = [self.redo()]
        while self.can_redo and self.state.current_mark not in people:
            played.append(self.redo())
        return played

    def _last_turn_of(self, people: Container[Mark]) -> int | None:
        """Return the ply of the last move that a person made."""
        plies = range(self.ply - 1, -1, -1)
        return next((ply for ply in plies if self._moves[ply].player in people), None)

    def resign(self, mark: Mark) -> None:
        """Let a side give up, on its turn or not.

        Raises:
            InvalidMove: the game is over.
        """
        if self.over:
            raise InvalidMove("The game is over", "game_over")
        self._resigned = _mark(mark)


def _mark(mark: Mark) -> Mark:
    """Return the mark that a letter is equal to; raise `InvalidMove` for anything else."""
    try:
        return Mark(mark)
    except ValueError:
        raise InvalidMove("The mark must be X or O", "unknown_mark") from None
