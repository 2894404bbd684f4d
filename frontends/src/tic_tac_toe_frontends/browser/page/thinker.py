"""The far end of a thought: questions and answers as texts, so that they can go to a worker."""

from __future__ import annotations

import json
import random
from typing import Any

from tic_tac_toe.game.moments import Hint, analyse_in_a_moment, find_hint
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, parse_state
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...table.thinking import choose

CHOOSE, HINT, ANALYSE, TREE = "choose", "hint", "analyse", "tree"


def ask(number: int, task: str, state: GameState, **more: object) -> str:
    """Return a question as a text.

    Args:
        number: tells its answer from those of other questions.
        task: `CHOOSE`, `HINT`, `ANALYSE` or `TREE`.
        more: for `CHOOSE` the ``strategy`` and a ``seed``, where the chance in it comes from; for
            `TREE` the ``words`` of the picture by their names in `TreeWords`.
    """
    game, position = variant_name(state.rules), format_state(state)
    return json.dumps({"number": number, "task": task, "game": game, "state": position} | more)


def answer(text: str) -> str:
    """Return the answer to a question, both as texts: what a worker does."""
    question = json.loads(text)
    state = parse_state(question["state"], find_rules(question["game"]))
    return json.dumps({"number": question["number"], "answer": _answer(question, state)})


def read_answer(text: str) -> tuple[int, Any]:
    """Return the number of the question and the answer to it."""
    found = json.loads(text)
    return found["number"], found["answer"]


def as_hint(found: Any) -> Hint:
    """Return the answer to `HINT`."""
    best, score, depth = found
    return Hint(tuple(best), score, depth)


def as_verdicts(found: Any) -> tuple[MoveVerdict, ...] | None:
    """Return the answer to `ANALYSE`, ``None`` where that takes too long."""
    return None if found is None else tuple(MoveVerdict(*move) for move in found)


def _answer(question: dict[str, Any], state: GameState) -> object:
    if question["task"] == CHOOSE:
        return choose(state, question["strategy"], random.Random(question["seed"]))
    if question["task"] == TREE:
        return _draw_tree(state, question["words"])
    return find_hint(state) if question["task"] == HINT else analyse_in_a_moment(state)


def _draw_tree(state: GameState, words: dict[str, str]) -> str | None:
    """Return a picture of the game tree, or ``None`` where it would be too large."""
    from tic_tac_toe.game.tree import tree  # few people ask for it, and it is large
    from tic_tac_toe.game.tree_words import TreeWords

    try:
        return tree(state).svg(words=TreeWords(**words), styled=False)
    except SearchLimitReached:
        return None
