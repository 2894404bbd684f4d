"""The search behind `threats`: wins by continuous fours and by continuous threats.

Threats leave the defender few answers, so that long wins are found with few positions (L. Victor
Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and Threat-Space Search, 1993). Here
every answer of the defender that can matter is tried, so that what is claimed is proved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

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
