"""Why requests are refused, by short names that programs read and sentences that people do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: The sentences by their names. An illegal move has the name ``move`` and a sentence of its own.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "unknown_game": "There is no such game, or no such seat for you",
        "no_game": "Create, join or watch a game first",
        "not_seated": "Only players can do that",
        "waiting": "The other player is not there yet",
        "not_your_turn": "It's the other player's turn",
        "game_over": "The game is over",
        "not_over": "The game is not over yet",
        "begun": "The game has begun",
        "seat_taken": "The seat is taken",
        "same_player": "You already play in this game",
        "no_offer": "There is no such offer to answer",
        "offered": "That has been offered already",
        "nothing_to_take_back": "There is no move to take back",
        "rematch_exists": "There is a rematch already",
        "out_of_time": "Your time has run out",
        "too_many_events": "So much has happened in this game that no more is written down",
        "too_much_chat": "There has been so much talk that no more is written down",
        "invalid": "This message cannot be understood",
        "protocol": "Another version of the protocol is spoken here",
        "id_used": "Another message has had the same id",
        "stopping": "The server is about to stop",
        "storage": "The server cannot write at the moment",
        "too_fast": "That was too much at once",
        "full": "The server has all the games that it can hold",
    }
)
