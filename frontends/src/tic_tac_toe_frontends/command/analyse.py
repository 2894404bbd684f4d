"""``tic-tac-toe analyse``: the values of a position and of each of its moves."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from gettext import NullTranslations

from tic_tac_toe import solver as fast
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.verdict import Solver, analyse_moves
from tic_tac_toe.solver.pie import plain_solver, searched_game, with_pie_and_book

from ..program.extras import SOLVE, missing_text
from ..program.options import Parser
from ..program.position_args import add_position, arguments_of, position_of
from ..program.process import DONE, Refused, complain
from ..program.terminal import Terminal, unbroken
from ..words.messages import localise
from ..words.translation import N_
from .progress import ProgressLine, counting
from .solve.questions import complete, find_score
from .verdicts import Answer, MoveAnswer, as_object, describe_moves, describe_position

#: The search ends after this many positions: about ten seconds of plain Python on most boards.
NODE_LIMIT = 2_000_000
#: Plain Python searches this many positions before the fast solver is loaded.
PLAIN_NODES = 20_000

#: What programs call it when a search ends at its limit.
LIMITED = "search_limit"

Answers = tuple[Answer, list[MoveAnswer]]


def main(arguments: Sequence[str], prog: str) -> int:
    """Analyse a position and return the exit status of the process."""
    about = N_("Tell what a position and each of its moves are worth under best play.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    add_position(parser)
    parser.add_flag("--json", _("print one JSON object"))
    add_limit(parser)
    parser.add_language()
    options, language = parser.read(), parser.language
    state = position_of(options, language).state()
    terminal = Terminal.standard()
    watched = terminal.interactive and not options.json
    if watched:
        terminal.show(language.gettext("Solving …"))
    live = ProgressLine(language)

    def hint() -> None:
        live.hide()
        if watched and sys.stderr is not None and sys.stderr.isatty():
            message = language.gettext("this would be faster: {reason}")
            reason = missing_text(language, fast.FAST_SOLVER, SOLVE)
            complain(message.format(reason=reason))

    try:
        answer, moves = solve(state, options.limit, hint, tell=counting(live, language))
    except SearchLimitReached as limit:
        raise Refused(too_large(state, limit, language), LIMITED) from None
    finally:
        live.hide()
    if options.json:
        terminal.show(json.dumps(as_object(state, answer, moves)))
    else:
        terminal.show_lines(describe_position(state, answer, language))
        terminal.show_lines(describe_moves(state, answer, moves, language))
    return DONE


def solve(
    state: GameState,
    node_limit: int,
    hint: Callable[[], None],
    plain_nodes: int = PLAIN_NODES,
    tell: Callable[[int], None] = lambda _: None,
) -> Answers:
    """Return the values of a state and of each of its moves.

    The opening book is asked first, then plain Python searches ``plain_nodes`` positions, then the
    fast solver, where it is installed and supports the rules. The line of play may be missing.

    Args:
        hint: called if the fast solver would help and is not installed.
        tell: called now and then with the number of positions that have been searched.

    Raises:
        SearchLimitReached: it takes more than ``node_limit`` positions.
    """
    rules = state.rules

    def plain(limit: int) -> Solver:
        return plain_solver(rules, state.position, limit, stop=tell)

    if is_small(rules) or not fast.supports(rules) or node_limit <= plain_nodes:
        return _ask(state, plain(node_limit))
    try:
        return _ask(state, plain(plain_nodes), needs_line=True)
    except SearchLimitReached:
        if fast.is_installed():
            limits = fast.Limits(node_limit=node_limit, progress=lambda now: tell(now.nodes))
            return _ask(state, fast.FastSolver(searched_game(rules), limits))
    hint()
    return _ask(state, plain(node_limit))


def add_limit(parser: Parser) -> None:
    """Add the option that ends a search, to a command that solves."""
    about = parser.language.gettext("stop after this many positions ({count} unless given)")
    text = about.format(count=f"{NODE_LIMIT:,}")
    parser.add_value("--limit", "NUMBER", text, parser.whole_number, usual=NODE_LIMIT)


def too_large(state: GameState, limit: SearchLimitReached, language: NullTranslations) -> str:
    """Return what to say where the limit was too low, with the command that solves without one."""
    _ = language.gettext
    if fast.objection(state.rules) is not None:
        message = _("too large to solve: {reason} (see --limit)")
    elif fast.is_installed():
        message = _("too large to solve: {reason} (see --limit); without a limit: {command}")
    else:
        message = _(
            "too large to solve: {reason} (see --limit); "
            "without a limit, once the fast solver is installed: {command}"
        )
    command = unbroken(f"tic-tac-toe solve {arguments_of(state)}")
    return message.format(reason=localise(language, limit), command=command)


def _ask(state: GameState, solver: Solver, *, needs_line: bool = False) -> Answers:
    rules, position = state.rules, state.position
    whole = with_pie_and_book(rules, solver)
    moves = [MoveAnswer(*move) for move in analyse_moves(rules, position, whole)]
    found = find_score(state, solver)
    answer = found if found.limit else complete(state, solver, found)
    is_known = answer.best is not None and not (needs_line and answer.line is None)
    if not is_known and answer.limit is not None:
        raise SearchLimitReached(answer.limit)
    return answer._replace(bounds=None), moves  # all is known, except perhaps the line of play
