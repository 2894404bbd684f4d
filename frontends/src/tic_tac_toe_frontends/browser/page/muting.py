"""Whom a reader does not want to read or to meet, kept by this browser for each game."""

from __future__ import annotations

import json

from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.surroundings import WATCHERS

from .dom import remember, remembered

#: The name under which it is kept, and for how many games, the newest ones.
KEPT, MOST = "muted", 40
#: What stands there beside those who are muted, if the other player is blocked.
_BLOCKED = "blocked"


def mute(client: Client, who: str, *, on: bool) -> None:
    """Show no line of a player or of the watchers in the game that a client is at, or do again."""
    client.mute(who, on)
    keep(client)


def keep(client: Client) -> None:
    """Keep who is muted, and whether the other player is blocked, in a client's game."""
    kept = _read()
    kept.pop(client.address, None)
    if client.address and (client.muted or client.has_blocked):
        kept[client.address] = [*sorted(client.muted), *([_BLOCKED] if client.has_blocked else [])]
    newest = dict([*kept.items()][-MOST:])
    remember(KEPT, json.dumps(newest))


def recall(client: Client) -> None:
    """Mute in the game that a client has come to whom the reader has muted there before."""
    for who in _read().get(client.address, ()):
        if who == _BLOCKED:
            client.surroundings.blocked = True
        else:
            client.mute(who)


def _read() -> dict[str, list[str]]:
    """Return what is kept; whatever else stands there is passed over."""
    try:
        kept = json.loads(remembered(KEPT) or "{}")
    except ValueError:
        return {}
    if not isinstance(kept, dict):
        return {}
    return {
        game: [who for who in (*SEATS, WATCHERS, _BLOCKED) if who in muted]
        for game, muted in kept.items()
        if is_address(game) and isinstance(muted, list)
    }
