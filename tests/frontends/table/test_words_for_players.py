"""What players read before and after a game: how to win, demonstrations, results."""

from __future__ import annotations

from gettext import NullTranslations

import pytest

from tic_tac_toe import GameState, find_game, find_rules
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import GameError
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.notation import move_name, parse_moves, parse_place
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.pictures.board import look_of
from tic_tac_toe_frontends.words.demonstration import SCRIPTS, demonstration
from tic_tac_toe_frontends.words.how_to_win import how_to_win
from tic_tac_toe_frontends.words.refusal_text import refusal_text
from tic_tac_toe_frontends.words.result_text import result_text
from tic_tac_toe_frontends.words.rules_text import (
    Drawn,
    describe_rules,
    side_title,
    variant_title,
)

ENGLISH = NullTranslations()


def played(name: str, moves: str) -> Match:
    match = Match(GameState.new(find_rules(name)))
    for move in parse_moves(match.state, moves):
        match.submit(match.state.current_mark, move.number)
    return match


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_step_of_a_demonstration_is_legal_and_the_last_ends_as_it_says(name: str) -> None:
    shown = demonstration(VARIANTS[name], ENGLISH)
    assert shown is not None
    assert len(shown.steps) == 3

    state, before = shown.start, shown.start
    for step in shown.steps:
        before = state
        for number in step.moves:
            assert number in state.legal_moves
            state = state.make_move_to(number).after_state
    last = shown.steps[-1].sentence
    mover = before.current_mark if len(shown.steps[-1].moves) % 2 else before.current_mark.other

    if name == "renju":
        assert not state.game_over
        return
    assert state.game_over
    assert (state.winner is mover) == ("win" in last or "with it the game" in last)
    assert (state.winner is mover.other) == ("lose" in last)
    for title, mark in {"X": Mark.CROSS, "The second": Mark.NAUGHT, "Order": Mark.CROSS}.items():
        if last.startswith(title):
            assert mover is mark


def test_the_crossing_that_renju_forbids_is_no_legal_move() -> None:
    shown = demonstration(VARIANTS["renju"], ENGLISH)
    assert shown is not None
    state = shown.start
    for number in shown.steps[0].moves:
        state = state.make_move_to(number).after_state

    assert "H8" not in {move_name(state, number) for number in state.legal_moves}
    assert parse_place(state, "E8") in state.legal_moves


