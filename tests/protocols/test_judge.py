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
)
from tic_tac_toe.protocols.online.game import ENDS, End, OnlineGame, begin
from tic_tac_toe.protocols.online.judge import (
    Judged,
    expire,
    flag,
    illegal,
    judge,
    pair_up,
    time_left,
)
from tic_tac_toe.protocols.online.messages import CHAT_IN_GAME, EVENTS_IN_GAME
from tic_tac_toe.protocols.online.replies import REASONS
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


def offered(what: str, game: OnlineGame, seat: str = "X") -> OnlineGame:
    return done(game, seat, Offer("o", game.version, what))


def answered(game: OnlineGame, kind: type[Accept | Decline], what: str) -> OnlineGame:
    """Return a game in which O has answered an offer of X."""
    return done(game, "O", kind("a", game.version, what))


TWO_MOVES = played(begun(), 4, 0)
#: A game that X has won by a line, and one with a line of chat besides.
OVER = played(begun(), 0, 3, 1, 4, 2)
TALKED = done(OVER, "O", Chat("c", "Well played"))
RESIGNED = done(begun(), "O", Resign("r"))
CLOSED = done(created(), "X", Leave("l"))
#: A minute for each side, and such a game in which each side has half a minute for its first move.
CLOCKED = begun(clock=Clock(60, 1))
FREE_SETUP = replace(created(clock=Clock(60, 1)).setup, first_move=30)
FREE = done(
    begin(happening(ADDRESS, 1, "create", "", START, setup=FREE_SETUP)),
    "",
    Join("b-1", ADDRESS, BOB, "Bob"),
)
#: Offers of X, and what has become of them.
DRAW_OFFERED = offered(DRAW, TWO_MOVES)
DECLINED = answered(DRAW_OFFERED, Decline, DRAW)
TAKEN_BACK = answered(offered(TAKE_BACK, played(begun(), 4, 0, 8)), Accept, TAKE_BACK)
REMATCHED = answered(offered(REMATCH, OVER), Accept, REMATCH)
KEPT = answered(offered(KEEP_CHAT, TALKED), Accept, KEEP_CHAT)
FULL = replace(begun(), version=EVENTS_IN_GAME)


def all_requests(version: int) -> list[Judged]:
    return [
        Move("q", version, 8),
        *(Offer("q", version, what) for what in (DRAW, TAKE_BACK, *AFTERWARDS)),
        *(kind("q", version, DRAW) for kind in (Accept, Decline)),
        *(kind("q") for kind in (Resign, Abort, Leave)),
        Claim("q", version),
        Chat("q", "Hello"),
    ]


# -- what is refused -------------------------------------------------------------------------------

