"""The words that stand in the online part of the page, by their names in `index.html`."""

from __future__ import annotations

from ...words.online_text import OWN_CODE_WARNING
from ...words.translation import N_

#: As `words.WORDS`, of which they are a part.
ONLINE_WORDS = {
    "announcement-close": N_("Close"),
    # the lobby
    "pair-title": N_("Play somebody"),
    "pair": N_("Play now"),
    "name": N_("Your name"),
    "online-variant": N_("Game"),
    "clock": N_("Clock"),
    "create-title": N_("Create a game"),
    "opponent": N_("Against"),
    "online-size": N_("Columns, rows and length of a line"),
    "clock-minutes": N_("Minutes for each side"),
    "clock-seconds": N_("Seconds added by a move"),
    "create-more": N_("More"),
    "seat": N_("You play"),
    "online-starting": N_("Who starts"),
    "visible": N_("Who can join"),
    "visible-open": N_("Anyone"),
    "visible-link": N_("Anyone with the link"),
    "create": N_("Create the game"),
    "open-games": N_("Open games"),
    "no-open-games": N_("Nobody is waiting at the moment."),
    "join-link": N_("Link to a game"),
    "go": N_("Open"),
    "own-games": N_("Your games"),
    "own-games-all": N_("Show all"),
    "own-games-elsewhere": N_("Your games on another device"),
    "own-code-about": N_(
        "A code finds your games again. Take it to another device to play on there."
    ),
    "own-code-warning": OWN_CODE_WARNING,
    "own-code-show": N_("Show your code"),
    "own-code": N_("Your code"),
    "own-code-new": N_("Code or link from another device"),
    "own-code-use": N_("Use"),
    # a game
    "accept": N_("Accept"),
    "decline": N_("Decline"),
    "play-here": N_("Play here"),
    "your-name": N_("Your name"),
    "join": N_("Join the game"),
    "follow": N_("Go to the rematch"),
    "offer-rematch": N_("Rematch"),
    "pair-again": N_("New opponent"),
    "offer-takeback": N_("Take back"),
    "offer-draw": N_("Offer a draw"),
    "claim-win": N_("Claim the win"),
    "claim-draw": N_("Call it a draw"),
    "abort": N_("Abort the game"),
    "resign": N_("Resign"),
    "play-meanwhile": N_("Play the computer meanwhile"),
    "notify": N_("Notify me when somebody comes"),
    "confirm-no": N_("Cancel"),
    "online-moves": N_("Moves"),
    "record-page": N_("The finished game"),
    "record-file": N_("Download the record"),
    "chat-line": N_("Say something"),
    "say": N_("Send"),
    "unmute": N_("Show again"),
    "chat-note": N_("Watchers read this now, the players only after the game."),
    "offer-keepchat": N_("Keep the chat with the record"),
    "invite": N_("Link to this game"),
    "copy-online": N_("Copy"),
    "invite-note": N_("Anyone who opens it can take the free seat or watch."),
}
