"""The limits of sizes and numbers, for both sides of the protocol."""

from __future__ import annotations

#: The version of the protocol that is spoken here.
PROTOCOL = 1
#: The name of the subprotocol of the WebSocket.
SUBPROTOCOL = "tictactoe.1"

#: The longest text that a client may send, in bytes of UTF-8.
FRAME_BYTES = 4_096
#: The depth to which its lists and objects may be nested, and the digits of its numbers.
FRAME_DEPTH = 3
NUMBER_DIGITS = 15

#: The longest message id, name and line of chat, in characters.
ID_LENGTH = 40
NAME_LENGTH = 40
CHAT_LENGTH = 200

#: Requests of one client that may wait for an answer at once.
PENDING = 32
#: Events in one answer; a client that misses more asks again.
EVENTS_AT_ONCE = 100
#: Events of one game, chat included; and lines of chat.
EVENTS_IN_GAME = 4_000
CHAT_IN_GAME = 500

#: The slowest and the fastest clock: seconds for the whole game, and added by each move.
CLOCK_SECONDS = (5, 7 * 24 * 3_600)
INCREMENT_SECONDS = (0, 3_600)

#: Lines of the watchers' talk that a server keeps of a game.
TALK_LINES = 50

#: Games that the lobby shows.
LOBBY_GAMES = 50

#: Games that a player is told of who asks for his own.
OWN_GAMES = 100
