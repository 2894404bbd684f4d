"""A screen of a few lines: it writes what happens, and reads moves, ``undo`` and ``hint``."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.notation import parse_move
from tic_tac_toe_frontends.program.options import Parser
from tic_tac_toe_frontends.program.process import DONE, run
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.queries import ask_here
from tic_tac_toe_frontends.table.setup import opponents_of_options, setup_of_options
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.table.telling import status_text, text_below
from tic_tac_toe_frontends.words.translation import localise


def main(argv: Sequence[str] | None = None, prog: str = "tic-tac-toe ticker") -> int:
    """Play one game by the lines of standard input; return the exit status of the process."""
    parser = Parser(prog, argv, "Play, and be told in lines what happens.")
    parser.add_game()
    parser.add_seed()
    options, language = parser.read(), parser.language
    rng, opponents = random.Random(options.seed), opponents_of_options(options)
    table = Table(setup_of_options(options), rng, opponents=opponents)

    def show() -> None:
        print(status_text(table, language), *text_below(table, driver.advice, language, ""))

    driver = Driver(table, show, ask_here)
    driver.start()
    actions = {"undo": table.take_back, "hint": driver.advice.ask_hint}

    def play() -> int:
        while not table.match.over and (line := sys.stdin.readline()):
            word = line.strip()
            try:
                if word in actions:
                    actions[word]()
                else:
                    table.place(parse_move(table.state, word))
            except (InvalidMove, InvalidNotation) as refusal:
                print(localise(language, refusal))
        return DONE

    try:
        return run(play)
    finally:
        opponents.close()


if __name__ == "__main__":
    sys.exit(main())
