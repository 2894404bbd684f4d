"""Find balanced openings: ``python -m tools.make_openings [VARIANT ...]``, else of every variant.

Openings are drawn by chance, up to reflection, on large boards near the middle. An opening is
dropped if either side could win with its next move, or if lines are of five marks and somebody has
three of one.

Where a game can be solved from them, those that are draws are kept; in a game without draws those
that take the winner longest. Elsewhere players of like strength play pairs of games from each, and
an opening is kept if each side has a fifth of the points, unless a search of threats or an engine
then proves who wins; one is dropped early if a side has all points of `EARLY` games. Fast players
may choose first, and strong ones ``--among`` what these have found. The games go into a journal, so
that the command can be stopped and started again.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from gettext import NullTranslations
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from tic_tac_toe.contest import openings as opening_files
from tic_tac_toe.contest.openings import FOLDER, FORMAT, VERSION, position_after
from tic_tac_toe.contest.plan import Plan, PlayedPair, derived_seed
from tic_tac_toe.engines.choice import engine_for
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import plies_of, result_of
from tic_tac_toe.logic.search.tables import is_small
from tic_tac_toe.logic.search.threats import win_by_threats
from tic_tac_toe.solver.answers import (
    MEMORY,
    PLAIN_NODES_A_SECOND,
    SolverCode,
    plain_python_solves,
    solver_for,
)
from tic_tac_toe.solver.support import is_fast
from tic_tac_toe_frontends.command.match.journal_file import JournalFile
from tic_tac_toe_frontends.command.match.workers import play_all

Opening = tuple[int, ...]

TO = Path(opening_files.__file__).parent / FOLDER
JOURNALS = Path(__file__).parents[1] / ".venv"
#: From this number of cells on a board is large: openings are longer, and near the middle.
LARGE_CELLS = 100
#: How far from the middle the cells of an opening on a large board are at most.
REACH = 3
#: Openings that are judged at most, for each that is wanted, and draws of chance for each of them.
CANDIDATES, ATTEMPTS = 8, 20
#: The least part of the points that each side has, and after how many games one may not have all.
LEAST_SHARE, EARLY = 0.2, 6
#: The seconds of an ordinary machine that solving one opening may take: enough for small boards.
SOLVING = 0.4
#: What proving who wins from an opening may take: positions for the search of threats, and the work
#: of an engine.
PROOF_NODES, PROOF = 60_000, Limits(work=2.0)
#: From this line length on three marks of a line are a threat before long.
LONG_LINE = 5


@dataclass(frozen=True)
class Settings:
    """How openings are looked for; the options' help says what each means."""

    players: str
    think: float | None
    games: int
    count: int
    plies: str | None
    among: Path | None
    seed: int
    processes: int
    seconds: float


