"""``tic-tac-toe puzzle``: a puzzle at the console, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tic_tac_toe.insight.collection import GAMES
from tic_tac_toe.insight.puzzles import Puzzle
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.rules.catalogue import variant_name

from ..program.options import Parser
from ..program.process import DONE, Refused
from ..program.terminal import Terminal
from ..table.queries import ask_here
from ..table.results import on_this_device
from ..table.study import Study
from ..table.study_menu import theme_meant
from ..table.table import Setup, Table
from ..table.task import LEVELS, Choice, Task
from ..words.translation import N_, localise


def main(arguments: Sequence[str], prog: str) -> int:
    """Let a puzzle be solved, or print it, and return the exit status of the process."""
    about = N_(
        "Solve a puzzle at the console: that of the day, or one of a game. Your results are kept."
    )
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    games = _("a puzzle of this game: {names}").format(names=", ".join(GAMES))
    parser.add_choice("--game", GAMES, games, metavar="NAME")
    parser.add_value("--theme", "TEXT", _("a puzzle whose theme has this text, with --game"))
    parser.add_choice("--difficulty", [*LEVELS], _("a puzzle of this third, with --game"))
    parser.add_flag("--today", _("the puzzle of the day, also what a call without --game does"))
    parser.add_flag("--json", _("print one JSON object, with the solution"))
    parser.add_plain()
    parser.add_language()
    options = parser.read()
    if not options.game and (options.theme or options.difficulty):
        parser.error(_("--theme and --difficulty go with --game"))
    if options.game and options.today:
        parser.error(_("--today goes without --game"))
    theme = options.theme and theme_meant(options.game, options.theme, parser.language)
    choice = Choice(options.game or "", theme or "", options.difficulty or "")
    table = Table(Setup())
    try:
        Study(table, ask_here, lambda: None, on_this_device()).open(choice)
    except InvalidMove as error:
        raise Refused(localise(parser.language, error)) from None
    if options.json and table.task is not None:
        Terminal.standard().show(json.dumps(_as_object(table.task)))
        return DONE
    from ..console.cli import Args, play  # not needed for JSON

    return play(Args(Setup(), parser.language, plain=options.plain, choice=choice))


def _as_object(task: Task) -> dict[str, object]:
    """Return a puzzle with its solution; moves are numbers, in plain games cells from 0."""
    puzzle = task.aim
    assert isinstance(puzzle, Puzzle), "a lesson has no choice here"
    return {
        "variant": variant_name(puzzle.state.rules),
        "position": format_state(puzzle.state),
        "to_move": puzzle.state.current_mark.value,
        "moves": puzzle.moves,
        "outcome": puzzle.outcome,
        "theme": puzzle.theme,
        "level": task.level,
        "difficulty": puzzle.difficulty._asdict(),
        "solution": puzzle.solution,
    }
