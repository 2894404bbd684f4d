"""How much of everything is too much, for both sides of the protocol."""

from __future__ import annotations

#: The version of the protocol that is spoken here.
PROTOCOL = 1
#: What a WebSocket asks for by name.
SUBPROTOCOL = "tictactoe.1"

#: The longest text that a client may send, in bytes of UTF-8.
FRAME_BYTES = 4_096
#: How deep its lists and objects may be nested, and how many digits its numbers may have.
FRAME_DEPTH = 3
NUMBER_DIGITS = 15

#: The longest message id, name and line of chat, in characters.
ID_LENGTH = 40
NAME_LENGTH = 40
CHAT_LENGTH = 200

#: How many of one's own messages may wait for an answer at once.
PENDING = 32
#: How many events one answer brings; who misses more asks again.
EVENTS_AT_ONCE = 100
#: How many events a game may have, lines of chat among them; and how many lines of chat.
EVENTS_IN_GAME = 4_000
CHAT_IN_GAME = 500

#: The slowest and the fastest clock: seconds for the whole game, and added by each move.
CLOCK_SECONDS = (5, 7 * 24 * 3_600)
INCREMENT_SECONDS = (0, 3_600)

#: How many games the lobby shows.
LOBBY_GAMES = 50
