"""Golden data of every catalogue variant: perft counts and one whole game each.

``python -m tests.golden`` compares; ``python -m tests.golden --write`` writes the files anew, for
when a variant was added. A count that moves without a reason is a defect.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.census import walk_census

DATA = Path(__file__).parent / "data"
PERFT = DATA / "perft.json"
PLAYTHROUGHS = DATA / "playthroughs.json"

#: Counting stops before the ply at which more different positions than this would be followed.
WIDTH = 4_000


def perft_counts(rules: Rules) -> list[int]:
    """Return the perft counts from depth 0 on, as deep as is quick."""
    counts = []
    for census in walk_census(rules):
        counts.append(census.games)
        if census.classes > WIDTH:
            break
    return counts


def playthrough(rules: Rules, seed: int) -> dict[str, Any]:
    """Return a random game: its moves, the position and the legal cells after each, the outcome."""
    rng = random.Random(seed)
    position, steps = Position(), []
    while cells := rules.moves(position):
        move = rng.choice(list(cells))
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
    """Return the perft counts of every variant."""
    return {name: perft_counts(rules) for name, rules in VARIANTS.items()}


def golden_playthroughs() -> dict[str, dict[str, Any]]:
    """Return one game of every variant."""
    return {name: playthrough(rules, seed) for seed, (name, rules) in enumerate(VARIANTS.items())}


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
