"""The dialog of the page's settings."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Look, looks_for

from ...words.rules_text import look_title
from ...words.translation import N_
from .confirming import ConfirmButton
from .dialogs import Dialog
from .dom import by_id, document, fill, on, set_text, start_task
from .settings import Settings
from .signals import can_vibrate, may_notify

#: The questions of buttons that delete something.
DELETE = N_("Delete for good?")
#: The settings that are on or off, by the ids of their boxes.
SWITCHES = ("names", "sound", "calls", "vibration", "notifications")


async def allow_notifications(settings: Settings, language: NullTranslations) -> str:
    """Ask the browser for permission to notify, after a click; return a refusal, if any."""
    settings.notifications = await may_notify()
    refusal = language.gettext("This browser does not let the page notify you.")
    return "" if settings.notifications else refusal


class SettingsDialog:
    """Shows and changes the settings.

    Args:
        rules: returns the game whose look can be chosen.
        speak: called with the code of the chosen language.
        forget: called to delete everything in the browser's storage.
    """

    def __init__(
        self,
        settings: Settings,
        language: Callable[[], NullTranslations],
        rules: Callable[[], Rules],
        speak: Callable[[str], object],
        forget: Callable[[], object],
    ) -> None:
        self._settings, self._language, self._rules = settings, language, rules
        self._forget = forget
        self._theme, self._look = by_id("theme"), by_id("look")
        self._boxes = [by_id(name) for name in SWITCHES]
        Dialog("settings", "settings-open", self.show)
        on(by_id("language"), "change", lambda event: speak(event.target.value))
        on(self._theme, "change", lambda _event: self._choose_theme())
        on(self._look, "change", lambda _event: self._choose_look())
        for box in self._boxes:
            on(box, "change", lambda event: self._switch(event.target.id, event.target.checked))
        by_id("vibration").parentElement.hidden = not can_vibrate()
        ConfirmButton("forget", DELETE, language, self._forget_all)
        self.show()

    def show(self) -> None:
        """Update the dialog."""
        self._theme.value = self._settings.theme
        self._show_looks()
        for box in self._boxes:
            box.checked = getattr(self._settings, box.id)
        by_id("names").checked = self._settings.shows_names(self._rules())
        for name in ("notifications-said", "forgotten"):
            set_text(by_id(name), "")

    def _show_looks(self) -> None:
        rules = self._rules()
        looks = looks_for(rules)
        titles = [(look.value, look_title(look, self._language())) for look in looks]
        fill(self._look, titles, self._settings.look_of(rules).value)
        by_id("look-part").hidden = len(looks) == 1

    def _choose_look(self) -> None:
        self._settings.choose_look(self._rules(), Look(self._look.value))

    def _choose_theme(self) -> None:
        self._settings.theme = self._theme.value
        document.documentElement.dataset.theme = self._settings.theme

    def _switch(self, name: str, is_on: bool) -> None:
        if name == "notifications" and is_on:
            start_task(self._allow_notifications())
        else:
            setattr(self._settings, name, is_on)

    async def _allow_notifications(self) -> None:
        refusal = await allow_notifications(self._settings, self._language())
        by_id("notifications").checked = self._settings.notifications
        set_text(by_id("notifications-said"), refusal)

    def _forget_all(self) -> None:
        self._forget()
        self._settings.reset()
        document.documentElement.dataset.theme = self._settings.theme
        self.show()
        set_text(by_id("forgotten"), self._language().gettext("Deleted."))
