"""Pictures as PNG, in plain Python."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable


def write_png(size: int, rows: Iterable[bytes | bytearray], level: int = 9) -> bytes:
    """Return a square picture as PNG.

    Args:
        size: pixels a side.
        rows: from the top, four bytes a pixel: red, green, blue, and how much it covers.
        level: how hard to pack it, from 1 for fast to 9 for small.
    """
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), level)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    length, checksum = len(content), zlib.crc32(name + content)
    return struct.pack(">I", length) + name + content + struct.pack(">I", checksum)
