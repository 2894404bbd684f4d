"""What finds reasons in a game: the base of those for each kind of game, and one for every game."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from tic_tac_toe.insight.facts import HOLDS, KINDS, WINS, Fact
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.line_board import cells_of
from tic_tac_toe.solver.certificates.proving import Board

#: The first line of a certificate that may claim what a side gets at least.
TITLE = "tic-tac-toe certificate 3"
#: With more moves than this not all replies to all moves are looked at.
MOST_MOVES = 60
#: How many stones have kept results; a game of 3x3 has fewer than this.
KEPT = 1 << 14

#: The marks of the side to move and those of the other side, and a line of a certificate.
Theorem: TypeAlias = tuple[tuple[int, int], str]


class Claim(NamedTuple):
    """What a reason proves of a position, for the side that is to move there.

    Attributes:
        game, position: as a certificate has them.
        outcome: ``win``, or ``win or draw``.
        theorems: each rests on those before it only.
    """

    game: str
    position: str
    outcome: str
    theorems: tuple[str, ...]

    def certificate(self) -> str:
        """Return the claim as a file that `certificate_check` reads."""
        side = self.position[-1].upper()
        goal = "wins" if self.outcome == "win" else "does not lose"
        head = TITLE, f"game {self.game}", f"position {self.position}", f"claim {self.outcome}"
        text = "\n".join([*head, f"proof {side} {goal}", *self.theorems, ""])
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()
        return f"{text}end {len(self.theorems)} sha256 {digest}\n"


class Prover:
    """Finds reasons in one game. The side to move makes the first move of each.

    Attributes:
        by: how a reason proves a result; see `Explanation.by`.
    """

    by: str = ""

    def certainty(self, fact: Fact) -> str:
        """Return how a reason of this prover proves a result."""
        return self.by

    def win(self, position: Position, move: int) -> Fact | None:
        """Return why a move wins."""
        return None

    def best_win(self, position: Position, moves: Iterable[int]) -> Fact | None:
        """Return the plainest win by one of these moves."""
        return plainest(self.win(position, move) for move in moves)

    def hold(self, position: Position, move: int) -> Fact | None:
        """Return why the side does not lose after a move."""
        return None

    def best_hold(self, position: Position, moves: Iterable[int]) -> Fact | None:
        """Return the plainest reason why the side does not lose after one of these moves."""
        return plainest(self.hold(position, move) for move in moves)

    def loses(self, position: Position, move: int) -> Fact | None:
        """Return that a move ends the game, and the other side wins by it."""
        return None

    def stopped(self, position: Position, move: int) -> Fact | None:
        """Return what the other side could have done but for the move."""
        return None

    def two_ways(self, position: Position, move: int) -> Fact | None:
        """Return that the other side has more ways to win at once than one move can stop."""
        return None

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that every other move loses soon."""
        return None

    def noted(self, position: Position, move: int) -> tuple[Fact, ...]:
        """Return what is true of a move where no value is known."""
        return ()

    def claim(self, position: Position, fact: Fact) -> Claim | None:
        """Return what a reason proves, with theorems for a certificate."""
        return None


