"""Make positions with forced moves and prove them: ``python -m tools.forced_positions [COUNT]``.

Games of each variant are played by static values with some chance, always the same. Wins, stops and
wins by fours are proved by an oracle that asks the rules alone, see `tests.forced_wins`; so are, in
tests, the stops of open threes. COUNT is the number for each variant and kind.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests import forced_wins
from tests.forced_wins import Puzzle
from tests.line_threats import find_defence, fours
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.line_board import LineBoard
from tic_tac_toe.logic.search.threats import forced_moves, win_by_fours

NAMES = ("gomoku", "gomoku-standard", "gomoku-caro", "renju")
KINDS = ("win", "four", "three", "fours")
#: For wins by fours: the plies, and which part of the positions takes that many.
PARTS = {3: 0.24, 5: 0.4, 7: 0.24, 9: 0.12}


def main(arguments: list[str] | None = None) -> None:
    """Make the positions and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.forced_positions", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=125)
    parser.add_argument("--file", type=Path, default=forced_wins.FILE)
    options = parser.parse_args(arguments)
    lines = []
    for name in NAMES:
        found = list(positions(name, options.count))
        lines += [puzzle.line for puzzle in found]
        print(f"{name}: {len(found)} positions", flush=True)
    text = "\n".join(lines) + "\n"
    options.file.write_bytes(gzip.compress(text.encode("ascii"), mtime=0))


def positions(name: str, count: int) -> Iterator[Puzzle]:
    """Yield ``count`` proved positions of each kind, at most one of each kind from one game.

    No position is another's image in a symmetry of the board.
    """
    rules, rng = VARIANTS[name], Random(f"forced positions of {name}")
    assert isinstance(rules, LineRules)
    wanted = {(kind, 0): count for kind in KINDS[:3]}
    wanted |= {("fours", plies): round(part * count) for plies, part in PARTS.items()}
    seen = set[Position]()
    while any(wanted.values()):
        kinds = {kind for (kind, _), number in wanted.items() if number}
        cells: list[int] = []
        position = Position()
        while kinds and rules.moves(position):
            found = _puzzle(name, rules, position, tuple(cells), kinds)
            if found and wanted[found[1]] and (image := rules.canonical(position)) not in seen:
                seen.add(image)
                wanted[found[1]] -= 1
                kinds.discard(found[0].kind)
                yield found[0]
            cells.append(_move(rules, position, rng))
            position = rules.play(position, cells[-1])


def _move(rules: LineRules, position: Position, rng: Random) -> int:
    if not position.occupied:
        return rules.shape.middle
    forced = forced_moves(rules, position).moves
    if forced and rng.random() < 0.9:
        return rng.choice(forced)
    best = LineBoard(rules, position).best_cells(position.turn, 5)
    return rng.choice(best or rules.moves(position))


def _puzzle(
    name: str, rules: LineRules, position: Position, cells: tuple[int, ...], kinds: set[str]
) -> tuple[Puzzle, tuple[str, int]] | None:
    """Return the position as a proved puzzle of one of the kinds, with its kind and its plies."""
    force, moves = forced_moves(rules, position)
    if force is not None:
        kind = "win" if force.value == "win" else "four"
        if kind not in kinds or not moves:
            return None
        slow = forced_wins.wins_in_one if kind == "win" else forced_wins.stops_in_one
        assert list(moves) == slow(rules, position)
        return Puzzle(name, kind, cells, moves), (kind, 0)
    if win := win_by_fours(rules, position):
        if "fours" not in kinds or win.plies not in PARTS:
            return None
        assert forced_wins.is_won(rules, position, win.plies, _by_fours)
        first = tuple(move for move in fours(rules, position) if _begins(rules, position, move))
        return Puzzle(name, "fours", cells, first), ("fours", win.plies)
    if "three" not in kinds:
        return None
    if not LineBoard(rules, position).threes()[0][1 - position.turn]:
        return None
    defence = find_defence(rules, position, depth_limit=0)
    if defence is None or not defence.moves:
        return None
    return Puzzle(name, "three", cells, defence.moves), ("three", 0)


def _begins(rules: LineRules, position: Position, move: int) -> bool:
    """Return whether a four begins a win by fours, whatever the answer."""
    after = rules.play(position, move)
    stops = forced_moves(rules, after)
    if stops.force is None or stops.force.value == "win":
        return False
    return all(win_by_fours(rules, rules.play(after, stop)) for stop in stops.moves)


def _by_fours(rules: Rules, position: Position) -> int | None:
    win = win_by_fours(rules, position)
    return win.line[0] if win else None


if __name__ == "__main__":
    main()