REFUSALS: list[tuple[str, OnlineGame, str, Judged]] = [
    *(
        ("not_seated", game, "", request)
        for game in (created(), begun(), OVER, CLOSED)
        for request in all_requests(game.version)
    ),
    *(("seat_taken", game, "", Join("e", ADDRESS, EVE)) for game in (begun(), CLOSED, OVER)),
    ("same_player", created(), "", Join("q", ADDRESS, ANN)),
    ("same_player", begun(), "O", Join("q", ADDRESS, BOB)),
    ("waiting", created(), "X", Move("q", 1, 4)),
    ("waiting", created(), "X", Resign("q")),
    ("waiting", created(), "X", Abort("q")),
    *(("waiting", created(), "X", Offer("q", 1, what)) for what in (DRAW, TAKE_BACK)),
    *(("not_over", created(), "X", Offer("q", 1, what)) for what in AFTERWARDS),
    ("not_over", begun(), "X", Offer("q", 2, REMATCH)),
    *(
        ("game_over", game, "X", request)
        for game in (OVER, RESIGNED, CLOSED)
        for request in all_requests(game.version)
        if isinstance(request, Move | Resign | Abort | Claim | Leave)
        or (isinstance(request, Offer) and request.what not in AFTERWARDS)
    ),
    *(("game_over", CLOSED, "X", Offer("q", 2, what)) for what in AFTERWARDS),
    ("begun", begun(), "X", Leave("q")),
    ("both_moved", TWO_MOVES, "X", Abort("a")),
    ("not_gone", TWO_MOVES, "X", Claim("c", 4)),
    ("not_your_turn", played(begun(), 4), "X", Move("q", 3, 0)),
    ("not_your_turn", begun(starting="O"), "X", Move("q", 2, 0)),
    *(("move", played(begun(), 4), "O", Move("q", 3, cell)) for cell in (4, 9, 10**14)),
    ("move", begun("connect-four"), "X", Move("q", 2, 0)),
    # Legal moves, made before the other moved, or came, or in the future, or before a take-back.
    *(("stale", TWO_MOVES, "X", Move("q", version, 8)) for version in (2, 3)),
    *(("stale", begun(), "X", Move("q", version, 4)) for version in (1, 3)),
    *(("stale", TAKEN_BACK, "X", Move("q", version, 2)) for version in range(2, 7)),
    *(("stale", TWO_MOVES, "X", Offer("q", 3, what)) for what in (DRAW, TAKE_BACK)),
    *(("stale", TWO_MOVES, "X", Accept("q", 3, what)) for what in (DRAW, TAKE_BACK)),
    *(("stale", TWO_MOVES, "X", Decline("q", 5, what)) for what in (DRAW, TAKE_BACK)),
    ("stale", TWO_MOVES, "X", Claim("c", 3)),
    # An offer ends with the next move.
    ("stale", played(DRAW_OFFERED, 8), "O", Accept("q", 5, DRAW)),
    ("no_offer", played(DRAW_OFFERED, 8), "O", Accept("q", 6, DRAW)),
    ("offered", DRAW_OFFERED, "X", Offer("q", 5, DRAW)),
    ("no_offer", DRAW_OFFERED, "X", Accept("q", 5, DRAW)),
    ("no_offer", DRAW_OFFERED, "O", Accept("q", 5, TAKE_BACK)),
    ("no_offer", DRAW_OFFERED, "O", Decline("q", 5, REMATCH)),
    *(("no_offer", DECLINED, "O", kind("q", 6, DRAW)) for kind in (Accept, Decline)),
    ("nothing_to_take_back", begun(), "X", Offer("q", 2, TAKE_BACK)),
    ("nothing_to_take_back", played(begun(), 4), "O", Offer("q", 3, TAKE_BACK)),
    ("rematch_exists", REMATCHED, "O", Offer("q", REMATCHED.version, REMATCH)),
    ("no_offer", REMATCHED, "O", Accept("q", REMATCHED.version, REMATCH)),
    ("no_chat", OVER, "X", Offer("q", 2, KEEP_CHAT)),
    ("no_chat", done(KEPT, "X", Chat("l", "Between us")), "X", Offer("q", 2, KEEP_CHAT)),
    # There is an end to talk, and of a game with too many events only the end is written down.
    ("too_much_chat", replace(begun(), chats=CHAT_IN_GAME), "X", Chat("c", "And another")),
    *(
        ("too_many_events", FULL, "X", request)
        for request in all_requests(FULL.version)
        if not isinstance(request, Resign | Abort | Claim)
    ),
]


@pytest.mark.parametrize(("reason", "game", "seat", "asked"), REFUSALS)
def test_what_is_against_the_rules_is_refused_with_the_reason(
    reason: str, game: OnlineGame, seat: str, asked: Judged
) -> None:
    assert refused(game, seat, asked) == reason


def test_a_move_against_the_rules_is_refused_in_the_words_of_the_game() -> None:
    assert sentence(played(begun(), 4), "O", Move("q", 3, 4)) == "Cell is not empty"


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_has_a_sentence(reason: str) -> None:
    assert illegal(reason).text == REASONS[reason]
    assert str(REASONS[reason])[0].isupper()
    assert str(REASONS[reason]).isascii()


