"""Facts are proved by their certificates, and with another cell they are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice
from random import Random
from typing import NamedTuple

import pytest

from tests.insight.following import not_under_lines
from tests.insight.signs import Board, Move, ways
from tests.insight.tables import Table, board_of, cell_name_of, moves_of, name_of, table, text_of
from tic_tac_toe import Explanation, GameError, GameState, format_state, move_name
from tic_tac_toe.certificate_check import SIGNS, Claim, InvalidCertificate, check
from tic_tac_toe.insight.facts import Fact, Names, all_of, sentence

#: What the side to move has at least, by what a certificate claims.
LEAST = {"win": 1, "win or draw": 0}


# Certificates


def claim_of(certificate: str) -> Claim | None:
    """Return what a certificate proves, or None where the checker refuses it."""
    try:
        return check(BytesIO(certificate.encode()))
    except InvalidCertificate:
        return None


def is_true(place: Table, claim: Claim | None) -> bool:
    """Return whether a certificate is accepted, and true by exact values."""
    if claim is None:
        return False
    board = board_of(place, claim.position)
    return place.values.worth(board).result >= LEAST[claim.outcome]


def begins_with(certificate: str, board: Board) -> int:
    """Return the cell that a certificate takes first.

    It is named behind the last position, or else that position is a plan: it completes a line, or
    stops one, or takes the cell whose sign comes first, and never one right under a line.
    """
    *_, last, _ = certificate.splitlines()
    position, *answer = last.split()
    if answer:
        return next(cell for cell in board.empty if cell_name_of(board, cell) == answer[0])
    signs = position.replace("/", "")
    completing = ways(board, board.turn) or ways(board, 1 - board.turn)
    return min(completing or not_under_lines(board), key=lambda cell: SIGNS.index(signs[cell]))


def proves_result(board: Board, move: Move, explanation: Explanation) -> bool:
    """Return whether accepted certificates prove the result that is told first.

    What the side that moves has is proved by a certificate that answers with the move, and what is
    left to it by one of the other side.
    """
    before, after = text_of(board), text_of(board.after(move))
    proved = set[tuple[str, str]]()
    for certificate in explanation.proof():
        claim = check(BytesIO(certificate.encode()))
        if claim.position == before:
            is_made = begins_with(certificate, board) == move.cell
            proved.add(("move" if is_made else "other move", claim.outcome))
        elif claim.position == after:
            proved.add(("reply", claim.outcome))
    wanted = {
        "wins": {("move", "win")},
        "draws": {("move", "win or draw")},
        "drops_win": {("other move", "win"), ("reply", "win or draw")},
    }
    code = explanation.result.code if explanation.result else ""
    return wanted.get(code, {("reply", "win")}) <= proved


def faults_in_proofs(place: Table, moves: Iterable[tuple[Board, Move]]) -> tuple[list[str], int]:
    """Return the moves whose certificates are refused or not true, and how many are right.

    Where an explanation says that it is a proof, the certificates have to prove its result.
    """
    faults, right = list[str](), 0
    for board, move in moves:
        explanation = place.explain(board, move)
        proof = explanation.proof()
        is_right = all(is_true(place, claim_of(each)) for each in proof)
        # A plan takes a line that it can complete, so it tells nothing of another move then.
        if explanation.by == "proof" and not ways(board, board.turn):
            is_right = is_right and proves_result(board, move, explanation)
        if not is_right:
            faults.append(f"{place.name} | {text_of(board)} | {name_of(board, move)}")
        right += is_right and len(proof)
    return faults, right


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "opening"), [("tic-tac-toe", 0), ("mnk:4,4,3", 0), ("mnk:5,4,4,gravity", 12)]
)
def test_certificates_are_accepted_and_prove_the_result(name: str, opening: int) -> None:
    place = table(name)
    faults, right = faults_in_proofs(place, moves_of(place.played(Random(6), opening), 600))
    assert faults == []
    assert right > 200


@pytest.mark.nightly
def test_certificates_about_all_moves_of_3x3_are_accepted_and_prove_the_result() -> None:
    place = table("tic-tac-toe")
    every = ((board, move) for board in place.positions() for move in board.moves)
    faults, right = faults_in_proofs(place, every)
    assert faults == []
    assert right > 16_000


# Facts that are changed on purpose


def told(explanation: Explanation) -> str:
    """Return the sentences of all facts, however long that is."""
    return " ".join(str(sentence(fact, state, Names())) for fact, state in explanation.facts)


class Change(NamedTuple):
    """An explanation, and the same with another cell in one of its facts.

    Attributes:
        fact: the changed one.
        state: in which its side makes its first move.
    """

    place: Table
    board: Board
    move: Move
    right: Explanation
    wrong: Explanation
    fact: Fact
    state: GameState

    def is_believed(self, explanation: Explanation) -> bool:
        """Return whether the reader believes every sentence of the explanation."""
        judged = self.place.read(self.board, self.move, told(explanation))
        return not any(each.fault for each in judged)

    def is_true_alone(self) -> bool:
        """Return whether the reader believes the changed fact of the move that it names."""
        board = board_of(self.place, format_state(self.state))
        names = {name_of(board, move): move for move in board.moves}
        move = names[move_name(self.state, self.fact.moves[0])]
        text = str(sentence(self.fact, self.state, Names()))
        return not any(each.fault for each in self.place.read(board, move, text))


def with_facts(facts: Sequence[Fact], old: Fact, new: Fact) -> tuple[Fact, ...]:
    """Return facts, and those that they rest on, with one in place of another."""
    return tuple(
        new if fact is old else replace(fact, because=with_facts(fact.because, old, new))
        for fact in facts
    )


def named_cells(fact: Fact) -> list[tuple[str, int]]:
    """Return the fields of a fact, and the places in them, whose cells its sentence names."""
    words = fact.kind.sentence
    moves = len(fact.moves) if "{moves}" in words else int("{move}" in words)
    cells = re.search("{(cell|place|either|both|pairs|replies|rest)", words)
    return [
        *(("moves", at) for at in range(moves)),
        *(("cells", at) for at in range(len(fact.cells) if cells else 0)),
        *(("lines", at) for at in ((0, -1) if "{line}" in words else ())),
    ]


def changed(fact: Fact, cells: int, rng: Random) -> Fact:
    """Return a fact with another cell in one place where its sentence names one."""
    field, at = rng.choice(named_cells(fact))
    was = {"moves": fact.moves, "cells": fact.cells, "lines": fact.lines[0] if fact.lines else ()}
    witness = list(was[field])
    witness[at] = rng.choice([cell for cell in range(cells) if cell != witness[at]])
    if field == "moves":
        return replace(fact, moves=tuple(witness))
    if field == "cells":
        return replace(fact, cells=tuple(witness))
    return replace(fact, lines=(tuple(witness), *fact.lines[1:]))


def changes(seed: int) -> Iterator[Change]:
    """Yield explanations with a changed fact and other words, without end.

    What no words can be made of, such as a move to a cell that is taken, is left out.
    """
    rng = Random(seed)
    games = [("tic-tac-toe", 0), ("mnk:4,4,3", 0), ("mnk:5,4,4,gravity", 12)]
    played = [(table(name), table(name).played(rng, opening)) for name, opening in games]
    while True:
        place, boards = rng.choice(played)
        board = next(boards)
        move = rng.choice(board.moves)
        right = place.explain(board, move)
        said = {id(fact): state for fact, state in right.facts}
        reasons = [fact for fact in all_of(right.reasons) if id(fact) in said and named_cells(fact)]
        if not reasons:
            continue
        old = rng.choice(reasons)
        new = changed(old, len(board.signs), rng)
        wrong = replace(right, reasons=with_facts(right.reasons, old, new))
        try:
            has_other_words = told(wrong) != told(right)
        except GameError:
            continue
        if has_other_words:
            yield Change(place, board, move, right, wrong, new, said[id(old)])


@pytest.mark.medium
def test_sentences_with_another_cell_are_refused() -> None:
    tried = list(islice(changes(1), 1_000))
    assert [told(change.right) for change in tried if not change.is_believed(change.right)] == []
    assert sum(change.is_believed(change.wrong) for change in tried) <= 100


def certificates_of(explanation: Explanation) -> set[str]:
    """Return the certificates of an explanation; of a mark upon a mark none can be written."""
    try:
        return set(explanation.proof())
    except IndexError:
        return {""}


@pytest.mark.medium
def test_certificates_of_changed_facts_are_refused_or_prove_what_is_true() -> None:
    refused = true = good = 0
    for change in islice(changes(2), 1_000):
        # Not every cell that is named has a part in the proof: a line's ends have none.
        new = certificates_of(change.wrong) - certificates_of(change.right)
        claims = [claim_of(certificate) for certificate in new]
        if claims and None in claims:
            refused += 1
        elif claims:
            assert all(is_true(change.place, claim) for claim in claims), told(change.wrong)
            true += 1
            good += change.is_true_alone()
    assert refused > 400
    assert refused + good >= 0.9 * (refused + true)
