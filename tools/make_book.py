"""Find the opening book of Connect Four: ``python -m tools.make_book PLIES [--part 1/2]``.

Every position with PLIES marks is solved, up to reflection; those with fewer follow from them. Each
answer goes into the journal at once, so that the command can be stopped and started again, and so
that several processes can solve a part each; the one that finds all of them known writes the book
into the library. A journal line is the columns played, the score in plies, the nodes and the
seconds that it took.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.search.evaluation import back_up, final_score
from tic_tac_toe.solver import FastSolver, Limits
from tic_tac_toe.solver.book import FILE, format_book
from tic_tac_toe.solver.support import Scale

BOOK = Path(__file__).parents[1] / "library" / "src" / "tic_tac_toe" / "solver" / FILE
JOURNAL = Path(__file__).parents[1] / ".venv" / "book-journal.txt"
MEMORY = 512 << 20


def main(arguments: list[str] | None = None) -> None:
    """Solve what the journal does not hold yet, and write the book."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_book", description=__doc__)
    parser.add_argument("plies", type=int, help="positions with PLIES marks are solved")
    parser.add_argument("--part", default="1/1", help="of these, the first of two parts: 1/2")
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("--book", type=Path, default=BOOK)
    options = parser.parse_args(arguments)
    number, parts = map(int, options.part.split("/"))
    layers = list(positions_by_ply(options.plies))
    # In this order, neighbours have most of their moves in common, and so much of the table.
    leaves = sorted((moves, p) for p, moves in layers[-1].items() if CONNECT_FOUR.moves(p))
    size = -(-len(leaves) // parts)
    solve(dict(leaves[size * (number - 1) : size * number]), options.journal)
    known = read_journal(options.journal)
    if all(moves in known for moves, _ in leaves):
        options.book.write_bytes(format_book(back_up_all(layers, known), options.plies))


def solve(positions: Mapping[str, Position], path: Path) -> None:
    """Solve the positions that are not in a journal, and append them to it."""
    known = read_journal(path)
    solver = FastSolver(CONNECT_FOUR, Limits(memory=MEMORY, threads=1))
    with path.open("a", encoding="ascii") as journal:
        print(file=journal)  # ends a line that was cut off
        for number, (moves, position) in enumerate(positions.items(), start=1):
            if moves in known:
                continue
            nodes, start = solver.nodes, time.monotonic()
            score = solver.score(position)
            seconds = time.monotonic() - start
            print(moves, score, solver.nodes - nodes, f"{seconds:.2f}", file=journal)
            journal.flush()
            os.fsync(journal.fileno())
            solver.known.clear()  # it would grow; what is of use to the next is in the table
            print(f"{number} of {len(positions)}: {moves} in {seconds:.1f} s", flush=True)


def positions_by_ply(plies: int) -> Iterator[dict[Position, str]]:
    """Yield for each ply the canonical positions, each with columns that lead there."""
    layer = {CONNECT_FOUR.canonical(Position()): (Position(), "")}
    for ply in range(plies + 1):
        yield dict(layer.values())
        following: dict[Position, tuple[Position, str]] = {}
        if ply < plies:
            for position, moves in layer.values():
                for cell in CONNECT_FOUR.moves(position):
                    child = CONNECT_FOUR.play(position, cell)
                    column = str(cell % CONNECT_FOUR.shape.columns + 1)
                    following.setdefault(CONNECT_FOUR.canonical(child), (child, moves + column))
        layer = following


def read_journal(path: Path) -> dict[str, int]:
    """Return the scores in a journal by the columns played; a line that was cut off is no line."""
    if not path.exists():
        return {}
    lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    return {fields[0]: int(fields[1]) for fields in lines if len(fields) == 4}


def back_up_all(layers: list[dict[Position, str]], known: dict[str, int]) -> dict[Position, int]:
    """Return the scores in marks of all canonical positions, from those of the last layer."""
    scores: dict[Position, int] = {}
    for layer in reversed(layers):
        for position, moves in layer.items():
            canonical = CONNECT_FOUR.canonical(position)
            if outcome := CONNECT_FOUR.outcome(position):
                scores[canonical] = final_score(outcome, position.turn)
            elif layer is layers[-1]:
                scores[canonical] = known[moves]
            else:
                children = (CONNECT_FOUR.play(position, m) for m in CONNECT_FOUR.moves(position))
                found = (scores[CONNECT_FOUR.canonical(child)] for child in children)
                scores[canonical] = max(map(back_up, found))
    return {p: Scale.of(CONNECT_FOUR, p).to_marks(score) for p, score in scores.items()}


if __name__ == "__main__":
    main()
