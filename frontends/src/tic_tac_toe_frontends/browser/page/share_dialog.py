"""The dialog that gives the link of a game to others: by the system, the clipboard, a QR code."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from .dialogs import Dialog
from .dom import by_id, copy_text, on_click, options, start, window, write


class ShareDialog:
    """Shows a link and its QR code, and passes the link on.

    Args:
        language: returns the messages to speak with.
    """

    def __init__(self, language: Callable[[], NullTranslations]) -> None:
        self._language = language
        self._dialog = Dialog("share")
        self._link, self._title = by_id("share-link"), ""
        by_id("share-system").hidden = not hasattr(window.navigator, "share")
        on_click("copy", lambda: start(self._copy()))
        on_click("share-system", lambda: start(self._send()))

    def open(self, link: str, title: str) -> None:
        """Show a link.

        Args:
            title: what it leads to.
        """
        self._link.value, self._title = link, title
        self._say("")
        by_id("qr").replaceChildren()
        self._dialog.open()
        start(self._draw(link))

    async def _draw(self, link: str) -> None:
        from .qr import draw_code  # rarely asked for

        code = await draw_code(link)
        if self._link.value != link:
            return
        by_id("qr").innerHTML = code  # of the library's own making: squares
        if not code:
            self._say(self._language().gettext("This link is too long for a QR code."))

    async def _copy(self) -> None:
        _ = self._language().gettext
        is_copied = await copy_text(self._link.value)
        if not is_copied:
            self._link.select()
        self._say(_("The link is copied.") if is_copied else _("Copy the link by hand."))

    async def _send(self) -> None:
        about = options(url=self._link.value, title=self._title)
        try:
            await window.navigator.share(about)
        except Exception:  # the reader has thought better of it, or nothing takes links
            return

    def _say(self, text: str) -> None:
        write(by_id("share-said"), text)
