"""Find the puzzles that come with the library: ``python -m tools.puzzles VARIANT [--count N]``.

Small games are looked through whole. Of the others, games are played by the project's own players,
which make mistakes, and the positions of each game are looked at. The games are numbered, and each
has chance of its own by its number and the seed. What a game gives goes into a journal at once, so
that the command can be stopped and started again; the file is written when there are enough.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from tic_tac_toe.contest.openings import openings_of, position_after
from tic_tac_toe.contest.plan import derived_seed
from tic_tac_toe.engines.choice import prepare
from tic_tac_toe.engines.lines import CompiledLines
from tic_tac_toe.files import Journal
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.insight import collection
from tic_tac_toe.insight.collection import FOLDER, file_name, format_collection, line_of, parse_line
from tic_tac_toe.insight.puzzles import LONGEST_WIN, Puzzle, puzzles
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.deepening import look_ahead
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.logic.search.threats import board_of, forced_moves, win_by_threats
from tic_tac_toe.solver.answers import solver_for
from tic_tac_toe.solver.support import supports

TO = Path(collection.__file__).parent / FOLDER
JOURNALS = Path(__file__).parents[1] / ".venv"
#: The players of games that a solver knows, of whom each game draws two: strategies, and players
#: that look ahead so many plies. All make a random move now and then.
PLAYERS: tuple[str | int, ...] = ("easy", "rules", 1, 2, 3)
#: On large boards the engine plays with this work, and this number of bytes, ...
ENGINE_WORK, ENGINE_MEMORY = (0.0001, 0.0006), 1 << 14
#: ... and now and then makes another move that looks good, among so many.
MISTAKE, LIKELY = 0.12, 6
#: The part of the games in which only wins by fours are looked for; and the positions and the
#: threats that a search for a win looks at.
FOURS_ALONE, LOOK_NODES, LOOK_THREATS = 0.85, 250, 2
MEMORY = 256 << 20


class Recipe(NamedTuple):
    """The positions of played games that are looked at.

    Attributes:
        first, last: their plies.
        wanted: the number of puzzles.
        deepest: those that take a longer look-ahead are left out: nobody solves them.
        opening: where a solver knows the game, it begins with so many random moves at most.
    """

    first: int
    last: int
    wanted: int
    deepest: int
    opening: int = 0


PLAYED = {
    "4x4x3": Recipe(2, 14, 60, 20, opening=6),
    "connect-four": Recipe(12, 34, 3_200, 20),
    "gomoku": Recipe(8, 120, 3_200, LONGEST_WIN),
    "renju": Recipe(8, 120, 400, LONGEST_WIN),
}


def main(arguments: list[str] | None = None) -> None:
    """Find puzzles until there are enough, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=__doc__)
    parser.add_argument("variant", help="the name of the game")
    parser.add_argument("--count", type=int, help="the puzzles that are wanted of played games")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--journal", type=Path, help="where what has been found is kept")
    parser.add_argument("--folder", type=Path, default=TO, help="where the file is written")
    options = parser.parse_args(arguments)
    rules, command = find_rules(options.variant), f"python -m tools.puzzles {options.variant}"
    prepare(rules)  # compiled code finds more themes
    if recipe := PLAYED.get(options.variant):
        wanted = options.count or recipe.wanted
        path = options.journal or JOURNALS / f"puzzles-{options.variant}.jsonl"
        found = played(options.variant, recipe, options.seed, wanted, path)
        command += f" --count {wanted} --seed {options.seed}"
        source = "games between the project's own players"
    else:
        found, source = [*puzzles(rules)], "every position, up to symmetry"
    found.sort(key=lambda puzzle: puzzle.difficulty)
    options.folder.mkdir(exist_ok=True)
    data = format_collection(rules, found, source, command)
    (options.folder / file_name(options.variant)).write_bytes(data)
    print(f"{options.variant}: {len(found)} puzzles, {len(data):,} bytes", flush=True)


