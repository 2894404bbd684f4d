"""The commands of online play, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping

from ...words.translation import N_

#: What can be asked for in the lobby, in the order in which help tells it.
IN_LOBBY: Mapping[str, str] = {
    "join": N_("take the free seat of a game: join NUMBER, or the number alone"),
    "watch": N_("watch a game: watch NUMBER"),
    "create": N_("create an open game: create VARIANT, or against a computer: create VARIANT hard"),
    "back": N_("return to a game of yours that goes on"),
    "list": N_("list the open games again"),
    "help": N_("show this"),
    "quit": N_("end the program; your seats stay yours"),
}
#: What can be asked for in a game.
IN_GAME: Mapping[str, str] = {
    "resign": N_("give up this game"),
    "draw": N_("offer a draw"),
    "undo": N_("ask to take your last move back"),
    "rematch": N_("offer another game with X and O swapped"),
    "accept": N_("agree to what the other player offers"),
    "decline": N_("refuse what the other player offers"),
    "say": N_("say a line to everybody at the game: say TEXT"),
    "board": N_("show the board again"),
    "moves": N_("list the moves so far"),
    "who": N_("tell who plays, who is connected, and the clocks"),
    "save": N_("write the game so far to a file: save FILE"),
    "leave": N_("go to the lobby; your seat stays yours"),
    "help": N_("show this"),
    "quit": N_("end the program; your seats stay yours"),
}