class BoardProver(Prover):
    """A prover of a game of lines, whose reasons are theorems of certificates.

    Args:
        board: the game.
    """

    by = "proof"

    def __init__(self, board: Board) -> None:
        self.board: Board = board
        through: dict[int, list[int]] = {cell: [] for cell in range(board.rules.shape.cells)}
        for line in board.lines:
            for cell in cells_of(line):
                through[cell].append(line)
        self._through = through

    def line_at(self, stones: int, cell: int) -> tuple[int, ...]:
        """Return a line that a mark in a cell completes; empty if there is none."""
        for line in self._through[cell]:
            if line & (stones | 1 << cell) == line:
                return tuple(cells_of(line))
        return ()

    def claim(self, position: Position, fact: Fact) -> Claim | None:
        """Return what a reason proves, with theorems for a certificate."""
        if fact.code not in WINS and fact.code not in HOLDS:
            return None
        own, other, _ = sides_of(position)
        must_win = fact.code in WINS
        found = dict[tuple[int, int], str]()
        for key, theorem in self._theorems(own, other, fact, must_win):
            found.setdefault(self.board.canonical(*key), theorem)
        outcome = "win" if must_win else "win or draw"
        return self._claimed(position, outcome, tuple(found.values()))

    @abstractmethod
    def _theorems(self, own: int, other: int, fact: Fact, must_win: bool) -> Iterator[Theorem]:
        """Yield the theorems of a reason, each after those that it rests on."""

    def _claimed(self, position: Position, outcome: str, theorems: tuple[str, ...]) -> Claim:
        text = f"{self.board.text(position.stones)} {'xo'[position.turn]}"
        return Claim(self.board.name, text, outcome, theorems)

    def _theorem(self, own: int, other: int, move: int, side: int, reason: str = "") -> Theorem:
        stones = (other, own) if side else (own, other)
        words = self.board.text(stones), cell_name(self.board.rules.shape, move), reason
        return (own, other), " ".join(filter(None, words))

    def _pairs(self, after: int, other: int) -> list[tuple[int, ...]]:
        """Return the pairs of the reason ``pairs``, if they are found."""
        found = None if self.board.gravity else self.board.find_pairs(after, other)
        return [tuple(cells_of(pair)) for pair in found or ()]

    def _pairs_reason(self, cells: tuple[int, ...]) -> str:
        names = [cell_name(self.board.rules.shape, cell) for cell in cells]
        return " ".join(["pairs", *(f"{one}-{two}" for one, two in zip(names[::2], names[1::2]))])


class EndingProver(Prover):
    """Plays all moves for some plies to the end, by the rules alone.

    Args:
        rules: of any game.
    """

    by = "ending"

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = rules

    def win(self, position: Position, move: int) -> Fact | None:
        """Return why a move wins, if the game is over in three plies at most."""
        rules, side = self.rules, position.turn
        after = rules.play(position, move)
        if (outcome := rules.outcome(after)) is not None:
            return Fact("wins_now", side, (move,)) if outcome.winner == side else None
        replies = rules.moves(after)
        if len(replies) > MOST_MOVES:
            return None
        is_over = True
        for reply in replies:
            child = rules.play(after, reply)
            if (outcome := rules.outcome(child)) is None and self.wins_now(child):
                is_over = False
            elif outcome is None or outcome.winner != side:
                return None
        code = "no_safe" if is_over else "no_defence"
        return Fact(code, side, (move,), count=len(replies))

    def best_win(self, position: Position, moves: Iterable[int]) -> Fact | None:
        """Return a win at once, else another one, by one of these moves."""
        moves = tuple(moves)
        for move in moves:
            outcome = self.rules.outcome(self.rules.play(position, move))
            if outcome is not None and outcome.winner == position.turn:
                return Fact("wins_now", position.turn, (move,))
        return next((fact for move in moves if (fact := self.win(position, move))), None)

    def loses(self, position: Position, move: int) -> Fact | None:
        """Return that a move ends the game, and the other side wins by it."""
        outcome = self.rules.outcome(self.rules.play(position, move))
        if outcome is None or outcome.winner in (None, position.turn):
            return None
        return Fact("loses_now", position.turn, (move,))

    def wins_now(self, position: Position) -> bool:
        """Return whether a move wins at once."""
        for move in self.rules.moves(position):
            outcome = self.rules.outcome(self.rules.play(position, move))
            if outcome is not None and outcome.winner == position.turn:
                return True
        return False

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that every other move loses at once, or lets the other side win at once."""
        others = [other for other in self.rules.moves(position) if other != move]
        if not 0 < len(others) <= MOST_MOVES:
            return None
        ended = 0
        for other in others:
            if self.loses(position, other):
                ended += 1
                continue
            after = self.rules.play(position, other)
            if self.rules.outcome(after) is not None or not self.wins_now(after):
                return None
        code = "must_not" if ended == len(others) else "must_end"
        return Fact(code, position.turn, (move,))


#: The reasons, the plainest first.
_PLAINEST = {code: i for i, code in enumerate(KINDS)}


def plainest(facts: Iterable[Fact | None]) -> Fact | None:
    """Return the reason that takes the least to understand; ``None`` if there is none."""
    found = filter(None, facts)
    return min(found, key=lambda fact: (_PLAINEST[fact.code], len(fact.moves)), default=None)


def sides_of(position: Position) -> tuple[int, int, int]:
    """Return the marks of the side to move, those of the other side, and which side moves."""
    side = position.turn
    return position.stones[side], position.stones[1 - side], side
