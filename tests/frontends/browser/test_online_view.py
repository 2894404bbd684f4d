"""What online play shows, as values: no browser is needed to look at them."""

from __future__ import annotations

import random
from dataclasses import replace
from gettext import NullTranslations

import pytest

from tests.protocols.games import ADDRESS, begun, created, done, played
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, Player
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame, Presence
from tic_tac_toe.protocols.online.requests import Accept, Offer, Resign
from tic_tac_toe_frontends.browser.page.online.view import (
    NAME_LETTERS,
    RoomView,
    Situation,
    catch_up,
    describe_seat,
    news_of,
    offers_of,
    open_table,
    room_view,
    unfinished_news,
    window_title,
)
from tic_tac_toe_frontends.browser.page.settings import BoardSettings
from tic_tac_toe_frontends.table.table import Replay
from tic_tac_toe_frontends.words.online_text import describe_watchers

ENGLISH = NullTranslations()


def client_at(game: OnlineGame, seat: str = "X") -> Client:
    """Return a client at a game."""
    client = Client(random.Random(1), lambda: 0.0, game=ADDRESS)
    client.replica.game, client.seat, client.connection = game, seat, ONLINE
    return client


def view_of(client: Client, **seen: object) -> RoomView:
    now = Situation.of(client, ENGLISH, **seen)
    assert client.game is not None
    return room_view(now, catch_up(None, client.game), Replay())


def shown(view: RoomView) -> set[str]:
    return {name for name, is_shown in view.shown.items() if is_shown}


def test_a_waiting_game_shows_its_maker_the_link_and_its_guest_an_invitation() -> None:
    own, guest = view_of(client_at(created())), view_of(client_at(created(), ""))

    assert own.texts["online-status"] == "Send this link to your friend."
    assert {"invite-qr", "play-meanwhile", "invite-part"} <= shown(own)
    assert own.texts["leave-title"] == "Cancel"
    assert guest.texts["online-status"] == "Ann invites you: Tic-tac-toe · no clock"
    assert "take-seat" in shown(guest)
    assert not {"invite-qr", "invite-part", "play-meanwhile"} & shown(guest)


def test_a_watcher_reads_that_the_seats_are_taken_and_can_start_a_game() -> None:
    view = view_of(client_at(begun(), ""))

    assert view.texts["taken-text"] == "Both seats are taken: you are watching."
    assert "start-own" in shown(view)
    assert view_of(client_at(begun())).texts["taken-text"] == ""


def test_a_game_online_is_shown_as_the_reader_has_chosen_for_every_board() -> None:
    client = client_at(replace(begun(), moves=(4, 0)))
    usual = view_of(client)
    chosen = view_of(client, board=BoardSettings(Look.STONES, numbers=True, from_bottom=True))

    assert usual.board is not None
    assert usual.moves is not None
    assert chosen.board is not None
    assert chosen.moves is not None
    assert (usual.board.look, usual.board.numbers) == (Look.MARKS, ())
    assert (chosen.board.look, len(chosen.board.numbers)) == (Look.STONES, 2)
    assert [move.name for move in usual.moves.moves] == ["X B2", "O A1"]
    assert [(move.side, move.name) for move in chosen.moves.moves] == [
        ("Black", "B2"),
        ("White", "A3"),
    ]


def test_the_same_situation_is_equal_and_a_move_makes_another() -> None:
    client = client_at(begun())
    before = Situation.of(client, ENGLISH)
    assert before == Situation.of(client, ENGLISH)
    client.move(4)

    after = Situation.of(client, ENGLISH)

    assert after != before
    assert view_of(client).texts["online-status"] == "Your move is on its way …"
    assert view_of(client).board != view_of(client_at(begun())).board


def test_after_a_game_one_step_is_large_and_an_asked_one_is_not() -> None:
    game = begun()
    over = done(game, "O", Resign("m-1"))
    paired = replace(over, setup=replace(over.setup, pairing=True))
    asked = done(over, "X", Offer("m-2", over.version, REMATCH))

    def large(game: OnlineGame) -> list[str]:
        styles = view_of(client_at(game)).styles
        return [name for (name, style), is_on in styles.items() if style == "whole" and is_on]

    assert large(game) == large(asked) == []
    assert large(over) == ["offer-rematch"]
    assert large(paired) == ["pair-again"]
    assert view_of(client_at(asked)).texts["offer-rematch-title"] == "Withdraw"
    assert view_of(client_at(over)).result == "win"


