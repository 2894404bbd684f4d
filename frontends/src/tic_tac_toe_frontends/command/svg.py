"""``tic-tac-toe svg``: a picture of a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from gettext import NullTranslations

from tic_tac_toe.game.evaluate import evaluate, evaluate_moves
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import Look, look_of, looks_for, sign_of
from tic_tac_toe.pictures.svg import svg

from ..program.options import Parser, add_position, position_of
from ..program.process import DONE, Refused
from ..words.translation import N_
from .pictures import check_output, show_picture


def main(arguments: Sequence[str], prog: str) -> int:
    """Print a picture and return the exit status of the process."""
    parser = Parser(prog, arguments, N_("Draw a position as a picture in SVG."))
    language, _ = parser.language, parser.language.gettext
    add_position(parser)
    parser.add_flag("--values", _("write into each cell what a move there leads to"))
    parser.add_flag("--best", _("mark the best moves"))
    parser.add_flag("--numbers", _("write the number of each move on its mark"))
    parser.add_flag("--bare", _("leave out the names of rows and columns"))
    parser.add_flag("--rows-from-bottom", _("count the rows from the bottom, as on a go board"))
    parser.add_choice(
        "--look", [look.value for look in Look], _("what it looks like; else as usual for the game")
    )
    parser.add_value("--caption", "TEXT", _("a line of text below the board"))
    parser.add_language()
    options = parser.read()
    position = position_of(options, language)
    state = position.state()
    look = Look(options.look) if options.look else look_of(state.rules)
    if look not in looks_for(state.rules):
        message = language.gettext("This game cannot be drawn with {look}.")
        raise Refused(message.format(look=look.value))
    check_output(f"{prog} … > board.svg", language)
    best = evaluate(state, full=True).best if options.best else ()
    values = evaluate_moves(state) if options.values else ()
    moves = [*parse_moves(replace(position, moves=None).state(), position.moves or "")]
    picture = svg(
        state,
        last=moves[-1].cell_index if moves else None,
        best=best,
        values=values,
        numbers=moves if options.numbers else (),
        caption=options.caption or ", ".join(_moves_off_board(state, best, values, language)),
        names=not options.bare,
        from_bottom=options.rows_from_bottom,
        look=look,
    )
    show_picture(picture)
    return DONE


def _moves_off_board(
    state: GameState,
    best: Sequence[int],
    values: Sequence[MoveEvaluation],
    language: NullTranslations,
) -> Iterator[str]:
    for name, number in state.special_moves.items():
        for value in values:
            if value.move == number and value.is_judged:
                yield f"{name} {sign_of(value)}"
        if number in best:
            yield language.gettext("best: {moves}").format(moves=name)
