"""What the full screen says in words besides the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import letters
from tic_tac_toe.logic.rules.traits import SWAP, Digits, traits_of

from ..table.move_list import ListedMove, Row
from ..table.table import Table
from ..words.game_text import player_title
from ..words.rules_text import side_title
from .keys import LETTER_KEYS, SPECIAL_KEYS
from .painter import CURSOR, LAST, ROUND, WON
from .plan import Scale


def describe_players(table: Table, language: NullTranslations) -> str:
    """Return the player of each mark; a sign stands before the side to move."""
    turn, rules = table.match.turn, table.state.rules
    return "   ".join(
        f"{'▸' if mark is turn else ' '}{side_title(rules, mark, language)} "
        f"{player_title(name, language, rules)}"
        for mark, name in table.setup.players.items()
    )


def lines_of(rows: Iterable[Row], signs: Mapping[int, str]) -> str:
    """Return the list of moves, a line for a move of each side, as players write them.

    Args:
        signs: what stands behind moves, by the number of moves up to them.
    """
    lines = [(row.number, [_told(move, signs) for move in (row.first, row.second)]) for row in rows]
    width = max((len(name) for _number, names in lines for name in names), default=0)
    digits = len(str(len(lines)))
    return "\n".join(
        f"{number:>{digits}}.  {'   '.join(name.ljust(width) for name in names)}".rstrip(" …")
        for number, names in lines
    )


def _told(move: ListedMove | None, signs: Mapping[int, str]) -> str:
    """Return a move with the sign of its fault; a triangle stands before the one looked at."""
    if move is None:
        return "…"
    return f"{'▸' if move.current else ''}{move} {signs.get(move.ply, '')}".rstrip()


def describe_play(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how moves are made in a game."""
    _ = language.gettext
    lines = [_("Click a cell, or go there with the arrow keys and press Enter or the space bar.")]
    traits = traits_of(rules)
    digits = traits.digits
    if digits is Digits.COLUMNS:
        lines.append(_("A digit plays the column of that number."))
    elif digits is Digits.NUMBER_PAD:
        lines.append(
            _("Or press a digit as they lie on a number pad: 7 is A1, 5 the centre, 3 is C3.")
        )
    if letters(rules):
        message = _("The keys {x} and {o} choose the letter that you place.")
        lines.append(message.format(x=LETTER_KEYS["X"], o=LETTER_KEYS["O"]))
    if SWAP in traits.specials:
        message = _("The key {key} takes over the first mark, instead of the second move.")
        lines.append(message.format(key=SPECIAL_KEYS[SWAP]))
    return lines


def describe_signs(rules: Rules, scale: Scale, look: Look, language: NullTranslations) -> list[str]:
    """Return what the signs on a board of a scale mean."""
    _ = language.gettext
    signs = [" ".join(sign.at(scale)) for sign in (CURSOR, LAST, WON)]
    meanings = [_("the cell you are at"), _("the last move"), _("a cell that decided the game")]
    if scale.width == 1:
        signs = [_("reversed colours"), _("underlined"), _("reversed colours")]
    elif scale.width == 2 and not scale.crossed:
        meanings[1] = _("the last move, underlined; one of the two is missing beside the cursor")
    return [
        *_describe_round(rules, look, language),
        *(f"{sign}  {meaning}" for sign, meaning in zip(signs, meanings)),
        *_describe_pale(rules, scale, language),
        _("◆  a move that was advised"),
        describe_values(rules, language),
    ]


def _describe_round(rules: Rules, look: Look, language: NullTranslations) -> list[str]:
    """Return whose the discs or stones are."""
    if look is Look.MARKS:
        return []
    _ = language.gettext
    lines = [f"{sign}  {side_title(rules, mark, language)}" for mark, sign in ROUND.items()]
    if look is Look.STONES:
        lines.append(_("×  a crossing where no stone can be placed now"))
    return lines


def _describe_pale(rules: Rules, scale: Scale, language: NullTranslations) -> list[str]:
    """Return what pale marks mean: those that leave, and the letter that a person places."""
    _ = language.gettext
    lines = []
    if traits_of(rules).leaving and scale.glyph:
        lines.append(_("dotted picture  a mark that leaves the board next"))
    elif traits_of(rules).leaving:
        lines.append(_("x o  a mark that leaves the board next"))
    if letters(rules):
        lines.append(_("x o  at the cell you are at: the letter that you place"))
    return lines


def describe_values(rules: Rules, language: NullTranslations) -> str:
    """Return what the signs and numbers of the analysis mean."""
    _ = language.gettext
    text = _("+ wins, = draws, - loses; the number counts the winner's moves.")
    endless = _("=∞ is a draw because the game goes on for ever.")
    return text if traits_of(rules).longest is not None else f"{text} {endless}"
