"""What is known of the value of a game, in words for every list of games."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.statuses import Status, status_of

from .rules_text import describe_rules
from .translation import in_clauses


def describe_game(rules: Rules, language: NullTranslations) -> str:
    """Return the rules of a game and what is known of its value, without a full stop."""
    return in_clauses(
        [describe_rules(rules, language), describe_status(status_of(rules), language)], language
    )


def describe_status(status: Status, language: NullTranslations, *, with_source: bool = True) -> str:
    """Return whether a game is solved, for whom, and by whom, without a full stop."""
    _ = language.gettext
    if status.outcome is None:
        return _("open (not solved)")
    if not with_source:
        return _solved(status, language)
    by = status.source or _("by this program")
    return _("{outcome} ({source})").format(outcome=_solved(status, language), source=by)


def _solved(status: Status, language: NullTranslations) -> str:
    _ = language.gettext
    if status.outcome == "draw":
        if status.plies == 0:
            return _("solved: draw, the game goes on for ever")
        return _("solved: draw")
    if status.plies is None:
        if status.outcome == "win":
            return _("solved: first player wins")
        return _("solved: second player wins")
    if status.outcome == "win":
        text = language.ngettext(
            "solved: first player wins in {count} ply",
            "solved: first player wins in {count} plies",
            status.plies,
        )
    else:
        text = language.ngettext(
            "solved: second player wins in {count} ply",
            "solved: second player wins in {count} plies",
            status.plies,
        )
    return text.format(count=status.plies)
