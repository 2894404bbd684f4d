"""Links to carry away: to a game for a friend, and to the player's games for another device."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tic_tac_toe.protocols.online.addresses import is_address, new_token

from ....words.online_text import describe_code_taken, no_code, warn_of_code
from ....words.rules_text import variant_title
from ..dialogs.sharing import draw_code
from ..dom import (
    Confirmation,
    Dialog,
    by_id,
    copy_text,
    load_item,
    on,
    on_click,
    on_submit,
    options,
    save_item,
    set_text,
    start_task,
    window,
)
from .seats import Seats
from .session import Session


class Invitation:
    """The link to a game, which is the page's address, with its QR code."""

    def __init__(self, session: Session) -> None:
        self._session = session
        on_click("online-share", lambda: start_task(self._share()))
        on_click("online-copy", lambda: start_task(self._copy()))

    def show(self) -> None:
        """Show the link to the present game."""
        link, field = str(window.location.href), by_id("invite-link")
        if link != field.value:
            field.value = link
            start_task(draw_qr("invite-qr", field))

    async def _share(self) -> None:
        """Hand the link to another program; copy it where the browser has no way to."""
        game = self._session.client.game
        if game is None:
            return
        if not hasattr(window.navigator, "share"):
            await self._copy()
            return
        title = variant_title(game.rules, self._session.language())
        try:
            await window.navigator.share(options(url=by_id("invite-link").value, title=title))
        except Exception:  # the reader cancelled, or no program takes links
            return

    async def _copy(self) -> None:
        _ = self._session.language().gettext
        is_copied = await copied("invite-link")
        self._session.say(
            _("The link to this game is copied.") if is_copied else _("Copy the link by hand.")
        )


async def draw_qr(name: str, field: Any) -> None:
    """Draw the QR code of a field's link in an element; nothing without a link."""
    link = str(field.value)
    code = await draw_code(link) if link else ""
    if field.value == link:
        by_id(name).innerHTML = code  # safe: the library draws only squares


async def copied(name: str) -> bool:
    """Copy the text of a field; select it for the reader where the browser does not allow that."""
    is_copied = await copy_text(by_id(name).value)
    if not is_copied:
        by_id(name).select()
    return is_copied


#: The key of the code in the browser's storage.
KEPT = "code"
#: The prefix of the code in the fragment of a link.
FRAGMENT = "code="


class OwnCode:
    """The player's code: a token that finds their games again, also on another device.

    Args:
        taken: called with a sentence after another code has been taken over.
    """

    def __init__(self, session: Session, seats: Seats, taken: Callable[[str], object]) -> None:
        self._client, self._language = session.client, session.language
        self._seats, self._taken = seats, taken
        self.value = ""
        self._read()
        self._confirmation = Confirmation()
        self._dialog = Dialog("own-code")
        by_id("own-code-open").hidden = False
        on_click("own-code-open", self._open)
        on_click("own-code-copy", lambda: start_task(self._copy("own-code-value")))
        on_click("own-code-copy-link", lambda: start_task(self._copy("own-code-link")))
        on(by_id("own-code-show"), "toggle", lambda _event: self._show())
        on_submit("own-code-form", lambda: self.offer(str(by_id("own-code-new").value)))
        on(window, "storage", lambda event: self._changed_elsewhere(event.key))

    def prepare(self, game: str = "") -> None:
        """Set the client's code for its next seat.

        If this device already has a seat in the game, or waits for an opponent in another tab, the
            next seat gets a new token: a token is never paired with itself.

        Args:
            game: the game to join; empty for a new game.
        """
        seats = self._seats.all()
        waits = any(seat.is_waiting and seat.token == self.value for seat in seats)
        is_taken = bool(self._seats.token(game)) if game else waits
        self._client.code = "" if is_taken else self.value

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
            self._say(no_code(language))
        elif code == self.value:
            self._say(language.gettext("This device has this code already."))
        else:
            self._confirmation.ask(
                warn_of_code(language), language.gettext("Use the code"), lambda: self._use(code)
            )

    def _use(self, code: str) -> None:
        save_item(KEPT, code)
        self.value = self._client.code = code
        by_id("own-code-new").value = ""
        self._dialog.close()
        self._taken(describe_code_taken(self._language()))

    def _read(self) -> None:
        """Load the stored code, or store a new one."""
        kept = load_item(KEPT) or ""
        self.value = kept if is_address(kept) else new_token(random.SystemRandom())
        save_item(KEPT, self.value)
        self._client.code = self.value

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
        by_id("own-code-value").value = self.value if is_open else ""
        by_id("own-code-link").value = f"{address}#{FRAGMENT}{self.value}" if is_open else ""
        start_task(draw_qr("own-code-qr", by_id("own-code-link")))

    async def _copy(self, name: str) -> None:
        _ = self._language().gettext
        self._say(_("Copied.") if await copied(name) else _("Copy it by hand."))

    def _say(self, text: str) -> None:
        if self._dialog.is_open:
            set_text(by_id("own-code-said"), text)
        else:
            self._taken(text)
