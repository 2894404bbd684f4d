"""Tables as a former version made and filled them, out of those of this version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tic_tac_toe_frontends.server.storage import statements

#: What turns tables of version 2 into those of version 1, with all that is in them.
TO_VERSION_1 = (
    *(f"DROP INDEX {index.split()[2]}" for index in statements.NEWER_INDEXES),
    "ALTER TABLE events DROP COLUMN checksum",
    "ALTER TABLE games DROP COLUMN crosses_key",
    "ALTER TABLE games DROP COLUMN naughts_key",
)


def make_file_old(path: Path) -> None:
    """Turn a file that no server uses into one of version 1."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (*TO_VERSION_1, "PRAGMA user_version = 1"):
            connection.execute(statement)


def make_database_old(url: str) -> None:
    """Turn the tables of a PostgreSQL database into those of version 1."""
    import psycopg

    with psycopg.connect(url) as session:
        for statement in (*TO_VERSION_1, "UPDATE tictactoe_schema SET version = 1"):
            session.execute(statement.encode())


def schema_of(path: Path) -> list[Any]:
    """Return the tables and indexes of a file, as the statements that make them."""
    with closing(sqlite3.connect(path)) as connection:
        question = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        return connection.execute(question).fetchall()
