"""All attacks by their names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from benchmarks.online.attacks import (
    floods,
    frames,
    honest_class,
    lobby,
    long_games,
    thoughts,
    visits,
)
from benchmarks.online.attacks.hostile import Hostile
from benchmarks.online.serving import Setting

Prepare = Callable[[Setting, ExitStack, float], dict[str, Any]]


def _nothing(setting: Setting, _: ExitStack, scale: float) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
        about: what the attacker does.
        act: does it.
        probe: what else is observed of others, by the name of a probe; empty for nothing.
        prepare: makes what the server is started with, and returns what the attacker is told.
        longer: how many times longer than others it lasts: until what comes at once is used up.
        is_honest: whether it is no attack, so that nothing of it should be refused.
    """

    about: str
    act: Callable[[Hostile], Awaitable[None]]
    probe: str = ""
    prepare: Prepare = _nothing
    longer: float = 1.0
    is_honest: bool = False


ATTACKS: Mapping[str, Attack] = {
    "takebacks": Attack(
        "gomoku against `minimax`: move, take back, move, ...", thoughts.take_backs, "easy"
    ),
    "63-games": Attack("the same in 63 games at once", thoughts.many_games, "easy"),
    "resigning": Attack("20 games: move, resign while it thinks", thoughts.resigning, "easy"),
    "pongs": Attack("unsolicited pongs, 3 MB/s, 1 connection", frames.pongs),
    "pings": Attack("pings, 3 MB/s, 1 connection", frames.pings),
    "empty-parts": Attack("empty parts of a text, 3 MB/s, 1 connection", frames.empty_parts),
    "refused-1": Attack("requests without a pause, 1 connection", frames.refused_by_one),
    "refused-100": Attack("requests without a pause, 100 connections", frames.refused_by_many),
    "after-close": Attack(
        "requests after the server's close, 10 connections", frames.after_the_close
    ),
    "one-byte": Attack("texts of one byte, 10 connections", frames.one_byte_texts),
    "byte-by-byte": Attack("requests in packets of one byte, 100 connections", frames.byte_by_byte),
    "long-hellos": Attack(
        "60 hellos at once to games of 4,000 events", long_games.hellos, "", long_games.prepare
    ),
    "long-pages": Attack(
        "pages of games of 4,000 events", long_games.pages, "", long_games.prepare
    ),
    "slow-readers": Attack(
        "100 readers of a file of 10 MB who do not read",
        visits.slow_readers,
        "newcomers",
        visits.with_page,
    ),
    "silent": Attack("2,000 connections that say nothing", visits.silent, "newcomers"),
    "places": Attack("open games over 50 connections", lobby.take_places, "places"),
    "join-all": Attack("joins of every open game, 1 connection", lobby.join_all, "offers"),
    "half-requests": Attack(
        "400 half requests, the server may open 256 files",
        visits.halves,
        "newcomers",
        visits.with_few_files,
    ),
    "short-pages": Attack("pages of others' games, 20 connections", visits.short_pages),
    "values": Attack("`/values`, 20 connections", visits.values),
    "metrics": Attack("`/metrics` without a pause, 100 connections", visits.metrics),
    "health": Attack("`/health` without a pause, 100 connections", visits.health),
    "handshakes": Attack("WebSockets opened and cut without a pause", visits.handshakes),
    "watchers-lines": Attack(
        "watchers' refused lines on PostgreSQL, 100 connections",
        floods.watchers_lines,
        "",
        floods.on_postgres,
    ),
    "invalid-1": Attack("texts that are no requests, 1 connection", floods.invalid_by_one),
    "invalid-100": Attack("texts that are no requests, 100 connections", floods.invalid_by_many),
    "creates": Attack("`create` at the limit, 100 connections", floods.creates),
    "hellos": Attack("`hello` at the limit, 100 connections", floods.hellos),
    "lobbies": Attack("`lobby` at the limit, 100 connections", floods.lobbies),
    "events": Attack("`events` at the limit, 100 connections", floods.events),
    "own-games": Attack("`mine` at the limit, 100 connections", floods.own_games),
    "talk": Attack("the longest lines of watchers' talk, 100 connections at a game", floods.talk),
    "presence": Attack("coming to a game and leaving it, 100 connections", floods.coming_and_going),
    "chats": Attack(
        "the longest lines of chat at the limit, 100 connections",
        floods.chats,
        "written",
        longer=5.0,
    ),
    "class": Attack(
        "no attack: 30 people behind one address begin to play at once",
        honest_class.play,
        "newcomers",
        visits.with_page,
        is_honest=True,
    ),
}
