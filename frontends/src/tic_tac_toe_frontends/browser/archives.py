"""Zip archives that are the same whenever and wherever they are made."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

#: The earliest moment that a zip archive can tell.
_THEN = (1980, 1, 1, 0, 0, 0)


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files, in the order of their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _THEN)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()
