"""Every theorem that a certificate checker accepts on a small board, held against the truth."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

from tic_tac_toe.certificate_check import SIGNS, Game, InvalidCertificate, Proof
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.tables import Table, solve_table
from tic_tac_toe.logic.shapes import Shape

#: With at most this number of empty cells every way to pair some of them is tried as a reason.
PAIRED_CELLS = 4
REASONS = ("closed", "potential", "pairs", "follow", "mirror")


def sealed(lines: Sequence[str]) -> bytes:
    """Return a certificate of these lines, with a closing line that fits them."""
    text = "".join(f"{line}\n" for line in lines).encode()
    theorems = len(lines) - 4 - sum(line.startswith("proof ") for line in lines)
    return text + f"end {theorems} sha256 {hashlib.sha256(text).hexdigest()}\n".encode()


def stones_of(rows: str) -> tuple[int, int]:
    """Return the crosses and the naughts of rows of signs, with or without slashes between."""
    signs = rows.replace("/", "")
    crosses, naughts = (
        sum(1 << cell for cell, sign in enumerate(signs) if sign == mark) for mark in "XO"
    )
    return crosses, naughts


def rows_of(shape: Shape, stones: tuple[int, int]) -> str:
    """Return a position as a certificate has it."""
    crosses, naughts = stones
    signs = [".XO"[(crosses >> i & 1) + 2 * (naughts >> i & 1)] for i in range(shape.cells)]
    starts = range(0, shape.cells, shape.columns)
    return "/".join("".join(signs[i : i + shape.columns]) for i in starts)


def planned(rows: str, order: Sequence[int]) -> str:
    """Return a plan as a certificate has it: the empty cells of these rows in this order."""
    signs = dict(zip(order, SIGNS))
    cells = (at for at, sign in enumerate(rows) if sign == ".")
    texts = dict(zip(cells, (signs[number] for number in range(len(order)))))
    return "".join(texts.get(at, sign) for at, sign in enumerate(rows))


class Findings(NamedTuple):
    """What the checker makes of all theorems that can be stated about the positions of a game.

    Attributes:
        false: those that it accepts though the prover does not reach the goal by that answer.
        missed: the positions where the prover does, and no theorem that it accepts says so.
        accepted: how many it accepts for each reason.
    """

    false: list[str]
    missed: list[str]
    accepted: Counter[str]


def judge_all_theorems(game: str, prover: int, must_win: bool) -> Findings:
    """Let the checker judge every answer with every reason in every position, the last ones first.

    What it accepts it may build on. It stops at the first false theorem.

    Args:
        game: as certificates name it. Cross begins.
        prover: 0 for cross, 1 for naught.
    """
    rules = find_rules(f"mnk:{game}")
    table = _table(rules)
    proof = Proof(Game(game), "XO"[prover], must_win=must_win)
    findings = Findings([], [], Counter())
    for position in _representatives(rules, table, prover):
        key = position.stones[::-1] if prover else position.stones
        good = {
            cell
            for cell in rules.moves(position)
            if table.score(rules.play(position, cell)) <= -must_win
        }
        proved = False
        for cell, text, reason in _theorems_about(rules, position, must_win):
            proof.proven.discard(key)  # else it stands above already
            try:
                proof.add(text)
            except InvalidCertificate:
                continue
            proved = True
            findings.accepted[reason] += 1
            if cell not in good:
                findings.false.append(text)
                return findings
        if proved:
            proof.proven.add(key)
        elif good:
            findings.missed.append(rows_of(rules.shape, position.stones))
    return findings


def _representatives(rules: Rules, table: Table, turn: int) -> list[Position]:
    """Return a position of each symmetry class where this side is to move, the last ones first."""
    symmetry, kept = symmetry_of(rules), dict[Position, Position]()
    for position in table:
        if position.turn == turn and rules.outcome(position) is None:
            kept.setdefault(symmetry.canonical(position), position)
    return sorted(kept.values(), key=lambda position: -position.marks)


def _theorems_about(
    rules: Rules, position: Position, must_win: bool
) -> Iterator[tuple[int, str, str]]:
    """Yield answers, legal ones or not, the theorems, and their reasons without pairs."""
    rows, legal = rows_of(rules.shape, position.stones), rules.moves(position)
    for cell in range(rules.shape.cells):
        text = f"{rows} {cell_name(rules.shape, cell)}"
        yield cell, text, ""
        if cell in legal:
            for reason in (*REASONS, "closed A1-B1", "mirror A1-B1"):
                yield cell, f"{text} {reason}", reason
            occupied = rules.play(position, cell).occupied
            empty = [one for one in range(rules.shape.cells) if not occupied >> one & 1]
            if len(empty) <= PAIRED_CELLS:
                names = tuple(cell_name(rules.shape, one) for one in empty)
                apt, unfit = (
                    ("follow", "pairs") if traits_of(rules).gravity else ("pairs", "follow")
                )
                for pairs in _pairings(names) + _no_pairings(names, cell_name(rules.shape, cell)):
                    if must_win and apt == "pairs" and len(pairs) > 1:
                        continue  # enough are tried
                    yield cell, f"{text} {apt} {' '.join(pairs)}", apt
                    if len(pairs) == 1:
                        yield cell, f"{text} {unfit} {pairs[0]}", unfit


@cache
def _pairings(cells: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return every way to pair some of the cells, or none."""
    if not cells:
        return [()]
    first, rest = cells[0], cells[1:]
    paired = [
        (f"{first}-{partner}", *others)
        for partner in rest
        for others in _pairings(tuple(cell for cell in rest if cell != partner))
    ]
    return _pairings(rest) + paired


def _no_pairings(cells: tuple[str, ...], taken: str) -> list[tuple[str, ...]]:
    """Return lists of pairs that are wrong: a cell twice, or one that is taken."""
    found: list[tuple[str, ...]] = [(f"{one}-{one}",) for one in cells]
    found += [(f"{one}-{taken}",) for one in cells]
    triples = permutations(cells, 3)
    found += [(f"{two}-{one}", f"{two}-{three}") for one, two, three in triples if one < three]
    return found


@cache
def _table(rules: Rules) -> Table:
    return solve_table(rules)
