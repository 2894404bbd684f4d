"""What the full screen says in words besides the board."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from tic_tac_toe.game.moments import Hint
from tic_tac_toe.logic.models import Move
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, traits_of

from ..table.table import Table
from ..words.game_text import (
    describe_boards,
    describe_caveats,
    describe_decision,
    describe_hint,
    describe_last_move,
    player_title,
)
from .plan import Scale
from .signs import CURSOR, LAST, WON


def describe_players(table: Table, language: NullTranslations) -> str:
    """Return who plays each mark, and by a sign before it whose turn it is."""
    turn = table.match.turn
    return "   ".join(
        f"{'▸' if mark is turn else ' '}{mark} {player_title(name, language)}"
        for mark, name in table.setup.players.items()
    )


def describe_situation(
    table: Table, hint: Hint | None, refusal: str | None, language: NullTranslations
) -> list[str]:
    """Return what there is to say below whose turn it is, the most important first."""
    state = table.state
    lines = [] if refusal is None else [refusal]
    if hint is not None:
        lines += describe_hint(hint, state, language)
    lines += describe_last_move(table.match, language)
    lines += describe_boards(state, language)
    lines += describe_decision(state, language)
    if not table.match.history:
        lines += describe_caveats(table.setup.players.values(), state.rules, language)
    return lines


def list_moves(history: Iterable[Move]) -> str:
    """Return the moves, two in a line, as players write them."""
    names = [f"{move.mark} {move_name(move.before_state, move.cell_index)}" for move in history]
    pairs = [names[at : at + 2] for at in range(0, len(names), 2)]
    width = max((len(name) for name in names), default=0)
    digits = len(str(len(pairs)))
    return "\n".join(
        f"{number:>{digits}}.  {'   '.join(name.ljust(width) for name in pair)}".rstrip()
        for number, pair in enumerate(pairs, start=1)
    )


def describe_play(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how moves are made in a game."""
    _ = language.gettext
    lines = [_("Click a cell, or go there with the arrow keys and press Enter or the space bar.")]
    digits = traits_of(rules).digits
    if digits is Digits.COLUMNS:
        lines.append(_("A digit plays the column of that number."))
    elif digits is Digits.NUMBER_PAD:
        lines.append(
            _("Or press a digit as they lie on a number pad: 7 is A1, 5 the centre, 3 is C3.")
        )
    return lines


def describe_signs(scale: Scale, language: NullTranslations) -> list[str]:
    """Return what the signs on a board of a scale mean."""
    _ = language.gettext
    signs = [" ".join(sign.at(scale)) for sign in (CURSOR, LAST, WON)]
    meanings = [_("the cell you are at"), _("the last move"), _("a cell that decided the game")]
    if scale.width == 1:
        signs = [_("reversed colours"), _("underlined"), _("reversed colours")]
    elif scale.width == 2:
        meanings[1] = _("the last move, underlined; one of the two is missing beside the cursor")
    return [
        *(f"{sign}  {meaning}" for sign, meaning in zip(signs, meanings)),
        _("◆  a move that was advised"),
        describe_values(language),
    ]


def describe_values(language: NullTranslations) -> str:
    """Return what the signs and numbers of the analysis mean."""
    return language.gettext(
        "+ wins, = draws, - loses, each with the number of moves to the end of the game."
    )
