"""The words that stand in the page whatever is played, by their names in `index.html`."""

from __future__ import annotations

from ...words.translation import N_
from .online_words import ONLINE_WORDS

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
    "more": N_("More"),
    "review-start": N_("Review"),
    "move-now": N_("Move now"),
    "settings": N_("Settings"),
    "look": N_("Board"),
    "names": N_("Names of rows and columns"),
    "sound": N_("Sound"),
    "calls": N_("Sound when an opponent comes, or moves while the page is hidden"),
    "vibration": N_("Vibration"),
    "notifications": N_("Notify me while the page is hidden: my turn, an opponent"),
    "own-code-open": N_("Your code …"),
    "kept": N_("Settings and finished games are kept in this browser only."),
    "forget": N_("Delete settings and games"),
    "letter": N_("Letter to place"),
    "setup": N_("Game"),
    "variant": N_("Game"),
    "size": N_("Columns, rows and length of a line"),
    "begin": N_("Begin"),
    "against": N_("Opponent"),
    "more-setup": N_("More options"),
    "player-x": N_("Player X"),
    "player-o": N_("Player O"),
    "starting": N_("Who starts"),
    "think": N_("Time to think"),
    "moves": N_("Moves"),
    "share": N_("Save and share"),
    "share-open": N_("Share …"),
    "share-dialog": N_("Share this game"),
    "share-system": N_("Send …"),
    "link": N_("Link"),
    "copy": N_("Copy link"),
    "save": N_("Save game"),
    "open": N_("Open game"),
    "history": N_("Your finished games"),
    "history-clear": N_("Delete all"),
    "tree": N_("Game tree"),
    "update": N_("A new version is ready."),
    "reload": N_("Reload"),
    "mode": N_("Where to play"),
    "device": N_("This device"),
    "online": N_("Online"),
    **ONLINE_WORDS,
    "offline": N_("Everything runs in this page; once loaded it works without a network."),
}

#: What buttons with ``data-name`` are called, which show a sign only.
NAMES = {
    "replay-first": N_("To the beginning"),
    "replay-back": N_("One move back"),
    "replay-on": N_("One move on"),
    "replay-last": N_("To the end"),
    "film": N_("Play the moves"),
    "fault-back": N_("Mistake before"),
    "fault-on": N_("Next mistake"),
    "settings": N_("Settings"),
    "close": N_("Close"),
    "thinking-share": N_("How far the computer has thought"),
    "qr": N_("QR code of the link"),
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
