"""Pages of games that have been made, of which those that were asked for last are kept.

A page is that of a game up to one version: what has happened never changes, unless the operator
rewrites it, who has the game forgotten here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

#: Bytes that are kept at most.
MOST_BYTES = 16 * 1024 * 1024
#: Bytes that a page takes beside its body, about.
OVERHEAD = 1_000


class Made(NamedTuple):
    """A page or a file of a game, ready to be sent.

    Attributes:
        tag: the ``ETag``: another one as soon as a byte is another.
    """

    body: bytes
    headers: dict[str, str]
    tag: str


class PageCache:
    """What has been made, by the addresses of games and what else it depends on.

    Args:
        most: bytes that are kept at most.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._pages: OrderedDict[tuple[str, Hashable], Made] = OrderedDict()
        self.size = 0
        #: How often games have been forgotten: what was begun before may be of such a game.
        self.era = 0

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, address: str, about: Hashable) -> Made | None:
        """Return what has been made of a game; ``None`` if it is not kept."""
        made = self._pages.get((address, about))
        if made is not None:
            self._pages.move_to_end((address, about))
        return made

    def keep(self, address: str, about: Hashable, made: Made, era: int) -> None:
        """Keep what has been made, in place of what nobody has asked for for longest.

        Args:
            era: the cache's when the making began; nothing of an earlier one is kept.
        """
        if era != self.era:
            return
        self._drop((address, about))
        self._pages[address, about] = made
        self.size += len(made.body) + OVERHEAD
        while self.size > self._most:
            self._drop(next(iter(self._pages)))

    def forget(self, address: str) -> None:
        """Keep nothing of a game, whose events have been changed."""
        self.era += 1
        for key in [key for key in self._pages if key[0] == address]:
            self._drop(key)

    def _drop(self, key: tuple[str, Hashable]) -> None:
        made = self._pages.pop(key, None)
        if made is not None:
            self.size -= len(made.body) + OVERHEAD
