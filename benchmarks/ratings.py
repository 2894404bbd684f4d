"""How strong the computer players are on each variant: a round robin of pairs of games.

``python -m benchmarks.ratings`` prints a row for each variant, ``--write`` puts the rows into
docs/reference/ratings.md, where those of other variants stay. ``--journals FOLDER`` keeps the games, so
that the command can be stopped and started again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from gettext import NullTranslations
from pathlib import Path

from benchmarks.report import Marks, replace_measured
from tic_tac_toe.contest.openings import openings_of
from tic_tac_toe.contest.plan import Plan
from tic_tac_toe.contest.standings import Standings, standings_of
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.command.match.journal_file import JournalFile
from tic_tac_toe_frontends.command.match.workers import play_all

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "ratings.md"
MARKS = Marks("<!-- measured: python -m benchmarks.ratings --write -->", "<!-- end of ratings -->")
PLAYERS = ("random", "easy", "rules", "medium", "hard", "mcts", "minimax")
PAIRS = 20
SEED = 2026


def measure(plan: Plan, pairs: int, processes: int, journal: str | None) -> Standings:
    """Return the standings after ``pairs`` pairs of every two players."""
    with JournalFile(journal, plan, NullTranslations()) as kept:
        played = dict(kept.pairs)
        missing = (pair for pair in plan.pairs(pairs) if pair.number not in played)
        with closing(play_all(missing, processes)) as news:
            for pair in news:
                kept.add(pair)
                played[pair.number] = pair
    wanted = pairs * len(plan.pairings)
    return standings_of(plan, [played[number] for number in range(wanted)])


def row(plan: Plan, standings: Standings) -> str:
    """Return the row of a variant: Elo of each player above the first one, and the error."""
    first = standings.ratings[0].elo
    cells = [f"{each.elo - first:+.0f} ± {each.error:.0f}" for each in standings.ratings]
    pairs = standings.encounters[0].counts.pairs
    faults = sum(map(sum, standings.faults))
    return f"| `{plan.variant}` | " + " | ".join([*cells, str(pairs), str(faults)]) + " |"


def head(players: Sequence[str]) -> list[str]:
    """Return the head of the table."""
    titles = ["variant", *(f"`{name}`" for name in players), "pairs", "faults"]
    return ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]


def merged(page: str, players: Sequence[str], rows: Sequence[str]) -> str:
    """Return the page with these rows, and those of other variants that it had with this head."""
    title, rule = head(players)
    inside = page[page.index(MARKS.begin) + len(MARKS.begin) : page.index(MARKS.end)].strip()
    before = inside.splitlines()
    old = before[2:] if before[:1] == [title] else []
    by_variant = {line.split("|")[1].strip(): line for line in [*old, *rows]}
    known = [by_variant.pop(f"`{name}`") for name in VARIANTS if f"`{name}`" in by_variant]
    return replace_measured(page, "\n".join([title, rule, *known, *by_variant.values()]), MARKS)


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    """Print or write the ratings."""
    parser = argparse.ArgumentParser(description="Measure how strong the computer players are.")
    parser.add_argument("--variant", action="append", help="may be given again; else all")
    parser.add_argument("--players", nargs="+", default=PLAYERS, help="the first is rated 0")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="that any two players play")
    parser.add_argument("--processes", type=int, default=1, help="that play at the same time")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--think", type=float, help="seconds that players may think")
    parser.add_argument("--journals", type=Path, help="the folder that keeps the games")
    parser.add_argument("--write", action="store_true", help="put the rows into the docs page")
    options = parser.parse_args(arguments)
    print(*head(options.players), sep="\n", flush=True)
    for name in options.variant or VARIANTS:
        openings = openings_of(find_rules(name))
        plan = Plan(name, tuple(options.players), openings, options.seed, options.think)
        journal = options.journals and str(options.journals / f"ratings-{name}.jsonl")
        measured = row(plan, measure(plan, options.pairs, options.processes, journal))
        print(measured, flush=True)
        if options.write:
            text = merged(page.read_text("utf-8"), options.players, [measured])
            page.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
