"""Games are what their events made them: step by step, at once, and after a trip over the wire."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    known,
    played,
)
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import first_state, format_records, parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.clocks import Clock, ClockState, Pauses, elapsed
from tic_tac_toe.protocols.online.events import (
    AFTERWARDS,
    DRAW,
    KEEP_CHAT,
    OFFERS,
    REMATCH,
    SEATS,
    TAKE_BACK,
    Accepted,
    Created,
    Event,
    GameSetup,
    Player,
    details_of,
    read_event,
    write_event,
)
from tic_tac_toe.protocols.online.game import OnlineGame, begin, rematch_of, replay
from tic_tac_toe.protocols.online.judge import Illegal, Judged, Stale, expire, flag, judge
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Chat,
    Decline,
    Join,
    Leave,
    Move,
    Offer,
    Resign,
)

FOLLOWER = "F" * 21 + "A"


Decision = Event | Stale | Illegal


def submit(match: Match, seat: str, cell: int) -> str:
    """Play a move; return why it is refused, or nothing."""
    try:
        match.submit(Mark(seat), cell)
    except InvalidMove as error:
        return str(error)
    return ""


class Evening:
    """A game to which anything is asked, and a `Match` beside it that has the same moves."""

    def __init__(self, variant: str, starting: str, clock: Clock | None, seed: int) -> None:
        self.rng = random.Random(seed)
        ann = Player("Ann", hash_of_token(ANN))
        setup = GameSetup(variant, starting, (ann, None), clock=clock)
        self.events = [happening(ADDRESS, 1, "create", "", START, "a-1", setup=setup)]
        self.game = begin(self.events[0])
        self.match = Match(first_state(VARIANTS[variant], Mark(starting)))
        self.agreed = False
        self.now = START

    def spend(self) -> None:
        """Ask for 90 things."""
        for _ in range(90):
            self.ask()

    def ask(self) -> None:
        """Ask for something at random, and look at what comes of it."""
        rng, game = self.rng, self.game
        self.now += rng.choice([0, 1, 900, 2_000, -50])
        seat = rng.choice(("X", "O", "X", "O", ""))
        request = self._request(seat)
        event = flag(game, self.now) or judge(game, seat, request, self.now)
        self._compare(seat, request, event)
        if not isinstance(event, Event):
            return
        after = game.apply(event)
        self.events.append(event)
        assert (event.game, event.version) == (game.address, game.version + 1)
        assert after.version == event.version
        assert after.time == event.time >= game.time
        assert game.changed <= after.changed <= after.version
        self.game = after
        self._agree()

    def _request(self, seat: str) -> Judged:
        rng, game = self.rng, self.game
        version = game.version - rng.choice([0, 0, 0, 0, 1, 2, -1])
        number = f"q-{len(self.events)}-{rng.getrandbits(20)}"
        legal = self.match.state.legal_cells
        if game.waiting and rng.random() < 0.5:
            return Join(number, ADDRESS, rng.choice((ANN, BOB, EVE)), "Bob")
        if rng.random() < 0.7:
            cell = rng.choice(legal) if legal and rng.random() < 0.9 else rng.randrange(230)
            return Move(number, max(version, 0), cell)
        what = rng.choice(OFFERS)
        kind = rng.randrange(60)
        if kind < 4:
            return Join(number, ADDRESS, rng.choice((ANN, BOB, EVE)), "Bob")
        if kind < 20:
            return Offer(number, max(version, 0), what)
        if kind < 36:
            return Accept(number, max(version, 0), what)
        if kind < 40:
            return Decline(number, max(version, 0), what)
        if kind < 41:
            return Resign(number)
        return Leave(number) if kind < 43 and not game.waiting else Chat(number, "Hm")

    def _compare(self, seat: str, request: Judged, decision: Decision) -> None:
        """Hold a decision about a move to what a `Match` says of it, and repeat what happens."""
        match, game = self.match, self.game
        is_flag = isinstance(decision, Event) and decision.kind == "flag"
        if isinstance(request, Move) and seat and not is_flag:
            may_move = not game.waiting and not self.agreed and request.version <= game.version
            refusal = "not now"
            if may_move and request.version >= game.changed:
                refusal = submit(match, seat, request.cell)
            assert isinstance(decision, Event) == (not refusal)
            if isinstance(decision, Illegal) and decision.reason == "move":
                assert str(decision.text) == refusal
        if not isinstance(decision, Event):
            return
        if decision.kind == "resign":
            match.resign(Mark(seat))
        elif decision.kind == "flag" or (isinstance(decision, Accepted) and decision.what == DRAW):
            self.agreed = True
        elif isinstance(decision, Accepted) and decision.what == TAKE_BACK:
            match.take_back({Mark(decision.seat).other})

    def _agree(self) -> None:
        game, match = self.game, self.match
        assert game.moves == tuple(move.cell_index for move in match.history)
        assert game.position == match.state.position
        assert game.state == match.state
        if game.waiting or self.agreed:
            assert game.turn == ""
        else:
            assert (game.end is not None) == match.over
            assert game.turn == (match.turn or "")
            if match.over and game.end is not None:
                assert game.end.winner == (match.winner or "")
        if game.end is not None:
            assert all(what in AFTERWARDS for _, what in game.offers)
            assert game.clock is None or game.clock.running is None


@settings(max_examples=25)
@given(
    st.sampled_from(sorted(VARIANTS)),
    st.sampled_from(SEATS),
    st.none() | st.just(Clock(20, 1)),
    st.integers(0, 2**32),
)
def test_whatever_is_asked_a_game_is_the_replay_of_its_events(
    variant: str, starting: str, clock: Clock | None, seed: int
) -> None:
    evening = Evening(variant, starting, clock, seed)
    evening.spend()
    game, events = evening.game, evening.events

    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert replay(events) == game
    again = replay(events)
    assert again is not None
    assert again.digest == game.digest

    told = [read_event(json.loads(json.dumps(write_event(event))), ADDRESS) for event in events]
    assert told == [known(event) for event in events]
    seen = replay(told)
    assert seen is not None
    crosses, naughts = (player and replace(player, key="") for player in game.players)
    setup = details_of(known(events[0]))["setup"]
    assert seen == replace(game, players=(crosses, naughts), setup=setup)


@pytest.mark.medium
def test_most_evenings_come_to_something() -> None:
    kinds: set[str] = set()
    ends: set[str] = set()
    for seed in range(150):
        evening = Evening("tic-tac-toe", "X", Clock(20, 1) if seed % 3 == 0 else None, seed)
        evening.spend()
        kinds.update(event.kind for event in evening.events)
        if evening.game.end is not None:
            ends.add(evening.game.end.reason)

    assert kinds >= {"join", "move", "chat", "offer", "accept", "decline", "resign", "flag"}
    assert ends >= {"board", "resign", "agreed", "time"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("starting", SEATS)
def test_every_variant_is_played_to_its_end(variant: str, starting: str) -> None:
    rng = random.Random(f"{variant} {starting}")
    game = begun(variant, starting)
    match = Match(first_state(VARIANTS[variant], Mark(starting)))
    while game.turn:
        cell = rng.choice(match.state.legal_cells)
        match.submit(Mark(game.turn), cell)
        game = played(game, cell)

    assert match.over
    assert game.end is not None
    assert (game.end.winner, game.end.reason) == (match.winner or "", "board")
    assert game.record.result == (game.end.winner or "draw")
    assert parse_records(format_records([game.record])) == (game.record,)


# -- what cannot follow ----------------------------------------------------------------------------


def event(game: OnlineGame, kind: str, seat: str = "X", **values: object) -> Event:
    return happening(ADDRESS, game.version + 1, kind, seat, START, **values)  # type: ignore[arg-type]


def cannot_follow(game: OnlineGame, impossible: Event) -> str:
    with pytest.raises(InvalidGameState) as caught:
        game.apply(impossible)
    return str(caught.value)


def test_events_follow_each_other_by_number_in_one_game() -> None:
    game = begun()
    move = event_after(game, "X", Move("m", 2, 4))

    for version in (0, 1, 2, 4, 99):
        reason = cannot_follow(game, replace(move, version=version))
        assert reason == f"event {version} of a game that is at version 2"
    assert cannot_follow(game, replace(move, game=FOLLOWER)) == (
        "event 3 of a game that is at version 2"
    )
    assert cannot_follow(game, happening(ADDRESS, move.version, "fly", "X", START)) == (
        "event 3 is a 'fly', which is unknown here"
    )


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("create", {}),
        ("join", {"seat": "O"}),
        ("join", {"seat": ""}),
        ("close", {}),
        ("move", {"seat": "O", "cell": 8}),
        ("move", {"seat": "", "cell": 8}),
        ("move", {"cell": 4}),
        ("move", {"cell": -1}),
        ("move", {"cell": 10**15}),
        ("move", {}),
        ("resign", {"seat": ""}),
        ("resign", {"seat": "Z"}),
        ("flag", {"seat": "x"}),
        ("chat", {"seat": ""}),
        ("offer", {"text": "tea"}),
        ("offer", {"text": ""}),
        ("offer", {"text": REMATCH}),
        ("accept", {"seat": "X", "text": DRAW}),
        ("accept", {"seat": "O", "text": TAKE_BACK}),
        ("accept", {"seat": "O", "text": DRAW, "follower": FOLLOWER}),
        ("accept", {"seat": "O", "text": "tea"}),
        ("decline", {"seat": "O", "text": TAKE_BACK}),
    ],
)
def test_an_event_that_no_judge_has_written_is_refused(kind: str, values: dict[str, str]) -> None:
    game = played(begun(), 4, 0)
    game = done(game, "X", Offer("o", game.version, DRAW))

    assert cannot_follow(game, event(game, kind, **values)).startswith(f"event {game.version + 1}")


def test_nothing_but_talk_and_offers_of_a_rematch_or_the_chat_follow_the_end() -> None:
    over = done(begun(), "X", Resign("r"))
    for kind in ("join", "close", "expire", "move", "resign", "flag", "decline"):
        cannot_follow(over, event(over, kind, cell=0))
    for what in (DRAW, TAKE_BACK):
        cannot_follow(over, event(over, "offer", text=what))
    # Only a chat that there is can be kept.
    talked = done(begun(), "X", Chat("c", "Hm"))
    for game in (talked, over):
        cannot_follow(game, event(game, "offer", text=KEEP_CHAT))

    # A rematch has an address, and the chat that is kept has none.
    for game, what, right, wrong in (
        (over, REMATCH, FOLLOWER, ""),
        (done(talked, "X", Resign("r")), KEEP_CHAT, "", FOLLOWER),
    ):
        offered = game.apply(event(game, "offer", text=what))
        cannot_follow(offered, event(offered, "accept", "O", text=what, follower=wrong))
        accepted = offered.apply(event(offered, "accept", "O", text=what, follower=right))
        cannot_follow(accepted, event(accepted, "offer", text=what))


def test_no_move_is_made_before_both_are_there() -> None:
    for kind in ("move", "resign", "flag"):
        cannot_follow(created(), event(created(), kind, cell=0))


def test_a_game_begins_with_its_creation_alone() -> None:
    first = Created(ADDRESS, 1, "", START, setup=GameSetup("tic-tac-toe"))
    begin(first)

    for wrong in (
        replace(first, version=2),
        happening(ADDRESS, 1, "create", "", START),
        happening(ADDRESS, 1, "move", "X", START, cell=4),
    ):
        with pytest.raises(InvalidGameState):
            begin(wrong)
    with pytest.raises(InvalidVariant):
        begin(replace(first, setup=GameSetup("chess")))
    with pytest.raises(InvalidGameState):
        replay([first, first])


def test_of_no_events_there_is_no_game() -> None:
    assert replay([]) is None


# -- digests ---------------------------------------------------------------------------------------


def test_a_digest_tells_games_apart_by_anything_in_them() -> None:
    game = begun(clock=Clock(60, 1))
    games = [
        game,
        begun(),
        begun(starting="O", clock=Clock(60, 1)),
        begun("4x4", clock=Clock(60, 1)),
        played(game, 4),
        played(game, 0),
        done(game, "X", Chat("c", "Hm")),
        done(game, "X", Offer("o", 2, DRAW)),
        done(game, "O", Offer("o", 2, DRAW)),
        done(game, "X", Resign("r")),
        done(game, "O", Resign("r")),
        done(game, "X", Move("m", 2, 4), START + 1),
        game.apply(expire(game, START)),
        replace(game, address=FOLLOWER),
        replace(game, follower=FOLLOWER),
        replace(game, chat_kept=2),
    ]

    assert len({each.digest for each in games}) == len(games)


def test_a_digest_is_the_same_however_the_offers_were_made() -> None:
    game = played(begun(), 4, 0)
    first = done(done(game, "X", Offer("o", 4, DRAW)), "O", Offer("p", 4, DRAW))
    second = done(done(game, "O", Offer("p", 4, DRAW)), "X", Offer("o", 4, DRAW))

    assert first.digest == second.digest


# -- seats -----------------------------------------------------------------------------------------


def test_a_seat_is_claimed_by_the_hash_of_its_own_token_alone() -> None:
    computer = Player("perfect", strategy="perfect")
    setup = GameSetup("tic-tac-toe", players=(computer, None))
    against_a_computer = begin(happening(ADDRESS, 1, "create", "", START, setup=setup))

    keys = ["", ANN, *map(hash_of_token, (ANN, BOB, EVE, ""))]
    assert [begun().seat_of(key) for key in keys] == ["", "", "X", "O", "", ""]
    assert {against_a_computer.seat_of(key) for key in keys} == {""}


# -- rematches -------------------------------------------------------------------------------------


def test_in_a_rematch_the_same_tokens_claim_the_other_seats() -> None:
    game = done(begun("connect-four", "O", Clock(60, 1)), "X", Resign("r"))

    first = rematch_of(game, FOLLOWER, START + 9)
    again = begin(first)

    assert (first.game, first.version, first.kind, first.id) == (FOLLOWER, 1, "create", "")
    assert again.seat_of(hash_of_token(ANN)) == "O"
    assert again.seat_of(hash_of_token(BOB)) == "X"
    assert again.setup.previous == ADDRESS
    assert (again.setup.variant, again.setup.clock) == ("connect-four", Clock(60, 1))
    assert again.turn == again.setup.starting == "O"
    assert not again.setup.is_open


# -- records ---------------------------------------------------------------------------------------


def test_the_record_of_a_game_says_who_played_and_what_and_how_it_ended() -> None:
    going_on, late = played(begun(), 4, 0), begun(clock=Clock(60))
    record, resigned = going_on.record, done(going_on, "X", Resign("r")).record
    fallen = flag(late, START + 10**6)
    assert fallen is not None

    assert (record.tags, record.moves) == ((("X", "Ann"), ("O", "Bob")), (4, 0))
    assert record.result == "*"
    assert (resigned.resigned, resigned.result) == (Mark.CROSS, "O")
    for game, ended in [
        (done(done(begun(), "X", Offer("o", 2, DRAW)), "O", Accept("a", 3, DRAW)), "agreed"),
        (late.apply(fallen), "time O"),
        (done(created(), "X", Leave("l")), "closed"),
        (begun().apply(expire(begun(), START)), "expired"),
    ]:
        assert ("Ended", ended) in game.record.tags
        assert parse_records(format_records([game.record])) == (game.record,)
    assert parse_records(format_records([resigned])) == (resigned,)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40))
def test_any_name_that_is_let_in_can_be_written_into_a_record(name: str) -> None:
    game = done(created(), "", Join("b-1", ADDRESS, BOB, name.strip()))

    assert parse_records(format_records([game.record])) == (game.record,)


# -- clocks ----------------------------------------------------------------------------------------


MINUTE = 60_000

moments = st.integers(0, 200)


@st.composite
def pauses(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """Return spans in order, without overlaps."""
    edges = sorted(draw(st.sets(moments, max_size=12)))
    return tuple(zip(edges[::2], edges[1::2]))


# -- elapsed ---------------------------------------------------------------------------------------


@given(moments, moments, pauses())
def test_what_has_passed_is_what_was_in_no_pause(
    start: int, end: int, spans: tuple[tuple[int, int], ...]
) -> None:
    counted = sum(
        not any(since <= moment < until for since, until in spans) for moment in range(start, end)
    )

    assert elapsed(start, end, spans) == counted


@given(moments, moments, moments, pauses())
def test_time_that_is_cut_in_two_is_as_long(
    first: int, second: int, third: int, spans: tuple[tuple[int, int], ...]
) -> None:
    start, middle, end = sorted((first, second, third))

    whole = elapsed(start, end, spans)
    assert elapsed(start, middle, spans) + elapsed(middle, end, spans) == whole


# -- one clock -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("running", "passed", "pauses", "left"),
    [
        (1, 0, (), (10_000, 20_000)),
        (1, 3_000, (), (10_000, 17_000)),
        (1, 3_000, ((START + 1_000, START + 2_000),), (10_000, 18_000)),
        (0, 10**9, (), (0, 20_000)),
        (0, -5_000, (), (10_000, 20_000)),
        (None, 10**9, (), (10_000, 20_000)),
    ],
)
def test_only_the_side_that_has_the_move_is_charged_and_no_more_than_it_has(
    running: int | None, passed: int, pauses: Pauses, left: tuple[int, int]
) -> None:
    assert ClockState((10_000, 20_000), START, running).at(START + passed, pauses) == left


def test_a_clock_runs_out_when_nothing_is_left_and_never_while_it_stands() -> None:
    clock = ClockState((10_000, 20_000), START, 0)
    end = clock.runs_out()

    assert end == START + 10_000
    assert [clock.at(moment)[0] for moment in (end - 1, end)] == [1, 0]
    assert clock._replace(running=None).runs_out() is None


@pytest.mark.parametrize(
    ("running", "then", "bonus", "left"),
    [
        (0, 1, 1_000, (7_000, 20_000)),
        (0, None, 0, (6_000, 20_000)),
        (None, 0, 1_000, (10_000, 20_000)),  # who was not charged gets no bonus
    ],
)
def test_a_turn_charges_one_side_adds_its_bonus_and_starts_the_other(
    running: int | None, then: int | None, bonus: int, left: tuple[int, int]
) -> None:
    clock = ClockState((10_000, 20_000), START, running)

    assert clock.turned(START + 4_000, then, bonus=bonus) == ClockState(left, START + 4_000, then)


# -- in games --------------------------------------------------------------------------------------


MOVED = ("X", Move("m-1", 2, 4), 10_000)


@pytest.mark.parametrize(
    ("steps", "left", "since", "running"),
    [
        ([MOVED], (52_000, MINUTE), 10_000, 1),
        ([MOVED, ("O", Move("m-2", 3, 0), 11_000)], (52_000, 61_000), 11_000, 0),
        (
            [("O", Chat("c", "Hm"), 10_000), ("O", Offer("o", 2, "draw"), 20_000)],
            (MINUTE, MINUTE),
            0,
            0,
        ),
        ([("O", Resign("r"), 7_000)], (53_000, MINUTE), 7_000, None),
        (
            [
                MOVED,
                ("X", Offer("o", 3, TAKE_BACK), 11_000),
                ("O", Accept("a", 4, TAKE_BACK), 15_000),
            ],
            (52_000, 55_000),
            15_000,
            0,
        ),
        ([("X", Move("m", 2, 4), 501_000)], (41_000, MINUTE), 501_000, 1),
    ],
    ids=["a move", "two moves", "talk and offers", "resignation", "take-back", "pause"],
)
def test_the_side_to_move_is_charged_and_gets_its_increment_for_a_move(
    steps: list[tuple[str, Judged, int]], left: tuple[int, int], since: int, running: int | None
) -> None:
    game = begun(clock=Clock(60, 2))
    pauses = ((START + 21_000, START + 501_000),)
    for seat, asked, passed in steps:
        game = done(game, seat, asked, START + passed, pauses)

    assert game.clock == ClockState(left, START + since, running)


def test_a_clock_stands_when_the_game_is_over() -> None:
    game = played(begun(clock=Clock(60, 2)), 0, 3, 1, 4, 2)
    assert game.clock is not None
    assert game.clock.running is None
    assert game.clock.at(START + 10**9) == game.clock.left


def test_a_clock_starts_for_the_first_mover_when_the_second_player_comes_and_in_a_rematch() -> None:
    game = created(starting="O", clock=Clock(60, 2))
    assert game.clock is None

    game = done(game, "", Join("b-1", ADDRESS, BOB), START + 500_000)
    assert game.clock == ClockState((MINUTE, MINUTE), START + 500_000, 1)

    game = done(game, "O", Resign("r"), START + 507_000)
    again = begin(rematch_of(game, FOLLOWER, START + 509_000))
    assert again.clock == ClockState((MINUTE, MINUTE), START + 509_000, 1)
