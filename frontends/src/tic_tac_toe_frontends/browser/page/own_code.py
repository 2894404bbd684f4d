"""The player's own code: a token that finds all games again, also on another device."""

from __future__ import annotations

import random
from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.addresses import is_address, new_token
from tic_tac_toe.protocols.online.client import Client

from ...words.online_text import describe_code_taken, no_code, warn_of_code
from .confirming import Confirmation
from .dialogs import Dialog
from .dom import (
    by_id,
    copy_text,
    load_item,
    on,
    on_click,
    on_submit,
    save_item,
    set_text,
    start_task,
    window,
)
from .seats import WAITING, Seats

#: The name under which the browser keeps the code.
KEPT = "code"
#: What stands before the code behind the # of a link.
FRAGMENT = "code="


class OwnCode:
    """Keeps the code, gives it to a client, and shows and takes it in a dialog.

    Args:
        client: takes its seats by the code.
        taken: called with a sentence when another code has been taken over.
    """

    def __init__(
        self,
        client: Client,
        seats: Seats,
        language: Callable[[], NullTranslations],
        taken: Callable[[str], object],
    ) -> None:
        self._client, self._seats, self._language, self._taken = client, seats, language, taken
        self._value = ""
        self._read()
        self._confirmation = Confirmation()
        self._dialog = Dialog("own-code")
        for button in ("own-code-open", "own-games-elsewhere"):
            by_id(button).hidden = False
            on_click(button, self._open)
        on_click("own-code-copy", lambda: start_task(self._copy("own-code-value")))
        on_click("own-code-copy-link", lambda: start_task(self._copy("own-code-link")))
        on(by_id("own-code-show"), "toggle", lambda _event: self._show())
        on_submit("own-code-form", lambda: self.offer(str(by_id("own-code-new").value)))
        on(window, "storage", lambda event: self._changed_elsewhere(event.key))

    @property
    def value(self) -> str:
        """The code."""
        return self._value

    def prepare(self, game: str = "") -> None:
        """Let the client take its next seat by the code.

        In a game where this device has a seat already, and while it waits for an opponent in
        another tab, the next seat has a token of its own: nobody meets himself by one token.

        Args:
            game: whose free seat is taken; empty for a game that is created.
        """
        waits = any(
            seat.stage == WAITING and seat.token == self._value for seat in self._seats.all()
        )
        is_taken = bool(self._seats.token(game)) if game else waits
        self._client.code = "" if is_taken else self._value

    def offer_from_link(self) -> None:
        """Offer to take the code that a link has brought; the address shows it no more."""
        brought = getattr(window, "broughtCode", None)
        if brought is not None:
            window.broughtCode = None
            self.offer(str(brought))

    def offer(self, text: str) -> None:
        """Take a code, or the link with it, from another device, once the player agrees."""
        code, language = text.strip().rpartition(FRAGMENT)[2], self._language()
        if not is_address(code):
            self._show_message(no_code(language))
        elif code == self._value:
            self._show_message(language.gettext("This device has this code already."))
        else:
            self._confirmation.ask(
                warn_of_code(language), language.gettext("Use the code"), lambda: self._use(code)
            )

    def _use(self, code: str) -> None:
        save_item(KEPT, code)
        self._value = self._client.code = code
        by_id("own-code-new").value = ""
        self._dialog.close()
        self._taken(describe_code_taken(self._language()))

    def _read(self) -> None:
        """Take the code that the browser keeps, or let it keep a new one."""
        kept = load_item(KEPT) or ""
        self._value = kept if is_address(kept) else new_token(random.SystemRandom())
        save_item(KEPT, self._value)
        self._client.code = self._value

    def _changed_elsewhere(self, name: object) -> None:
        """Take over the code that has been taken in another tab, or what is kept no more."""
        if name == f"tic-tac-toe.{KEPT}" or not isinstance(name, str):
            self._read()
            self._dialog.close()

    def _open(self) -> None:
        set_text(by_id("own-code-said"), "")
        by_id("own-code-show").open = False
        self._dialog.open()

    def _show(self) -> None:
        is_open = bool(by_id("own-code-show").open)
        address = str(window.location.href).partition("#")[0]
        link = f"{address}#{FRAGMENT}{self._value}" if is_open else ""
        by_id("own-code-value").value = self._value if is_open else ""
        by_id("own-code-link").value = link
        by_id("own-code-qr").replaceChildren()
        if is_open:
            start_task(self._draw(link))

    async def _draw(self, link: str) -> None:
        from .qr import draw_code  # rarely asked for

        code = await draw_code(link)
        if by_id("own-code-link").value == link:
            by_id("own-code-qr").innerHTML = code  # of the library's own making: squares

    async def _copy(self, name: str) -> None:
        _ = self._language().gettext
        is_copied = await copy_text(by_id(name).value)
        if not is_copied:
            by_id(name).select()
        self._show_message(_("Copied.") if is_copied else _("Copy it by hand."))

    def _show_message(self, text: str) -> None:
        if self._dialog.is_open:
            set_text(by_id("own-code-said"), text)
        else:
            self._taken(text)
