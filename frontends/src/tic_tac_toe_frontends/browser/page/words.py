"""The words that stand in the page whatever is played, by their names in `index.html`."""

from __future__ import annotations

from ...words.translation import N_

#: What is written into elements with ``data-word``, in English by the build.
WORDS = {
    "language": N_("Language"),
    "colours": N_("Colours"),
    "theme-auto": N_("Automatic"),
    "theme-light": N_("Light"),
    "theme-dark": N_("Dark"),
    "new-game": N_("New game"),
    "undo": N_("Undo"),
    "redo": N_("Redo"),
    "hint": N_("Hint"),
    "analysis": N_("Analysis"),
    "keys": N_(
        "On the keyboard: arrow keys and Enter, or the digits of the number pad or the column; "
        "Ctrl+Z takes back."
    ),
    "letter": N_("Letter to place"),
    "setup": N_("Game"),
    "variant": N_("Game"),
    "size": N_("Columns, rows and length of a line"),
    "begin": N_("Begin"),
    "player-x": N_("Player X"),
    "player-o": N_("Player O"),
    "starting": N_("Who starts"),
    "think": N_("Time to think"),
    "moves": N_("Moves"),
    "share": N_("Save and share"),
    "copy": N_("Copy link"),
    "save": N_("Save game"),
    "open": N_("Open game"),
    "tree": N_("Game tree"),
    "update": N_("A new version is ready."),
    "reload": N_("Reload"),
    "mode": N_("Where to play"),
    "device": N_("This device"),
    "online": N_("Online"),
    "open-games": N_("Open games"),
    "no-open-games": N_("Nobody is waiting at the moment: create a game, and others see it here."),
    "join-link": N_("Link to a game"),
    "go": N_("Open"),
    "own-games": N_("Your games"),
    "create-title": N_("A new game"),
    "name": N_("Your name"),
    "online-variant": N_("Game"),
    "opponent": N_("Against"),
    "visible": N_("Who can join"),
    "visible-open": N_("Anyone"),
    "visible-link": N_("Anyone with the link"),
    "online-size": N_("Columns, rows and length of a line"),
    "seat": N_("You play"),
    "online-starting": N_("Who starts"),
    "clock": N_("Clock"),
    "create": N_("Create the game"),
    "accept": N_("Accept"),
    "decline": N_("Decline"),
    "your-name": N_("Your name"),
    "join": N_("Join the game"),
    "offer-takeback": N_("Take back"),
    "offer-draw": N_("Offer a draw"),
    "resign": N_("Resign"),
    "offer-rematch": N_("Rematch"),
    "follow": N_("Go to the rematch"),
    "play-here": N_("Play here"),
    "online-moves": N_("Moves"),
    "chat": N_("Chat"),
    "chat-line": N_("Say something"),
    "say": N_("Send"),
    "invite": N_("Link to this game"),
    "copy-online": N_("Copy"),
    "invite-note": N_("Anyone who opens it can take the free seat or watch."),
    "record-page": N_("The finished game"),
    "record-file": N_("Download the record"),
    "offline": N_("Everything runs in this page; once loaded it works without a network."),
}

#: What buttons with ``data-name`` are called, which show a sign only.
NAMES = {
    "replay-first": N_("To the beginning"),
    "replay-back": N_("One move back"),
    "replay-on": N_("One move on"),
    "replay-last": N_("To the end"),
}

#: What the page says before Python speaks; the build puts the translations into `index.html`.
FIRST_WORDS = {
    "loading": N_("Loading Python: {share} %"),
    "starting": N_("Starting the game …"),
    "pending": N_("{cell}, your move is on its way"),
    "failed": N_("The game cannot start here: {reason}"),
}

#: The last entry of the menu of games: any size.
OTHER_SIZE = N_("Another size …")
