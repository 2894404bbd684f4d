"""The dialog of the page's settings, and its language."""

from __future__ import annotations

import io
from collections.abc import Callable
from gettext import GNUTranslations, NullTranslations

import js

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Look, looks_for

from ....words.rules_text import look_title
from ....words.translation import N_, find_language
from ..dom import (
    ConfirmButton,
    Dialog,
    all_of,
    by_id,
    delete_item,
    document,
    fetch_bytes,
    fill,
    load_item,
    on,
    set_text,
    start_task,
    window,
)
from ..settings import KEYS, SWITCHES, Settings
from ..signals import allow_notifications, can_vibrate
from ..words import NAMES, WORDS

#: The questions of buttons that delete something.
DELETE = N_("Delete for good?")


class SettingsDialog:
    """Shows and changes the settings.

    Args:
        rules: returns the game whose look can be chosen.
        speak: called with the code of the chosen language.
        forget: called to delete the finished games.
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
        on(self._theme, "change", lambda _event: self._choose_theme(self._theme.value))
        on(self._look, "change", lambda _event: self._choose_look())
        for box in self._boxes:
            on(box, "change", lambda event: self._switch(event.target.id, event.target.checked))
        by_id("vibration").parentElement.hidden = not can_vibrate()
        ConfirmButton("forget", DELETE, language, self._forget_all)
        self.show()

    def show(self) -> None:
        """Update the dialog."""
        settings, rules = self._settings, self._rules()
        self._theme.value = settings.theme
        looks = looks_for(rules)
        titles = [(look.value, look_title(look, self._language())) for look in looks]
        fill(self._look, titles, settings.look_of(rules).value)
        by_id("look-part").hidden = len(looks) == 1
        for box in self._boxes:
            box.checked = getattr(settings, box.id)
        by_id("names").checked = settings.of_board(rules).names
        for name in ("notifications-said", "forgotten"):
            set_text(by_id(name), "")

    def _choose_look(self) -> None:
        self._settings.choose_look(self._rules(), Look(self._look.value))

    def _choose_theme(self, theme: str) -> None:
        self._settings.theme = theme
        document.documentElement.dataset.theme = theme

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
        for name in KEYS:
            delete_item(name)
        self._forget()
        self._settings.reset()
        document.documentElement.dataset.theme = self._settings.theme
        self.show()
        set_text(by_id("forgotten"), self._language().gettext("Deleted."))


def wanted_language() -> str:
    """Return the language of the address, else of the last visit, else of the browser."""
    asked = js.URLSearchParams.new(window.location.search).get("lang")
    names = [asked, load_item("language"), *window.navigator.languages]
    found = (find_language(str(name)) for name in names if name)
    return next(filter(None, found), "en")


async def load_messages(code: str) -> NullTranslations:
    """Return the messages of one of `LANGUAGES`, and set the page's language attribute.

    If they cannot be fetched, the page is in English.
    """
    messages = NullTranslations()
    if code != "en":
        try:
            messages = GNUTranslations(io.BytesIO(await fetch_bytes(f"locale/{code}.mo")))
        except OSError:
            code = "en"
    document.documentElement.lang = code
    return messages


def write_words(language: NullTranslations) -> None:
    """Write the static words of the page and the names of its buttons."""
    for element in all_of("[data-word]"):
        set_text(element, language.gettext(WORDS[element.dataset.word]))
    for element in all_of("[data-name]"):
        element.setAttribute("aria-label", language.gettext(NAMES[element.dataset.name]))
