"""What the library says is known to the front ends, and can be said in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import tic_tac_toe
from tic_tac_toe.game.strategies import caveat
from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidVariant,
    SearchLimitReached,
)
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_move, parse_moves, parse_state
from tic_tac_toe.logic.record_json import records_from_json
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.library_messages import TEMPLATES, localise
from tic_tac_toe_frontends.translation import load

ERRORS = {
    error.__name__
    for error in (
        InvalidGameState,
        InvalidMove,
        InvalidNotation,
        InvalidVariant,
        SearchLimitReached,
    )
} | {"ClusterError", "InvalidCertificate", "InvalidCheckpoint"}  # of what needs other packages
SPANISH = load("es", {})


def nameless(template: str) -> str:
    """Return a template with its placeholders empty, as `text_of` writes them."""
    return "".join(
        literal + ("" if name is None else "{}")
        for literal, name, *_ in Formatter().parse(template)
    )


def text_of(node: ast.expr) -> str | None:
    """Return the text that an expression makes, with {} for what is filled in; else None."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part) or "{}" for part in parts)
    return None


def library_trees() -> Iterator[ast.Module]:
    for path in Path(tic_tac_toe.__file__).parent.rglob("*.py"):
        yield ast.parse(path.read_text(encoding="utf-8"))


@cache
def raised_texts() -> set[str]:
    """Return the text of every error that the library makes and people may see."""
    found = set()
    for tree in library_trees():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in ERRORS:
                    found.add(text_of(first))
    return {text for text in found if text}


@cache
def all_texts() -> set[str]:
    """Return every text in the library's source."""
    return {
        text
        for tree in library_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and (text := text_of(node))
    }


def test_every_error_of_the_library_has_a_template() -> None:
    templates = {nameless(template) for template in TEMPLATES}

    assert len(raised_texts()) > 60
    assert raised_texts() - templates == set()


def test_every_template_is_a_text_of_the_library() -> None:
    texts = all_texts()

    assert [text for text in TEMPLATES if not {text, nameless(text)} & texts] == []


def test_no_two_templates_are_the_same_but_for_names() -> None:
    assert len({nameless(template) for template in TEMPLATES}) == len(TEMPLATES)


@pytest.mark.parametrize(
    ("variant", "text", "spanish"),
    [
        (
            "tic-tac-toe",
            "foo",
            '"foo": se esperaba una casilla de A1 a C3, o una cifra del teclado numérico',
        ),
        (
            "connect-four",
            "9",
            '"9": se esperaba una columna de 1 a 7, o una casilla de A1 a G6',
        ),
        ("gomoku", "\x1b", '"\\x1b": se esperaba una casilla de A1 a O15'),
    ],
)
def test_refusals_of_moves_are_translated_with_all_their_parts(
    variant: str, text: str, spanish: str
) -> None:
    state = GameState.new(find_rules(variant))

    with pytest.raises(InvalidNotation) as refusal:
        parse_move(state, text)

    assert localise(SPANISH, refusal.value) == spanish


def test_a_refusal_within_a_list_of_moves_is_translated_too() -> None:
    state = GameState.new()

    with pytest.raises(InvalidMove) as taken:
        parse_moves(state, "B2 B2")
    with pytest.raises(InvalidNotation) as unknown:
        parse_moves(state, "B2 Z9")

    assert localise(SPANISH, taken.value) == 'jugada 2 "B2": La casilla no está vacía'
    assert localise(SPANISH, unknown.value) == (
        'jugada 2 "Z9": se esperaba una casilla de A1 a C3, o una cifra del teclado numérico'
    )


def test_faults_of_records_are_translated_with_their_lines() -> None:
    with pytest.raises(InvalidNotation) as in_text:
        parse_records("\n1. B2 B2 *")
    with pytest.raises(InvalidNotation) as in_json:
        records_from_json('{"format": 1}')

    assert localise(SPANISH, in_text.value) == ('línea 2: jugada 2 "B2": La casilla no está vacía')
    assert localise(SPANISH, in_json.value).startswith("línea 1: format: se esperaba")


def test_faults_of_positions_and_variants_are_translated() -> None:
    with pytest.raises(InvalidGameState) as position:
        parse_state("XXX/OOO/...")
    with pytest.raises(InvalidVariant) as variant:
        find_rules("mnk:0,3,3")

    assert localise(SPANISH, position.value) == "Los dos jugadores tienen una línea"
    assert localise(SPANISH, variant.value) == "columnas: debe estar entre 1 y 26, no 0"


def test_what_a_strategy_cannot_do_is_translated() -> None:
    limits = caveat("minimax", VARIANTS["gomoku"])

    assert localise(SPANISH, limits).startswith("Este tablero es demasiado grande")


def test_what_somebody_else_says_stays_as_it_is() -> None:
    assert localise(SPANISH, ValueError("something unheard of")) == "something unheard of"
