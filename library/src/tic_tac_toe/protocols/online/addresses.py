"""Tokens that seats are claimed with, and addresses that games are found by: 128 bits each.

Both are 22 digits of unpadded base64url. A token is its owner's secret: servers keep a hash of it,
and it is never part of a web address. The address of a game is computed from its creator's
token, so that a request to create that is sent twice creates one game.
"""

from __future__ import annotations

import hashlib
import random
import re
from base64 import urlsafe_b64encode

LENGTH = 22
#: What tokens and addresses look like; the last sign holds two bits.
PATTERN = re.compile(r"[A-Za-z0-9_-]{21}[AQgw]")


def is_address(text: str) -> bool:
    """Return whether a text can be a token, or the address of a game."""
    return PATTERN.fullmatch(text) is not None


def new_token(rng: random.Random) -> str:
    """Return a new secret. A predictable generator, such as a seeded one, is for tests only."""
    return _text(rng.getrandbits(128).to_bytes(16, "big"))


def address_of_new_game(token: str, message_id: str) -> str:
    """Return the address of a new game: a request that is sent twice gives one address."""
    return _digest("create", token, message_id)


def address_of_rematch(address: str, version: int) -> str:
    """Return the address of the rematch that an event of a game, by its version, begins."""
    return _digest("rematch", address, str(version))


def hash_of_token(token: str) -> str:
    """Return what a server keeps of a token: SHA-256, in hexadecimal digits.

    A fast hash will do, because 128 random bits cannot be guessed.
    """
    return hashlib.sha256(b"seat\0" + token.encode()).hexdigest()


def _digest(*parts: str) -> str:
    return _text(hashlib.sha256("\0".join(parts).encode()).digest()[:16])


def _text(sixteen_bytes: bytes) -> str:
    return urlsafe_b64encode(sixteen_bytes).decode().rstrip("=")
