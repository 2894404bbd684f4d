"""A cache of pages about games; the least recently used are dropped.

A page shows a game up to one version. That never changes, unless an operator rewrites the game,
which calls `forget`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

#: Bytes that are cached.
MOST_BYTES = 16 * 1024 * 1024
#: Bytes of a page beside its body, about.
OVERHEAD = 1_000


class CachedPage(NamedTuple):
    """A page or file of a game, ready to be sent.

    Attributes:
        tag: the ``ETag``, which differs if any byte differs (RFC 9110, section 8.8.3).
    """

    body: bytes
    headers: dict[str, str]
    tag: str


class PageCache:
    """Pages by the addresses of their games and what else they depend on; `most` bytes at most."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._pages: OrderedDict[tuple[str, Hashable], CachedPage] = OrderedDict()
        self.size = 0
        #: Calls of `forget`: a page whose making began before one may be outdated.
        self.era = 0

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, address: str, about: Hashable) -> CachedPage | None:
        """Return a page of a game; ``None`` if it is not cached."""
        made = self._pages.get((address, about))
        if made is not None:
            self._pages.move_to_end((address, about))
        return made

    def add(self, address: str, about: Hashable, made: CachedPage, era: int) -> None:
        """Cache a page, in place of the least recently used ones.

        `era` is the cache's when the making began: a page of an earlier era is not cached.
        """
        if era != self.era:
            return
        self._drop((address, about))
        self._pages[address, about] = made
        self.size += len(made.body) + OVERHEAD
        while self.size > self._most:
            self._drop(next(iter(self._pages)))

    def forget(self, address: str) -> None:
        """Drop all pages of a game, because its events have been changed."""
        self.era += 1
        for key in [key for key in self._pages if key[0] == address]:
            self._drop(key)

    def _drop(self, key: tuple[str, Hashable]) -> None:
        made = self._pages.pop(key, None)
        if made is not None:
            self.size -= len(made.body) + OVERHEAD
