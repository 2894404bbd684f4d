"""Forced moves, and wins that are forced by them, in every game of lines.

A *four* is a move after which its side wins with its next move unless that is stopped. An *open
three* is a move after which its side threatens a four that no mark stops. The names come from
gomoku, where a line has five marks; they mean the same here for lines of any length.

Victory by continuous fours (VCF) and by continuous threats (VCT) are the terms of gomoku players:
each move of the winner leaves the other side hardly a choice. What these functions claim is proved.
Misère games, and games whose players choose letters, have no such threats: the answers are empty.

Threats leave the defender few answers, so that long wins are found with few positions (L. Victor
Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and Threat-Space Search, 1993). Here
every answer of the defender that can matter is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import Pie
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of

#: How many fours a win by fours may take; and the numbers that are tried one after the other, so
#: that a win with few is found first.
MOST_FOURS: Final = 20
_FOURS: Final = (1, 2, 3, 4, 6, 9, 13, MOST_FOURS)


class Proof(NamedTuple):
    """A win that is proved, against every defence.

    Attributes:
        plies: how many it takes at most.
        line: moves of the attacker and answers of the defender in turns, one of the longest.
        cells: where a mark of the defender could disturb it, as a bit board: all cells that the
            proof needs.
        answers: where the defender's marks of the proof are, as a bit board.
    """

    plies: int
    line: tuple[int, ...]
    cells: int
    answers: int


class ThreatSearch:
    """Looks for wins of one side, the attacker, which is to move, on a board that others share.

    Args:
        board: is left as it was.
        attacker: 0 or 1.
        node_limit: how many positions may be looked at; what is not found by then is not claimed.
        stop: asked every 64 positions, ends the search like the limit when true.

    Attributes:
        nodes: the positions looked at so far.
    """

    def __init__(
        self,
        board: LineBoard,
        attacker: int,
        node_limit: float,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.board: LineBoard = board
        self.attacker: int = attacker
        self.node_limit: float = node_limit
        self.nodes: int = 0
        self._stop = stop
        #: Positions without a win, with the number of fours or threats that were allowed.
        self._no_fours: dict[tuple[int, int], int] = {}
        self._no_threats: dict[tuple[int, int], int] = {}

    def shortest_by_fours(self) -> Proof | None:
        """Return a win by fours with as few of them as the search finds."""
        for depth in _FOURS:
            proof = self.by_fours(depth)
            if proof or self.nodes >= self.node_limit:
                return proof
        return None

    def by_fours(self, depth: int = MOST_FOURS) -> Proof | None:
        """Return a win in which each move but the last makes a four, at most ``depth`` of them."""
        board, attacker = self.board, self.attacker
        self.nodes += 1
        if self._stop and self.nodes % 64 == 0 and self._stop():
            self.node_limit = 0
        threats = board.threats()
        if wins := threats.wins[attacker]:
            return _win(wins)
        moves = threats.fours[attacker]
        if moves and (against := threats.wins[1 - attacker]):
            moves &= board.stops(1 - attacker, against)
        if not moves or depth < 1:
            return None
        key = board.stones[0], board.stones[1]
        if self._no_fours.get(key, 0) >= depth:
            return None
        moves &= ~board.barred(attacker)
        for move in board.by_worth(moves, attacker):
            board.toggle(move, attacker)
            proof = self._after_four(depth - 1)
            board.toggle(move, attacker)
            if proof:
                return _longer(move, proof)
            if self.nodes >= self.node_limit:
                return None
        self._no_fours[key] = depth
        return None

    def _after_four(self, depth: int) -> Proof | None:
        """Return the proof that the attacker, who has just moved, wins by fours."""
        board, attacker = self.board, self.attacker
        threats = board.threats()
        wins = threats.wins[attacker]
        if not wins or threats.wins[1 - attacker]:
            return None
        answers = board.stops(attacker, wins) & ~board.barred(1 - attacker)
        if not answers:
            return self._too_many(wins)
        return self._against(answers, wins | board.ends(attacker), depth, self.by_fours)

    def _too_many(self, wins: int) -> Proof | None:
        """Return the proof that the attacker wins where no answer stops all of ``wins``."""
        board, attacker = self.board, self.attacker
        free = board.playable & ~board.barred(1 - attacker)
        answers = wins & free or free
        if not answers:
            return None  # in Renju the game is a draw if X may not move
        answer = cells_of(answers)[0]
        board.toggle(answer, 1 - attacker)
        last = cells_of(board.threats().wins[attacker])[0]
        board.toggle(answer, 1 - attacker)
        return Proof(2, (answer, last), wins | board.ends(attacker), answers & wins)

    def _against(
        self, answers: int, cells: int, depth: int, win: Callable[[int], Proof | None]
    ) -> Proof | None:
        """Return the proof that the attacker wins after each of the answers."""
        board, defender = self.board, 1 - self.attacker
        longest: tuple[int, tuple[int, ...]] = 0, ()
        placed = answers
        cells |= answers
        for answer in board.by_worth(answers, defender):
            board.toggle(answer, defender)
            proof = win(depth)
            board.toggle(answer, defender)
            if proof is None:
                return None
            longest = max(longest, (proof.plies + 1, (answer, *proof.line)))
            cells |= proof.cells
            placed |= proof.answers
        return Proof(*longest, cells, placed)

    def by_threats(self, depth: int) -> Proof | None:
        """Return a win in which ``depth`` moves at most make fours or threes, before fours win.

        A three stands here for any move after which the attacker, were it to move again, would win
        by fours.
        """
        proof = self.by_fours()
        if proof or depth < 1 or self.nodes >= self.node_limit:
            return proof
        board, attacker = self.board, self.attacker
        key = board.stones[0], board.stones[1]
        if self._no_threats.get(key, 0) >= depth:
            return None
        threats = board.threats()
        if against := threats.wins[1 - attacker]:
            moves = board.stops(1 - attacker, against)
        else:
            moves = threats.fours[attacker] | board.threes()[1][attacker]
        moves &= ~board.barred(attacker)
        for move in board.by_worth(moves, attacker):
            board.toggle(move, attacker)
            proof = self._after_threat(depth - 1)
            board.toggle(move, attacker)
            if proof:
                return _longer(move, proof)
            if self.nodes >= self.node_limit:
                return None
        self._no_threats[key] = depth
        return None

    def after(self, move: int, depth: int = 0) -> Proof | None:
        """Return how the attacker wins against every answer, once it has made a move.

        Args:
            move: of the attacker; it does not complete a line.
            depth: how many moves at most may make fours or threes then, before fours win.
        """
        self.board.toggle(move, self.attacker)
        proof = self._after_threat(depth)
        self.board.toggle(move, self.attacker)
        return proof

    def _after_threat(self, depth: int) -> Proof | None:
        """Return the proof that the attacker, who has just moved, wins by threats."""
        board, attacker = self.board, self.attacker
        threats = board.threats()
        if threats.wins[1 - attacker]:
            return None
        if wins := threats.wins[attacker]:
            answers = board.stops(attacker, wins) & ~board.barred(1 - attacker)
            if not answers:
                return self._too_many(wins)
            return self._against(answers, wins | board.ends(attacker), depth, self.by_threats)
        passed = self.by_fours()
        if passed is None:
            return None
        free = board.playable & ~board.barred(1 - attacker)
        answers = free & self._needed(passed)
        if not answers:
            return None
        proof = self._against(answers, passed.cells, depth, self.by_threats)
        if proof and board.is_renju:
            # What is forbidden may depend on distant marks: no answer is left out.
            proof = self._against_others(free & ~answers, proof)
        if proof is None:
            return None
        if proof.plies <= passed.plies:
            proof = proof._replace(plies=passed.plies + 1)
        return proof._replace(answers=proof.answers | passed.answers)

    def _against_others(self, answers: int, proof: Proof) -> Proof | None:
        """Return a proof that holds after these answers, too, where fours win."""
        others = self._against(answers, 0, MOST_FOURS, self.by_fours)
        return proof._replace(plies=max(proof.plies, others.plies)) if others else None

    def disturbing(self, proof: Proof) -> int:
        """Return the cells, as a bit board, outside which no mark of the defender stops a win.

        In Renju these are all free cells, because what is forbidden may depend on distant marks.
        """
        return self.board.playable if self.board.is_renju else self._needed(proof)

    def _needed(self, proof: Proof) -> int:
        """Return the cells outside which a mark of the defender takes nothing that a win needs.

        A mark elsewhere takes no cell of the proof, and the defender gets no four from it, not even
        with the marks that it answers with: that would take a place for a line which already has
        all marks but two. Where marks fall, the cells are all that are free.
        """
        board = self.board
        if board.gravity:
            return board.playable
        own = board.stones[self.attacker]
        other = board.stones[1 - self.attacker] | proof.answers
        enough = board.rules.length - 2
        cells = proof.cells
        for mask, _ in board.geometry.places:
            if not mask & own and (mask & other).bit_count() >= enough:
                cells |= mask
        return cells & board.playable


def _win(wins: int) -> Proof:
    move = cells_of(wins)[0]
    return Proof(1, (move,), 1 << move, 0)


def _longer(move: int, proof: Proof) -> Proof:
    return Proof(proof.plies + 1, (move, *proof.line), proof.cells | 1 << move, proof.answers)


#: How many positions a search looks at unless told otherwise: about a quarter of a second.
NODE_LIMIT: Final = 5_000
#: How many moves of a win by threats may make threes or fours before fours win.
MOST_THREATS: Final = 6


class Force(Enum):
    """Why moves are forced: they win, or they stop a win in the next ply."""

    WIN = "win"
    STOP = "stop"


class ForcedMoves(NamedTuple):
    """The moves that have to be considered alone.

    Attributes:
        force: why; ``None`` if nothing is forced.
        moves: ascending; with `Force.STOP` they may be none, and the game is lost.
    """

    force: Force | None
    moves: tuple[int, ...] = ()


class ForcedWin(NamedTuple):
    """A win that is proved against every defence.

    Attributes:
        kind: ``fours`` if each move but the last threatens to complete a line, else ``threats``.
        plies: how many the win takes at most.
        line: moves of the winner and answers in turns, one of the longest defences; the last move
            wins.
    """

    kind: str
    plies: int
    line: tuple[int, ...]


def forced_moves(rules: Rules | str, position: Position) -> ForcedMoves:
    """Return the moves that win at once; failing that, those that stop the other side from it."""
    rules = rules_of(rules)
    board = board_of(rules, position)
    if board is None:
        return ForcedMoves(None)
    side = position.turn
    own, other = board.threats().wins[side], board.threats().wins[1 - side]
    if own:
        return ForcedMoves(Force.WIN, tuple(cells_of(own)))
    if other:
        stops = board.stops(1 - side, other) & ~board.barred(side)
        return ForcedMoves(Force.STOP, tuple(cells_of(stops)))
    return ForcedMoves(None)


def win_by_fours(
    rules: Rules | str, position: Position, *, node_limit: int = NODE_LIMIT
) -> ForcedWin | None:
    """Return how the side to move wins by continuous fours, if it is found.

    A win with few fours is found first.

    Args:
        node_limit: how many positions to look at, about.
    """
    rules = rules_of(rules)
    board = board_of(rules, position)
    if board is None:
        return None
    search = ThreatSearch(board, position.turn, node_limit)
    return _forced_win("fours", search.shortest_by_fours())


def win_by_threats(
    rules: Rules | str,
    position: Position,
    *,
    node_limit: int = NODE_LIMIT,
    depth_limit: int = MOST_THREATS,
) -> ForcedWin | None:
    """Return how the side to move wins by continuous threats, if it is found.

    Deeper and deeper is searched, so that a win with few threats is found first.

    Args:
        node_limit: how many positions to look at, about.
        depth_limit: how many moves may make threes or fours before fours alone win.
    """
    rules = rules_of(rules)
    board = board_of(rules, position)
    if board is None:
        return None
    search = ThreatSearch(board, position.turn, node_limit)
    return _forced_win(*deepened(search, depth_limit))


def deepened(search: ThreatSearch, depth_limit: int) -> tuple[str, Proof | None]:
    """Return the kind of a win, and its proof, with as few threats as the search finds."""
    if proof := search.shortest_by_fours():
        return "fours", proof
    for depth in range(1, depth_limit + 1):
        if search.nodes >= search.node_limit:
            break
        if proof := search.by_threats(depth):
            return "threats", proof
    return "", None


def _forced_win(kind: str, proof: Proof | None) -> ForcedWin | None:
    return ForcedWin(kind, proof.plies, proof.line) if proof else None


def has_threats(rules: Rules) -> bool:
    """Return whether a game has lines that threats lead to, so that it has a board."""
    return isinstance(rules.rules if isinstance(rules, Pie) else rules, LineRules)


def board_of(rules: Rules, position: Position) -> LineBoard | None:
    """Return the board of a game that goes on, unless the game has no threats."""
    if isinstance(rules, Pie):
        if not position.marks or rules.can_swap(position):
            return None
        rules, position = rules.rules, position._replace(memory=0)
    if not isinstance(rules, LineRules) or not rules.moves(position):
        return None
    return LineBoard(rules, position)
