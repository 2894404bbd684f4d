"""The player's code: a token that finds their games again, also on another device."""

from __future__ import annotations

import random
from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.addresses import is_address, new_token
from tic_tac_toe.protocols.online.client import Client

from ...words.online_text import describe_code_taken, no_code, warn_of_code
from .dialogs.sharing import draw_code
from .dom import (
    Confirmation,
    Dialog,
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

#: The key of the code in the browser's storage.
KEPT = "code"
#: The prefix of the code in the fragment of a link.
FRAGMENT = "code="


class OwnCode:
    """Stores the code, hands it to a client, and shows or replaces it in a dialog.

    Args:
        taken: called with a sentence after another code has been taken over.
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
        """Set the client's code for its next seat.

        If this device already has a seat in the game, or waits for an opponent in another tab, the
            next seat gets a new token: a token is never paired with itself.

        Args:
            game: the game to join; empty for a new game.
        """
        waits = any(
            seat.stage == WAITING and seat.token == self._value for seat in self._seats.all()
        )
        is_taken = bool(self._seats.token(game)) if game else waits
        self._client.code = "" if is_taken else self._value

    def offer_from_link(self) -> None:
        """Ask whether to take the code of a link, and remove it from the address."""
        brought = getattr(window, "broughtCode", None)
        if brought is not None:
            window.broughtCode = None
            self.offer(str(brought))

    def offer(self, text: str) -> None:
        """Take a code or a link from another device, once the player agrees."""
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
        """Load the stored code, or store a new one."""
        kept = load_item(KEPT) or ""
        self._value = kept if is_address(kept) else new_token(random.SystemRandom())
        save_item(KEPT, self._value)
        self._client.code = self._value

    def _changed_elsewhere(self, name: object) -> None:
        """Follow a change of the stored code in another tab."""
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
        code = await draw_code(link)
        if by_id("own-code-link").value == link:
            by_id("own-code-qr").innerHTML = code  # safe: the library draws only squares

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
