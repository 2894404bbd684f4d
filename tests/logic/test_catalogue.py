"""Names of games: the catalogue, the mnk family, and what is refused."""

from __future__ import annotations

import pydoc
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any, cast

import pytest
from hypothesis import given

from tests.logic.played_games import mnk_rules, refusal
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.catalogue import (
    ALIASES,
    VARIANTS,
    WELL_KNOWN,
    find_rules,
    variant_name,
)
from tic_tac_toe.logic.rules.flags import FLAGS
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.order_and_chaos import OrderAndChaos
from tic_tac_toe.logic.rules.pie import Pie
from tic_tac_toe.logic.rules.topology import TORUS
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wild import Wild
from tic_tac_toe.logic.shapes import Shape

NO_RULES = (5, "tic-tac-toe", None, LineRules)
NO_LINES = (Misere(LineRules()), Ultimate(), 3)


@given(mnk_rules())
def test_every_line_game_has_a_name_that_finds_it(rules: Rules) -> None:
    assert find_rules(variant_name(rules)) == rules


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("mnk:7,6,4", LineRules(Shape(6, 7), 4)),
        ("mnk:7,6,4,gravity", LineRules(Shape(6, 7), 4, gravity=True)),
        ("mnk:4,3,3,misere", Misere(LineRules(Shape(3, 4), 3))),
        ("mnk:15,15,5,exact", LineRules(Shape(15, 15), 5, exact=True)),
        ("MNK: 3, 3, 3", LineRules()),
        ("mnk:26,26,5,misere,gravity,exact", Misere(LineRules(Shape(26, 26), 5, True, True))),
        ("mnk:1,1,1", LineRules(Shape(1, 1), 1)),
        ("Tic Tac Toe", LineRules()),
        ("misère", Misere(LineRules())),
        ("connect_four", LineRules(Shape(6, 7), 4, gravity=True)),
    ],
)
def test_a_name_is_columns_rows_length_and_flags(name: str, rules: Rules) -> None:
    assert find_rules(name) == rules


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mnk:27,3,3", "columns must be from 1 to 26, not 27"),
        ("mnk:3,0,3", "rows must be from 1 to 26, not 0"),
        ("mnk:3,3,4", "no line of 4 fits 3 columns and 3 rows, so every game would be a draw"),
        ("mnk:3,3,0", "line length must be 1 or more, not 0"),
        ("mnk:x,3,3", 'columns must be a whole number, not "x"'),
        ("mnk:3,3.5,3", 'rows must be a whole number, not "3.5"'),
        ("mnk:3,3,-3", 'line length must be a whole number, not "-3"'),
        ("mnk:3,3,٣", "line length must be a whole number"),
        ("mnk:3,3", "a board needs columns, rows and line length, like 7x6x4; 2 given"),
        ("mnk:", "a board needs columns, rows and line length, like 7x6x4; 0 given"),
        ("mnk:3,3,3,big", '"big" is not a flag; the flags are gravity, exact, torus, wild, misere'),
        ("mnk:3,3,3,exact,exact", "the flag exact is given twice"),
        ("mnk:3,3,3," + "exact," * 10_000, "is not a flag|given twice"),
        ("5x5", "a board needs columns, rows and line length, like 7x6x4; 2 given"),
        ("7x7x4x", 'line length must be a whole number, not "4x"'),
        ("connect-four,gravity", "^this game has the rule gravity already$"),
        ("misere,misere", "^this game has the rule misere already$"),
        ("mnk:5,5,4,pie,wild", "^the flag pie does not go with wild here$"),
        (
            "mnk:5,5,4,torus,gravity",
            "^a torus has no floor .*so torus and gravity do not go together$",
        ),
        ("notakto-2,pie", "^this game takes no flags: leave out pie$"),
        ("ultimate,pie", "^this game does not take the flag pie; it takes misere$"),
        ("qubic,torus", "the flag torus; it takes gravity, wild, misere, pie$"),
        ("tic-tac-toe,big", '^"big" is not a flag'),
        ("order-and-chaos:3,3", "columns, rows and line length, like 7x6x4; 2 given"),
        ("order-and-chaos:3,3,4", "no line of 4 fits"),
        ("notakto-0", "boards"),
        ("notakto-27", "boards"),
        ("chess,pie", 'no variant is called "chess,pie"'),
        ("gomuko", 'no variant is called "gomuko"; did you mean gomoku\\? Else choose from tic-'),
        ("Conect Four", 'called "Conect Four"; did you mean connect-four\\?'),
        ("chess", 'no variant is called "chess"; choose from tic-tac-toe, '),
        ("", 'no variant is called ""'),
        ("\x1b[31m" * 1000, r'no variant is called "\\x1b\[31m'),
    ],
)
def test_a_bad_name_is_refused_with_the_bad_part_named(name: str, message: str) -> None:
    with pytest.raises(InvalidVariant, match=message) as refused:
        find_rules(name)
    assert len(str(refused.value)) < 500
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("7x7x4", "mnk:7,7,4"),
        ("7,7,4", "mnk:7,7,4"),
        ("7 7 4", "mnk:7,7,4"),
        ("7×7×4", "mnk:7,7,4"),
        ("mnk:7x7x4", "mnk:7,7,4"),
        ("mnk: 7, 7, 4, exact", "mnk:7,7,4,exact"),
        ("8x7x4 gravity misere", "mnk:8,7,4,gravity,misere"),
        ("7X6X4,gravity", "connect-four"),
        ("15x15x5", "gomoku"),
    ],
)
def test_sizes_are_found_as_people_type_them(typed: str, name: str) -> None:
    assert find_rules(typed) == find_rules(name)
    assert variant_name(find_rules(typed)) == name


