"""What is said of the worth of moves: what they lead to, and which of them are best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.game.moments import Hint
from tic_tac_toe.game.worth import MoveEstimate, MoveWorth
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.scores import Result, plies_of, result_of

from .game_text import special_title
from .rules_text import side_title
from .sentences import listed
from .translation import N_

#: What the values of moves in the cells of a board mean, with the signs of `svg`.
VALUES_LEGEND = N_(
    "In the cells: {win} wins, {draw} draws, {loss} loses, "
    "each with the number of moves to the end of the game."
)
#: What the number behind an outcome means, as `worth_text` tells it.
WORTH_LEGEND = N_("The number is that of the moves to the end of the game, of both sides.")


def outcome_word(outcome: str, language: NullTranslations) -> str:
    """Return the word for an outcome, which is ``win``, ``draw`` or ``loss``."""
    _ = language.gettext
    return {"win": _("win"), "draw": _("draw"), "loss": _("loss")}[outcome]


def worth_text(worth: MoveWorth, language: NullTranslations) -> str:
    """Return what a move is worth to the side that makes it, in words."""
    _ = language.gettext
    if worth.outcome == "open":
        return _("about {percent} %").format(percent=round(100 * worth.chance))
    outcome = outcome_word(worth.outcome, language)
    if isinstance(worth, MoveEstimate):
        return outcome
    return f"{outcome} {worth.plies or _('goes on for ever')}"


#: How a player wins, by what proved it: with the winner's moves.
WON_BY: Mapping[str, str] = {
    "fours": N_("{mark} wins by fours, each of which must be answered: {moves}."),
    "threats": N_("{mark} wins by threats, for instance: {moves}."),
}


def describe_hint(
    hint: Hint,
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
    names = listed_moves(hint.best)
    if hint.score is None:
        looking = language.ngettext(
            "Looking {count} move ahead, this looks best: {moves}.",
            "Looking {count} moves ahead, this looks best: {moves}.",
            hint.depth,
        )
        return [
            _("The game is too large from here to be solved in a moment."),
            (looking if hint.depth else _("This looks best: {moves}.")).format(
                count=hint.depth, moves=names
            ),
        ]
    best = _("Best for you: {moves}.") if own else _("Best for {mark}: {moves}.")
    lines = [best.format(mark=player, moves=names)]
    if hint.proof in WON_BY:
        by = listed_moves(hint.line[::2])
        return [*lines, _(WON_BY[hint.proof]).format(mark=player, moves=by)]
    outcome = result_of(hint.score)
    if outcome == "draw" and traits_of(state.rules).longest is None:
        return [*lines, _("With best play on both sides the game goes on for ever.")]
    if outcome == "draw":
        return [*lines, _("With best play on both sides nobody wins.")]
    plies = plies_of(hint.score)
    if own and (told := _describe_own_result(outcome, plies, language)):
        return [*lines, told]
    winner = player if outcome == "win" else opponent
    message = language.ngettext(
        "{mark} wins with this move.",
        "{mark} wins after {count} more moves of both sides, this one included.",
        plies,
    )
    return [*lines, message.format(mark=winner, count=plies)]


def _describe_own_result(outcome: Result, plies: int, language: NullTranslations) -> str:
    """Return to the person to move who wins and in how many of the winner's moves.

    Empty where the last move is not the winner's, as in misère games.
    """
    if (outcome == "win") != (plies % 2 == 1):
        return ""
    moves = plies + 1 >> 1
    if outcome == "win":
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
