"""The Python side of the board: the authority, whatever the page says."""

from __future__ import annotations

from typing import Any

import pytest
import traitlets

from tests.frontends.notebook.games import NONSENSE, OTHER_THINGS, send, two_people
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, InvalidVariant
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_moves
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS, find_rules
from tic_tac_toe.solver import verdict
from tic_tac_toe_frontends.notebook import Game
from tic_tac_toe_frontends.words.rules_text import PLAYERS, STARTERS

# -- in Python -------------------------------------------------------------------------------------


def test_without_an_event_loop_the_computer_has_answered_when_a_move_returns() -> None:
    game = Game(o="minimax")

    state = game.place("B2")

    assert state == game.state
    assert format_state(game.state) == "O../.X./... x"
    assert game.record.moves == (4, 0)
    assert game.record.tags == (("X", "human"), ("O", "minimax"))


@pytest.mark.parametrize(
    ("move", "refusal"),
    [("A1", InvalidMove), ("Z9", InvalidNotation), ("", InvalidNotation), (0, InvalidMove)],
)
def test_a_refused_move_changes_nothing(move: str | int, refusal: type[Exception]) -> None:
    game = two_people()
    game.place("A1")
    before = game.state, game.record, game.page

    with pytest.raises(refusal):
        game.place(move)

    assert (game.state, game.record, game.page) == before


def test_the_look_of_the_board_can_be_changed_at_any_time() -> None:
    game = Game("connect-four", look="stones")
    assert "ttt-discs" in game.page["picture"], "Connect Four has no stones: it looks as usual"

    game.look = "marks"
    assert "ttt-discs" not in game.page["picture"]
    game.new("gomoku")
    assert "ttt-stones" not in game.page["picture"]
    game.look = None
    assert "ttt-stones" in game.page["picture"]


def test_an_unknown_look_is_refused() -> None:
    with pytest.raises(traitlets.TraitError):
        Game(look="cubes")


def test_another_game_is_the_same_again_where_nothing_else_is_said() -> None:
    game = Game("connect-four", o="random", starting="O", seed=1)

    game.new()

    assert game.state.rules == CONNECT_FOUR
    assert game.record.starting_mark is Mark.NAUGHT
    game.new("misere", x="easy", o="human", starting="X")
    assert game.record.tags == (("X", "easy"), ("O", "human"))
    assert game.state.current_mark is Mark.NAUGHT


