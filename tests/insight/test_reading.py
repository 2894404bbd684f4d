"""What is said about moves is read back from the English, and is true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from random import Random

import pytest

from tests.insight.reading import READERS, Judged, judge, move_in
from tests.insight.signs import Board, Game, Move, Played, Values, Worth, worth_of
from tic_tac_toe import Explanation, GameError, GameState, explain, find_rules, parse_state
from tic_tac_toe.certificate_check import InvalidCertificate, check
from tic_tac_toe.insight.facts import Fact, Names, sentence
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.search.evaluation import MATE, MoveEvaluation
from tic_tac_toe.solver import FastSolver
from tic_tac_toe.solver.book import with_book

RESULTS = {1: "win", 0: "draw", -1: "loss"}


class Solved:
    """Values by the fast solver of the library, which knows bigger games."""

    def __init__(self, name: str) -> None:
        self.rules = find_rules(name)
        self.solver = with_book(self.rules, FastSolver(self.rules, Limits(threads=1)))
        self._known: dict[Board, Worth] = {}

    def worth(self, board: Board) -> Worth:
        """Return what a position is worth to the side to move."""
        if board not in self._known:
            score = self.solver.score(parse_state(text_of(board), self.rules).position)
            plies = MATE - abs(score) if score else len(board.empty)
            self._known[board] = Worth((score > 0) - (score < 0), plies)
        return self._known[board]


@dataclass(frozen=True)
class Table:
    """A game at which explanations are asked for.

    Attributes:
        name: of the game in the library.
        game: the same for the reader.
        values: exact values of its positions.
    """

    name: str
    game: Game
    values: Values

    def state(self, board: Board) -> GameState:
        """Return the library's state of a position."""
        return parse_state(text_of(board), self.name)

    def explain(self, board: Board, move: Move) -> Explanation:
        """Return why a move is good, from the exact values."""
        state = self.state(board)
        known = [
            MoveEvaluation.solved(state.move(name_of(board, each)).number, RESULTS[result], plies)
            for each in board.moves
            for result, plies in [worth_of(self.values, board, each)]
        ]
        return explain(state, name_of(board, move), values=known)

    def all_positions(self) -> Iterator[Board]:
        """Yield every position in which the game goes on."""
        todo, seen = [self.game.start], {self.game.start}
        for board in todo:
            yield board
            for move in board.moves:
                after = board.after(move)
                if board.result(move) is None and after not in seen:
                    seen.add(after)
                    todo.append(after)

    def played(self, rng: Random, opening: int) -> Iterator[Board]:
        """Yield positions of games in which three of four moves are the best ones, without end.

        Args:
            opening: the moves at random with which a game begins; it goes on after them.
        """
        while True:
            board, made = self.game.start, 0
            while True:
                if made >= opening:
                    yield board
                ranks = {each: worth_of(self.values, board, each).rank for each in board.moves}
                best = [each for each in board.moves if ranks[each] == max(ranks.values())]
                is_best = made >= opening and rng.random() < 0.75
                move = rng.choice(best if is_best else board.moves)
                made += 1
                if board.result(move) is not None:
                    break
                board = board.after(move)

    def read(self, board: Board, move: Move, text: str) -> list[Judged]:
        """Return what the reader makes of the sentences of an explanation."""
        return list(judge(board, move, self.values, text)) if text else []


@cache
def table(name: str) -> Table:
    """Return the table of a game; values are kept from one test to the next."""
    marks = {"tic-tac-toe": "3,3,3", "connect-four": "7,6,4,gravity", "wild": "3,3,3,wild"}
    game = Game.of(marks.get(name, name.removeprefix("mnk:")))
    is_small = game.columns * game.rows < 10
    return Table(name, game, Played() if is_small else Solved(name))


def text_of(board: Board) -> str:
    """Return a position as the library writes it."""
    columns = board.game.columns
    rows = [board.signs[at : at + columns] for at in range(0, len(board.signs), columns)]
    return f"{'/'.join(rows)} {'xo'[board.turn]}"


