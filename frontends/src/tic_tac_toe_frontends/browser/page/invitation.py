"""The link to an online game, to copy or share."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client

from ...words.rules_text import variant_title
from .dom import by_id, copy_text, on_click, start_task, window


class Invitation:
    """Shows the link, which is the page's address, and copies or shares it.

    Args:
        show_message: called with the result of an action.

    Attributes:
        share: called with the link to share and its title.
    """

    def __init__(
        self,
        client: Client,
        language: Callable[[], NullTranslations],
        show_message: Callable[[str], object],
    ) -> None:
        self._client, self._language, self._say = client, language, show_message
        self._link = by_id("invite-link")
        self.share: Callable[[str, str], object] = lambda _link, _title: None
        on_click("online-share", self._share)
        on_click("online-copy", lambda: start_task(self._copy()))

    def show(self) -> None:
        """Show the link to the present game."""
        self._link.value = window.location.href

    def _share(self) -> None:
        if (game := self._client.game) is not None:
            self.share(self._link.value, variant_title(game.rules, self._language()))

    async def _copy(self) -> None:
        _ = self._language().gettext
        if await copy_text(self._link.value):
            self._say(_("The link to this game is copied."))
        else:  # the reader can now copy it by hand
            self._link.select()
            self._say(_("Copy the link by hand."))