def played(variant: str, recipe: Recipe, seed: int, wanted: int, path: Path) -> list[Puzzle]:
    """Return the puzzles of games, those of the journal first; no two of them are equivalent."""
    rules, kept = find_rules(variant), dict[Position, Puzzle]()
    canonical = symmetry_of(rules).canonical
    head = json.dumps({"task": "puzzles", "variant": variant, "seed": seed})

    def keep(lines: Sequence[str]) -> None:
        for line in lines:
            puzzle = parse_line(rules, line)
            if len(kept) < wanted and puzzle.difficulty.depth <= recipe.deepest:
                kept.setdefault(canonical(puzzle.state.position), puzzle)

    with Journal(path, head) as journal:
        journal.read()
        known = journal.text.splitlines()[1:]
        if journal.text and journal.text.splitlines()[0] != head:
            raise SystemExit(f"{path} is the journal of another task")
        journal.resume()
        for line in known:
            keep(json.loads(line))
        look = look_at_values if supports(rules) else look_at_threats
        for number in count(len(known)):
            if len(kept) >= wanted:
                return [*kept.values()]
            dice = Random(derived_seed(seed, variant, number))
            lines = [line_of(puzzle) for puzzle in look(rules, recipe, dice)]
            journal.append(json.dumps(lines, separators=(",", ":")))
            keep(lines)
            if number % 20 == 0:
                print(f"{variant}: {number} games, {len(kept)} puzzles", flush=True)
    raise AssertionError("games are numbered without an end")


def look_at_values(rules: Rules, recipe: Recipe, dice: Random) -> Iterator[Puzzle]:
    """Yield the puzzles of a game by exact values, the last first, none in the line of another."""
    sides, opening = dice.choices(PLAYERS, k=2), dice.randint(0, recipe.opening)
    state, moves = GameState.new(rules), list[int]()
    while not state.game_over and len(moves) < recipe.last:
        is_random = len(moves) < opening or dice.random() < MISTAKE
        moves.append(_move("random" if is_random else sides[len(moves) % 2], state, dice))
        state = state.trusted_move(moves[-1]).after_state
    games = (moves[:length] for length in range(len(moves), recipe.first - 1, -1))
    found = [*puzzles(rules, games, _solver(rules))]
    inner = {image for puzzle in found for image in _inside(puzzle)}
    canonical = symmetry_of(rules).canonical
    yield from (puzzle for puzzle in found if canonical(puzzle.state.position) not in inner)


def _move(player: str | int, state: GameState, dice: Random) -> int:
    if isinstance(player, int):
        return dice.choice(look_ahead(state.rules, state.position, depth_limit=player).best)
    move = STRATEGIES[player](state, dice)
    assert move is not None, "the game goes on"
    return move.number


def _inside(puzzle: Puzzle) -> Iterator[Position]:
    """Yield the positions of the solution at which the solver is to move, but for the first."""
    rules, position = puzzle.state.rules, puzzle.state.position
    for number, move in enumerate(puzzle.solution):
        position = rules.play(position, move)
        if number % 2:
            yield symmetry_of(rules).canonical(position)


@lru_cache(maxsize=1)
def _solver(rules: Rules) -> Solver:
    return solver_for(rules, Position(), Limits(memory=MEMORY, threads=1))


def look_at_threats(rules: Rules, recipe: Recipe, dice: Random) -> Iterator[Puzzle]:
    """Yield the first win of a game if it is a puzzle; in most games, the first win by fours."""
    engine, work = CompiledLines(rules, ENGINE_MEMORY), dice.uniform(*ENGINE_WORK)
    threats = 0 if dice.random() < FOURS_ALONE else LOOK_THREATS
    moves = [*dice.choice(openings_of(rules))]
    position = position_after(rules, moves)
    while rules.moves(position) and len(moves) < recipe.last:
        if len(moves) >= recipe.first and win_by_threats(
            rules, position, node_limit=LOOK_NODES, depth_limit=threats
        ):
            yield from puzzles(rules, [moves])
            return
        board, likely = board_of(rules, position), list[int]()
        if board and forced_moves(rules, position).force is None and dice.random() < MISTAKE:
            likely = board.best_cells(position.turn, LIKELY)
        best = likely or engine.think(position, Limits(work=work), dice).best
        moves.append(dice.choice(best))
        position = rules.play(position, moves[-1])


if __name__ == "__main__":
    main()
