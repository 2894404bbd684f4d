"""Explanations of moves in words, for every screen."""

from __future__ import annotations

from collections.abc import Container
from gettext import NullTranslations
from typing import TYPE_CHECKING

from tic_tac_toe.insight.facts import RESULTS, Names
from tic_tac_toe.insight.hints import Stage
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import cell_of
from tic_tac_toe.logic.search.evaluation import Evaluation

from .evaluation_text import describe_hint
from .game_text import has_named_cells, special_title
from .rules_text import LETTERED, Drawn, side_title
from .translation import N_, as_sentence, localise

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

#: Told while an explanation is looked for.
SEEKING_WHY = N_("Looking for the reason …")
#: What sentences may name on a board without names of cells.
NAMELESS = frozenset(("side", "other", "count", "good"))
#: The sign of an explained move in its cell.
HERE = "*"
#: What a review says of a fault without an explanation.
REVIEWED = frozenset((*RESULTS, "missed", "kept"))


class DrawnNames(Names):
    """The names of sides, moves and cells as a board shows them.

    Args:
        typed: name moves that place nothing as typed; else as on their buttons.
    """

    def __init__(
        self, language: NullTranslations, drawn: Drawn = LETTERED, *, typed: bool = False
    ) -> None:
        self._language, self._drawn, self._typed = language, drawn, typed

    def side(self, rules: Rules, side: int) -> str:
        """Return the name of a side, or the colour of its pieces."""
        return side_title(rules, MARKS[side], self._language, self._drawn.look)

    def move(self, state: GameState, move: int) -> object:
        """Return what players write for a move, or its button."""
        specials = {number: name for name, number in state.special_moves.items()}
        if move in specials and not self._typed:
            return special_title(specials[move], self._language)
        return super().move(state, move)


def explanation_sentences(
    explanation: Explanation,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    without: Container[str] = (),
    typed: bool = False,
) -> list[str]:
    """Return the sentences of an explanation; none where nothing is proved.

    Where the board has no names for cells, the theme is told and what names none; the board itself
    marks the others.

    Args:
        without: the codes of facts that the reader knows already.
        typed: see `DrawnNames`.
    """
    told = explanation.sentences(DrawnNames(language, drawn, typed=typed))
    sentences = [each for each in told if each.code not in without]
    if not has_named_cells(explanation.state.rules, drawn):
        sentences = [each for each in sentences if {name for name, _ in each.params} <= NAMELESS]
        if explanation.theme:
            sentences.insert(0, explanation.hint(Stage.THEME))
    return [as_sentence(localise(language, each), language) for each in sentences]


def why_sentences(
    explanation: Explanation, language: NullTranslations, drawn: Drawn = LETTERED
) -> list[str]:
    """Return the answer to a question why: the sentences, or that there are none."""
    told = explanation_sentences(explanation, language, drawn)
    return told or [language.gettext("Nothing about this move can be proved in a sentence.")]


def describe_staged_hint(
    hint: Evaluation,
    why: Explanation | None,
    stage: Stage | None,
    state: GameState,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    own: bool = False,
    typed: bool = False,
) -> list[str]:
    """Return what a hint tells at a stage; see `describe_hint`.

    Args:
        why: of its first move.
        stage: ``None`` for all best moves.
    """
    if why is not None and stage in (Stage.THEME, Stage.AREA):
        return [as_sentence(localise(language, why.hint(stage)), language)]
    told = describe_hint(hint, state, language, drawn, own=own, typed=typed)
    if why is None or stage is None:
        return told
    return [*told, *explanation_sentences(why, language, drawn, without=RESULTS, typed=typed)]


def signs_of(explanation: Explanation) -> dict[int, str]:
    """Return the signs in the cells of a board of letters: the move, threats, and further moves."""
    signs = {cell: sign for cell, sign in explanation.marks().written if len(sign) == 1}
    cell = cell_of(explanation.state.rules, explanation.move)
    return signs if cell is None else signs | {cell: HERE}