# -- what is done ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seat", "asked", "kind", "details"),
    [
        (begun(), "X", Move("m", 2, 4), "move", {"cell": 4}),
        (begun("connect-four"), "X", Move("m", 2, 35), "move", {"cell": 35}),
        (begun(starting="O"), "O", Move("m", 2, 0), "move", {"cell": 0}),
        (TWO_MOVES, "X", Move("m", 4, 8), "move", {"cell": 8}),
        (TAKEN_BACK, "X", Move("m", 7, 2), "move", {"cell": 2}),
        # Talk and offers make no move stale.
        (
            answered(offered(DRAW, begun()), Decline, DRAW),
            "X",
            Move("m", 2, 4),
            "move",
            {"cell": 4},
        ),
        (done(begun(), "O", Chat("c", "Hm")), "X", Move("m", 2, 4), "move", {"cell": 4}),
        (replace(begun(), chats=CHAT_IN_GAME), "X", Move("m", 2, 4), "move", {"cell": 4}),
        *(
            (game, "X", Chat("m", "Anybody?"), "chat", {"text": "Anybody?"})
            for game in (created(), begun(), OVER, RESIGNED, CLOSED)
        ),
        *(
            (game, "X", Chat("m", "The last"), "chat", {"text": "The last"})
            for game in (
                replace(begun(), chats=CHAT_IN_GAME - 1),
                replace(begun(), version=EVENTS_IN_GAME - 1),
            )
        ),
        (FULL, "X", Resign("m"), "resign", {}),
        (begun(), "O", Resign("m"), "resign", {}),
        (DECLINED, "X", Offer("m", 6, DRAW), "offer", {"text": DRAW}),
        (DRAW_OFFERED, "O", Decline("m", 5, DRAW), "decline", {"text": DRAW}),
        (DRAW_OFFERED, "X", Decline("m", 5, DRAW), "withdraw", {"text": DRAW}),
        (offered(DRAW, DRAW_OFFERED, "O"), "X", Decline("m", 6, DRAW), "decline", {"text": DRAW}),
        # What is offered after the end is so in view of any board.
        (OVER, "X", Offer("m", 2, REMATCH), "offer", {"text": REMATCH}),
        (offered(REMATCH, OVER), "O", Decline("m", 1, REMATCH), "decline", {"text": REMATCH}),
    ],
)
def test_what_may_be_done_is_an_event_of_the_seat_with_the_id_of_its_message(
    game: OnlineGame, seat: str, asked: Judged, kind: str, details: dict[str, object]
) -> None:
    event = event_after(game, seat, asked, START + 9)

    assert event == happening(ADDRESS, game.version + 1, kind, seat, START + 9, "m", **details)
    assert game.apply(event).chats == game.chats + (kind == "chat")


def test_a_player_who_joins_takes_the_free_seat_and_the_game_begins() -> None:
    game = created()
    event = event_after(game, "", Join("b-1", ADDRESS, BOB, "Bob"), START + 5)

    assert event == happening(
        ADDRESS, 2, "join", "O", START + 5, "b-1", text="Bob", key=hash_of_token(BOB)
    )
    assert (game.waiting, game.turn) == (True, "")
    after = game.apply(event)
    assert (after.waiting, after.turn) == (False, "X")
    assert after.seat_of(hash_of_token(BOB)) == "O"


def test_the_seat_is_never_that_of_the_message() -> None:
    fields = {name for kind in (Move, Chat, Resign, Offer) for name in kind.__annotations__}

    assert "seat" not in fields


def test_time_in_a_log_never_runs_backwards() -> None:
    game = played(begun(), 4)

    for request in (Move("q", 3, 0), Chat("q", "Hm"), Resign("q"), Offer("q", 3, DRAW)):
        assert event_after(game, "O", request, START - 1_000_000).time == START
    assert event_after(created(), "", Join("q", ADDRESS, EVE), 0).time == START
    assert expire(game, 0).time == START