#: The games of which every flag and every pair of flags is asked; the others differ in size alone.
FLAGGED = [
    *(name for name in VARIANTS if not re.fullmatch("notakto-.|vanishing-.*|[4-6]x.*", name)),
    *("mnk:5,4,3", "order-and-chaos:4,4,3"),
]


@pytest.mark.parametrize("name", FLAGGED)
def test_every_flag_and_pair_of_flags_makes_a_game_with_a_name_or_is_refused_by_name(
    name: str,
) -> None:
    for flags in (*((flag,) for flag in FLAGS), *combinations(FLAGS, 2)):
        typed = ",".join((name, *flags))
        if (refused := refusal((InvalidVariant,), find_rules, typed)) is not None:
            assert any(flag in refused for flag in flags)
            continue
        rules = find_rules(typed)
        assert find_rules(variant_name(rules)) == rules
        assert rules == find_rules(",".join((name, *reversed(flags))))
        assert set(flags) <= set(traits_of(rules).flags)


@pytest.mark.parametrize(
    ("typed", "rules"),
    [
        ("tic-tac-toe,wild", VARIANTS["wild"]),
        ("wild,misere", VARIANTS["misere-wild"]),
        ("qubic,gravity", VARIANTS["score-four"]),
        ("gomoku,exact", VARIANTS["gomoku-standard"]),
        ("connect-four,pie", Pie(VARIANTS["connect-four"])),
        ("7x6x4 gravity pie", Pie(VARIANTS["connect-four"])),
        ("connect-four,pie,misere", Pie(Misere(VARIANTS["connect-four"]))),
        ("mnk:5,5,4,torus", LineRules(Shape(5, 5), 4, topology=TORUS)),
        ("mnk:4,4,4,misere,wild", Misere(Wild(LineRules(Shape(4, 4), 4)))),
        ("order-and-chaos:4,5,3,exact", OrderAndChaos(LineRules(Shape(5, 4), 3, exact=True))),
        ("order-and-chaos:5x5x4", OrderAndChaos(LineRules(Shape(5, 5), 4))),
        ("ultimate,misere", Misere(Ultimate())),
        ("caro", Caro()),
        ("notakto-1", Notakto()),
    ],
)
def test_flags_and_families_make_games_of_others(typed: str, rules: Rules) -> None:
    assert find_rules(typed) == rules


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("score-four,misere,pie", "score-four,misere,pie"),
        ("3x3x3,wild,gravity", "3x3x3,gravity,wild"),
        ("5x5x4,misere,torus,exact", "mnk:5,5,4,exact,torus,misere"),
        ("order-and-chaos:6,6,5", "order-and-chaos"),
        ("gomoku,pie", "gomoku,pie"),
    ],
)
def test_names_are_as_short_as_the_catalogue_allows_with_flags_in_order(
    name: str, canonical: str
) -> None:
    assert variant_name(find_rules(name)) == canonical


def test_an_unknown_name_is_told_some_names_and_where_all_are() -> None:
    with pytest.raises(InvalidVariant) as refused:
        find_rules("chess")
    assert set(WELL_KNOWN) <= set(VARIANTS)
    assert str(refused.value) == (
        f'no variant is called "chess"; choose from {", ".join(WELL_KNOWN)}, '
        "the others that “tic-tac-toe variants” lists, or mnk:COLUMNS,ROWS,LENGTH; "
        f"flags follow after commas: {', '.join(FLAGS)}"
    )


def test_every_alias_leads_to_the_catalogue() -> None:
    for alias, name in ALIASES.items():
        assert find_rules(alias) == VARIANTS[name]
        assert alias not in VARIANTS


def test_the_catalogue_holds_the_games_that_it_promises() -> None:
    assert VARIANTS["gomoku"] == LineRules(Shape(15, 15), 5)
    assert VARIANTS["gomoku-standard"] == LineRules(Shape(15, 15), 5, exact=True)
    assert VARIANTS["connect-four"] == LineRules(Shape(rows=6, columns=7), 4, gravity=True)
    assert VARIANTS["connect-four-5x4"] == LineRules(Shape(rows=4, columns=5), 4, gravity=True)
    assert VARIANTS["misere-connect-four"] == Misere(VARIANTS["connect-four"])
    assert VARIANTS["ultimate"] == Ultimate()
    assert {"tic-tac-toe", "misere-tic-tac-toe", "4x4", "4x4x3", "5x5x4", "6x6x5"} <= set(VARIANTS)


def test_the_catalogue_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        cast("Any", VARIANTS)["chess"] = LineRules()


def test_help_on_the_catalogue_lists_every_game_and_its_rules() -> None:
    text = pydoc.plain(pydoc.render_doc(VARIANTS))
    for name, rules in VARIANTS.items():
        assert name in text
        assert repr(rules) in text


def test_rules_of_ones_own_have_no_name() -> None:
    with pytest.raises(InvalidVariant, match="Ultimate rules of one's own have no variant name"):
        variant_name(Ultimate(LineRules(Shape(2, 2), 2)))


def test_misere_of_misere_is_the_original() -> None:
    for rules in VARIANTS.values():
        assert Misere(Misere(rules)) == rules


@pytest.mark.parametrize(
    ("kind", "inner", "message"),
    [
        *((Misere, value, "misère play needs the rules of a game, not") for value in NO_RULES),
        *((Ultimate, value, "the boards of ultimate need line rules, not") for value in NO_LINES),
        (Ultimate, LineRules(gravity=True), "ultimate"),
        (Ultimate, LineRules(Shape(6, 6), 4), "ultimate"),
    ],
)
def test_games_that_cannot_be_made_of_others_are_refused(
    kind: Callable[[object], object], inner: object, message: str
) -> None:
    with pytest.raises(InvalidVariant, match=message):
        kind(inner)
