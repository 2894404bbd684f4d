"""``tic-tac-toe balance``: the values of first moves, and which are fair under the pie rule."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import fitting_flags, variant_name
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, Outcome, Result
from tic_tac_toe.logic.search.exact import analyse_moves
from tic_tac_toe.solver.answers import solver_for
from tic_tac_toe.solver.support import searched_game

from ..program.options import Parser
from ..program.process import DONE, Refused
from ..program.terminal import Terminal
from ..words.evaluation_text import outcome_word
from ..words.rules_text import variant_title
from ..words.translation import N_
from .analyse import LIMITED, add_limit, limit_text, limits_of
from .progress import ProgressLine, counting

#: Of more symmetric moves only one is named.
MOST_NAMED = 4
WITH_PIE: Mapping[Result, str] = {
    "win": N_("With the pie rule the first player wins."),
    "draw": N_("With the pie rule the game is a draw."),
    "loss": N_("With the pie rule the second player wins."),
}


class Opening(NamedTuple):
    """First moves that are equal by symmetry, and their value for the first player.

    Attributes:
        moves: ascending.
        value: the exact value, this move included.
        fair: whether it is among the first moves that come nearest to a draw.
    """

    moves: tuple[int, ...]
    value: Evaluation
    fair: bool


class Balance(NamedTuple):
    """The values of the first moves of a game.

    Attributes:
        openings: wins of the first player, the shortest first, then draws and losses, the longest
            first.
        pie: the value of the game with the pie rule for the first player; ``None`` if the rule does
            not fit the game.
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
        balance = balance_of(rules, limits_of(rules, options.limit, counting(live, language)))
    except SearchLimitReached as limit:
        message = limit_text(GameState.new(rules), limit.reason, language)
        raise Refused(message, LIMITED) from None
    finally:
        live.hide()
    if options.json:
        terminal.show(json.dumps(as_object(rules, balance)))
    else:
        terminal.show_lines(describe(rules, balance, language))
    return DONE


def balance_of(rules: Rules, limits: Limits) -> Balance:
    """Return the values of the first moves of a game without the pie rule.

    Raises:
        SearchLimitReached: the search ended at a limit.
    """
    start, canonical = Position(), symmetry_of(rules).canonical
    alike: dict[Position, list[int]] = {}
    for move in rules.moves(start):
        alike.setdefault(canonical(rules.play(start, move)), []).append(move)
    firsts = {moves[0]: tuple(moves) for moves in alike.values()}
    values = analyse_moves(rules, start, solver_for(rules, start, limits), tuple(firsts))
    has_draws = any(value.outcome == "draw" for value in values)
    longest = max(value.plies or 0 for value in values)
    openings = [
        Opening(
            firsts[value.move],
            value.evaluation,
            value.outcome == "draw" if has_draws else value.plies == longest,
        )
        for value in values
    ]
    # The best first, of draws the longest.
    openings.sort(key=lambda each: (-each.value.low, -(each.value.plies or 0), each.moves[0]))
    if "pie" not in fitting_flags(rules):
        return Balance(tuple(openings), None)
    if openings[0].value.low == MATE - 1:
        return Balance(tuple(openings), "win")  # there is no swap any more
    # The second player swaps after a winning move only.
    return Balance(tuple(openings), "draw" if has_draws else "loss")


def as_object(rules: Rules, balance: Balance) -> dict[str, object]:
    """Return the object for ``--json``; moves are the numbers of the rules."""
    state = GameState.new(rules)
    return {
        "variant": variant_name(rules),
        "openings": [
            {
                "moves": list(opening.moves),
                "names": [move_name(state, move) for move in opening.moves],
                "outcome": opening.value.outcome,
                "plies": opening.value.plies,
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
    groups: dict[tuple[Outcome, int | None], list[Opening]] = {}
    for opening in balance.openings:
        groups.setdefault((opening.value.outcome, opening.value.moves), []).append(opening)
    for (outcome, count), openings in groups.items():
        names = ", ".join(_name(state, opening.moves, language) for opening in openings)
        text = _("{outcome}: {moves}")
        if count:
            text = language.ngettext(
                "{outcome} in {count} move: {moves}", "{outcome} in {count} moves: {moves}", count
            )
        word = outcome_word(outcome, language)
        lines.append("  " + text.format(outcome=word, count=count, moves=names))
    fair = [opening for opening in balance.openings if opening.fair]
    names = ", ".join(_name(state, opening.moves, language) for opening in fair)
    if any(opening.value.outcome == "draw" for opening in fair):
        text = _("Fair first moves, which give neither side a win: {moves}")
    else:
        text = _(
            "No first move is fair; the nearest are those after which the game takes longest: "
            "{moves}"
        )
    lines.append(text.format(moves=names))
    return [*lines, _(WITH_PIE[balance.pie])] if balance.pie else lines


def _name(state: GameState, moves: Sequence[int], language: NullTranslations) -> str:
    """Return equal moves by name; if there are many, the first and the number of the others."""
    name = move_name(state, moves[0])
    if len(moves) <= MOST_NAMED:
        return ", ".join(move_name(state, move) for move in moves)
    text = language.ngettext("{move} and {count} more", "{move} and {count} more", len(moves) - 1)
    return text.format(move=name, count=len(moves) - 1)
