"""In each language a sentence about a move is read back, and says what the English one says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from gettext import NullTranslations
from random import Random
from string import Formatter

import pytest

from tests.insight.template_reading import Reader
from tests.insight.test_every_game import GAMES, WORK, played
from tests.insight.test_explain import unfinished
from tic_tac_toe import Explanation, GameState, evaluate_moves, explain
from tic_tac_toe.insight.facts import KINDS, Fact
from tic_tac_toe.insight.lessons import LESSONS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.pictures.board import Look
from tic_tac_toe_frontends.words.explanation_text import explanation_sentences
from tic_tac_toe_frontends.words.rules_text import LETTERED, Drawn
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ENGLISH = NullTranslations()
TRANSLATED = {code: load(code, {}) for code in LANGUAGES if code != "en"}
EVERY_LANGUAGE = pytest.mark.parametrize("code", TRANSLATED)
#: Boards on which sides and cells have names of each kind.
BOARDS = [
    ("tic-tac-toe", LETTERED),
    ("wild", LETTERED),
    ("order-and-chaos", LETTERED),
    ("gomoku", Drawn(Look.STONES)),
    ("renju", LETTERED),
    ("qubic", LETTERED),
    ("ultimate", LETTERED),
    ("connect-four", LETTERED),
    ("connect-four", Drawn(Look.DISCS)),
    ("mnk:4,3,3,pie", LETTERED),
]


@lru_cache(maxsize=256)
def reader(language: NullTranslations, rules: Rules, drawn: Drawn) -> Reader:
    return Reader(language, rules, drawn)


def faults(told: Explanation, language: NullTranslations, drawn: Drawn = LETTERED) -> list[str]:
    """Return the sentences of an explanation that do not say in a language what English says."""
    english, foreign = (
        explanation_sentences(told, each, drawn, typed=True) for each in (ENGLISH, language)
    )
    assert len(english) == len(foreign)
    rules = told.state.rules
    return [
        f"{said} | {translated}"
        for said, translated in zip(english, foreign)
        for meant in [reader(ENGLISH, rules, drawn).read(said)]
        if len(meant) != 1 or reader(language, rules, drawn).read(translated) != meant
    ]


# -- facts of every kind, true or not --------------------------------------------------------------


def line_of_play(state: GameState, rng: Random, most: int) -> Iterator[int]:
    """Yield moves at random, until the game is over or there are enough."""
    for _ in range(most):
        if not state.game_over:
            move = rng.choice(state.legal_moves)
            yield move
            state = state.make_move_to(move).after_state


def any_fact(code: str, state: GameState, rng: Random) -> Explanation:
    """Return an explanation that says a fact of a kind, whether it is true or not."""
    move, cells = rng.choice(state.legal_moves), range(state.rules.shape.cells)
    there = rng.choice((state, state.make_move_to(move).after_state))
    fact = Fact(
        code,
        there.position.turn,
        tuple(line_of_play(there, rng, rng.choice((2, 3)))),
        tuple(rng.sample(cells, rng.choice((3, 4, 6)))),
        (tuple(rng.sample(cells, 3)),),
        rng.randrange(2, 30),
    )
    return Explanation(state, move, Evaluation(), Evaluation(), reasons=(fact,))


@EVERY_LANGUAGE
@pytest.mark.parametrize(("game", "drawn"), BOARDS)
def test_a_fact_of_each_kind_is_read_as_in_english(game: str, drawn: Drawn, code: str) -> None:
    rng, state = Random(game), GameState.new(find_rules(game))
    for kind in [*KINDS] * 4:
        there = state.make_move_to(rng.choice(state.legal_moves)).after_state
        assert faults(any_fact(kind, there, rng), TRANSLATED[code], drawn) == []


@pytest.mark.parametrize(("code", "name"), [("es", "cambio"), ("ru", "обмен"), ("zh", "交换")])
def test_the_swap_is_read_as_in_english(code: str, name: str) -> None:
    state = GameState.new(find_rules("mnk:4,3,3,pie")).make_move_to(0).after_state
    swap = state.special_moves["swap"]
    fact = Fact("wins_now", 1, (swap,))
    told = Explanation(state, swap, Evaluation(), Evaluation(), reasons=(fact,))
    [text] = explanation_sentences(told, TRANSLATED[code], typed=True)

    assert name in text.lower()
    assert faults(told, TRANSLATED[code]) == []


# -- explanations ----------------------------------------------------------------------------------


def small_boards(rng: Random) -> Iterator[Explanation]:
    for game in ("tic-tac-toe", "misere-tic-tac-toe"):
        for state in rng.sample(list(unfinished(game)), 100):
            values = evaluate_moves(state)
            yield from (explain(state, move, values=values) for move in state.legal_moves)


def lessons(_: Random) -> Iterator[Explanation]:
    for exercise in (each for lesson in LESSONS for each in lesson.exercises):
        yield from (exercise.explain(move) for move in exercise.state.legal_moves)


def every_game(rng: Random) -> Iterator[Explanation]:
    for game in GAMES:
        state = played(game, rng)
        values = evaluate_moves(state, WORK)
        moves = rng.sample(state.legal_moves, min(5, len(state.legal_moves)))
        yield from (explain(state, move, values=values, limits=WORK) for move in moves)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("corpus", "sentences"), [(small_boards, 1000), (lessons, 300), (every_game, 50)]
)
def test_each_sentence_of_explanations_is_read_as_in_english(
    corpus: Callable[[Random], Iterable[Explanation]], sentences: int
) -> None:
    count = 0
    for told in corpus(Random(1)):
        count += len(told.sentences())
        for language in TRANSLATED.values():
            assert faults(told, language) == []
    assert count >= sentences


# -- templates -------------------------------------------------------------------------------------


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@EVERY_LANGUAGE
def test_each_template_has_the_places_of_the_english_one(code: str) -> None:
    for kind in KINDS.values():
        assert places(TRANSLATED[code].gettext(kind.sentence)) == places(kind.sentence)


@EVERY_LANGUAGE
def test_kinds_that_differ_in_english_differ_in_each_language(code: str) -> None:
    english = {kind.sentence for kind in KINDS.values()}
    assert len({TRANSLATED[code].gettext(each) for each in english}) == len(english)


class Changed(NullTranslations):
    """English with other templates."""

    def __init__(self, changes: Mapping[str, str]) -> None:
        super().__init__()
        self._changes = changes

    def gettext(self, message: str) -> str:
        return self._changes.get(message, message)


@pytest.mark.parametrize(
    ("message", "translation"),
    [
        ("{side} loses with {move}.", "{side} wins with {move}."),
        ("{side} loses with {move}.", "{side} loses."),
        ("{side} wins with {move}.", "{side} loses with {move}."),
        ("{first} or {last}", "{first} and {last}"),
        ("{side} could draw with {moves}.", "{side} could draw with C3."),
    ],
)
def test_a_template_that_says_something_else_is_a_fault(message: str, translation: str) -> None:
    state = GameState.new("tic-tac-toe")
    facts = (Fact("kept", 0, (0, 1)), Fact("loses", 0, (2,)), Fact("wins", 0, (2,)))
    told = [Explanation(state, 2, Evaluation(), Evaluation(), context=(each,)) for each in facts]
    changed = Changed({message: translation})

    assert [fault for each in told for fault in faults(each, ENGLISH)] == []
    assert [fault for each in told for fault in faults(each, changed)] != []
