"""``tic-tac-toe balance``: which first moves are worth what, and so fair under the pie rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.flags import fitting_flags
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.verdict import MoveVerdict, Solver, analyse_moves
from tic_tac_toe.solver import is_fast
from tic_tac_toe.solver.pie import fast_solvers, plain_solver, searched_game

from ..program.options import Parser
from ..program.process import DONE, Refused
from ..program.terminal import Terminal
from ..words.rules_text import variant_title
from ..words.translation import N_
from ..words.worth_text import outcome_word
from .analyse import LIMITED, add_limit, too_large
from .progress import ProgressLine, counting

#: Of more moves that symmetry makes equal only one is named.
MOST_NAMED = 4
ORDER: tuple[Result, ...] = ("win", "draw", "loss")


class Opening(NamedTuple):
    """First moves that symmetry makes equal, and what they are worth to the first player.

    Attributes:
        moves: ascending.
        plies: how many the game takes, this move included.
        fair: whether it is as near as a first move comes to giving neither side a win.
    """

    moves: tuple[int, ...]
    outcome: Result
    plies: int
    fair: bool = False


class Balance(NamedTuple):
    """What the first moves of a game are worth.

    Attributes:
        openings: the wins of the first player, the shortest first, then the draws and the losses,
            the longest first.
        pie: what the game with the pie rule is worth to the first player; ``None`` where the pie
            rule does not fit the game.
    """

    openings: tuple[Opening, ...]
    pie: Result | None


def main(arguments: Sequence[str], prog: str) -> int:
    """Print the balance of a game and return the exit status of the process."""
    about = N_("List the first moves of a game by their value, and which are fair.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    parser.add_variant()
    parser.add_flag("--json", _("print one JSON object"))
    add_limit(parser)
    parser.add_language()
    options, language = parser.read(), parser.language
    rules, terminal = searched_game(options.variant), Terminal.standard()
    if terminal.interactive and not options.json:
        terminal.show(_("Solving …"))
    live = ProgressLine(language)
    try:
        balance = balance_of(rules, options.limit, counting(live, language))
    except SearchLimitReached as limit:
        told = too_large(GameState.new(rules), limit, language)
        raise Refused(told, LIMITED) from None
    finally:
        live.hide()
    if options.json:
        terminal.show(json.dumps(as_object(rules, balance)))
    else:
        terminal.show_lines(describe(rules, balance, language))
    return DONE


def balance_of(
    rules: Rules, node_limit: int, tell: Callable[[int], None] = lambda _: None
) -> Balance:
    """Return what the first moves of a game without the pie rule are worth.

    Args:
        tell: called now and then with the number of positions that have been searched.

    Raises:
        SearchLimitReached: it takes more than ``node_limit`` positions.
    """
    start = Position()
    solver: Solver
    if is_fast(rules) and not is_small(rules):
        limits = Limits(node_limit=node_limit, progress=lambda now: tell(now.nodes))
        solver, _ = fast_solvers(rules, limits)
    else:
        solver = plain_solver(rules, start, node_limit, stop=tell)
    canonical = symmetry_of(rules).canonical
    alike: dict[Position, list[int]] = {}
    for move in rules.moves(start):
        alike.setdefault(canonical(rules.play(start, move)), []).append(move)
    firsts = {moves[0]: tuple(moves) for moves in alike.values()}
    values = analyse_moves(rules, start, solver, tuple(firsts))
    return _balance(rules, [(firsts[value.cell], value) for value in values])


def _balance(rules: Rules, values: Iterable[tuple[tuple[int, ...], MoveVerdict]]) -> Balance:
    openings = [Opening(moves, value.outcome, value.plies) for moves, value in values]
    has_draws = any(opening.outcome == "draw" for opening in openings)
    longest = max(opening.plies for opening in openings)
    openings = [
        opening._replace(fair=opening.outcome == "draw" or opening.plies == longest)
        if has_draws == (opening.outcome == "draw")
        else opening
        for opening in openings
    ]
    openings.sort(key=_rank)
    if "pie" not in fitting_flags(rules):
        return Balance(tuple(openings), None)
    if openings[0].outcome == "win" and openings[0].plies == 1:
        return Balance(tuple(openings), "win")  # nobody swaps any more
    # After a winning move the second player swaps, and after a losing one it does not.
    return Balance(tuple(openings), "draw" if has_draws else "loss")


def _rank(opening: Opening) -> tuple[int, int, int]:
    shortest_first = opening.plies if opening.outcome == "win" else -opening.plies
    return ORDER.index(opening.outcome), shortest_first, opening.moves[0]


def as_object(rules: Rules, balance: Balance) -> dict[str, object]:
    """Return what ``--json`` prints; moves are the numbers of the rules."""
    state = GameState.new(rules)
    return {
        "variant": variant_name(rules),
        "openings": [
            {
                "moves": list(opening.moves),
                "names": [move_name(state, move) for move in opening.moves],
                "outcome": opening.outcome,
                "plies": opening.plies,
                "fair": opening.fair,
            }
            for opening in balance.openings
        ],
        "pie": balance.pie,
        "exact": True,
    }


def describe(rules: Rules, balance: Balance, language: NullTranslations) -> list[str]:
    """Return the balance in words."""
    _, state = language.gettext, GameState.new(rules)
    lines = [_("First moves of {variant}:").format(variant=variant_title(rules, language))]
    groups: dict[tuple[Result, int], list[Opening]] = {}
    for opening in balance.openings:
        groups.setdefault((opening.outcome, opening.plies), []).append(opening)
    for (outcome, plies), openings in groups.items():
        names = ", ".join(_name(state, opening.moves, language) for opening in openings)
        text = language.ngettext(
            "{outcome} in {count} ply: {moves}", "{outcome} in {count} plies: {moves}", plies
        )
        if outcome == "draw":
            text = _("{outcome}: {moves}")
        word = outcome_word(outcome, language)
        lines.append("  " + text.format(outcome=word, count=plies, moves=names))
    fair = [opening for opening in balance.openings if opening.fair]
    names = ", ".join(_name(state, opening.moves, language) for opening in fair)
    if any(opening.outcome == "draw" for opening in fair):
        text = _("Fair first moves, which give neither side a win: {moves}")
    else:
        text = _(
            "No first move is fair; the nearest are those after which the game takes longest: "
            "{moves}"
        )
    lines.append(text.format(moves=names))
    if balance.pie == "draw":
        lines.append(_("With the pie rule the game is a draw."))
    elif balance.pie == "loss":
        lines.append(_("With the pie rule the second player wins."))
    elif balance.pie == "win":
        lines.append(_("With the pie rule the first player wins."))
    return lines


def _name(state: GameState, moves: Sequence[int], language: NullTranslations) -> str:
    """Return equal moves by their names; if they are many the first, and how many more."""
    name = move_name(state, moves[0])
    if len(moves) <= MOST_NAMED:
        return ", ".join(move_name(state, move) for move in moves)
    text = language.ngettext("{move} and {count} more", "{move} and {count} more", len(moves) - 1)
    return text.format(move=name, count=len(moves) - 1)
