"""Golden data of every catalogue variant: perft counts and one whole game each.

``python -m tests.golden`` compares; ``python -m tests.golden --write`` writes the files anew, for
when a variant was added. A count that moves without a reason is a defect. What was recorded before
decides how deep to count and which moves to play, so that writing keeps the data of old variants.
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.repetition import Repetitions
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.tables import perft

DATA = Path(__file__).parent / "data"
PERFT = DATA / "perft.json"
PLAYTHROUGHS = DATA / "playthroughs.json"

#: Of a game recorded for the first time, depths are counted until one has as many games as this,
#: and on boards of up to nine cells as many as that: there equal positions make counting quick.
GAMES, SMALL_GAMES = 50_000, 1_000_000


def perft_counts(rules: Rules, depths: int | None = None) -> list[int]:
    """Return the perft counts from depth 0 on: so many, or unless given as many as are quick."""
    if depths is not None:
        return [perft(rules, depth) for depth in range(depths)]
    counts = [1]
    most = SMALL_GAMES if rules.shape.cells <= 9 else GAMES
    while 0 < counts[-1] < most:
        counts.append(perft(rules, len(counts)))
    return counts if counts[-1] else counts[:-1]


def random_moves(rules: Rules, seed: int) -> Iterator[int]:
    """Yield the moves of a random game, until it ends or its position comes back too often."""
    rng, position, repetitions = random.Random(seed), Position(), Repetitions(rules)
    while (moves := rules.moves(position)) and not repetitions.make_a_draw(position):
        move = rng.choice(list(moves))
        yield move
        position = rules.play(position, move)


def playthrough(rules: Rules, moves: Iterator[int]) -> dict[str, Any]:
    """Return a game: its moves, the position and the legal moves after each, the outcome."""
    position, steps = Position(), []
    for move in moves:
        position = rules.play(position, move)
        steps.append(step(rules, move, position))
    outcome = rules.outcome(position)
    assert outcome is not None
    return {"steps": steps, "winner": outcome.winner, "cells": list(outcome.cells)}


def step(rules: Rules, move: int, position: Position) -> dict[str, Any]:
    """Return what a playthrough keeps of one move."""
    return {
        "move": move,
        "stones": [f"{stones:x}" for stones in position.stones],
        "turn": position.turn,
        "memory": position.memory,
        "legal": len(rules.moves(position)),
    }


def golden_perft() -> dict[str, list[int]]:
    """Return the perft counts of every variant, as deep as they were recorded."""
    known = load(PERFT)
    return {
        name: perft_counts(rules, len(known[name]) if name in known else None)
        for name, rules in VARIANTS.items()
    }


def golden_playthroughs() -> dict[str, dict[str, Any]]:
    """Return one game of every variant: the recorded one, or a random one."""
    games, known = {}, load(PLAYTHROUGHS)
    for name, rules in VARIANTS.items():
        moves = random_moves(rules, zlib.crc32(name.encode()))
        if name in known:
            moves = (recorded["move"] for recorded in known[name]["steps"])
        games[name] = playthrough(rules, moves)
    return games


def load(path: Path) -> Any:
    """Return the content of a golden file."""
    return json.loads(path.read_text("utf-8"))


def compare_or_write(files: Mapping[Path, str]) -> int:
    """Write the golden files if the command line says ``--write``, else tell which differ."""
    if "--write" in sys.argv[1:]:
        for path, content in files.items():
            path.write_text(content, "utf-8")
        return 0
    stale = [
        path.name
        for path, content in files.items()
        if not path.exists() or path.read_text("utf-8") != content
    ]
    print(f"differs: {', '.join(stale)}" if stale else "the golden files are up to date")
    return bool(stale)


def as_text(content: Mapping[str, Any]) -> str:
    """Return JSON with an entry a line."""
    lines = ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in content.items())
    return f"{{\n{lines}\n}}\n"


def main() -> int:
    """Compare or write the counts and the games."""
    return compare_or_write(
        {PERFT: as_text(golden_perft()), PLAYTHROUGHS: as_text(golden_playthroughs())}
    )


if __name__ == "__main__":
    sys.exit(main())
