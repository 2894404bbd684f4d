"""``tic-tac-toe plan``: a simple plan that reaches a side's goal without search."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name, format_state
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.search.evaluation import Result
from tic_tac_toe.pictures.letters import PLAIN, draw
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.solver.book import with_book
from tic_tac_toe.solver.certificates.plans import answer, has_plans, signs_of

from ..program.options import Parser, add_position, position_of
from ..program.process import DONE, Refused
from ..program.terminal import NO_BREAK, Terminal
from ..words.evaluation_text import outcome_word
from ..words.rules_text import side_title
from ..words.translation import N_
from .pictures import check_output, show_picture
from .solve.search import check_game

#: The limits of the search for a plan: first orders, steps from each, and positions; some seconds.
STARTS, STEPS, LONGEST = 60, 500, 40_000


class Plan(NamedTuple):
    """A verified plan.

    Attributes:
        cells: the empty cells in the order of preference.
        wins: whether it wins; otherwise it does not lose.
        positions: the number of positions in which it decides.
    """

    cells: tuple[int, ...]
    wins: bool
    positions: int


def main(arguments: Sequence[str], prog: str) -> int:
    """Show a plan and return the exit status of the process."""
    about = N_(
        "Show a plan: an order of the empty cells by which the side to move wins, or does not "
        "lose, without any search. There are plans in games with gravity only."
    )
    parser = Parser(prog, arguments, about)
    language, _ = parser.language, parser.language.gettext
    add_position(parser)
    parser.add_flag("--json", _("print one JSON object"))
    parser.add_flag("--svg", _("print a picture in SVG"))
    parser.add_language()
    options = parser.read()
    if options.svg and options.json:
        message = _("{one} and {other} do not go together")
        parser.error(message.format(one="--svg", other="--json"))
    state = position_of(options, language).state()
    if options.svg:
        check_output(f"{prog} … > plan.svg", language)
    plan = find(state, language)
    if options.svg:
        show_picture(svg(state, written=signs_of(plan.cells)))
        return DONE
    terminal = Terminal.standard()
    if options.json:
        terminal.show(json.dumps(as_object(state, plan)))
        return DONE
    for line in draw(state, PLAIN, written=signs_of(plan.cells)):
        terminal.show(line)
    terminal.show()
    terminal.show_wrapped(*describe(state, plan, language))
    return DONE


def find(state: GameState, language: NullTranslations) -> Plan:
    """Return a plan for the side to move.

    Raises:
        Refused: the game or the position allows no plans, or none was found.
    """
    _, rules, position = language.gettext, state.rules, state.position
    if not has_plans(rules):
        raise Refused(
            _(
                "plans are for boards with gravity, such as connect-four, in normal play, without "
                "the pie rule, and not larger than the fast solver takes"
            ),
            "plans_unsupported",
        )
    check_game(state, language)
    if state.game_over:
        raise Refused(_("the game is over"), "game_over")
    from tic_tac_toe.solver import FastSolver
    from tic_tac_toe.solver.certificates.plan_search import Effort, PlanSearch

    solver = with_book(rules, FastSolver(rules))
    side, other = (
        side_title(rules, mark, language) for mark in (state.current_mark, state.current_mark.other)
    )
    wins = solver.reaches(position, 1)
    if not wins and not solver.reaches(position, 0):
        message = _("{side} loses, so only {other} can have a plan: make a move for {side} first")
        raise Refused(message.format(side=side, other=other), "side_loses")
    search = PlanSearch(rules, wins, LONGEST)
    own, others = position.stones[position.turn], position.stones[1 - position.turn]
    cells = search.find(own, others, Effort(STARTS, STEPS))
    if cells is None:
        raise Refused(_("no plan is found; some moves later there may be one"), "no_plan")
    replies = search.positions(own, others, cells)
    assert replies is not None, "it has been played out"
    return Plan(cells, wins, 1 + replies)


def as_object(state: GameState, plan: Plan) -> dict[str, object]:
    """Return the object for ``--json``."""
    signs = signs_of(plan.cells)
    return {
        "variant": variant_name(state.rules),
        "position": format_state(state),
        "goal": "win" if plan.wins else "draw",
        "signs": {cell_name(state.rules.shape, cell): signs[cell] for cell in plan.cells},
        "positions": plan.positions,
        "exact": True,
    }


def describe(state: GameState, plan: Plan, language: NullTranslations) -> Iterator[str]:
    """Yield a paragraph about the plan's result, and one about its moves."""
    _ = language.gettext
    side, other = (
        side_title(state.rules, mark, language)
        for mark in (state.current_mark, state.current_mark.other)
    )
    if plan.wins:
        goal = _("{side} wins by this plan, without any search, by the first rule that fits:")
    else:
        goal = _(
            "{side} does not lose by this plan, without any search, by the first rule that fits:"
        )
    yield goal.format(side=side)
    yield _("1. Complete a line.")
    yield _("2. Take the cell in which {other} could complete a line.").format(other=other)
    text = _(
        "3. Take the playable cell with the first letter of the alphabet, of equal ones the top "
        "left one; but never a cell right below one in which {other} would complete a line."
    )
    yield text.format(other=other)
    yield language.ngettext(
        "Played out against every reply: {count} position.",
        "Played out against every reply: {count} positions.",
        plan.positions,
    ).format(count=f"{plan.positions:,}")
    moves, outcome = example(state, plan)
    text = _("A game, with the rule behind each answer: {moves}. For {side} that is a {outcome}.")
    yield text.format(moves=" ".join(moves), side=side, outcome=outcome_word(outcome, language))


def example(state: GameState, plan: Plan) -> tuple[list[str], Result]:
    """Return a game by the plan, with the rule behind each of its moves.

    The other side completes a line if it can, else blocks one, else takes the plan's first cell.

    Returns:
        the moves, and the result for the side with the plan.
    """
    rules, mark, follows = state.rules, state.current_mark, True
    assert has_plans(rules), "the plan is of this game"
    moves = list[str]()
    while not state.game_over:
        found = answer(rules, state.position, plan.cells)
        cell = state.legal_moves[0] if found is None else found.cell
        rule = f"{NO_BREAK}({found.rule.value})" if follows and found is not None else ""
        moves.append(cell_name(rules.shape, cell) + rule)
        state, follows = state.make_move_to(cell).after_state, not follows
    assert state.winner in (None, mark), "the plan has been played out"
    return moves, "draw" if state.winner is None else "win"
