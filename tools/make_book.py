"""Find the opening book of Connect Four: ``python -m tools.make_book PLIES [--journal FILE]``.

Every position with PLIES marks is solved, up to reflection; those with fewer follow from them. Each
answer goes into the journal at once, so that the command can be stopped and started again; when all
are known the book is written into the library. A journal line is the columns played, the score in
plies, the nodes and the seconds that it took.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.search.scores import back_up
from tic_tac_toe.solver import FastSolver, Limits
from tic_tac_toe.solver.book import FILE, format_book
from tic_tac_toe.solver.scale import Scale

BOOK = Path(__file__).parents[1] / "library" / "src" / "tic_tac_toe" / "solver" / FILE
JOURNAL = Path(__file__).parents[1] / ".venv" / "book-journal.txt"
MEMORY = 640 << 20


def main(arguments: list[str] | None = None) -> None:
    """Solve what the journal does not hold yet, and write the book."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_book", description=__doc__)
    parser.add_argument("plies", type=int, help="positions with PLIES marks are solved")
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--book", type=Path, default=BOOK)
    options = parser.parse_args(arguments)
    layers = [dict(layer) for layer in positions_by_ply(options.plies)]
    known = read_journal(options.journal)
    leaves = layers[-1]
    solver = FastSolver(CONNECT_FOUR, Limits(memory=MEMORY, threads=options.threads))
    with options.journal.open("a", encoding="ascii") as journal:
        for number, (position, moves) in enumerate(leaves.items(), start=1):
            if moves in known:
                continue
            nodes, start = solver.nodes, time.monotonic()
            known[moves] = solver.score(position)
            seconds = time.monotonic() - start
            print(moves, known[moves], solver.nodes - nodes, f"{seconds:.2f}", file=journal)
            journal.flush()
            os.fsync(journal.fileno())
            print(f"{number} of {len(leaves)}: {moves} in {seconds:.1f} s", flush=True)
    options.book.write_bytes(format_book(back_up_all(layers, known), options.plies))


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
    scores = {CONNECT_FOUR.canonical(p): known[moves] for p, moves in layers[-1].items()}
    for layer in reversed(layers[:-1]):
        for position in layer:
            children = (CONNECT_FOUR.play(position, m) for m in CONNECT_FOUR.moves(position))
            found = max(back_up(scores[CONNECT_FOUR.canonical(child)]) for child in children)
            scores[CONNECT_FOUR.canonical(position)] = found
    marks = {}
    for position, score in scores.items():
        scale = Scale(CONNECT_FOUR.shape.cells, position.marks)
        marks[position] = scale.to_marks(score)
    return marks


if __name__ == "__main__":
    main()