# -- how games end ---------------------------------------------------------------------------------


def claimed(what: str) -> Event:
    event = judge(TWO_MOVES, "X", Claim("c", 4, what), START + 9, (), START + 9)
    assert isinstance(event, Event)
    assert event.unique_id == "X:c"
    return event


BOTH_OFFER = offered(DRAW, DRAW_OFFERED, "O")
#: Games, what ends them (a request of a seat, or an event), who wins then, and why.
ENDINGS: list[tuple[OnlineGame, tuple[str, Judged] | Event | None, str, str]] = [
    (created(), ("X", Leave("q")), "", "closed"),
    (DRAW_OFFERED, ("O", Accept("q", 5, DRAW)), "", "agreed"),
    *((BOTH_OFFER, (seat, Accept("q", 6, DRAW)), "", "agreed") for seat in "XO"),
    (begun(), ("X", Resign("q")), "O", "resign"),
    (begun(), ("O", Resign("q")), "X", "resign"),
    *((begun(), (seat, Abort("q")), "", "aborted") for seat in "XO"),
    *((played(begun(), 4), (seat, Abort("q")), "", "aborted") for seat in "XO"),
    (TWO_MOVES, claimed("win"), "X", "left"),
    (TWO_MOVES, claimed("draw"), "", "left"),
    (CLOCKED, flag(CLOCKED, START + 60_000), "O", "time"),
    (FREE, flag(FREE, START + 30_000), "", "aborted"),
    *((game, expire(game, START + 5), "", "expired") for game in (created(), begun())),
]


@pytest.mark.parametrize(("game", "end", "winner", "reason"), ENDINGS)
def test_each_way_to_end_a_game_has_its_winner_and_its_reason(
    game: OnlineGame, end: tuple[str, Judged] | Event | None, winner: str, reason: str
) -> None:
    event = event_after(game, *end) if isinstance(end, tuple) else end
    assert event is not None
    after = game.apply(event)

    assert after.end == End(winner, reason)
    assert reason in ENDS
    assert (after.turn, after.offers) == ("", frozenset())
    assert after.clock is None or after.clock.running is None
    assert flag(after, START + 10**9) is None


@pytest.mark.parametrize(
    ("game", "request_", "claimable_at", "now"),
    [
        (TWO_MOVES, Claim("c", 4), None, START),
        (TWO_MOVES, Claim("c", 4), START + 9, START + 8),
        (begun(), Claim("c", 2), START, START),  # before both have moved
    ],
)
def test_nothing_is_claimed_before_its_time(
    game: OnlineGame, request_: Claim, claimable_at: int | None, now: int
) -> None:
    assert judge(game, "X", request_, now, (), claimable_at) == illegal("not_gone")


@pytest.mark.parametrize(
    ("game", "passed", "pause"),
    [
        (CLOCKED, 59_999, None),
        (FREE, 29_999, None),
        (begun(), 10**9, None),
        (created(clock=Clock(60)), 10**9, None),
        (begun(clock=Clock(60)), 10**9, (START + 10, START + 10**9)),
        (FREE, 10**6, (START + 1, START + 10**6)),
    ],
    ids=["clock", "first move", "no clock", "no second player", "pause", "pause at first"],
)
def test_no_flag_falls_while_there_is_time_left(
    game: OnlineGame, passed: int, pause: tuple[int, int] | None
) -> None:
    assert flag(game, START + passed, (pause,) if pause else ()) is None


@pytest.mark.parametrize(
    ("game", "limit", "kind", "details"),
    [(CLOCKED, 60_000, "flag", {}), (FREE, 30_000, "expire", {"text": "idle"})],
    ids=["the clock", "the time for the first move"],
)
def test_a_player_without_time_makes_no_move_and_the_flag_falls(
    game: OnlineGame, limit: int, kind: str, details: dict[str, object]
) -> None:
    move, end = Move("m", 2, 4), START + limit

    assert time_left(game, START + 10_000) == limit - 10_000
    assert event_after(game, "X", move, end - 1).kind == "move"
    assert refused(game, "X", move, end) == "out_of_time"
    assert flag(game, end) == happening(ADDRESS, 3, kind, "X", end, **details)  # type: ignore[arg-type]


