"""``tic-tac-toe analyse``: the values of a position and of each of its moves."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from gettext import NullTranslations

from tic_tac_toe.extras import FAST, install_command
from tic_tac_toe.game.evaluate import evaluate, evaluate_moves
from tic_tac_toe.limits import MOMENT, Limits
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import UNKNOWN, MoveEvaluation, best_of_moves
from tic_tac_toe.solver.answers import book_of, solver_for
from tic_tac_toe.solver.support import is_fast, is_installed, supports

from ..program.options import Parser, add_position, arguments_of, position_of
from ..program.process import DONE, REFUSED, error_object, print_error
from ..program.terminal import Terminal, unbroken
from ..words.translation import N_, localise
from .progress import ProgressLine, counting
from .verdicts import Found, as_object, describe_moves, describe_position, find, find_move

#: The default limits of a search in positions, in plain Python and for the fast solver: about ten
#: seconds on most boards.
NODE_LIMIT, FAST_NODE_LIMIT = 2_000_000, 100_000_000
#: The limits of the evaluation without an exact search.
GLANCE = MOMENT.share(0.5)

#: The error code of a search that ends at its limit.
LIMITED = "search_limit"


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
    terminal, live = Terminal.standard(), ProgressLine(language)
    if terminal.interactive and not options.json:
        terminal.show(_("Solving …"))

    def show(found: Found) -> None:
        live.hide()
        if not options.json:
            terminal.show_lines(describe_position(state, found, language))

    try:
        limits = limits_of(state.rules, options.limit, counting(live, language))
        found, moves = analyse(state, limits, show)
    finally:
        live.hide()
    reason = limit_text(state, found.limit, language) if found.limit else ""
    if options.json:
        failure = error_object(reason, LIMITED) if reason else {}
        terminal.show(json.dumps(as_object(state, found.evaluation, moves) | failure))
    else:
        terminal.show_lines(describe_moves(state, found.evaluation, moves, language))
    if reason:
        print_error(reason)
    return REFUSED if reason else DONE


def analyse(
    state: GameState, limits: Limits, report: Callable[[Found], object]
) -> tuple[Found, Sequence[MoveEvaluation]]:
    """Return the evaluations of a state and of each of its moves.

    Quick proofs come first, then the exact search; if that ends at its limit, the rest is
    estimated. An exact answer may lack the line of play.

    Args:
        report: called with the state's evaluation as soon as it is final.

    Returns:
        the state's evaluation, with the limit if that cut something off, and the moves'.
    """
    found = Found(evaluate(state, GLANCE))
    moves = [MoveEvaluation(move, UNKNOWN) for move in state.legal_moves]
    try:
        solver = solver_for(state.rules, state.position, limits)
    except SearchLimitReached as limit:  # repeated positions, and too many of them
        found = found._replace(limit=limit.reason)
    else:
        book = None if is_fast(state.rules) else book_of(state.rules)
        known = found.evaluation
        for found in find(state, solver, known):
            if book and found.is_solved and state.position.marks <= book.plies:
                break  # too long a line of play for plain Python
        if found.is_solved:
            report(found)
        each = [find_move(state, move, solver, found.evaluation) for move in state.legal_moves]
        moves = [move for move, _ in each]
        found = found._replace(limit=next((limit for _, limit in each if limit), found.limit))
    if found.is_solved and all(move.evaluation.is_exact for move in moves):
        return found._replace(limit=None), moves
    judged = evaluate_moves(state, GLANCE, known=moves)
    is_all = all(move.evaluation.is_exact for move in judged)
    if not found.is_solved:
        if is_all or (not found.evaluation.is_exact and all(move.is_judged for move in judged)):
            whole = best_of_moves(judged).narrowed(*found.evaluation[:2])
            found = found._replace(evaluation=whole)
        report(found)
    return (found._replace(limit=None) if is_all else found), judged


def limits_of(rules: Rules, node_limit: int | None, report: Callable[[int], object]) -> Limits:
    """Return limits of a search in positions.

    Args:
        node_limit: ``None`` for the default.
        report: called several times a second with the number of searched positions.
    """
    usual = FAST_NODE_LIMIT if is_fast(rules) else NODE_LIMIT
    limit = usual if node_limit is None else node_limit
    return Limits(node_limit=limit, progress=lambda now: report(now.nodes))


def add_limit(parser: Parser) -> None:
    """Add the option for the limit of a search."""
    text = parser.language.gettext(
        "stop after this many positions ({count} unless given, {many} by the fast solver)"
    ).format(count=f"{NODE_LIMIT:,}", many=f"{FAST_NODE_LIMIT:,}")
    parser.add_value("--limit", "NUMBER", text, parser.whole_number)


def limit_text(state: GameState, limit: Message, language: NullTranslations) -> str:
    """Return that a limit was too low, and how to solve the rest."""
    _ = language.gettext
    command = unbroken(f"tic-tac-toe solve {arguments_of(state)}")
    if not supports(state.rules):
        message = _("not all is solved: {reason} (see --limit)")
    elif is_installed():
        message = _("not all is solved: {reason} (see --limit); without a limit: {command}")
    else:
        command = unbroken(install_command(FAST))
        message = _("not all is solved: {reason} (see --limit); much more with: {command}")
    return message.format(reason=localise(language, limit), command=command)