def name_of(board: Board, move: Move) -> str:
    """Return what players write for a move."""
    row, column = divmod(move.cell, board.game.columns)
    if board.game.gravity:
        return str(column + 1)
    return f"{move.sign if board.game.wild else ''}{chr(ord('A') + column)}{row + 1}"


def moves_of(boards: Iterable[Board], least: int) -> Iterator[tuple[Board, Move]]:
    """Yield all moves of positions, until there are at least so many."""
    count = 0
    for board in boards:
        yield from ((board, move) for move in board.moves)
        count += len(board.moves)
        if count >= least:
            return


def faults_in(place: Table, moves: Iterable[tuple[Board, Move]]) -> tuple[list[str], Counter[str]]:
    """Return the sentences that are not true or not read, and the number of true ones by kind."""
    faults, kinds = list[str](), Counter[str]()
    for board, move in moves:
        text = str(place.explain(board, move).message())
        for each in place.read(board, move, text):
            kinds[each.kind] += 1
            if each.fault:
                where = f"{place.name} | {text_of(board)} | {name_of(board, move)}"
                faults.append(f"{where} | {each.sentence} | {each.fault} | {text}")
    return faults, kinds


@pytest.mark.medium
@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("name", "least"), [("tic-tac-toe", 20), ("mnk:3,3,3,misere", 10)])
def test_every_sentence_about_every_move_of_3x3_is_true(name: str, least: int, turn: int) -> None:
    place = table(name)
    boards = (board for board in place.all_positions() if board.turn == turn)
    faults, kinds = faults_in(place, ((board, move) for board in boards for move in board.moves))
    assert faults == []
    assert len(kinds) >= least


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "opening", "count"),
    [("mnk:4,4,3", 0, 600), ("wild", 0, 600), ("connect-four", 14, 500)],
)
def test_sentences_about_played_positions_are_true(name: str, opening: int, count: int) -> None:
    place = table(name)
    faults, _ = faults_in(place, moves_of(place.played(Random(1), opening), count))
    assert faults == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "count"), [("mnk:4,4,3", 40_000), ("wild", 30_000), ("connect-four", 30_000)]
)
def test_sentences_about_very_many_played_positions_are_true(name: str, count: int) -> None:
    place = table(name)
    faults, _ = faults_in(place, moves_of(place.played(Random(2), 0), count))
    assert faults == []


def told(explanation: Explanation) -> str:
    """Return the sentences of all facts, however long that is."""
    return " ".join(str(sentence(fact, state, Names())) for fact, state in explanation.facts)


def with_facts(facts: Sequence[Fact], old: Fact, new: Fact) -> tuple[Fact, ...]:
    """Return facts, and those that they rest on, with one in place of another."""
    return tuple(
        new if fact is old else replace(fact, because=with_facts(fact.because, old, new))
        for fact in facts
    )


def changed(fact: Fact, cells: int, rng: Random) -> Fact:
    """Return a fact with another cell in one place where its sentence names one."""
    words = fact.kind.sentence
    is_played = "{moves}" in words
    fields = {
        "moves": range(len(fact.moves) if is_played else 1) if "{move" in words else (),
        "cells": range(len(fact.cells))
        if re.search("{(cell|place|either|both|pairs|replies|rest)", words)
        else (),
        "lines": (0, -1) if "{line}" in words else (),
    }
    name, at = rng.choice([(name, at) for name, places in fields.items() for at in places])
    witness = fact.lines[0] if name == "lines" else fact.moves if name == "moves" else fact.cells
    other = list(witness)
    other[at] = rng.choice([cell for cell in range(cells) if cell != witness[at]])
    if name == "lines":
        return replace(fact, lines=(tuple(other), *fact.lines[1:]))
    return (
        replace(fact, moves=tuple(other)) if name == "moves" else replace(fact, cells=tuple(other))
    )


def is_accepted(certificate: str) -> bool:
    """Return whether the checker accepts a certificate."""
    try:
        check(BytesIO(certificate.encode()))
    except InvalidCertificate:
        return False
    return True


def faults_told(place: Table, board: Board, move: Move, explanation: Explanation) -> list[Judged]:
    """Return the sentences of all facts that the reader does not believe."""
    return [each for each in place.read(board, move, told(explanation)) if each.fault]