def test_clocks_run_from_the_second_move_of_each_side_on() -> None:
    game, left = FREE, []
    for number, cell in enumerate((4, 0, 8, 1)):
        now = START + 10_000 * (number + 1)
        game = done(game, game.turn, Move(f"m{number}", game.version, cell), now)
        assert game.clock is not None
        left.append(game.clock.left)
    assert left == [(60_000, 60_000), (60_000, 60_000), (51_000, 60_000), (51_000, 51_000)]


def test_a_move_that_was_taken_back_gives_no_free_time_again() -> None:
    game = played(begun(clock=Clock(60)), 4, 0)
    game = replace(game, setup=replace(game.setup, first_move=30))
    game = answered(offered(TAKE_BACK, game), Accept, TAKE_BACK)
    assert (game.moves, game.first_move_by) == ((), None)
    assert game.clock is not None
    assert game.clock.running == 0


# -- offers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "offers"),
    [
        (DRAW_OFFERED, "X"),
        (BOTH_OFFER, "XO"),
        (played(DRAW_OFFERED, 8), ""),
        (DECLINED, ""),
        (done(DECLINED, "X", Offer("o", 6, DRAW)), "X"),
        (done(DRAW_OFFERED, "X", Decline("w", 5, DRAW)), ""),
        (done(BOTH_OFFER, "X", Decline("d", 6, DRAW)), "X"),
    ],
)
def test_an_offer_stands_until_it_is_answered_withdrawn_or_followed_by_a_move(
    game: OnlineGame, offers: str
) -> None:
    assert game.offers == {(seat, DRAW) for seat in offers}


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
    asked = offered(TAKE_BACK, played(begun(), *cells), seat)

    after = done(asked, "O" if seat == "X" else "X", Accept("a", asked.version, TAKE_BACK))

    assert (after.moves, after.turn) == (left, seat)
    assert after.position == played(begun(), *left).position


@pytest.mark.parametrize("version", [1, 8])  # in view of any board
def test_a_rematch_that_is_accepted_has_the_address_of_the_game_that_follows(version: int) -> None:
    game = offered(REMATCH, OVER)
    event = event_after(game, "O", Accept("a", version, REMATCH))
    assert isinstance(event, Accepted)
    assert event.follower == address_of_rematch(ADDRESS, event.version)
    assert is_address(event.follower)

    after = game.apply(event)

    assert after.follower == event.follower
    assert after.end == game.end


@pytest.mark.parametrize("what", AFTERWARDS)
def test_who_offers_afterwards_what_is_offered_accepts_it(what: str) -> None:
    game = offered(what, TALKED)

    event = event_after(game, "O", Offer("q", game.version, what))

    assert event == event_after(game, "O", Accept("q", game.version, what))


def test_the_chat_is_kept_up_to_the_moment_at_which_both_players_want_that() -> None:
    game = offered(KEEP_CHAT, TALKED)
    assert (game.has_chat_to_keep, game.chat_kept) == (True, 0)
    assert not answered(game, Decline, KEEP_CHAT).chat_kept

    later = done(KEPT, "X", Chat("l", "Between us"))

    assert later.chat_kept == KEPT.version
    assert not later.has_chat_to_keep


def test_of_two_offers_after_the_game_each_is_answered_by_itself() -> None:
    kept = answered(offered(KEEP_CHAT, offered(REMATCH, TALKED)), Accept, KEEP_CHAT)
    followed = answered(kept, Accept, REMATCH)

    assert kept.offers == {("X", REMATCH)}
    assert (followed.offers, followed.chat_kept) == (frozenset(), kept.version)


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
    assert left.end == End("", "closed")
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
