"""Sentences about the game at a table, the same on every screen.

`status_text` is for the first line, `text_below` for the lines after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

from tic_tac_toe.game.evaluate import is_solved
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.rules.statuses import status_of

from ..words.evaluation_text import VALUES_LEGEND
from ..words.explanation_text import (
    SEEKING_WHY,
    describe_staged_hint,
    explanation_sentences,
    why_sentences,
)
from ..words.game_text import (
    describe_caveats,
    describe_consequences,
    describe_end,
    describe_last_move,
    describe_own_end,
    describe_own_turn,
    describe_score,
    player_title,
)
from ..words.rules_text import LETTERED, Drawn, side_title
from ..words.translation import N_, as_sentence, join_sentences, localise
from .advice import Advice
from .table import Table

#: What to do after the question why, while the values of moves are shown.
CHOOSE_MOVE = N_(
    "Choose a move to be told why it is good or bad, or “Why?” again for the last move."
)
#: The number of moves after which caveats of computer players are no longer shown.
CAVEAT_PLIES = 1


def status_text(table: Table, language: NullTranslations, drawn: Drawn = LETTERED) -> str:
    """Return whose turn it is, why a computer cannot move, or how the game ended.

    The sentence says "you" to a person who plays a computer, else it names the sides.
    """
    _, match, rules = language.gettext, table.match, table.state.rules
    if table.task is not None:
        return table.task.status(language, drawn)
    if match.turn is None:
        return end_text(table, language, drawn)
    if table.problem is not None:
        return as_sentence(localise(language, table.problem), language, capital=False)
    if table.coach.objection is not None:
        return _("Look at this move again before the computer answers.")
    if table.thinker is not None and table.person is not None:
        return _("The computer is thinking …")
    if table.person is not None:
        is_first = match.ply < len(MARKS)
        return describe_own_turn(match.turn, rules, language, drawn, first=is_first)
    player = side_title(rules, match.turn, language, drawn.look)
    if table.thinker is not None:
        return _("{mark} is thinking …").format(mark=player)
    return _("{mark} to move.").format(mark=player)


def end_text(
    table: Table, language: NullTranslations, drawn: Drawn = LETTERED, *, own: bool = True
) -> str:
    """Return how the game ended.

    Args:
        own: say "you" to a person who plays a computer, and cheer only if a person plays.
    """
    _, match, rules = language.gettext, table.match, table.state.rules
    is_cheered = bool(table.people) or not own
    own = own and table.person is not None
    if table.outcome is None or not own:
        end = describe_end(match.winner, rules, language, drawn, cheer=is_cheered)
    elif table.outcome == "draw" and _is_best_result(table):
        end = _("A draw: nobody can do better against this player.")
    else:
        end = describe_own_end(table.outcome, language)
    if match.resigned is None:
        return end
    if own and match.resigned is table.person:
        return _("You resigned: you lose.")
    loser = side_title(rules, match.resigned, language, drawn.look)
    return join_sentences([_("{mark} resigns.").format(mark=loser), end], language)


def _is_best_result(table: Table) -> bool:
    """Return whether a draw is proved to be the most that the person could reach.

    The whole game is a draw with best play, it began at its beginning, and the computer finds the
    exact score of every position.
    """
    rules, person = table.state.rules, table.person
    opponent = "" if person is None else table.setup.players[person.other]
    is_whole = not table.match.start.position.occupied
    is_perfect = opponent == "minimax" and is_solved(rules)
    return is_whole and is_perfect and status_of(rules).outcome == "draw"


def coach_text(table: Table, language: NullTranslations) -> str:
    """Return whether the coach is on, for those who have just switched it."""
    _ = language.gettext
    return _("The coach is on.") if table.coach.is_on else _("The coach is off.")


def score_text(table: Table, language: NullTranslations, drawn: Drawn = LETTERED) -> str:
    """Return the score, as “You 2 : 1 Easy”, or “Red 2 : 1 Yellow” without one person."""
    score, rules, person = table.score, table.state.rules, table.person
    if person is None:
        one, other = Mark.CROSS, Mark.NAUGHT
        names = [side_title(rules, mark, language, drawn.look) for mark in (one, other)]
    else:
        one, other = person, person.other
        opponent = player_title(table.setup.players[other], language, rules)
        names = [language.gettext("You"), opponent]
    first, second = (names[0], score[one]), (names[1], score[other])
    return describe_score(first, second, score[None], language)


def text_below(
    table: Table,
    advice: Advice,
    language: NullTranslations,
    signs: str,
    refusal: str = "",
    drawn: Drawn = LETTERED,
) -> list[str]:
    """Return the sentences below the status, the most important first.

    Args:
        signs: the legend of an analysis's signs on the board.
        refusal: why the last action was refused.
    """
    sentences = [
        *filter(None, [refusal]),
        *hint_text(advice, table.state, language, drawn),
        *situation_text(table, language, drawn),
        *analysis_text(advice, language, signs),
    ]
    return [*dict.fromkeys(sentences)]


def situation_text(table: Table, language: NullTranslations, drawn: Drawn = LETTERED) -> list[str]:
    """Return the last move, its consequences, and caveats of the computer players."""
    match, state = table.match, table.state
    if table.problem is not None:
        _ = language.gettext
        return [_("Begin a new game, take back, or choose another player.")]
    sentences = [*describe_last_move(match, language, drawn)]
    if match.resigned is None:
        sentences += describe_consequences(state, language, drawn)
    if match.ply <= CAVEAT_PLIES:
        sentences += describe_caveats(table.setup.players.values(), state.rules, language)
    return sentences


def hint_text(
    advice: Advice,
    state: GameState,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    typed: bool = False,
) -> list[str]:
    """Return what the coach says, the reason that was asked for, or the hint.

    Args:
        typed: see `describe_hint`.
    """
    _ = language.gettext
    if advice.task is not None:
        return advice.task.lines(language, drawn)
    if advice.objection is not None:
        return explanation_sentences(advice.objection, language, drawn)
    if advice.failure:
        return [advice.failure]
    if advice.is_choosing:
        return [_(CHOOSE_MOVE)]
    if advice.why is not None:
        return why_sentences(advice.why, language, drawn)
    if advice.is_seeking_why:
        return [_(SEEKING_WHY)]
    if advice.is_seeking_hint:
        return [_("Looking for a hint …")]
    if advice.hint is None:
        return []
    why, stage, own = advice.hint_why, advice.stage, advice.is_for_one
    return describe_staged_hint(
        advice.hint, why, stage, state, language, drawn, own=own, typed=typed
    )


def analysis_text(advice: Advice, language: NullTranslations, signs: str) -> list[str]:
    """Return the legend of the analysis, or why no values are shown.

    Args:
        signs: the legend of its signs.
    """
    if advice.values:
        return [*_explain(advice, language, signs)]
    if advice.failure:
        return []
    if advice.is_too_large:
        return [language.gettext("From here the game could not be solved in a moment.")]
    return [language.gettext("Analysing …")] if advice.is_seeking_analysis else []


def _explain(advice: Advice, language: NullTranslations, signs: str) -> Iterator[str]:
    """Yield the meaning of the values and their source."""
    _, values = language.gettext, advice.values
    if signs and any(value.outcome != "open" for value in values):
        yield signs
    if any(value.outcome == "draw" and value.plies == 0 for value in values):
        yield _("∞: play goes on for ever.")
    if any(value.outcome == "open" for value in values):
        yield _("Percentages are estimated chances of the side to move, a draw counted as half.")
    elif advice.is_by_server and advice.is_exact:
        yield _("Solved by the server.")


def picture_text(
    advice: Advice, state: GameState, language: NullTranslations, drawn: Drawn = LETTERED
) -> list[str]:
    """Return the sentences beside a picture of a state: consequences, hint and analysis."""
    from tic_tac_toe.pictures.board import SIGNS

    sentences = [
        *describe_consequences(state, language, drawn),
        *hint_text(advice, state, language, drawn),
        *analysis_text(advice, language, language.gettext(VALUES_LEGEND).format(**SIGNS)),
    ]
    return [*dict.fromkeys(sentences)]
