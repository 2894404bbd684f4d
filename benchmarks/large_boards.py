"""The compiled engine for lines on large boards: how many positions it searches in a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from benchmarks.measurement import Effort, Sampler, Unavailable, alternate_all, repeated
from benchmarks.report import GAMES, Section
from tic_tac_toe import solver
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.notation import parse_cell
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules

#: Moves of an opening in which neither side has a threat, close to the centre of each board.
OPENING = ("H8", "I8", "H9", "G7", "J9")
VARIANTS = ("gomoku", "gomoku-standard", "gomoku-caro", "renju")
#: The nominal seconds of an answer.
THINKING = 0.1


def measure(effort: Effort, variants: tuple[str, ...] = VARIANTS) -> list[Section]:
    """Return the figures of a search from a quiet position of each game."""
    preparations: Mapping[str, Callable[[float], Sampler]] = {
        name: partial(_prepare, name) for name in variants
    }
    runs = alternate_all(preparations, effort)
    return [Section("compiled engine for lines, positions a second", runs, GAMES)]


def _prepare(name: str, seconds: float) -> Sampler:
    if not solver.is_installed():
        raise Unavailable("the fast solver is not installed")
    from tic_tac_toe.engines.lines import CompiledLines

    rules = find_rules(name)
    position = Position()
    for text in OPENING:
        position = rules.play(position, parse_cell(rules.shape, text))
    engine = CompiledLines(rules)
    engine.prepare()
    return repeated(lambda: engine.think(position, Limits(work=THINKING), Random(0)).nodes, seconds)