def test_a_long_name_is_short_in_sentences_and_whole_nowhere_else_than_its_seat() -> None:
    name = "A" * 40
    game = replace(begun(), players=(Player("Ann"), Player(name)))
    status = view_of(client_at(played(game, 4))).texts["online-status"]

    assert name not in status
    assert "A" * (NAME_LETTERS - 1) + "…" in status


def test_a_game_out_of_sight_says_whose_turn_it_is() -> None:
    ann, bob = client_at(begun()), client_at(begun(), "O")

    assert news_of(ann, ENGLISH, Look.MARKS)[:2] == ("Your turn against Bob", ADDRESS)
    assert news_of(ann, ENGLISH, Look.MARKS).title
    assert news_of(bob, ENGLISH, Look.MARKS) == ("Ann is thinking", ADDRESS, "")
    assert news_of(client_at(begun(), ""), ENGLISH, Look.MARKS).text == ""
    assert window_title("Wild", ann, ENGLISH) == "● Wild"
    assert window_title("Wild", bob, ENGLISH) == "Wild"


def test_the_end_of_a_game_out_of_sight_is_told_once() -> None:
    game = begun()
    over = done(game, "O", Resign("m-1"))

    assert news_of(client_at(over), ENGLISH, Look.MARKS, game.version).text.startswith("You win")
    assert news_of(client_at(over), ENGLISH, Look.MARKS, over.version).text == ""
    assert news_of(client_at(over), ENGLISH, Look.MARKS).text == ""


def test_unfinished_games_are_counted_and_a_single_one_is_opened() -> None:
    assert unfinished_news([ADDRESS], ENGLISH).address == ADDRESS
    assert unfinished_news([ADDRESS, "B"], ENGLISH).text == "You have 2 unfinished games online."
    assert unfinished_news([], ENGLISH).text == ""


def test_names_in_tables_are_text() -> None:
    name = '<img src=x onerror=alert(1)>"'
    game = OpenGame(ADDRESS, "tic-tac-toe", name, "O", "X")

    table = open_table([game], set(), ENGLISH)

    assert "<img" not in table
    assert "&lt;img src=x" in table
    assert "join-" in table
    assert "join-" not in open_table([game], {ADDRESS}, ENGLISH)
    assert open_table([], set(), ENGLISH) == ""


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_caught_up_with_is_the_game_move_by_move(variant: str) -> None:
    rng, game, match = random.Random(variant), begun(variant), None
    while game.end is None and len(game.moves) < 40:
        game = played(game, rng.choice(list(game.rules.moves(game.position))))
        if rng.random() < 0.5:
            match = catch_up(match, game)

    match = catch_up(match, game)

    assert tuple(move.number for move in match.history) == game.moves
    assert match.state == game.state


def test_a_move_that_was_taken_back_is_taken_back() -> None:
    game = played(begun(), 4, 0)
    match = catch_up(None, game)
    before = match.history[0]

    game = done(game, "O", Offer("m-2", game.version, TAKE_BACK))
    game = played(done(game, "X", Accept("m-3", game.version, TAKE_BACK)), 8)

    assert [move.cell_index for move in catch_up(match, game).history] == [4, 8]
    assert match.history[0] is before  # which has not been played again


def test_a_seat_tells_who_sits_there_and_who_is_connected() -> None:
    game, presence = begun(), Presence(ADDRESS, ("X",), 2)
    free = replace(created(), players=(None, Player("", strategy="easy")))

    assert describe_seat(game, "X", "X", presence, ENGLISH) == ("Ann (you)", "")
    assert describe_seat(game, "O", "X", presence, ENGLISH) == ("Bob", "not connected")
    assert describe_seat(game, "X", "O", presence, ENGLISH) == ("Ann", "")
    assert describe_seat(game, "X", "O", None, ENGLISH) == ("Ann", "")
    assert describe_watchers(presence, ENGLISH) == "2 people watch."
    assert describe_watchers(None, ENGLISH) == ""
    assert describe_seat(free, "X", "", None, ENGLISH) == ("nobody yet", "")
    assert describe_seat(free, "O", "", None, ENGLISH) == ("Computer: Easy", "")


def test_what_has_been_offered_is_not_offered_twice() -> None:
    client = Client(random.Random(1), lambda: 0.0, game=ADDRESS)
    game = played(begun(), 4)
    client.replica.game = done(game, "X", Offer("m-2", game.version, DRAW))
    client.seat = "X"

    client.offer(TAKE_BACK)
    client.resign()

    assert offers_of(client.game, "X", client.pending) == {DRAW, TAKE_BACK, "resign"}
