"""Texts about evaluations: outcomes of moves, and the best moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.rules.traits import letter_of
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation

from .game_text import from_the_left, is_named, special_title
from .rules_text import LETTERED, Drawn, side_title
from .translation import N_, join_names

#: The legend of values in the cells of a board, with the signs of `svg`.
VALUES_LEGEND = N_(
    "In the cells: {win} wins, {draw} draws, {loss} loses; the number counts the winner's moves."
)
#: The legend of the number after an outcome in `evaluation_text`.
NUMBER_LEGEND = N_("The number counts the winner's moves.")


def outcome_word(outcome: str, language: NullTranslations) -> str:
    """Return the word for an outcome, which is ``win``, ``draw`` or ``loss``."""
    _ = language.gettext
    return {"win": _("win"), "draw": _("draw"), "loss": _("loss")}[outcome]


def evaluation_text(move: MoveEvaluation, language: NullTranslations) -> str:
    """Return the evaluation of a move for its side, in words."""
    _ = language.gettext
    if move.outcome == "open":
        return _("about {percent} %").format(percent=round(100 * move.chance))
    outcome = outcome_word(move.outcome, language)
    if move.outcome == "draw" and move.plies == 0:
        return f"{outcome} {_('goes on for ever')}"
    return outcome if move.moves is None else f"{outcome} {move.moves}"


#: The sentences about a win, with the number of the winner's moves.
WON_BY: Mapping[str, str] = {
    "fours": N_("{mark} wins by fours, each of which must be answered: {moves}."),
    "threats": N_("{mark} wins by threats, for instance: {moves}."),
}


def describe_hint(
    hint: Evaluation,
    state: GameState,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    own: bool = False,
    typed: bool = False,
) -> list[str]:
    """Return the best moves and their outcome, or the moves that look best.

    Where the board has no names for them it marks them itself, and only the outcome is told.

    Args:
        own: say "you" to the person to move; else the sides are named.
        typed: name moves that place nothing as typed; else as on their buttons.
    """
    specials = {number: name for name, number in state.special_moves.items() if not typed}

    def listed_moves(moves: Iterable[int]) -> str:
        names = [
            special_title(specials[move], language) if move in specials else move_name(state, move)
            for move in moves
        ]
        listed = join_names(names, language)
        if typed or not all(name.isdecimal() for name in names):
            return listed
        message = language.ngettext("column {columns}", "columns {columns}", len(names))
        return message.format(columns=listed)

    _, mark = language.gettext, state.current_mark
    player, opponent = (
        side_title(state.rules, side, language, drawn.look) for side in (mark, mark.other)
    )
    chosen = {letter_of(state.rules, move) for move in hint.best}
    # A marked cell does not tell which of two letters is meant.
    has_names = len(chosen) != 1 or all(is_named(state, move, drawn) for move in hint.best)
    letter = "".join(chosen)
    names = listed_moves(move for move in from_the_left(state) if move in hint.best)
    if not hint.is_proved:
        looking = language.ngettext(
            "Looking {count} move ahead, this looks best: {moves}.",
            "Looking {count} moves ahead, this looks best: {moves}.",
            hint.depth,
        )
        looks = looking if hint.depth else _("This looks best: {moves}.")
        if not has_names:
            looks = _("The marked cell looks best.")
            if letter:
                looks = _("{letter} in the marked cell looks best.")
        rest = [] if hint.outcome == "open" else _results(hint, (player, opponent), own, language)
        unsolved = _("From here the game could not be solved in a moment.")
        return [unsolved, looks.format(count=hint.depth, moves=names, letter=letter), *rest]
    best = _("Best for you: {moves}.") if own else _("Best for {mark}: {moves}.")
    if not has_names:
        best = language.ngettext(
            "The marked cell is best.", "The marked cells are best.", len(hint.best)
        )
        if letter:
            best = language.ngettext(
                "{letter} in the marked cell is best.",
                "{letter} in the marked cells is best.",
                len(hint.best),
            )
    lines = [best.format(mark=player, moves=names, letter=letter)]
    if has_names and hint.source in WON_BY and hint.outcome == "win" and not hint.is_exact:
        by = listed_moves(hint.line[::2])
        return [*lines, _(WON_BY[hint.source]).format(mark=player, moves=by)]
    return [*lines, *_results(hint, (player, opponent), own, language)]


def _results(
    found: Evaluation, sides: tuple[str, str], own: bool, language: NullTranslations
) -> list[str]:
    """Return the result of best play; see `describe_hint`.

    Args:
        sides: the names of the side to move and of the other.
    """
    _ = language.gettext
    if found.outcome == "draw" and found.plies == 0:
        return [_("With best play on both sides the game goes on for ever.")]
    if found.outcome == "draw":
        return [_("With best play on both sides nobody wins.")]
    result = _describe_own_result(found, language) if own else ""
    return [result or describe_result(found, sides[found.outcome == "loss"], language)]


def describe_result(found: Evaluation, winner: str, language: NullTranslations) -> str:
    """Return the winner, and the number of the winner's moves if known.

    Args:
        found: a win of one side.
        winner: the name of that side.
    """
    _, moves = language.gettext, found.moves
    if moves is None or found.plies is None:
        return _("{mark} can win.").format(mark=winner)
    if (found.outcome == "win") != (found.plies % 2 == 1):  # the last move is not the winner's
        message = language.ngettext(
            "{mark} wins after {count} more move of its own.",
            "{mark} wins after {count} more moves of its own.",
            moves,
        )
    elif found.outcome == "win":
        message = language.ngettext(
            "{mark} wins with this move.", "{mark} can win in {count} moves.", moves
        )
    else:
        message = language.ngettext(
            "{mark} can win with its next move, whatever the other side plays.",
            "{mark} can win in {count} moves, whatever the other side plays.",
            moves,
        )
    return message.format(mark=winner, count=moves)


def _describe_own_result(found: Evaluation, language: NullTranslations) -> str:
    """Return the result in the second person, with the number of the winner's moves.

    Empty if the loser makes the last move, as in misère games, or the number is unknown.
    """
    moves, plies = found.moves, found.plies
    if moves is None or plies is None or (found.outcome == "win") != (plies % 2 == 1):
        return ""
    if found.outcome == "win":
        message = language.ngettext(
            "You win with this move.", "You can win in {count} moves.", moves
        )
    else:
        message = language.ngettext(
            "The computer can win with its next move, whatever you play.",
            "The computer can win in {count} moves, whatever you play.",
            moves,
        )
    return message.format(count=moves)