def main(arguments: list[str] | None = None) -> None:
    """Find the openings of the variants that are named, and write their files."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_openings", description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    parser.add_argument("--players", default="hard,hard", help="two players of like strength")
    parser.add_argument("--think", type=float, help="seconds before each move")
    parser.add_argument("--games", type=int, default=20, help="from each opening, an even number")
    parser.add_argument("--count", type=int, default=100, help="openings that are enough")
    parser.add_argument("--plies", help="the fewest and the most moves, as in 4,6")
    parser.add_argument("--among", type=Path, help="a file of openings, to choose among those")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="for the games of one variant at most"
    )
    parser.add_argument("--to", type=Path, default=TO)
    options = parser.parse_args(arguments)
    settings = Settings(*(getattr(options, each.name) for each in fields(Settings)))
    for name in options.variants or VARIANTS:
        rules = find_rules(name)
        method, found = find_openings(rules, settings)
        print(f"{name}: {len(found)} openings ({method})", flush=True)
        if found:
            command = command_of(variant_name(rules), settings)
            path = options.to / f"{variant_name(rules)}.json"
            path.write_text(format_set(rules, method, command, found), encoding="utf-8")


def command_of(variant: str, settings: Settings) -> str:
    """Return the command that finds the same openings again."""
    given = {name: value for name, value in asdict(settings).items() if value is not None}
    del given["processes"], given["seconds"]  # another call goes on with the journal
    before = ""
    if settings.among:
        given["among"] = settings.among.name
        before = f"{openings_file(settings.among)['command']} && "
    options = (f"--{name} {value}" for name, value in given.items())
    return before + " ".join(["python -m tools.make_openings", shlex.quote(variant), *options])


def openings_file(path: Path) -> dict[str, Any]:
    """Return a file of openings that this tool has written."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def format_set(rules: Rules, method: str, command: str, found: Sequence[Opening]) -> str:
    """Return the file of a variant: JSON with a line for each opening."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "variant": variant_name(rules),
        "method": method,
        "command": command,
    }
    parts = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    lines = ",\n".join(f"  {json.dumps(list(opening))}" for opening in found)
    return "\n".join(["{", *parts, ' "openings": [', lines, " ]", "}", ""])


def find_openings(rules: Rules, settings: Settings) -> tuple[str, list[Opening]]:
    """Return the openings of a game that are balanced, and how that is known."""
    if settings.among:
        drawn = [tuple(opening) for opening in openings_file(settings.among)["openings"]]
    else:
        drawn = [*draw_openings(rules, settings, CANDIDATES * settings.count)]
    values = solve(rules, drawn, settings.count)
    if values is None:
        return "results", by_results(rules, drawn, settings)
    draws = [opening for opening, plies in values.items() if plies is None]
    if draws:
        return "exact", sorted(draws)
    lengths = {opening: len(opening) + (plies or 0) for opening, plies in values.items()}
    longest = max(lengths.values(), default=0)
    return "longest", sorted(each for each in drawn if lengths[each] == longest)[: settings.count]


def draw_openings(rules: Rules, settings: Settings, most: int) -> Iterator[Opening]:
    """Yield different quiet openings, as many as are found in `ATTEMPTS` draws for each."""
    dice = Random(derived_seed(settings.seed, variant_name(rules)))
    canonical, seen = symmetry_of(rules).canonical, set[Position]()
    cells = rules.shape.cells
    usual = (1, 2) if cells <= 9 else (4, 6) if cells >= LARGE_CELLS else (2, 4)
    fewest, longest = map(int, settings.plies.split(",")) if settings.plies else usual
    for _ in range(ATTEMPTS * most):
        opening = draw_opening(rules, dice, dice.randint(fewest, longest))
        if opening is None:
            continue
        position = position_after(rules, opening)
        representative = canonical(position)
        if representative not in seen and is_quiet(rules, position):
            seen.add(representative)
            yield opening
            if len(seen) == most:
                return


def draw_opening(rules: Rules, dice: Random, plies: int) -> Opening | None:
    """Return random moves, or ``None`` where the game ends with them."""
    position, opening = Position(), list[int]()
    for _ in range(plies):
        moves = [move for move in rules.moves(position) if is_near_middle(rules, move)]
        if not moves:
            return None
        opening.append(dice.choice(moves))
        position = rules.play(position, opening[-1])
    return tuple(opening) if rules.outcome(position) is None else None


def is_near_middle(rules: Rules, move: int) -> bool:
    """Return whether a move may belong to an opening: on a large board if it is near the middle."""
    rows, columns = rules.shape
    if rows * columns < LARGE_CELLS:
        return True
    row, column = divmod(move, columns)
    return max(abs(row - rows // 2), abs(column - columns // 2)) <= REACH


def is_quiet(rules: Rules, position: Position) -> bool:
    """Return whether neither side could win with its next move or soon has a long line."""
    for side in (0, 1):
        mine = position._replace(turn=side)
        for move in rules.moves(mine):
            outcome = rules.outcome(rules.play(mine, move))
            if outcome is not None and outcome.winner == side:
                return False
    length = traits_of(rules).length or 0
    if length < LONG_LINE:
        return True
    columns = rules.shape.columns
    stones = [
        [divmod(cell, columns) for cell in range(rules.shape.cells) if marks >> cell & 1]
        for marks in position.stones
    ]
    return not any(in_line(three, length) for own in stones for three in combinations(own, 3))


def in_line(cells: Sequence[tuple[int, int]], length: int) -> bool:
    """Return whether cells, given by row and column, can belong to one line of a length."""
    rows, columns = zip(*cells)
    span = max(max(rows) - min(rows), max(columns) - min(columns))
    straight = (rows, columns, [r - c for r, c in cells], [r + c for r, c in cells])
    return span < length and any(len({*each}) == 1 for each in straight)


def solve(
    rules: Rules, drawn: Sequence[Opening], most_draws: int
) -> dict[Opening, int | None] | None:
    """Return after which openings the game takes the winner how many plies; ``None`` for draws.

    Returns:
        ``None`` where one of them is not solved in a moment. Openings behind the last draw that is
        wanted are not looked at.
    """
    draws = 0
    values: dict[Opening, int | None] = {}
    for opening in drawn:
        try:
            score = score_of(rules, position_after(rules, opening))
        except SearchLimitReached:
            return None
        is_draw = result_of(score) == "draw"
        values[opening] = None if is_draw else plies_of(score)
        draws += is_draw
        if draws == most_draws:
            break
    return values


def score_of(rules: Rules, position: Position) -> int:
    """Return the exact score of a position, on the scale of `logic.search.evaluation`.

    Raises:
        SearchLimitReached: it takes too long.
    """
    speed: float = PLAIN_NODES_A_SECOND
    if is_fast(rules) and not is_small(rules):
        speed = SolverCode(rules).nodes_a_second
    elif not plain_python_solves(rules, position):
        raise SearchLimitReached
    limits = Limits(node_limit=int(SOLVING * speed), memory=MEMORY, threads=1)
    return solver_for(rules, position, limits).score(position)


def by_results(rules: Rules, drawn: Sequence[Opening], settings: Settings) -> list[Opening]:
    """Return the openings from which games between players of like strength came out both ways."""
    players = tuple(settings.players.split(","))
    name = variant_name(rules)
    plan = Plan(name, players, tuple(drawn), settings.seed, settings.think)
    turns, results = settings.games // 2, dict[Opening, list[PlayedPair]]()
    path = JOURNALS / f"openings-{name}-{derived_seed(settings.seed, repr(plan)):016x}.jsonl"
    deadline = time.monotonic() + settings.seconds
    with JournalFile(str(path), plan, NullTranslations()) as journal:
        # Each turn of the plan plays every opening once; here one opening is finished at a time.
        numbers = (
            turn * len(drawn) + place for turn in range(turns) for place in range(len(drawn))
        )
        order = {opening: place for place, opening in enumerate(drawn)}
        planned = sorted(map(plan.pair, numbers), key=lambda pair: order[pair.opening])
        missing = (
            pair
            for pair in planned
            if pair.number not in journal.pairs and is_open(results.get(pair.opening, ()))
        )
        for pair in journal.pairs.values():
            results.setdefault(pair.opening, []).append(pair)
        kept = [
            each
            for each, pairs in results.items()
            if is_balanced(pairs, turns) and not is_decided(rules, each)
        ]
        with closing(play_all(missing, settings.processes)) as pairs:
            while (
                len(kept) < settings.count
                and time.monotonic() < deadline
                and (played := next(pairs, None))
            ):
                journal.add(played)
                own = results.setdefault(played.opening, [])
                own.append(played)
                if is_balanced(own, turns) and not is_decided(rules, played.opening):
                    kept.append(played.opening)
    return sorted(kept[: settings.count])


def is_balanced(pairs: Sequence[PlayedPair], turns: int) -> bool:
    """Return whether all games of an opening are played and neither side had nearly all points."""
    has_fault = any(game.fault for pair in pairs for game in pair.games)
    share = points_of_crosses(pairs)
    return len(pairs) >= turns and not has_fault and LEAST_SHARE <= share <= 1 - LEAST_SHARE


def is_open(pairs: Sequence[PlayedPair]) -> bool:
    """Return whether both sides have points, or few games were played."""
    return 2 * len(pairs) < EARLY or 0 < points_of_crosses(pairs) < 1


def points_of_crosses(pairs: Sequence[PlayedPair]) -> float:
    """Return the share of the points that X had."""
    games = [game for pair in pairs for game in pair.games]
    return sum(game.points(Mark.CROSS) for game in games) / max(1, len(games))


def is_decided(rules: Rules, opening: Opening) -> bool:
    """Return whether a proof is found that the side to move wins or loses."""
    position = position_after(rules, opening)
    if win_by_threats(rules, position, node_limit=PROOF_NODES) is not None:
        return True
    return engine_for(rules).think(position, PROOF, Random(0)).outcome in ("win", "loss")


if __name__ == "__main__":
    main()