def test_where_ultimate_sends_the_players_is_where_its_demonstration_says() -> None:
    shown = demonstration(VARIANTS["ultimate"], ENGLISH)
    assert shown is not None
    after_one = shown.start.make_move_to(shown.steps[0].moves[0]).after_state
    after_two = after_one.make_move_to(shown.steps[1].moves[0]).after_state

    assert {cell // 9 < 3 and cell % 9 < 3 for cell in after_one.legal_moves} == {True}
    assert len({(cell // 27, cell % 9 // 3) for cell in after_two.legal_moves}) > 1


def test_usual_games_need_no_demonstration() -> None:
    assert demonstration(VARIANTS["tic-tac-toe"], ENGLISH) is None
    assert demonstration(VARIANTS["gomoku"], ENGLISH) is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tic-tac-toe", "Get 3 of your own in a row to win: across, down or slanting."),
        ("misere-tic-tac-toe", "Get 3 of your own in a row and you lose."),
        ("wild", "Complete 3 equal letters in a row, X or O, to win."),
        ("misere-wild", "Complete 3 equal letters in a row, X or O, and you lose."),
        ("notakto", "Both players place X. A line of 3 loses the game."),
        ("mnk:7,6,4,gravity,misere", "Get 4 of your own in a row and you lose."),
    ],
)
def test_the_first_sentence_says_how_a_game_is_won_or_lost(name: str, told: str) -> None:
    assert how_to_win(find_rules(name), ENGLISH)[0] == told


def test_rules_of_a_composed_game_are_composed() -> None:
    told = " ".join(how_to_win(find_rules("mnk:7,7,4,gravity,exact,pie"), ENGLISH))

    for part in ("More than 4", "falls", "take over", "it is a draw"):
        assert part in told
    assert how_to_win(find_rules("vanishing"), ENGLISH)[-1] != told.split(". ")[-1]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_says_how_it_is_won(name: str) -> None:
    assert any(
        word in how_to_win(VARIANTS[name], ENGLISH)[0] for word in ("win", "lose", "loses", "wins")
    )


def test_games_without_a_name_are_titled_in_words() -> None:
    titles = {
        "mnk:7,7,4,gravity": "7 × 7, four in a row, marks fall",
        "mnk:9,9,7,torus": "9 × 9, 7 in a row, edges joined",
        "4x4": "4 × 4, four in a row",
        "order-and-chaos:7,7,5": "Order and Chaos, 7 × 7, five in a row",
        "connect-four,pie": "Connect Four, pie rule",
    }

    for name, title in titles.items():
        assert variant_title(find_rules(name), ENGLISH) == title


def test_sides_are_called_by_the_colours_of_their_pieces() -> None:
    names = [
        side_title(VARIANTS[name], mark, ENGLISH, look_of(VARIANTS[name]))
        for name in ("connect-four", "renju", "tic-tac-toe", "wild")
        for mark in Mark
    ]

    assert names == ["Red", "Yellow", "Black", "White", "X", "O", "Player 1", "Player 2"]


def test_a_result_has_a_headline_and_the_board_in_signs() -> None:
    match = played("connect-four", "4 1 4 1 4 1 4")
    drawn = Drawn(look_of(match.state.rules))

    lines = result_text(match, ENGLISH, drawn, person=Mark.CROSS, opponent="Easy").split("\n")

    assert lines[0] == "Connect Four · I beat Easy in 4 moves"
    assert lines[-1] == "🟡⬜⬜🔴⬜⬜⬜"
    assert len(lines) == 7
    lost = result_text(match, ENGLISH, drawn, person=Mark.NAUGHT, opponent="Hard")
    assert lost.startswith("Connect Four · Hard beat me in 4 moves\n")


def test_results_of_two_people_and_of_a_draw() -> None:
    assert result_text(played("tic-tac-toe", "A1 B1 A2 B2 A3"), ENGLISH) == (
        "Tic-tac-toe · X won in 3 moves\n❌⭕⬜\n❌⭕⬜\n❌⬜⬜"
    )
    drawn = played("tic-tac-toe", "A1 B1 C1 B2 A2 A3 B3 C2 C3")
    assert result_text(drawn, ENGLISH, person=Mark.CROSS, opponent="Perfect").startswith(
        "Tic-tac-toe · I drew against Perfect\n"
    )


def test_a_large_or_divided_board_is_not_shown_in_signs() -> None:
    assert "\n" not in result_text(played("ultimate", "E5"), ENGLISH)
    assert "\n" not in result_text(played("gomoku", "H8"), ENGLISH)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("mnk:30,3,3", "A board has 1 to 26 columns and rows."),
        ("mnk:3,0,3", "A board has 1 to 26 columns and rows."),
        ("mnk:3,3,4", "4 in a row do not fit on this board."),
        ("mnk:3,x,3", "A board has three numbers: columns, rows and how many in a row."),
        ("mnk:3,3", "A board has three numbers: columns, rows and how many in a row."),
        ("banana", 'There is no game called "banana".'),
        ("mnk:3,3,3,banana", "These rules do not go together."),
    ],
)
def test_a_refused_size_is_told_in_a_sentence_without_commands(name: str, told: str) -> None:
    with pytest.raises(GameError) as refused:
        find_rules(name)

    assert refusal_text(refused.value, ENGLISH) == told


def test_other_refusals_keep_their_text_as_a_sentence() -> None:
    match = played("tic-tac-toe", "A1")
    with pytest.raises(GameError) as refused:
        match.submit(Mark.NAUGHT, 0)

    assert refusal_text(refused.value, ENGLISH).endswith(".")


def test_an_own_game_has_the_name_of_its_class_and_is_described_by_its_docstring() -> None:
    own = find_game("docs.examples.notakto:Notakto")

    assert variant_title(own, ENGLISH) == "Notakto"
    assert describe_rules(own, ENGLISH) == (
        "3 × 3; Both sides place X, and the side that completes a line loses"
    )
