"""``tic-tac-toe analyse``: what a position is worth, and each of its moves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import cell_name, format_state, move_name
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.search.verdict import (
    MoveVerdict,
    Verdict,
    analyse_moves,
    default_solver,
    find_verdict,
)

from ..library_messages import localise
from ..options import Parser, first_state, language_of
from ..process import DONE, Refused, run
from ..terminal import Terminal, columns_of, padded

#: How many positions to look at before giving up: some ten seconds of plain Python on most boards.
NODE_LIMIT = 2_000_000


def main(arguments: Sequence[str], prog: str) -> int:
    """Analyse a position and return the exit status of the process."""
    return run(lambda: _analyse(arguments, prog))


def _analyse(arguments: Sequence[str], prog: str) -> int:
    language = language_of(arguments)
    options = _parser(language, prog).parse_args(arguments)
    starting_mark = None if options.starting is None else Mark(options.starting)
    state = first_state(language, options.variant, options.position, options.moves, starting_mark)
    terminal = Terminal.standard()
    if terminal.interactive and not options.json:
        terminal.show(language.gettext("Solving …"))
    try:
        verdict, moves = solve(state, options.limit)
    except SearchLimitReached as limit:
        message = language.gettext("too large to solve: {reason} (see --limit)")
        raise Refused(message.format(reason=localise(language, limit))) from None
    if options.json:
        terminal.show(json.dumps(as_object(state, verdict, moves)))
    else:
        for line in describe(state, verdict, moves, language):
            terminal.show(line)
    return DONE


def solve(state: GameState, node_limit: int) -> tuple[Verdict, tuple[MoveVerdict, ...]]:
    """Return the verdict on a state and on each of its moves, from one search.

    Raises:
        SearchLimitReached: it takes more than ``node_limit`` positions.
    """
    rules, position = state.rules, state.position
    solver = default_solver(rules, position, node_limit)
    moves = analyse_moves(rules, position, solver)
    return find_verdict(rules, position, solver), moves


def as_object(
    state: GameState, verdict: Verdict, moves: tuple[MoveVerdict, ...]
) -> dict[str, object]:
    """Return what ``--json`` prints; cells are counted from 0 in reading order.

    Outcomes are those of the side to move, which after the end is the one that would be.
    """
    return {
        "variant": variant_name(state.rules),
        "position": format_state(state),
        "to_move": state.current_mark.value,
        "outcome": verdict.outcome,
        "plies": verdict.plies,
        "best": list(verdict.best),
        "line": list(verdict.line),
        "moves": [
            {
                "cell": move.cell,
                "name": cell_name(state.rules.shape, move.cell),
                "outcome": move.outcome,
                "plies": move.plies,
            }
            for move in moves
        ],
    }


def describe(
    state: GameState,
    verdict: Verdict,
    moves: tuple[MoveVerdict, ...],
    language: NullTranslations,
) -> list[str]:
    """Return the same for people, in lines."""
    _ = language.gettext
    outcomes = {"win": _("win"), "draw": _("draw"), "loss": _("loss")}
    lines = [
        f"{variant_name(state.rules)}: {format_state(state)}",
        language.ngettext(
            "{mark} to move: {outcome}, {count} ply to the end",
            "{mark} to move: {outcome}, {count} plies to the end",
            verdict.plies,
        ).format(mark=state.current_mark, outcome=outcomes[verdict.outcome], count=verdict.plies),
    ]
    if not moves:
        return [*lines, _("The game is over.")]
    lines += [
        _("best: {moves}").format(moves=_names(state, verdict.best)),
        _("line: {moves}").format(moves=_names(state, verdict.line)),
        "",
    ]
    rows = [("  " + _("move"), _("outcome"), _("plies"))]
    rows += [
        (
            ("* " if move.cell in verdict.best else "  ") + move_name(state, move.cell),
            outcomes[move.outcome],
            str(move.plies),
        )
        for move in moves
    ]
    widths = [max(map(columns_of, column)) for column in zip(*rows)]
    return lines + [
        "  ".join(padded(text, width) for text, width in zip(row, widths)).rstrip() for row in rows
    ]


def _names(state: GameState, cells: tuple[int, ...]) -> str:
    return " ".join(move_name(state, cell) for cell in cells)


def _parser(language: NullTranslations, prog: str) -> Parser:
    _ = language.gettext
    parser = Parser(
        prog, language, _("Tell what a position is worth under best play, and each of its moves.")
    )
    parser.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help=_("a character a cell, rows parted by /, as in XXO/O.X/.O.; else the empty board"),
    )
    add = parser.options.add_argument
    parser.add_variant()
    add("--moves", metavar="MOVES", help=_("make these moves first, as in “B2 A1 C3”"))
    add("--starting", choices=("X", "O"), help=_("who moved first (X unless given)"))
    add("--json", action="store_true", help=_("print one JSON object"))
    add(
        "--limit",
        metavar="NUMBER",
        type=parser.whole_number,
        default=NODE_LIMIT,
        help=_("give up after so many positions ({count} unless given)").format(
            count=f"{NODE_LIMIT:,}"
        ),
    )
    parser.add_language()
    return parser
