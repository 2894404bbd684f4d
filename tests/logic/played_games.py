"""Hypothesis strategies that draw rules, games and what people write beside them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.records import RESERVED_TAGS, Record, first_state
from tic_tac_toe.logic.repetition import Repetitions
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.evaluation import plies_of
from tic_tac_toe.logic.shapes import Shape


def escaped(message: str) -> str:
    """Return an error's message, which fits a few lines of a terminal and cannot hurt it."""
    assert message.isprintable()
    assert 0 < len(message) < 600
    return message


def value_of(score: int) -> tuple[int, int]:
    """Return a score as oracles tell it: 1, 0 or -1 for the side to move, and the plies to it."""
    if score == 0:
        return 0, 0
    return (1 if score > 0 else -1), plies_of(score)


def refusal(
    kinds: tuple[type[Exception], ...], call: Callable[..., object], *arguments: object
) -> str | None:
    """Return the message of the one of these errors that a call raises, ``None`` if it succeeds."""
    try:
        call(*arguments)
    except kinds as error:
        return escaped(str(error))
    return None


def play_at_random(start: GameState, plies: int, seed: int) -> tuple[int, ...]:
    """Return the moves of a random game from a state, at most `plies` of them."""
    rng, rules, position = random.Random(seed), start.rules, start.position
    repetitions, moves = Repetitions(rules), list[int]()
    while not repetitions.make_a_draw(position) and (legal := rules.moves(position)):
        if len(moves) == plies:
            break
        moves.append(rng.choice(legal))
        position = rules.play(position, moves[-1])
    return tuple(moves)


def played_on(start: GameState, plies: int, seed: int) -> GameState:
    """Return the state after that random game."""
    for cell in play_at_random(start, plies, seed):
        start = start.make_move_to(cell).after_state
    return start


@st.composite
def mnk_rules(draw: st.DrawFn) -> Rules:
    """Draw an m,n,k game, mostly on a small board."""
    side = st.one_of(st.integers(1, 6), st.integers(1, 26))
    rows, columns = draw(side), draw(side)
    length = draw(st.integers(1, max(rows, columns)))
    gravity, exact, misere = draw(st.tuples(st.booleans(), st.booleans(), st.booleans()))
    rules = LineRules(Shape(rows, columns), length, gravity=gravity, exact=exact)
    return Misere(rules) if misere else rules


#: Games that flags make of others, of every kind.
FLAGGED = ("connect-four,pie", "mnk:5,5,4,torus", "3x3x3,gravity,wild", "order-and-chaos:4,4,3")
named_rules = st.one_of(
    st.sampled_from(list(VARIANTS.values())), st.sampled_from(FLAGGED).map(find_rules), mnk_rules()
)
marks = st.sampled_from(MARKS)

#: All that a comment may hold, and what is most likely to be taken for something else.
comment_texts = st.one_of(
    st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t")),
    st.text('\\{}"[]() *XO1.;n\n\t\u2028\u2029\x20'),
)
tag_values = st.one_of(
    st.text(st.characters(exclude_categories=("Cc", "Cs"))), st.text('\\{}"[]() *XO1.;n\u2028')
)
tag_names = st.one_of(
    st.sampled_from(["X", "O", "Date", "Event"]),
    st.from_regex("[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True),
)
free_tags = st.dictionaries(
    tag_names.filter(lambda name: name.lower() not in map(str.lower, RESERVED_TAGS)),
    tag_values,
    max_size=4,
)


@st.composite
def started_games(draw: st.DrawFn) -> GameState:
    """Draw the start of a game of any named rules."""
    return first_state(draw(named_rules), draw(marks))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a record: a game played at random, in part or whole, with tags, comments and all."""
    start = draw(started_games())
    cells = start.rules.shape.cells
    seeds = st.integers(0, 2**32)
    if draw(st.booleans()):
        start = played_on(start, draw(st.integers(0, cells)), draw(seeds))
    moves = play_at_random(start, draw(st.integers(0, cells)), draw(seeds))
    comments = draw(st.lists(st.tuples(st.integers(0, len(moves)), comment_texts), max_size=4))
    tags = tuple(draw(free_tags).items())
    record = Record.from_moves(start, moves, tags=tags, comments=tuple(comments))
    return replace(record, resigned=draw(st.none() | marks)) if record.result == "*" else record


#: Whatever the text, these are all that may come of it.
REFUSALS = (InvalidNotation, InvalidMove, InvalidGameState)


def after(name: str, moves: str, starting_mark: Mark = Mark.CROSS) -> GameState:
    return play_moves(GameState.new(find_rules(name), starting_mark), moves)


def message_of(error: pytest.ExceptionInfo[Exception]) -> str:
    return escaped(str(error.value))
