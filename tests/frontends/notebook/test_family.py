"""Games in which a move is more than a cell, as Python sees them and as the page is sent them."""

from __future__ import annotations

from docs.examples.numbers import Numbers
from tests.frontends.notebook.games import send, two_people
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, parse_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.solver import verdict


def test_people_choose_the_letter_and_the_choice_stays() -> None:
    game = two_people(variant="wild", lang="en")
    assert game.page["switch"]["letters"] == [("X", "Place X"), ("O", "Place O")]

    game.place("OB2")
    send(game, {"place": 0, "ply": 1})
    send(game, {"letter": "O"})
    send(game, {"place": 1, "ply": 2})
    send(game, {"place": 2, "ply": 3})

    assert format_state(game.state) == "XOO/.O./... x"
    assert game.page["switch"]["chosen"] == "O"
    assert game.page["status"] == "Player 1 to move."
    assert game.page["sides"]["players"] == {"x": "Player 1", "o": "Player 2"}
    assert game.page["sides"]["starting"]["O"] == "Player 2"
    game.new("tic-tac-toe")
    assert game.page["switch"] is None
    assert game.page["sides"]["players"] == {"x": "Player X", "o": "Player O"}


def test_a_cell_tells_what_each_letter_leads_to() -> None:
    game = two_people(variant="wild", lang="en", analyse=True)

    game.place("XB2")
    game.place("OA1")

    assert game.page["labels"][8] == "C3: empty, X draw, O win 2"
    assert ">O+2</text>" in game.page["picture"]


def test_under_gravity_the_page_knows_where_the_chosen_letter_lands() -> None:
    game = two_people(variant="mnk:3,3,3,gravity,wild")
    game.place("X2")

    assert game.page["switch"]["lands"] == [6, 4, 8] * 3


def test_the_first_mark_can_be_taken_over_once() -> None:
    game = two_people(variant="connect-four,pie", lang="en")
    assert game.page["specials"] == []
    game.place("4")
    assert game.page["specials"] == [("swap", "Take over the mark")]

    send(game, {"special": "swap", "ply": 0})
    assert game.page["remarks"][0] == "The game has moved on: 1 moves have been played."
    send(game, {"special": "swap", "ply": 1})

    assert game.state.grid.cells[38] == "O"
    assert game.page["specials"] == []
    assert game.page["news"] == "O takes over the first mark."
    game.undo()
    game.place("swap")
    assert game.state.grid.cells[38] == "O"
    send(game, {"special": "swap", "ply": 2})
    assert len(game.record.moves) == 2


def test_the_mark_that_leaves_next_is_pale_and_named() -> None:
    game = two_people(variant="vanishing", lang="en")
    for move in ("B2", "A1", "C3", "A3", "A2"):
        game.place(move)

    assert game.page["picture"].count('<g class="ttt-leaving">') == 1
    assert game.page["labels"][4] == "B2: X, leaves next"
    assert game.page["remarks"] == ["With the next X the X on B2 leaves."]


def test_a_game_of_signs_beyond_letters_is_played_with_a_choice_of_them() -> None:
    game = two_people(variant=Numbers(), lang="en")
    assert [letter for letter, _ in game.page["switch"]["letters"]] == list("123456789")

    send(game, {"letter": "5"})
    send(game, {"place": 4, "ply": 0})
    send(game, {"place": 0, "ply": 1})
    game.place("4A1")

    assert game.record.moves == (40, 27)
    assert game.page["labels"][:5:4] == ["A1: 4", "B2: 5"]
    assert ">5</text>" in game.page["picture"]


def test_the_caption_of_a_verdict_says_that_play_goes_on_for_ever() -> None:
    state = parse_moves(GameState.new(find_rules("vanishing")), "B2 A1")
    found = verdict(state)

    assert (found.outcome, found.plies) == ("draw", 0)
    assert ">draw: play goes on for ever</text>" in found._repr_svg_()
