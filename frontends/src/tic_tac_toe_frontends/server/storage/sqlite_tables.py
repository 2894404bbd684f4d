"""The tables of games in an SQLite file, and the check of whose they are."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from . import statements
from .store import StorageError

#: Distinguishes files of this program from others: "TTTo".
APPLICATION_ID = 0x5454546F

#: SQLite's names for the types of columns.
TYPES = {"key": "TEXT", "text": "TEXT", "count": "INTEGER", "time": "INTEGER", "flag": "INTEGER"}


def version_of(session: sqlite3.Connection, path: Path, doing: str) -> int | None:
    """Return the version of a file's tables; ``None`` without tables.

    Raises:
        StorageError: the file is of another program, or its version is not supported.
    """
    if session.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return None
    if session.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StorageError(f"cannot {doing} {path}: it is a database of another program")
    version: int = session.execute("PRAGMA user_version").fetchone()[0]
    if version > statements.SCHEMA_VERSION:
        raise StorageError(f"cannot {doing} {path}: a newer version of this program wrote it")
    if not statements.is_supported(version):
        raise StorageError(f"cannot {doing} {path}: version {version} of the tables is not known")
    return version


def create_tables(writer: sqlite3.Connection) -> None:
    """Create the tables of this version in an empty file."""
    strict = sqlite3.sqlite_version_info >= (3, 37)
    writer.execute("BEGIN IMMEDIATE")
    for table in statements.GAME_TABLES:
        writer.execute(f"{table} WITHOUT ROWID{', STRICT' if strict else ''}".format(**TYPES))
    for table in statements.OTHER_TABLES:
        writer.execute(f"{table}{' STRICT' if strict else ''}".format(**TYPES))
    for index in statements.INDEXES:
        writer.execute(index)
    writer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    writer.execute(f"PRAGMA user_version = {statements.SCHEMA_VERSION}")
    writer.execute("COMMIT")


def text_of(content: bytes) -> str:
    """Return bytes as text, even if they are not valid UTF-8."""
    return content.decode(errors="replace")
