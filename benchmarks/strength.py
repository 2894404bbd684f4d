"""How strong the strategies are on 3x3: scores over whole matches, colours alternating.

``python -m benchmarks.strength`` prints the table; ``--write`` puts it into docs/strategies.md.
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.game.strategies import STRATEGIES, Strategy
from tic_tac_toe.logic.models import GameState, Mark

PAGE = Path(__file__).resolve().parents[1] / "docs" / "strategies.md"
OPPONENTS = ("random", "rules", "minimax")
GAMES = 2_000
SEED = 2026


class Tally(NamedTuple):
    """Games won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def score(self) -> float:
        """Return the points a game in percent: a win one, a draw half a point."""
        return 100 * (self.won + self.drawn / 2) / sum(self)


def play_match(strategy: Strategy, opponent: Strategy, games: int, seed: int = SEED) -> Tally:
    """Return how a strategy does against another on 3x3, each beginning every second game."""
    rng, won, drawn = random.Random(seed), 0, 0
    for game in range(games):
        mark = (Mark.CROSS, Mark.NAUGHT)[game % 2]
        state = GameState.new()
        while not state.game_over:
            move = (strategy if state.current_mark is mark else opponent)(state, rng)
            assert move is not None
            state = move.after_state
        won += state.winner is mark
        drawn += state.tie
    return Tally(won, drawn, games - won - drawn)


def make_table(games: int = GAMES) -> str:
    """Return the table of all strategies against `OPPONENTS` in Markdown."""
    lines = [
        "| strategy | " + " | ".join(f"against {name}" for name in OPPONENTS) + " |",
        "|---" * (len(OPPONENTS) + 1) + "|",
    ]
    for name, strategy in STRATEGIES.items():
        cells = []
        for opponent in OPPONENTS:
            tally = play_match(strategy, STRATEGIES[opponent], games)
            cells.append(f"{tally.score:.1f} % ({tally.won}-{tally.drawn}-{tally.lost})")
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print or write the table."""
    parser = argparse.ArgumentParser(description="Measure how strong the strategies are on 3x3.")
    parser.add_argument("--games", type=int, default=GAMES, help="games in each match")
    parser.add_argument("--write", action="store_true", help="put the table into the docs page")
    options = parser.parse_args()
    table = make_table(options.games)
    print(table)
    if options.write:
        page = PAGE.read_text("utf-8")
        marked = r"(<!-- measured -->\n).*(\n<!-- end -->)"
        PAGE.write_text(re.sub(marked, rf"\1{table}\2", page, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
