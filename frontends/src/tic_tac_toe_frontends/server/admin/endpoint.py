"""The operator's endpoint: a Unix socket in a folder that nobody else can enter.

Each connection carries one command, a JSON object on a line, and its answer: JSON objects on lines,
the last one with ``ok`` or ``error``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from .changes import Refusal
from .commands import Admin, as_json
from .forms import MOST_BYTES, Unreadable, read_command
from .place import AT_ONCE, identity_of, is_operator, listen

#: Seconds that a command may take.
SECONDS = 60.0


class AdminSocket:
    """Listens for the operator's commands; the folder of its path is created if needed."""

    def __init__(self, path: Path, admin: Admin) -> None:
        self.path = path
        self._admin = admin
        self._server: asyncio.AbstractServer | None = None
        self._at_work = 0
        self._place: tuple[int, int] | None = (
            None  # device and inode of the socket when it was opened
        )

    async def open(self) -> None:
        """Start to listen.

        Raises:
            AdminError: the socket cannot be opened, or another server listens there.
        """
        listener = listen(self.path)
        self._server = await asyncio.start_unix_server(
            self._converse, sock=listener, limit=MOST_BYTES
        )
        self._place = identity_of(self.path)

    async def close(self) -> None:
        """Stop listening, and remove the socket unless another one has replaced it."""
        if self._server is None:
            return
        self._server.close()
        if self._place is not None and self._place == identity_of(self.path):
            self.path.unlink(missing_ok=True)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self._at_work >= AT_ONCE or not is_operator(writer):
                return
            self._at_work += 1
            try:
                await asyncio.wait_for(self._answer(reader, writer), SECONDS)
            finally:
                self._at_work -= 1
        except (OSError, ValueError, asyncio.TimeoutError, EOFError, asyncio.LimitOverrunError):
            pass  # the client has gone, or sends no line
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        text = await reader.readuntil()

        async def send(line: Mapping[str, object]) -> None:
            writer.write(f"{as_json(line)}\n".encode())
            await writer.drain()

        try:
            command, values = read_command(text.decode())
            async for line in self._admin.run(command, **values):
                await send({"line": line})
        except Refusal as refusal:
            await send({"error": refusal.code, **refusal.values})
        except (Unreadable, UnicodeDecodeError) as error:
            await send({"error": "unreadable", "reason": str(error)})
        else:
            await send({"ok": True})
