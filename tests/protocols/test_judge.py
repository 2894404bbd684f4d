"""What a request leads to: every rule of the game, and every reason that it is refused for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.protocols.games import (
    ADDRESS,
    ANN,
    BOB,
    EVE,
    START,
    begun,
    created,
    done,
    event_after,
    happening,
    played,
    refused,
    sentence,
)
from tic_tac_toe.protocols.online.addresses import address_of_rematch, hash_of_token, is_address
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import (
    AFTERWARDS,
    DRAW,
    KEEP_CHAT,
    REMATCH,
    TAKE_BACK,
    Accepted,
    Event,
    GameSetup,
    Player,
    details_of,
)
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.judge import (
    Illegal,
    Judged,
    Stale,
    expire,
    flag,
    illegal,
    judge,
    pair_up,
    time_left,
)
from tic_tac_toe.protocols.online.limits import CHAT_IN_GAME, EVENTS_IN_GAME
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.requests import (
    Abort,
    Accept,
    Chat,
    Claim,
    Decline,
    Join,
    Leave,
    Move,
    Offer,
    Resign,
)
from tic_tac_toe.protocols.online.standing import ENDS


def over() -> OnlineGame:
    """Return a game that X has won by a line."""
    return played(begun(), 0, 3, 1, 4, 2)


def resigned() -> OnlineGame:
    return done(begun(), "O", Resign("r"))


def closed() -> OnlineGame:
    return done(created(), "X", Leave("l"))


def offered(what: str, game: OnlineGame | None = None, seat: str = "X") -> OnlineGame:
    game = game or played(begun(), 4, 0)
    return done(game, seat, Offer("o", game.version, what))


def all_requests(game: OnlineGame) -> list[Judged]:
    version = game.version
    return [
        Move("q", version, 8),
        Offer("q", version, DRAW),
        Offer("q", version, TAKE_BACK),
        Offer("q", version, REMATCH),
        Offer("q", version, KEEP_CHAT),
        Accept("q", version, DRAW),
        Decline("q", version, DRAW),
        Resign("q"),
        Abort("q"),
        Claim("q", version),
        Chat("q", "Hello"),
        Leave("q"),
    ]


# -- joining and leaving ---------------------------------------------------------------------------


def test_a_player_who_joins_takes_the_free_seat_and_the_game_begins() -> None:
    game = created()
    event = event_after(game, "", Join("b-1", ADDRESS, BOB, "Bob"), START + 5)

    assert event == happening(
        ADDRESS, 2, "join", "O", START + 5, "b-1", text="Bob", key=hash_of_token(BOB)
    )
    assert game.waiting
    assert game.turn == ""
    after = game.apply(event)
    assert not after.waiting
    assert after.turn == "X"
    assert after.seat_of(hash_of_token(BOB)) == "O"


def test_its_creator_closes_a_game_until_it_has_begun() -> None:
    after = closed()

    assert after.end is not None
    assert (after.end.winner, after.end.reason) == ("", "closed")
    assert refused(begun(), "X", Leave("q")) == "begun"
    assert refused(after, "X", Leave("q")) == "game_over"


# -- who may do anything ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", [created(), begun(), over(), closed()])
def test_a_watcher_may_do_nothing(game: OnlineGame) -> None:
    assert {refused(game, "", request) for request in all_requests(game)} == {"not_seated"}


@pytest.mark.parametrize("game", [created(), begun(), over(), resigned(), closed()])
def test_players_may_talk_at_any_time(game: OnlineGame) -> None:
    assert done(game, "X", Chat("q", "Anybody?")).chats == 1


TWO_MOVES = played(begun(), 4, 0)
REFUSALS: list[tuple[str, OnlineGame, str, Judged]] = [
    *(("seat_taken", game, "", Join("e", ADDRESS, EVE)) for game in (begun(), closed(), over())),
    ("same_player", created(), "", Join("q", ADDRESS, ANN)),
    ("same_player", begun(), "O", Join("q", ADDRESS, BOB)),
    ("waiting", created(), "X", Move("q", 1, 4)),
    ("waiting", created(), "X", Resign("q")),
    ("waiting", created(), "X", Offer("q", 1, DRAW)),
    ("waiting", created(), "X", Offer("q", 1, TAKE_BACK)),
    *(("not_over", created(), "X", Offer("q", 1, what)) for what in AFTERWARDS),
    *(
        ("game_over", game, "X", request)
        for game in (over(), resigned(), closed())
        for request in all_requests(game)
        if isinstance(request, Move | Resign | Abort | Claim | Leave)
        or (isinstance(request, Offer) and request.what not in AFTERWARDS)
    ),
    *(("game_over", closed(), "X", Offer("q", 2, what)) for what in AFTERWARDS),
    ("no_chat", over(), "X", Offer("q", 2, KEEP_CHAT)),
    ("not_your_turn", played(begun(), 4), "X", Move("q", 3, 0)),
    ("not_your_turn", begun(starting="O"), "X", Move("q", 2, 0)),
    *(("move", played(begun(), 4), "O", Move("q", 3, cell)) for cell in (4, 9, 10**14)),
    ("move", begun("connect-four"), "X", Move("q", 2, 0)),
    # Legal moves, made before the other moved, or came, or in the future.
    *(("stale", TWO_MOVES, "X", Move("q", version, 8)) for version in (2, 3)),
    *(("stale", begun(), "X", Move("q", version, 4)) for version in (1, 3)),
    *(("stale", TWO_MOVES, "X", Offer("q", 3, what)) for what in (DRAW, TAKE_BACK)),
    *(("stale", TWO_MOVES, "X", Accept("q", 3, what)) for what in (DRAW, TAKE_BACK)),
    *(("stale", TWO_MOVES, "X", Decline("q", 5, what)) for what in (DRAW, TAKE_BACK)),
    ("no_offer", offered(DRAW), "O", Accept("q", 5, TAKE_BACK)),
    ("no_offer", offered(DRAW), "O", Decline("q", 5, REMATCH)),
    ("nothing_to_take_back", begun(), "X", Offer("q", 2, TAKE_BACK)),
    ("nothing_to_take_back", played(begun(), 4), "O", Offer("q", 3, TAKE_BACK)),
]


@pytest.mark.parametrize(("reason", "game", "seat", "asked"), REFUSALS)
def test_what_is_against_the_rules_is_refused_with_the_reason(
    reason: str, game: OnlineGame, seat: str, asked: Judged
) -> None:
    assert refused(game, seat, asked) == reason


# -- moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seat", "move"),
    [
        (begun(), "X", Move("m", 2, 4)),
        (begun("connect-four"), "X", Move("m", 2, 35)),
        (begun(starting="O"), "O", Move("m", 2, 0)),
        (TWO_MOVES, "X", Move("m", 4, 8)),
    ],
)
def test_a_move_is_an_event_with_its_cell_and_the_id_of_its_message(
    game: OnlineGame, seat: str, move: Move
) -> None:
    event = event_after(game, seat, move, START + 9)

    assert event == happening(
        ADDRESS, game.version + 1, "move", seat, START + 9, "m", cell=move.cell
    )


def test_a_move_against_the_rules_is_refused_in_the_words_of_the_game() -> None:
    assert sentence(played(begun(), 4), "O", Move("q", 3, 4)) == "Cell is not empty"


def test_talk_and_offers_make_no_move_stale() -> None:
    game = done(begun(), "O", Chat("c", "Good luck"))
    game = offered(DRAW, game, "O")
    game = done(game, "X", Decline("d", game.version, DRAW))

    assert event_after(game, "X", Move("m", 2, 4)).version == 6


def test_a_take_back_makes_the_moves_of_both_stale() -> None:
    game = offered(TAKE_BACK, played(begun(), 4, 0, 8))
    game = done(game, "O", Accept("a", game.version, TAKE_BACK))

    assert game.moves == (4, 0)
    for version in range(2, 7):
        assert refused(game, "X", Move("q", version, 2)) == "stale"
    assert event_after(game, "X", Move("q", 7, 2)).version == 8


# -- offers ----------------------------------------------------------------------------------------


def test_a_draw_is_agreed_by_an_offer_and_its_acceptance() -> None:
    game = offered(DRAW)
    assert game.offers == {("X", DRAW)}
    assert refused(game, "X", Offer("q", game.version, DRAW)) == "offered"
    assert refused(game, "X", Accept("q", game.version, DRAW)) == "no_offer"

    after = done(game, "O", Accept("a", game.version, DRAW))

    assert after.end is not None
    assert (after.end.winner, after.end.reason) == ("", "agreed")
    assert after.offers == frozenset()


def test_an_offer_ends_with_the_next_move() -> None:
    game = played(offered(DRAW), 8)

    assert game.offers == frozenset()
    assert refused(game, "O", Accept("q", game.version, DRAW)) == "no_offer"
    assert refused(game, "O", Accept("q", game.version - 1, DRAW)) == "stale"


def test_an_offer_that_was_declined_may_be_made_again() -> None:
    game = offered(DRAW)
    game = done(game, "O", Decline("d", game.version, DRAW))

    assert refused(game, "O", Accept("q", game.version, DRAW)) == "no_offer"
    assert refused(game, "O", Decline("q", game.version, DRAW)) == "no_offer"
    assert done(game, "X", Offer("o", game.version, DRAW)).offers == {("X", DRAW)}


def test_both_may_offer_the_same_and_either_may_accept() -> None:
    game = offered(DRAW, offered(DRAW), "O")

    assert game.offers == {("X", DRAW), ("O", DRAW)}
    for seat in ("X", "O"):
        after = done(game, seat, Accept("a", game.version, DRAW))
        assert after.end is not None


@pytest.mark.parametrize(
    ("cells", "seat", "left"),
    [
        ((4,), "X", ()),
        ((4, 0), "X", ()),
        ((4, 0), "O", (4,)),
        ((4, 0, 8), "X", (4, 0)),
        ((4, 0, 8), "O", (4,)),
    ],
)
def test_a_take_back_goes_back_to_before_the_last_move_of_the_player_who_asks(
    cells: tuple[int, ...], seat: str, left: tuple[int, ...]
) -> None:
    game = played(begun(), *cells)
    asked = offered(TAKE_BACK, game, seat)
    other = "O" if seat == "X" else "X"

    after = done(asked, other, Accept("a", asked.version, TAKE_BACK))

    assert after.moves == left
    assert after.turn == seat
    assert after.position == played(begun(), *left).position


def test_a_rematch_is_offered_after_the_end_and_there_is_one() -> None:
    assert refused(begun(), "X", Offer("q", 2, REMATCH)) == "not_over"
    game = offered(REMATCH, over())
    event = event_after(game, "O", Accept("a", game.version, REMATCH))
    assert isinstance(event, Accepted)
    assert event.follower == address_of_rematch(ADDRESS, event.version)
    assert is_address(event.follower)

    after = game.apply(event)

    assert after.follower == event.follower
    assert after.end == game.end
    assert refused(after, "O", Offer("q", after.version, REMATCH)) == "rematch_exists"
    assert refused(after, "O", Accept("q", after.version, REMATCH)) == "no_offer"


def test_a_rematch_is_offered_and_accepted_in_view_of_any_board() -> None:
    game = done(over(), "X", Offer("o", 2, REMATCH))

    assert done(game, "O", Decline("d", 1, REMATCH)).offers == frozenset()
    assert done(game, "O", Accept("a", 1, REMATCH)).follower


@pytest.mark.parametrize("what", AFTERWARDS)
def test_who_offers_afterwards_what_is_offered_accepts_it(what: str) -> None:
    game = offered(what, done(over(), "O", Chat("c", "Well played")))

    event = event_after(game, "O", Offer("q", game.version, what))

    assert event == event_after(game, "O", Accept("q", game.version, what))


def test_the_chat_is_kept_up_to_the_moment_at_which_both_players_want_that() -> None:
    game = offered(KEEP_CHAT, done(over(), "O", Chat("c", "Well played")))
    assert (game.has_chat_to_keep, game.chat_kept) == (True, 0)
    assert not done(game, "O", Decline("d", game.version, KEEP_CHAT)).chat_kept

    kept = done(game, "O", Accept("a", game.version, KEEP_CHAT))
    later = done(kept, "X", Chat("l", "Between us"))

    assert later.chat_kept == kept.version
    assert not later.has_chat_to_keep
    assert refused(later, "X", Offer("q", later.version, KEEP_CHAT)) == "no_chat"


def test_of_two_offers_after_the_game_each_is_answered_by_itself() -> None:
    game = offered(KEEP_CHAT, offered(REMATCH, done(over(), "O", Chat("c", "Well played"))))

    kept = done(game, "O", Accept("k", game.version, KEEP_CHAT))
    followed = done(kept, "O", Accept("f", kept.version, REMATCH))

    assert kept.offers == {("X", REMATCH)}
    assert (followed.offers, followed.chat_kept) == (frozenset(), kept.version)


# -- resigning and time ----------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "winner"), [("X", "O"), ("O", "X")])
def test_either_player_may_resign_at_any_turn(seat: str, winner: str) -> None:
    after = done(begun(), seat, Resign("r"))

    assert after.end is not None
    assert (after.end.winner, after.end.reason) == (winner, "resign")
    assert after.turn == ""


def test_time_in_a_log_never_runs_backwards() -> None:
    game = played(begun(), 4)

    for request in (Move("q", 3, 0), Chat("q", "Hm"), Resign("q"), Offer("q", 3, DRAW)):
        assert event_after(game, "O", request, START - 1_000_000).time == START
    assert event_after(created(), "", Join("q", ADDRESS, EVE), 0).time == START
    assert expire(game, 0).time == START


def test_a_player_without_time_makes_no_move() -> None:
    game = begun(clock=Clock(60, 1))

    assert details_of(event_after(game, "X", Move("m", 2, 4), START + 59_999))["cell"] == 4
    assert refused(game, "X", Move("m", 2, 4), START + 60_000) == "out_of_time"


def test_a_flag_falls_when_time_has_run_out_and_not_before() -> None:
    game = begun(clock=Clock(60, 1))

    assert flag(game, START + 59_999) is None
    event = flag(game, START + 60_000)
    assert event == happening(ADDRESS, 3, "flag", "X", START + 60_000)
    after = game.apply(event)
    assert after.end is not None
    assert (after.end.winner, after.end.reason) == ("O", "time")
    assert flag(after, START + 10**9) is None


def test_no_flag_falls_without_a_clock_or_a_second_player_or_while_nobody_serves() -> None:
    assert flag(begun(), START + 10**9) is None
    assert flag(created(clock=Clock(60)), START + 10**9) is None
    pause = ((START + 10, START + 10**9),)
    assert flag(begun(clock=Clock(60)), START + 10**9, pause) is None


def test_a_game_that_nobody_touches_expires() -> None:
    for game in (created(), begun()):
        after = game.apply(expire(game, START + 5))
        assert after.end is not None
        assert (after.end.winner, after.end.reason) == ("", "expired")
        assert after.end.reason in ENDS


# -- the first moves -------------------------------------------------------------------------------

#: A game of a minute in which each side has half a minute for its first move.
FREE = replace(
    begun(clock=Clock(60, 1)), setup=replace(begun(clock=Clock(60, 1)).setup, first_move=30)
)


def test_before_its_first_move_a_side_has_its_own_time_and_no_flag_falls() -> None:
    game = replace(FREE, clock=FREE.clock and FREE.clock._replace(running=None))
    assert time_left(game, START + 10_000) == 20_000
    assert flag(game, START + 29_999) is None
    event = flag(game, START + 30_000)
    assert event == happening(ADDRESS, 3, "expire", "X", START + 30_000, text="idle")
    after = game.apply(event)
    assert after.end is not None
    assert (after.end.winner, after.end.reason) == ("", "aborted")
    assert refused(game, "X", Move("m", 2, 4), START + 30_000) == "out_of_time"


def test_clocks_run_from_the_second_move_of_each_side_on() -> None:
    created_now = begin(
        happening(
            ADDRESS,
            1,
            "create",
            "",
            START,
            setup=replace(created(clock=Clock(60, 1)).setup, first_move=30),
        )
    )
    game = done(created_now, "", Join("b-1", ADDRESS, BOB, "Bob"))
    left = []
    for number, cell in enumerate((4, 0, 8, 1)):
        now = START + 10_000 * (number + 1)
        game = done(game, game.turn, Move(f"m{number}", game.version, cell), now)
        assert game.clock is not None
        left.append(game.clock.left)
    assert left == [(60_000, 60_000), (60_000, 60_000), (51_000, 60_000), (51_000, 51_000)]


def test_a_move_that_was_taken_back_gives_no_free_time_again() -> None:
    game = played(begun(clock=Clock(60)), 4, 0)
    game = replace(game, setup=replace(game.setup, first_move=30))
    game = done(game, "X", Offer("o", game.version, TAKE_BACK))
    game = done(game, "O", Accept("a", game.version, TAKE_BACK))
    assert game.moves == ()
    assert game.first_move_by is None
    assert game.clock is not None
    assert game.clock.running == 0


def test_nobody_is_charged_for_a_pause_before_a_first_move() -> None:
    game = replace(FREE, clock=FREE.clock and FREE.clock._replace(running=None))
    assert flag(game, START + 10**6, ((START + 1, START + 10**6),)) is None


# -- ending a game otherwise -----------------------------------------------------------------------


@pytest.mark.parametrize("game", [begun(), played(begun(), 4)])
def test_either_side_aborts_a_game_until_both_have_moved(game: OnlineGame) -> None:
    for seat in ("X", "O"):
        after = done(game, seat, Abort("a"))
        assert after.end is not None
        assert (after.end.winner, after.end.reason) == ("", "aborted")
    assert refused(TWO_MOVES, "X", Abort("a")) == "both_moved"
    assert refused(created(), "X", Abort("a")) == "waiting"


@pytest.mark.parametrize(("what", "winner"), [("win", "X"), ("draw", "")])
def test_a_claim_ends_a_game_from_its_time_on(what: str, winner: str) -> None:
    request = Claim("c", 4, what)
    for claimable_at, now in ((None, START), (START + 9, START + 8)):
        decision = judge(TWO_MOVES, "X", request, now, (), claimable_at)
        assert isinstance(decision, Illegal)
        assert decision.reason == "not_gone"
    event = judge(TWO_MOVES, "X", request, START + 9, (), START + 9)
    assert isinstance(event, Event)
    assert event.unique_id == "X:c"
    after = TWO_MOVES.apply(event)
    assert after.end is not None
    assert (after.end.winner, after.end.reason) == (winner, "left")


def test_a_claim_in_view_of_another_board_is_stale_and_none_is_made_before_both_have_moved() -> (
    None
):
    assert isinstance(judge(TWO_MOVES, "X", Claim("c", 3), START, (), START), Stale)
    decision = judge(begun(), "X", Claim("c", 2), START, (), START)
    assert isinstance(decision, Illegal)


# -- who plays whom --------------------------------------------------------------------------------


def waiting(token: str, seat: str = "X", **setup: Any) -> OnlineGame:
    """Return an open game that waits, made by the owner of a token."""
    player = Player(token, hash_of_token(token))
    players = (player, None) if seat == "X" else (None, player)
    given = {"is_open": True, "pairing": True, **setup}
    full = GameSetup("gomoku", players=players, **given)
    return begin(happening(token, 1, "create", "", START, setup=full))


@pytest.mark.parametrize("seats", ["XX", "XO", "OX", "OO"])
def test_a_player_is_taken_to_another_game_with_the_same_token(seats: str) -> None:
    guest, host = waiting(BOB, seats[0]), waiting(ANN, seats[1])
    events = pair_up(guest, host, START + 5)
    assert events is not None
    left, there = guest.apply(events[0]), host.apply(events[1])
    assert left.follower == host.address
    assert left.end is not None
    assert left.end.reason == "closed"
    assert not there.waiting
    assert there.seat_of(hash_of_token(BOB)) != there.seat_of(hash_of_token(ANN))


@pytest.mark.parametrize(
    ("guest", "host"),
    [
        (waiting(BOB, pairing=False), waiting(ANN)),
        (waiting(BOB), waiting(ANN, is_open=False)),
        (waiting(BOB), waiting(ANN, clock=Clock(60))),
        (waiting(BOB), waiting(BOB)),
        (waiting(BOB), begun("gomoku")),
        (begun("gomoku"), waiting(ANN)),
    ],
)
def test_nobody_is_taken_to_a_game_of_another_kind_or_that_does_not_wait(
    guest: OnlineGame, host: OnlineGame
) -> None:
    assert pair_up(guest, host, START) is None


# -- how much --------------------------------------------------------------------------------------


def test_there_is_an_end_to_talk_but_not_to_the_game_for_it() -> None:
    game = replace(begun(), chats=CHAT_IN_GAME - 1)
    game = done(game, "X", Chat("c", "The last"))

    assert refused(game, "X", Chat("c", "And another")) == "too_much_chat"
    assert details_of(event_after(game, "X", Move("m", game.version, 4)))["cell"] == 4


def test_of_a_game_with_too_many_events_only_the_end_is_written_down() -> None:
    game = replace(begun(), version=EVENTS_IN_GAME)

    assert {
        refused(game, "X", request)
        for request in all_requests(game)
        if not isinstance(request, Resign | Abort | Claim)
    } == {"too_many_events"}
    assert done(game, "X", Resign("r")).end is not None
    assert (
        details_of(event_after(replace(game, version=EVENTS_IN_GAME - 1), "X", Chat("c", "Oh")))[
            "text"
        ]
        == "Oh"
    )


# -- reasons ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_has_a_sentence(reason: str) -> None:
    assert illegal(reason).text == REASONS[reason]
    assert str(REASONS[reason])[0].isupper()
    assert str(REASONS[reason]).isascii()


def test_the_seat_is_never_that_of_the_message() -> None:
    fields = {name for kind in (Move, Chat, Resign, Offer) for name in kind.__annotations__}

    assert "seat" not in fields
    assert judge(begun(), "O", Resign("r"), START) == happening(
        ADDRESS, 3, "resign", "O", START, "r"
    )


def test_an_offer_is_withdrawn_by_whoever_made_it_unless_the_other_side_offers_the_same() -> None:
    game = offered(DRAW)
    seat = next(iter(game.offers))[0]
    withdrawn = event_after(game, seat, Decline("w", game.version, DRAW))
    assert withdrawn.kind == "withdraw"
    assert game.apply(withdrawn).offers == frozenset()

    other = "O" if seat == "X" else "X"
    both = done(game, other, Offer("b", game.version, DRAW))
    declined = event_after(both, seat, Decline("d", both.version, DRAW))
    assert declined.kind == "decline"
    assert both.apply(declined).offers == {(seat, DRAW)}
