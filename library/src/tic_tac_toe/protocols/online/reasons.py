"""Why requests are refused: short names for programs, and sentences for people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tic_tac_toe.logic.exceptions import Message, message

#: The sentences by their names. An illegal move has the name ``move`` and a sentence of its own.
REASONS: Mapping[str, Message] = MappingProxyType(
    {
        "unknown_game": message(
            "There is no such game, or no such seat for you", "online_unknown_game"
        ),
        "no_game": message("Create, join or watch a game first", "online_no_game"),
        "not_seated": message("Only players can do that", "online_not_seated"),
        "waiting": message("The other player is not there yet", "online_waiting"),
        "not_your_turn": message("It's the other player's turn", "online_not_your_turn"),
        "game_over": message("The game is over", "online_game_over"),
        "not_over": message("The game is not over yet", "online_not_over"),
        "no_opponent": message(
            "This server has no such computer player for this game", "online_no_opponent"
        ),
        "begun": message("The game has begun", "online_begun"),
        "both_moved": message("Both players have moved already", "online_both_moved"),
        "not_gone": message(
            "The other player is there, or has not been gone for long", "online_not_gone"
        ),
        "not_watching": message("Only watchers can do that", "online_not_watching"),
        "seat_taken": message("The seat is taken", "online_seat_taken"),
        "same_player": message("You already play in this game", "online_same_player"),
        "no_offer": message("There is no such offer to answer", "online_no_offer"),
        "offered": message("That has been offered already", "online_offered"),
        "nothing_to_take_back": message(
            "There is no move to take back", "online_nothing_to_take_back"
        ),
        "rematch_exists": message("There is a rematch already", "online_rematch_exists"),
        "no_chat": message("There is no chat that is not kept already", "online_no_chat"),
        "out_of_time": message("Your time has run out", "online_out_of_time"),
        "too_many_events": message(
            "The game has as many events as a server keeps of one game",
            "online_too_many_events",
        ),
        "too_much_chat": message(
            "The game has as many chat messages as a server keeps of one game",
            "online_too_much_chat",
        ),
        "not_for_you": message("This game is not open to you", "online_not_for_you"),
        "not_taken": message("The other player does not take this", "online_not_taken"),
        "left_for_good": message("The other player has left for good", "online_left_for_good"),
        "no_person": message("The other player is a computer", "online_no_person"),
        "nothing_to_report": message(
            "There is no such line or name to report", "online_nothing_to_report"
        ),
        "invalid": message("This message cannot be understood", "online_invalid"),
        "protocol": message("Another version of the protocol is spoken here", "online_protocol"),
        "id_used": message("Another message has had the same id", "online_id_used"),
        "restart": message("The server restarts", "online_restart"),
        "banned": message("The operator of this server keeps your address away", "online_banned"),
        "forgotten": message(
            "The operator of this server has removed your seat in this game", "online_forgotten"
        ),
        "deleted": message("The operator of this server has deleted this game", "online_deleted"),
        "reopened": message("The server begins new games again", "online_reopened"),
        "draining": message("The server begins no new games at the moment", "online_draining"),
        "stopping": message("The server is about to stop", "online_stopping"),
        "storage": message("The server cannot write at the moment", "online_storage"),
        "too_fast": message("That was too much at once", "online_too_fast"),
        "too_many_open": message(
            "Your address has as many open games as one may have", "online_too_many_open"
        ),
        "too_many_games": message(
            "Your address has as many unfinished games as one may have", "online_too_many_games"
        ),
        "first_moves": message(
            "Others wait for your first move: make it, or abort those games", "online_first_moves"
        ),
        "full": message("The server has all the games that it can hold", "online_full"),
    }
)
