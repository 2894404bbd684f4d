"""What is said of the worth of moves: what they lead to, and which of them are best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation

from .game_text import from_the_left, special_title
from .rules_text import side_title
from .translation import N_, listed

#: What the values of moves in the cells of a board mean, with the signs of `svg`.
VALUES_LEGEND = N_(
    "In the cells: {win} wins, {draw} draws, {loss} loses; the number counts the winner's moves."
)
#: What the number behind an outcome means, as `worth_text` tells it.
WORTH_LEGEND = N_("The number counts the winner's moves.")


def outcome_word(outcome: str, language: NullTranslations) -> str:
    """Return the word for an outcome, which is ``win``, ``draw`` or ``loss``."""
    _ = language.gettext
    return {"win": _("win"), "draw": _("draw"), "loss": _("loss")}[outcome]


def worth_text(move: MoveEvaluation, language: NullTranslations) -> str:
    """Return how good a move is for the side that makes it, in words."""
    _ = language.gettext
    if move.outcome == "open":
        return _("about {percent} %").format(percent=round(100 * move.chance))
    outcome = outcome_word(move.outcome, language)
    if move.outcome == "draw" and move.plies == 0:
        return f"{outcome} {_('goes on for ever')}"
    return outcome if move.moves is None else f"{outcome} {move.moves}"


#: How a player wins, by what proved it: with the winner's moves.
WON_BY: Mapping[str, str] = {
    "fours": N_("{mark} wins by fours, each of which must be answered: {moves}."),
    "threats": N_("{mark} wins by threats, for instance: {moves}."),
}


def describe_hint(
    hint: Evaluation,
    state: GameState,
    language: NullTranslations,
    *,
    own: bool = False,
    typed: bool = False,
) -> list[str]:
    """Return the best moves and what they lead to, or what looks best where that is not known.

    Args:
        own: speak to the person to move, who plays a computer; else the sides are named.
        typed: name moves that place nothing as they are typed; else as their buttons do.
    """
    specials = {number: name for name, number in state.special_moves.items() if not typed}

    def listed_moves(moves: Iterable[int]) -> str:
        names = (
            special_title(specials[move], language) if move in specials else move_name(state, move)
            for move in moves
        )
        return listed(names, language)

    _, mark = language.gettext, state.current_mark
    player, opponent = (side_title(state.rules, side, language) for side in (mark, mark.other))
    names = listed_moves(move for move in from_the_left(state) if move in hint.best)
    if not hint.is_proved:
        looking = language.ngettext(
            "Looking {count} move ahead, this looks best: {moves}.",
            "Looking {count} moves ahead, this looks best: {moves}.",
            hint.depth,
        )
        looks = looking if hint.depth else _("This looks best: {moves}.")
        told = [] if hint.outcome == "open" else _results(hint, (player, opponent), own, language)
        unsolved = _("From here the game could not be solved in a moment.")
        return [unsolved, looks.format(count=hint.depth, moves=names), *told]
    best = _("Best for you: {moves}.") if own else _("Best for {mark}: {moves}.")
    lines = [best.format(mark=player, moves=names)]
    if hint.source in WON_BY and hint.outcome == "win" and not hint.is_exact:
        by = listed_moves(hint.line[::2])
        return [*lines, _(WON_BY[hint.source]).format(mark=player, moves=by)]
    return [*lines, *_results(hint, (player, opponent), own, language)]


def _results(
    found: Evaluation, sides: tuple[str, str], own: bool, language: NullTranslations
) -> list[str]:
    """Return how the game ends under best play; see `describe_hint`.

    Args:
        sides: what the side to move is called, and the other one.
    """
    _ = language.gettext
    if found.outcome == "draw" and found.plies == 0:
        return [_("With best play on both sides the game goes on for ever.")]
    if found.outcome == "draw":
        return [_("With best play on both sides nobody wins.")]
    told = _describe_own_result(found, language) if own else ""
    return [told or describe_result(found, sides[found.outcome == "loss"], language)]


def describe_result(found: Evaluation, winner: str, language: NullTranslations) -> str:
    """Return who wins, and with how many moves of the winner if that is known.

    Args:
        found: that one side wins.
        winner: what that side is called.
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
    """Return to the person to move who wins and in how many of the winner's moves.

    Empty where the last move is not the winner's, as in misère games, and where it is not known
    when that comes.
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
