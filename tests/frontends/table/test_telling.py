"""What is said of a game at a table, and the list of its moves."""

from __future__ import annotations

import pytest

from tests.frontends.desk import PEOPLE, table_after
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.move_list import in_a_line, listed, rows_of
from tic_tac_toe_frontends.table.queries import ask_here
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.table.telling import tell_end, tell_hint, tell_situation, tell_status
from tic_tac_toe_frontends.words.game_text import (
    PLAYER_TITLES,
    next_level_title,
    player_title,
    setup_menus,
    starter_title,
)
from tic_tac_toe_frontends.words.rules_text import HUMAN, PLAYERS, VARIANT_TITLES, variant_title
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ENGLISH = load("en", {})


def resigned() -> Table:
    table = table_after(4)
    table.resign()
    return table


@pytest.mark.parametrize(
    ("table", "status", "situation"),
    [
        (table_after(), "X to move.", []),
        (table_after(4), "O to move.", ["X plays B2."]),
        (Table(Setup(x="easy", o="hard")), "X is thinking …", []),
        (resigned(), "O resigns. X wins 🎉", ["X plays B2."]),
        (table_after(0, 3, 1, 4, 2), "X wins 🎉", ["X plays C1.", "Decided by A1, B1, C1."]),
        (
            table_after(40, setup=PEOPLE._replace(rules=find_rules("ultimate"))),
            "O to move.",
            ["X plays E5.", "Play in small board B2, from D4 to F6."],
        ),
    ],
)
def test_the_status_says_who_moves_and_the_situation_what_led_to_it(
    table: Table, status: str, situation: list[str]
) -> None:
    assert tell_status(table, ENGLISH) == status
    assert tell_situation(table, ENGLISH) == situation


def against_a_computer(*cells: int, variant: str = "tic-tac-toe", own: str = "X") -> Table:
    """Return a game of one person after moves of both sides."""
    x, o = (HUMAN, "easy") if own == "X" else ("easy", HUMAN)
    table = Table(Setup(find_rules(variant), x, o))
    for cell in cells:
        if table.thinker is None:
            table.place(cell)
        else:
            table.answer(table.state, cell)
    return table


def given_up() -> Table:
    table = against_a_computer(4)
    table.resign()
    return table


@pytest.mark.parametrize(
    ("table", "status", "outcome"),
    [
        (against_a_computer(), "Your turn: you are X.", None),
        (against_a_computer(4), "The computer is thinking …", None),
        (against_a_computer(4, 0), "Your turn.", None),
        (against_a_computer(4, own="O"), "Your turn: you are O.", None),
        (against_a_computer(variant="order-and-chaos"), "Your turn: you are Order.", None),
        (against_a_computer(0, 1, variant="order-and-chaos"), "Your turn (Order).", None),
        (against_a_computer(0, 3, 1, 4, 2), "You win!", "win"),
        (against_a_computer(0, 3, 1, 4, 2, own="O"), "You lose.", "loss"),
        (against_a_computer(0, 1, 2, 4, 3, 5, 7, 6, 8), "It is a draw.", "draw"),
        (given_up(), "You resigned: you lose.", "loss"),
    ],
)
def test_the_one_person_who_plays_a_computer_is_addressed(
    table: Table, status: str, outcome: str | None
) -> None:
    assert tell_status(table, ENGLISH) == status
    assert table.outcome == outcome


def test_where_the_person_is_not_addressed_the_sides_are_named() -> None:
    assert tell_end(given_up(), ENGLISH, own=False) == "X resigns. O wins 🎉"
    assert table_after(0, 3, 1, 4, 2).outcome is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_computer_players_cannot_do_is_told_once_for_each_of_them_as_a_game_begins(
    code: str,
) -> None:
    language = load(code, {})
    table = Table(Setup(find_rules("ultimate"), "minimax", "minimax"))

    (told,) = tell_situation(table, language)
    table.answer(table.state, 0)
    assert told in tell_situation(table, language)
    table.answer(table.state, 1)

    assert language.gettext("Strongest") in told
    assert told not in tell_situation(table, language)
    assert tell_situation(Table(Setup(o="minimax")), language) == []


def test_every_player_and_every_named_variant_has_a_title_and_others_their_name() -> None:
    assert set(PLAYER_TITLES) == set(PLAYERS) == {HUMAN, *STRATEGIES}
    assert set(VARIANT_TITLES) <= set(VARIANTS)
    assert variant_title(VARIANTS["ultimate"], ENGLISH) == "Ultimate tic-tac-toe"
    assert variant_title(find_rules("mnk:7,5,4"), ENGLISH) == "mnk:7,5,4"
    assert [starter_title(name, ENGLISH) for name in ("X", "random")] == ["X", "Random"]


@pytest.mark.parametrize(
    ("code", "perfect", "strongest"),
    [
        ("en", "Perfect", "Strongest"),
        ("es", "Perfecto", "El más fuerte"),
        ("zh", "完美", "最强"),
        ("ru", "Идеальный", "Сильнейший"),
    ],
)
def test_the_strongest_player_is_called_perfect_only_where_the_game_is_solved(
    code: str, perfect: str, strongest: str
) -> None:
    language = load(code, {})
    small, large = find_rules("tic-tac-toe"), find_rules("gomoku")
    assert player_title("minimax", language) == strongest
    for rules, title in ((small, perfect), (large, strongest)):
        assert player_title("minimax", language, rules) == title
        assert ("minimax", title) in setup_menus(language, rules=rules)["o"]
        assert title in next_level_title("minimax", language, rules)


def test_moves_are_listed_with_their_side_and_the_one_that_is_looked_at() -> None:
    moves = table_after(4, 0).match.history

    assert [(move.ply, str(move), move.current) for move in listed(moves, 1)] == [
        (1, "X B2", True),
        (2, "O A1", False),
    ]
    assert in_a_line(moves) == "X B2, O A1"


@pytest.mark.parametrize(
    ("starting", "rows"),
    [
        ("X", [("X B2", "O A1"), ("X C3", None)]),
        ("O", [(None, "X B2"), ("O A1", "X C3")]),
    ],
)
def test_in_rows_the_side_that_began_stands_on_the_left_even_where_it_is_not_the_first_to_move(
    starting: str, rows: list[tuple[str | None, str | None]]
) -> None:
    grid = " " * 9 if starting == "X" else " O       "
    table = Table(PEOPLE, state=GameState(Grid(grid), Mark(starting)))
    for cell in (4, 0, 8):
        table.place(cell)

    found = rows_of(table.match)

    assert [row.number for row in found] == [1, 2]
    assert [tuple(move and str(move) for move in (row.first, row.second)) for row in found] == rows


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_screen_with_buttons_tells_the_word_that_is_typed_to_swap(code: str) -> None:
    table = table_after(4, setup=PEOPLE._replace(rules=find_rules("mnk:3,3,3,pie")))
    driver = Driver(table, lambda: None, ask_here)
    for _ in range(2):  # asked again, a hint names all of the best moves
        driver.advice.ask_hint()
    told = tell_situation(table, load(code, {}))
    hint, _outcome = tell_hint(driver.advice, table.state, load(code, {}))

    assert len(told) == 2
    assert driver.advice.best == (0, 2, 6, 8, table.state.special_moves["swap"])
    assert "swap" not in "".join([*told, hint])
