"""Texts about the players of an online game and their offers."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import Presence
from tic_tac_toe.protocols.online.requests import Offer, Resign

from ...words.game_text import player_title
from ...words.online_text import person_name


def describe_seat(
    game: OnlineGame, seat: str, own: str, presence: Presence | None, language: NullTranslations
) -> tuple[str, str]:
    """Return the player of a seat, marked if they are not connected.

    Args:
        own: the reader's seat; empty for a watcher.
        presence: the connected seats; ``None`` while unknown.
    """
    _ = language.gettext
    player = game.player(seat)
    if player is None:
        return _("nobody yet"), ""
    if player.strategy:
        title = player_title(player.strategy, language, game.rules, here=False)
        return _("Computer: {player}").format(player=title), ""
    name = person_name(player.name, language)
    if seat == own:
        return _("{name} (you)").format(name=name), ""
    if presence is None:
        return name, ""
    return name, "" if seat in presence.seats else _("not connected")


def offers_of(client: Client) -> set[str]:
    """Return a client's pending offers, of `OFFERS`, and ``resign``."""
    found = {"resign" for request in client.pending if isinstance(request, Resign)}
    found |= {request.what for request in client.pending if isinstance(request, Offer)}
    if client.game is not None:
        found |= {what for seat, what in client.game.offers if seat == client.seat}
    return found
