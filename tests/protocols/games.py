"""Games that the judge is asked about: begun, and a few requests later."""

from __future__ import annotations

from dataclasses import replace

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.clocks import Clock, Pauses
from tic_tac_toe.protocols.online.events import Created, Event, GameSetup, Joined, Player, event_of
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.judge import Illegal, Judged, Stale, judge
from tic_tac_toe.protocols.online.requests import Join, Move

ADDRESS = "AbCdEfGhIjKlMnOpQrStUw"
#: The tokens of X and O, and one of somebody else.
ANN, BOB, EVE = ("A" * 22, "B" * 21 + "A", "E" * 21 + "A")
START = 1_700_000_000_000


def happening(
    game: str,
    version: int,
    kind: str,
    seat: str,
    time: int,
    message_id: str = "",
    **details: object,
) -> Event:
    """Return an event of a kind; its details have the names that the log uses."""
    given = {name: value for name, value in details.items() if value not in (None, "")}
    return event_of(kind, game, version, seat, time, message_id, given)


def created(
    variant: str = "tic-tac-toe", starting: str = "X", clock: Clock | None = None
) -> OnlineGame:
    """Return a game that Ann has created, who plays X and waits."""
    ann = Player("Ann", hash_of_token(ANN))
    setup = GameSetup(variant, starting, (ann, None), clock=clock)
    return begin(happening(ADDRESS, 1, "create", "", START, "a-1", setup=setup))


def begun(
    variant: str = "tic-tac-toe", starting: str = "X", clock: Clock | None = None
) -> OnlineGame:
    """Return a game that Ann has created and Bob has joined: version 2."""
    return done(created(variant, starting, clock), "", Join("b-1", ADDRESS, BOB, "Bob"))


def event_after(
    game: OnlineGame, seat: str, request: Judged, now: int = START, pauses: Pauses = ()
) -> Event:
    """Return the event that a request leads to, for it must be allowed."""
    decision = judge(game, seat, request, now, pauses)
    assert isinstance(decision, Event), decision
    return decision


def done(
    game: OnlineGame, seat: str, request: Judged, now: int = START, pauses: Pauses = ()
) -> OnlineGame:
    """Return the game after a request, which must be allowed."""
    return game.apply(event_after(game, seat, request, now, pauses), pauses)


def refused(game: OnlineGame, seat: str, request: Judged, now: int = START) -> str:
    """Return why a request is refused: the name of the reason, or ``stale``."""
    before = game.digest
    decision = judge(game, seat, request, now)
    assert not isinstance(decision, Event), decision
    assert game.digest == before
    return "stale" if isinstance(decision, Stale) else decision.reason


def sentence(game: OnlineGame, seat: str, request: Judged) -> str:
    """Return the sentence that a request is refused with."""
    decision = judge(game, seat, request, START)
    assert isinstance(decision, Illegal), decision
    return str(decision.text)


def played(game: OnlineGame, *cells: int) -> OnlineGame:
    """Return the game after moves by whoever's turn it is."""
    for cell in cells:
        game = done(game, game.turn, Move(f"m-{game.version}", game.version, cell))
    return game


def known(event: Event) -> Event:
    """Return what a client may know of an event."""
    if isinstance(event, Created):
        crosses, naughts = (seat and replace(seat, key="") for seat in event.setup.players)
        event = replace(event, setup=replace(event.setup, players=(crosses, naughts)))
    if isinstance(event, Joined):
        event = replace(event, key="")
    return replace(event, id="")
