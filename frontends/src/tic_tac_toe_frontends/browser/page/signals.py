"""Sounds, vibration, notifications, and words for screen readers: for moves, turns and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import Any, Literal, NamedTuple

import js
from pyodide.ffi import to_js

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Move

from ...table.table import Table
from ...words.game_text import describe_last_move
from ...words.rules_text import Drawn
from ...words.translation import join_sentences
from .dom import by_id, document, on, options, set_text, start_task, window
from .settings import BoardSettings, Settings

Result = Literal["win", "loss", "draw", "over"]


class Tone(NamedTuple):
    """A soft tone: its pitch in hertz, and its delay in seconds."""

    pitch: float
    after: float = 0.0


#: Seconds in which a tone fades, and its first loudness, from 0 to 1.
FADE, VOLUME = 0.22, 0.12
MOVE = (Tone(330),)
TURN = (Tone(440), Tone(587, 0.1))
CALL = (Tone(587), Tone(784, 0.12), Tone(988, 0.24))
ENDS: dict[Result, Sequence[Tone]] = {
    "win": (Tone(523), Tone(659, 0.12), Tone(784, 0.24)),
    "loss": (Tone(392), Tone(311, 0.16)),
    "draw": (Tone(440), Tone(440, 0.16)),
    "over": (Tone(440), Tone(523, 0.14)),
}
#: Milliseconds of vibration and pause, in turn.
SHORT_PULSE, LONG_PULSE, END_PULSES = (15,), (60,), (60, 60, 60)
#: A notification with the same tag replaces the one before.
TAG = "tic-tac-toe"


class Signals:
    """Gives the signals that the settings allow; ``text`` is that of a notification."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._audio: Any = None

    def moved(self) -> None:
        """Signal a move."""
        self._play(MOVE, self.settings.sound)
        self._vibrate(SHORT_PULSE)

    def own_turn(self, text: str) -> None:
        """Signal the reader's turn after another player's move."""
        self._play(TURN if document.hidden else MOVE, self.settings.sound)
        self._vibrate(LONG_PULSE if document.hidden else SHORT_PULSE)
        self._notify(text)

    def call_player(self, text: str) -> None:
        """Signal that an opponent has joined, or has moved while the page is hidden."""
        self._play(CALL, self.settings.calls)
        self._vibrate(LONG_PULSE)
        self._notify(text)

    def ended(self, result: Result, text: str) -> None:
        """Signal the end of a game by the reader's result; ``over`` if they did not play."""
        self._play(ENDS[result], self.settings.sound)
        self._vibrate(END_PULSES)
        self._notify(text)

    def _play(self, tones: Sequence[Tone], is_wanted: bool) -> None:
        activation = getattr(window.navigator, "userActivation", None)
        # Browsers play no sound before the first click; playing it afterwards would be too late.
        is_silent = activation is not None and not activation.hasBeenActive
        if not is_wanted or is_silent or not hasattr(window, "AudioContext"):
            return
        if self._audio is None:
            self._audio = js.AudioContext.new()
        audio = self._audio
        audio.resume()
        for tone in tones:
            at = audio.currentTime + tone.after
            source, volume = audio.createOscillator(), audio.createGain()
            source.type, source.frequency.value = "triangle", tone.pitch
            volume.gain.setValueAtTime(VOLUME, at)
            volume.gain.exponentialRampToValueAtTime(VOLUME / 1000, at + FADE)
            source.connect(volume)
            volume.connect(audio.destination)
            source.start(at)
            source.stop(at + FADE)

    def _vibrate(self, pulses: Sequence[int]) -> None:
        if self.settings.vibration and can_vibrate():
            window.navigator.vibrate(to_js(list(pulses)))

    def _notify(self, text: str) -> None:
        is_wanted = self.settings.notifications and document.hidden
        if is_wanted and can_notify() and js.Notification.permission == "granted":
            start_task(_show_notification(str(document.title), text))


class Announcer:
    """Signals each move and each end, and has screen readers say moves outside the focused cell.

    Args:
        finished: called with the table when its game has ended.
    """

    def __init__(self, table: Table, signals: Signals, finished: Callable[[Table], object]) -> None:
        self._table, self._signals, self._finished = table, signals, finished
        self._match: Match | None = None
        self._ply = 0
        self._was_over = False

    def notice(self, status: str, board: BoardSettings, language: NullTranslations) -> None:
        """Signal the difference to the game seen last; a game that was just opened gives no signal.

        Args:
            status: whose turn it is, or how the game ended.
            board: how it is shown; a screen reader names its cells in every look.
        """
        table, match = self._table, self._table.match
        is_by_computer = bool(match.history) and match.history[-1].mark not in table.people
        is_unseen = is_by_computer or (bool(match.history) and not _has_focus(match.history[-1]))
        is_told = is_unseen and table.replay.ply is None and match.resigned is None
        sentences = describe_last_move(match, language, Drawn(board.look)) if is_told else []
        text = join_sentences(sentences, language)
        set_text(by_id("announced"), board.told(text, match.state.rules))
        is_known, has_moved = match is self._match, match.ply > self._ply
        has_ended = match.over and not self._was_over
        self._match, self._ply, self._was_over = match, match.ply, match.over
        if not is_known:
            return
        if has_ended:
            self._finished(table)
            self._signals.ended(table.outcome or "over", status)
        elif has_moved and is_by_computer and table.thinker is None:
            self._signals.own_turn(status)
        elif has_moved:
            self._signals.moved()


def _has_focus(move: Move) -> bool:
    """Return whether the move's cell has the focus; the screen reader then reads its new label."""
    return bool(document.activeElement.getAttribute("data-cell") == str(move.cell_index))


def can_vibrate() -> bool:
    """Return whether the browser can vibrate."""
    return hasattr(window.navigator, "vibrate")


def can_notify() -> bool:
    """Return whether the browser can show notifications."""
    return hasattr(window, "Notification")


async def allow_notifications(settings: Settings, language: NullTranslations) -> str:
    """Ask the browser for permission to notify, after a click; return a refusal, if any."""
    settings.notifications = (
        can_notify() and str(await js.Notification.requestPermission()) == "granted"
    )
    refusal = language.gettext("This browser does not let the page notify you.")
    return "" if settings.notifications else refusal


async def _show_notification(title: str, text: str) -> None:
    about = options(body=text, tag=TAG, icon="icon-180.png")
    try:
        shown = js.Notification.new(title, about)
    except Exception:  # phones show only a service worker's
        registration = await window.navigator.serviceWorker.getRegistration()
        await registration.showNotification(title, about)
    else:
        on(shown, "click", lambda _event: window.focus())