def test_a_game_begins_at_any_state_with_the_rules_of_that_state() -> None:
    state = parse_moves(GameState.new(find_rules("4x4")), "A1 B2")

    game = Game(o="human", state=state)

    assert game.state is state
    assert game.page["ply"] == 0
    game.place("C3")
    assert game.record.start == state


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"variant": "chess"}, InvalidVariant),
        ({"x": "ann"}, ValueError),
        ({"o": "<b>"}, ValueError),
        ({"starting": "Y"}, ValueError),
        ({"lang": "tlh"}, ValueError),
    ],
)
def test_what_there_is_not_is_refused_when_a_game_is_made_or_begun(
    options: dict[str, Any], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        Game(**options)

    if "lang" not in options:
        game = Game()
        before = game.state, game.page
        with pytest.raises(refusal):
            game.new(**options)
        assert (game.state, game.page) == before


@pytest.mark.parametrize("name", ["state", "record", "page", "menus"])
def test_what_follows_the_game_cannot_be_set(name: str) -> None:
    game = Game()

    with pytest.raises(traitlets.TraitError):
        setattr(game, name, getattr(game, name))


def test_every_change_can_be_observed() -> None:
    game = two_people()
    states: list[GameState] = []
    records: list[tuple[int, ...]] = []
    game.observe(lambda change: states.append(change["new"]), "state")
    game.observe(lambda change: records.append(change["new"].moves), "record")

    game.place("B2")
    send(game, {"place": 0, "ply": 1})
    game.undo()

    assert [format_state(state) for state in states] == [
        ".../.X./... o",
        "O../.X./... x",
        ".../.X./... o",
    ]
    assert records == [(4,), (4, 0), (4,)]


def test_the_page_tells_whose_turn_it_is_and_how_the_game_ended() -> None:
    game = two_people(lang="en")

    assert game.page["status"] == "X to move."
    for move in ("A1", "B1", "A2", "B2", "A3"):
        game.place(move)

    assert game.page["status"] == "X wins 🎉"
    assert game.page["news"] == "X plays A3."
    assert game.page["score"] == "Score: X 1, O 0, draws 0."
    assert game.page["legal"] == []
    assert game.page["labels"][:3] == ["A1: X", "B1: O", "C1: empty"]
    assert 'class="ttt-strike"' in game.page["picture"]


def test_all_games_and_players_and_starters_are_offered_by_name() -> None:
    menus = Game().menus

    assert sorted(name for name, _ in menus["variant"]) == sorted(VARIANTS)
    assert [name for name, _ in menus["x"]] == [name for name, _ in menus["o"]] == list(PLAYERS)
    assert [name for name, _ in menus["starting"]] == list(STARTERS)


@pytest.mark.parametrize("variant", [*VARIANTS, "mnk:1,1,1", "mnk:26,26,5"])
def test_every_cell_has_its_place_on_the_picture_and_its_label(variant: str) -> None:
    game = two_people(variant=variant)

    layout, shape = game.page["layout"], game.state.rules.shape
    assert (len(layout["rows"]), len(layout["columns"])) == (shape.rows, shape.columns)
    assert len(game.page["labels"]) == shape.cells
    assert layout["columns"][-1] + layout["cell"][0] <= 100
    assert layout["rows"][-1] + layout["cell"][1] <= 100
    assert 0 < layout["width"] <= 600


def test_a_game_that_no_menu_lists_keeps_its_name_and_can_be_begun_again() -> None:
    game = two_people(variant="mnk:5,4,3", lang="en")

    assert game.page["setup"]["other"] == "mnk:5,4,3"
    game.place("A1")
    send(game, {"new": {"variant": "", "x": "human", "o": "human", "starting": "O"}})

    assert game.state == GameState.new(find_rules("mnk:5,4,3"), Mark.NAUGHT)


# -- hints and analysis ----------------------------------------------------------------------------


def test_a_hint_rings_the_best_cells_until_the_next_move() -> None:
    game = two_people(lang="en")
    game.place("A1")

    send(game, {"press": "hint"})

    assert game.page["remarks"][0] == "Best for O: B2."
    assert game.page["picture"].count('class="ttt-best"') == 1
    game.place("B2")
    assert game.page["remarks"] == []
    assert "ttt-best" not in game.page["picture"].partition("<style>")[0]


def test_the_analysis_colours_cells_and_can_be_switched_at_any_time() -> None:
    game = two_people(lang="en", analyse=True)
    game.place("A1")

    assert game.verdict == verdict(game.state)
    assert game.page["picture"].count("ttt-value ") == 8
    assert game.page["labels"][4] == "B2: empty, draw"
    game.analyse = False
    assert "ttt-value" not in game.page["picture"]
    send(game, {"analyse": True})
    assert game.analyse
    assert game.page["picture"].count("ttt-value ") == 8
    game.new("ultimate")
    assert game.verdict.outcome == "open"
    assert "Percentages are estimated chances" in game.page["remarks"][0]


# -- what arrives from the page --------------------------------------------------------------------


def test_moves_come_by_click_in_words_or_as_the_number_of_a_cell() -> None:
    game = two_people(variant="connect-four")

    send(game, {"place": 3, "ply": 0})
    send(game, {"place": 38, "ply": 1})
    for move in ("4", "D3", 41):  # as players write it, or the number of a cell
        game.place(move)

    assert game.record.moves == (38, 31, 24, 17, 41)


def test_the_buttons_of_the_page_do_what_they_say() -> None:
    game = Game(o="minimax", lang="en")
    game.place("B2")

    send(game, {"press": "undo"})
    assert format_state(game.state) == ".../.../... x"
    send(game, {"press": "redo"})
    assert format_state(game.state) == "O../.X./... x"
    assert format_state(game.undo()) == ".../.../... x"
    assert format_state(game.redo()) == "O../.X./... x"
    with pytest.raises(InvalidMove, match="There is no move to play again"):
        game.redo()
    send(game, {"new": {"variant": "4x4", "x": "random", "o": "human", "starting": "X"}})
    assert game.state.rules == VARIANTS["4x4"]
    assert game.page["ply"] == 1
    send(game, {"press": "undo"})
    assert game.page["remarks"] == ["There is no move to take back."]


@pytest.mark.parametrize("content", NONSENSE, ids=lambda content: repr(content)[:60])
def test_what_no_page_would_send_changes_nothing(content: object) -> None:
    game = two_people()
    before = game.state, game.record, game.page, game.analyse

    send(game, content)

    assert (game.state, game.record, game.page, game.analyse) == before


@pytest.mark.parametrize(
    ("cell", "ply", "lang", "refusal"),
    [
        (-1, 1, "en", "Cell must be from 0 to 8."),
        (9, 1, "en", "Cell must be from 0 to 8."),
        (10**400, 1, "en", "Cell must be from 0 to 8."),
        (-(10**400), 1, "en", "Cell must be from 0 to 8."),
        (4, 1, "es", "La casilla no está vacía."),
        (0, 0, "en", "The game has moved on: 1 moves have been played."),
    ],
)
def test_a_click_that_is_no_move_is_refused_in_the_readers_language(
    cell: int, ply: int, lang: str, refusal: str
) -> None:
    game = two_people(lang=lang)
    game.place("B2")

    send(game, {"place": cell, "ply": ply})

    assert game.record.moves == (4,)
    assert game.page["remarks"] == [refusal]


@pytest.mark.parametrize("shown", OTHER_THINGS)
def test_a_page_cannot_overwrite_what_it_is_shown(shown: object) -> None:
    game = two_people()
    before = game.page, game.menus, game.shown

    game.set_state(
        {"page": {"picture": "<script>"}, "menus": "x", "state": 0, "analyse": 7, "shown": shown}
    )

    assert (game.page, game.menus, game.shown) == before


def test_a_page_says_which_change_of_the_game_it_has_shown() -> None:
    game = two_people()
    changes = [game.page["change"]]

    for change in (lambda: game.place("A1"), game.undo, lambda: send(game, {"press": "hint"})):
        change()
        changes.append(game.page["change"])
    game.set_state({"shown": changes[-1]})

    assert changes == [1, 2, 3, 3]
    assert game.shown == 3
