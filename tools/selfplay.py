"""Games of an engine for lines against itself, from which its evaluation is learnt.

    python -m tools.selfplay gomoku --games 60000 --journal games.jsonl

Each game begins with three to eight stones at random near the middle, which the engine thinks
balanced, and is played with fixed work a move until the engine proves a win. A line of the journal
is a game: its number, the cells, how many of them are the opening, and the winner (0 or 1; none in
a draw). Games that the journal holds are not played again, and each depends on its number alone.
``tools.fit_lines`` reads the journal; ``tools.fit_drops`` does where marks fall.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from tic_tac_toe import find_rules
from tic_tac_toe.engines.choice import Engine
from tic_tac_toe.engines.lines import NODES_PER_SECOND, CompiledLines
from tic_tac_toe.engines.lines.values import packed, parts_of
from tic_tac_toe.engines.playouts import CompiledPlayouts
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.evaluation import Evaluation

#: The number of stones of an opening, the nodes a move, and what chances of a side are balanced.
STONES, NODES, BALANCED = (3, 8), (2000, 6000), (0.25, 0.75)
#: A table that stays in the processor's memory, and what a tree of random games may take.
MEMORY, TREE_MEMORY = 2 << 20, 16 << 20


def opening_of(rules: LineRules, engine: Engine, rng: Random) -> list[int]:
    """Return a random opening that the engine thinks balanced."""
    while True:
        position, cells = Position(), list[int]()
        for _ in range(rng.randint(*STONES)):
            near = [cell for cell in rules.moves(position) if is_near(rules, cells, cell)]
            if not near or rules.outcome(position) is not None:
                break
            cells.append(rng.choice(near))
            position = rules.play(position, cells[-1])
        if rules.outcome(position) is None and len(cells) >= STONES[0]:
            found = engine.think(position, Limits(work=NODES[0] / NODES_PER_SECOND), rng)
            if found.bound is None and BALANCED[0] <= (found.chance or 0) <= BALANCED[1]:
                return cells


def is_near(rules: LineRules, cells: Sequence[int], cell: int) -> bool:
    """Return whether a cell is within two steps of a stone, or of the middle at first.

    Where marks fall all cells are near.
    """
    if rules.gravity:
        return True
    rows, columns = rules.shape
    others = cells or [rows // 2 * columns + columns // 2]
    row, column = divmod(cell, columns)
    return any(
        max(abs(row - other // columns), abs(column - other % columns)) <= 2 for other in others
    )


def play_on(
    rules: LineRules,
    opening: Sequence[int],
    players: Sequence[tuple[Engine, Limits]],
    rng: Random,
) -> tuple[list[int], int | None]:
    """Return all cells of a game after an opening, up to a proof, and the winner.

    Args:
        players: the engines of both sides, and what they may spend on a move.
    """
    position, cells = Position(), [*opening]
    for cell in cells:
        position = rules.play(position, cell)
    while (outcome := rules.outcome(position)) is None:
        engine, limits = players[position.turn]
        found: Evaluation = engine.think(position, limits, rng)
        if found.bound:
            return cells, position.turn if found.bound > 0 else 1 - position.turn
        cells.append(found.best[0])
        position = rules.play(position, cells[-1])
    return cells, outcome.winner


def game(rules: LineRules, engine: Engine, number: int) -> dict[str, Any]:
    """Return the game of this number."""
    rng = Random(f"selfplay {number}")
    opening = opening_of(rules, engine, rng)
    limits = Limits(work=rng.randint(*NODES) / NODES_PER_SECOND, kept=Kept())
    cells, winner = play_on(rules, opening, [(engine, limits)] * 2, rng)
    return {"game": number, "cells": cells, "opening": len(opening), "winner": winner}


def rules_named(name: str) -> LineRules:
    """Return the rules of a game of lines."""
    rules = find_rules(name)
    assert isinstance(rules, LineRules)
    return rules


def engine_with(rules: LineRules, file: str, memory: int = MEMORY) -> CompiledLines:
    """Return an engine with the evaluation of a file; with that of the library without one."""
    told = json.loads(Path(file).read_text(encoding="ascii")) if file else None
    return CompiledLines(rules, memory, rows=told and packed(parts_of(told)))


@lru_cache(maxsize=1)
def engine_of(name: str, file: str) -> tuple[LineRules, Engine]:
    """Return the rules of a game and an engine; see `engine_with`."""
    rules = rules_named(name)
    if rules.gravity:
        return rules, CompiledPlayouts(rules, TREE_MEMORY)
    return rules, engine_with(rules, file)


def played_game(task: tuple[str, str, int]) -> dict[str, Any]:
    """Return a game; for a process of a pool."""
    name, values, seed = task
    return game(*engine_of(name, values), seed)


def games_in(journal: Path) -> Iterator[dict[str, Any]]:
    """Yield the games of a journal; a last line that was cut off is left out."""
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            if line.endswith("}"):
                yield json.loads(line)


def main() -> int:
    """Play the games that the journal lacks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("variant", help="the name of the game")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--games", type=int, default=60_000, help="how many are played")
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--values", default="", help="an evaluation made by tools.fit_lines")
    options = parser.parse_args()
    has = {one["game"] for one in games_in(options.journal)}
    wanted = range(options.first, options.first + options.games)
    tasks = [(options.variant, options.values, n) for n in wanted if n not in has]
    pool = multiprocessing.get_context("spawn").Pool(options.processes)
    with pool, options.journal.open("a", encoding="utf-8") as file:
        for one in pool.imap_unordered(played_game, tasks, chunksize=4):
            file.write(json.dumps(one, separators=(",", ":")) + "\n")
            file.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
