"""Where a game server is: the address that people type, and those that follow from it."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from gettext import NullTranslations
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from tic_tac_toe.protocols.online.addresses import is_address

#: Longer addresses are refused unread.
LONGEST = 2_000

_GAME_PATH = re.compile(r"(?P<prefix>(?:/.*)?)/games/(?P<game>[^/]*)/?")
_GAME_FRAGMENT = re.compile(r"game=(?P<game>[^&]*)")


class ServerAddress(NamedTuple):
    """A game server.

    Attributes:
        base: where its pages begin, as in ``http://localhost:8765``.
        game: the game that was asked for; empty for the lobby.
    """

    base: str
    game: str = ""

    @property
    def socket(self) -> str:
        """Where its WebSocket is."""
        return f"ws{self.base.removeprefix('http')}/ws"

    def page_of(self, game: str) -> str:
        """Return where a browser finds a game."""
        return f"{self.base}/#game={game}"

    def page_of_code(self, code: str) -> str:
        """Return what brings a person's own code to the page in a browser."""
        return f"{self.base}/#code={code}"

    def address_of(self, game: str) -> str:
        """Return what to type to come to a game."""
        return f"{self.base}/games/{game}"


def parse_address(text: str, language: NullTranslations) -> ServerAddress:
    """Return the server, and the game if one is named, that a web address stands for.

    Without a scheme, as in ``localhost:8765``, it is one of http.

    Raises:
        ArgumentTypeError: it is not such an address; the message says why.
    """
    _ = language.gettext
    if len(text) > LONGEST:
        raise ArgumentTypeError(
            _("an address has at most {count} characters").format(count=LONGEST)
        )
    if not text.isprintable() or " " in text:
        raise ArgumentTypeError(_("an address has no spaces and no control characters"))
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ArgumentTypeError(_("this is no web address")) from None
    if parts.scheme not in ("http", "https"):
        raise ArgumentTypeError(_("an address begins with http:// or https://"))
    if not host or port == 0:
        raise ArgumentTypeError(_("the address names no host"))
    if parts.username is not None or parts.password is not None or parts.query:
        raise ArgumentTypeError(
            _("an address of a game has no user name, no password and no query")
        )
    return _of_parts(parts, host, port, language)


def _of_parts(
    parts: SplitResult, host: str, port: int | None, language: NullTranslations
) -> ServerAddress:
    path, game = parts.path, ""
    if found := _GAME_PATH.fullmatch(path):
        path, game = found["prefix"], found["game"]
    elif fragment := _GAME_FRAGMENT.fullmatch(parts.fragment):
        game = fragment["game"]
    if (found or parts.fragment) and not is_address(game):
        raise ArgumentTypeError(language.gettext("the address names no game"))
    shown = f"[{host}]" if ":" in host else host
    number = "" if port is None else f":{port}"
    return ServerAddress(f"{parts.scheme}://{shown}{number}{path.rstrip('/')}", game)
