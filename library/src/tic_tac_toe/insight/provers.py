"""What finds reasons in a game: the base of those for each kind of game, and one for every game."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

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
#: The most pairs, and replies with an answer of their own, that a sentence can hold.
MOST_PAIRS, MOST_ANSWERED = 2, 3
#: By whether it is misère play, the codes of strategies: no line to complete, a pair, and pairs.
STRATEGIES = {
    False: ("closed", "pair", "pairs"),
    True: ("own_closed", "own_pair", "own_pairs"),
}
#: The codes of an answer to every reply.
ANSWERS = ("answers", "safe_answer", "safe_answers")
#: What certificates call strategies.
WORDS_OF = {
    **dict.fromkeys(("closed", "own_closed"), "closed"),
    **dict.fromkeys(("pair", "pairs", "own_pair", "own_pairs"), "pairs"),
    **dict.fromkeys(("follow", "follow_win"), "follow"),
    **dict.fromkeys(("opposite", "mirror"), "mirror"),
}

#: The marks of the side to move and those of the other side, and a line of a certificate.
Theorem: TypeAlias = tuple[tuple[int, int], str]


class Prover:
    """Finds reasons in one game. The side to move makes the first move of each.

    Attributes:
        by: how most of its reasons prove a result; see `Explanation.by`.
    """

    by: str = "proof"

    def reason(self, position: Position, move: int, must_win: bool) -> Fact | None:
        """Return why the side wins by a move, or else does not lose."""
        return None

    def best(self, position: Position, moves: Sequence[int], must_win: bool) -> Fact | None:
        """Return the plainest reason of one of these moves."""
        return plainest(self.reason(position, move, must_win) for move in moves)

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

    def certificate(self, position: Position, fact: Fact) -> str:
        """Return a reason as a file that `certificate_check` reads; empty where it has none."""
        return ""


class BoardProver(Prover):
    """A prover of a game of lines, whose reasons are theorems of certificates.

    A side is to move, *own* are its marks and *other* those of its opponent, as bit boards; *after*
    are its marks with a move.

    Args:
        board: the game.
    """

    def __init__(self, board: Board) -> None:
        self.board: Board = board
        through: dict[int, list[int]] = {cell: [] for cell in range(board.rules.shape.cells)}
        for line in board.lines:
            for cell in cells_of(line):
                through[cell].append(line)
        self._through = through
        self._completing = lru_cache(KEPT)(lambda stones: board.completing(stones, board.full))

    def line_at(self, stones: int, cell: int) -> tuple[int, ...]:
        """Return a line that a mark in a cell completes; empty if there is none."""
        for line in self._through[cell]:
            if line & (stones | 1 << cell) == line:
                return tuple(cells_of(line))
        return ()

    def safe(self, stones: int, occupied: int) -> int:
        """Return the playable cells in which one more mark of these does not lose at once."""
        return self.board.playable(occupied)

    def reason(self, position: Position, move: int, must_win: bool) -> Fact | None:
        """Return why the side wins by a move, or else does not lose, if that is seen."""
        find = self._win if must_win else self._hold
        return find(*sides_of(position), move)

    @abstractmethod
    def _win(self, own: int, other: int, side: int, move: int) -> Fact | None: ...

    @abstractmethod
    def _hold(self, own: int, other: int, side: int, move: int) -> Fact | None: ...

    # -- no loss ---------------------------------------------------------------------------------

    def _strategy(self, after: int, other: int, side: int, move: int) -> Fact | None:
        """Return that no line is completed, whatever the other side replies."""
        closed, pair, pairs = STRATEGIES[self.board.misere]
        if self.board.is_closed(after, other):
            return Fact(closed, side, (move,))
        if code := self._copies(after, other):
            return Fact(code, side, (move,))
        found = self.board.find_pairs(after, other) or ()
        if not 0 < len(found) <= MOST_PAIRS:
            return None
        cells = tuple(cell for two in found for cell in cells_of(two))
        return Fact(pair if len(found) == 1 else pairs, side, (move,), cells)

    @abstractmethod
    def _copies(self, after: int, other: int) -> str:
        """Return the reason by which each reply has an answer of the same kind; else nothing."""

    def _answers(self, after: int, other: int, side: int, move: int) -> Fact | None:
        """Return how every safe reply is answered, if it takes two answers at most."""
        good = dict[int, set[int]]()
        for reply in cells_of(self.safe(other, after | other)):
            replied = other | 1 << reply
            cells = cells_of(self._likely(after, replied))
            good[reply] = {cell for cell in cells if self._answer(after, replied, side, cell)}
            if not good[reply]:
                return None
        for usual in sorted(set[int]().union(*good.values())):
            rest = [reply for reply in good if usual not in good[reply]]
            if not rest:
                return Fact("safe_answer", side, (move,), (usual,))
            if len(rest) > MOST_ANSWERED or not (self.board.misere or usual in rest):
                continue
            if both := set.intersection(*(good[reply] for reply in rest)):
                code = "safe_answers" if self.board.misere else "answers"
                return Fact(code, side, (move,), (min(both), *rest, usual))
        return None

    def _likely(self, own: int, other: int) -> int:
        """Return the cells that a side may take so as not to lose."""
        return self.safe(own, own | other)

    def _answer(self, own: int, other: int, side: int, cell: int) -> Fact | None:
        """Return why an answer does not lose, if that is seen at a glance."""
        if not self.board.misere and self.line_at(own, cell):
            return Fact("completes", side, (cell,))
        found = self._strategy(own | 1 << cell, other, side, cell)
        return found if found and found.code != "follow" and len(found.cells) <= 2 else None

    # -- proofs ----------------------------------------------------------------------------------

    def certificate(self, position: Position, fact: Fact) -> str:
        """Return a reason as a file that `certificate_check` reads; empty where it has none."""
        if fact.code not in WINS and fact.code not in HOLDS:
            return ""
        own, other, _ = sides_of(position)
        found = dict[tuple[int, int], str]()
        for key, theorem in self._theorems(own, other, fact):
            found.setdefault(self.board.canonical(*key), theorem)
        return self._claim(position, fact.code in WINS, found.values())

    def _claim(self, position: Position, must_win: bool, theorems: Collection[str]) -> str:
        """Return a file with theorems that prove what the side to move has at least."""
        side, board = "xo"[position.turn], self.board
        claim, goal = ("win", "wins") if must_win else ("win or draw", "does not lose")
        head = (
            TITLE,
            f"game {board.name}",
            f"position {board.text(position.stones)} {side}",
            f"claim {claim}",
            f"proof {side.upper()} {goal}",
        )
        text = "\n".join([*head, *theorems, ""])
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()
        return f"{text}end {len(theorems)} sha256 {digest}\n"

    def _theorems(self, own: int, other: int, fact: Fact) -> Iterator[Theorem]:
        """Yield the theorems of a reason, each after those that it rests on."""
        after = own | 1 << fact.moves[0]
        for reply, reason in self._goes_on(after, other, fact):
            yield from self._theorems(after, other | 1 << reply, reason)
        stones = (other, own) if fact.side else (own, other)
        yield (own, other), self._theorem(stones, fact)

    def _goes_on(self, after: int, other: int, fact: Fact) -> Iterator[tuple[int, Fact]]:
        """Yield replies to the move of a reason, each with the reason of the answer to it."""
        if fact.code in ANSWERS:
            for reply in cells_of(self.safe(other, after | other)):
                cell = fact.cells[0 if reply in fact.cells[1:-1] else -1]
                answer = self._answer(after, other | 1 << reply, fact.side, cell)
                yield reply, answer or Fact("completes", fact.side, (cell,))

    def _theorem(self, stones: tuple[int, int], fact: Fact) -> str:
        """Return the theorem of a reason about the position in which it begins."""
        word, shape = WORDS_OF.get(fact.code, ""), self.board.rules.shape
        names = [cell_name(shape, cell) for cell in fact.cells] if word == "pairs" else []
        pairs = (f"{one}-{two}" for one, two in zip(names[::2], names[1::2]))
        answer = cell_name(shape, fact.moves[0])
        return " ".join(filter(None, [self.board.text(stones), answer, word, *pairs]))


class EndingProver(Prover):
    """Plays all moves for some plies to the end, by the rules alone.

    Args:
        rules: of any game.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = rules

    def reason(self, position: Position, move: int, must_win: bool) -> Fact | None:
        """Return why a move wins, if the game is over in three plies at most."""
        rules, side = self.rules, position.turn
        if not must_win:
            return None
        if self._winner(position, move) == side:
            return Fact("wins_now", side, (move,))
        after = rules.play(position, move)
        replies = rules.moves(after)
        if rules.outcome(after) is not None or len(replies) > MOST_MOVES:
            return None
        has_won = self._has_won((rules.play(after, reply) for reply in replies), side)
        if has_won is None:
            return None
        code = "no_safe" if has_won else "no_defence"
        return Fact(code, side, (move,), count=len(replies))

    def best(self, position: Position, moves: Sequence[int], must_win: bool) -> Fact | None:
        """Return a win at once, else another one, by one of these moves."""
        at_once = [move for move in moves if self._winner(position, move) == position.turn]
        found = (self.reason(position, move, must_win) for move in at_once or moves)
        return next(filter(None, found), None)

    def loses(self, position: Position, move: int) -> Fact | None:
        """Return that a move ends the game, and the other side wins by it."""
        has_lost = self._winner(position, move) == 1 - position.turn
        return Fact("loses_now", position.turn, (move,)) if has_lost else None

    def must(self, position: Position, move: int) -> Fact | None:
        """Return that every other move loses at once, or lets the other side win at once."""
        side, others = position.turn, [each for each in self.rules.moves(position) if each != move]
        if not 0 < len(others) <= MOST_MOVES:
            return None
        has_won = self._has_won((self.rules.play(position, each) for each in others), 1 - side)
        if has_won is None:
            return None
        return Fact("must_not" if has_won else "must_end", side, (move,))

    def _winner(self, position: Position, move: int) -> int | None:
        outcome = self.rules.outcome(self.rules.play(position, move))
        return None if outcome is None else outcome.winner

    def _has_won(self, positions: Iterable[Position], side: int) -> bool | None:
        """Return whether a side, to move, has won everywhere; ``None`` if it cannot somewhere."""
        has_won = True
        for position in positions:
            outcome = self.rules.outcome(position)
            if outcome is not None and outcome.winner == side:
                continue
            moves = () if outcome is not None else self.rules.moves(position)
            if not any(self._winner(position, move) == side for move in moves):
                return None
            has_won = False
        return has_won


#: The reasons, the plainest first.
_PLAINEST = {code: i for i, code in enumerate(KINDS)}


def plainest(facts: Iterable[Fact | None]) -> Fact | None:
    """Return the plainest reason: the first in the order of `KINDS`; ``None`` without reasons."""
    found = filter(None, facts)
    return min(found, key=lambda fact: (_PLAINEST[fact.code], len(fact.moves)), default=None)


def sides_of(position: Position) -> tuple[int, int, int]:
    """Return the marks of the side to move, those of the other side, and which side moves."""
    side = position.turn
    return position.stones[side], position.stones[1 - side], side
