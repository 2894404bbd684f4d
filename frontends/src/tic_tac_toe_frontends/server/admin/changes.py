"""The changes of a game that an operator asks for: which events are to be written instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tic_tac_toe.protocols.online.events import (
    SIDES,
    Created,
    Event,
    Joined,
    Player,
    Said,
    write_event,
    write_setup,
)

from ..retention import without_text


class Refusal(Exception):
    """What an operator asks for cannot be done.

    Args:
        code: why; `admin_cli` has the sentences.
        values: what the sentence names.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


def line_removed(events: Sequence[Event], version: int) -> list[Event]:
    """Return a line of chat without its text.

    Raises:
        Refusal: the event is no such line.
    """
    for event in events:
        if event.version == version and isinstance(event, Said):
            return [] if event.removed else [without_text(event)]
    raise Refusal("no_line", version=version)


def named(events: Sequence[Event], seat: str, name: str) -> list[Event]:
    """Return the event with which a player took a seat, under another name.

    Raises:
        Refusal: nobody sits there, or a computer.
    """
    return [_with_player(events, seat, lambda player: replace(player, name=name))]


def seat_forgotten(events: Sequence[Event], seat: str) -> list[Event]:
    """Return the events of a seat without name, key and chat; the moves belong to both players.

    Raises:
        Refusal: nobody sits there, or a computer.
    """
    lines = [
        without_text(event)
        for event in events
        if isinstance(event, Said) and event.seat == seat and event.text
    ]
    return [_with_player(events, seat, lambda _: Player("")), *lines]


def key_of(events: Sequence[Event], seat: str) -> str:
    """Return the hash of the token that claims a seat.

    Raises:
        Refusal: nobody sits there, or a computer.
    """
    return _player(_seating(events, seat), seat).key


def own_events(events: Sequence[Event], seat: str) -> dict[str, object]:
    """Return all that belongs to a seat: the name, and what was done from there, with times.

    Raises:
        Refusal: nobody sits there, or a computer.
    """
    first = events[0]
    player = _player(_seating(events, seat), seat)
    assert isinstance(first, Created)
    setup = write_setup(replace(first.setup, players=(None, None)))
    done = [write_event(event) for event in events if event.seat == seat]
    return {"game": first.game, "seat": seat, "name": player.name, "setup": setup, "events": done}


def _seating(events: Sequence[Event], seat: str) -> Created | Joined:
    """Return the event with which a person took a seat."""
    for event in events:
        if isinstance(event, Created | Joined) and (player := _player_in(event, seat)):
            if player.strategy:
                raise Refusal("computer")
            return event
    raise Refusal("nobody", seat=seat)


def _player_in(event: Created | Joined, seat: str) -> Player | None:
    if isinstance(event, Created):
        return event.setup.players[SIDES[seat]]
    return Player(event.name, event.key) if event.seat == seat else None


def _player(event: Created | Joined, seat: str) -> Player:
    player = _player_in(event, seat)
    assert player is not None
    return player


def _with_player(events: Sequence[Event], seat: str, change: Callable[[Player], Player]) -> Event:
    """Return the event with which a person took a seat, with another player in it."""
    event = _seating(events, seat)
    player = change(_player(event, seat))
    if isinstance(event, Joined):
        return replace(event, name=player.name, key=player.key)
    players = list(event.setup.players)
    players[SIDES[seat]] = player
    setup = replace(event.setup, players=(players[0], players[1]))
    return replace(event, setup=setup)
