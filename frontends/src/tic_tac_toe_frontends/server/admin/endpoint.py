"""The operator's endpoint: a Unix socket in a folder that nobody else can enter.

Each connection carries one command, a JSON object on a line, and its answer: JSON objects on lines,
the last one with ``ok`` or ``error``.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...program.folders import user_folder
from ..args import ServeArgs
from .commands import Operator, Refusal, read_command
from .fields import Line

#: Only the user of the process may enter the folder and open the socket.
FOLDER_MODE, SOCKET_MODE = 0o700, 0o600
#: Commands at the same time, bytes of one at most, and seconds that it may take.
AT_ONCE, MOST_BYTES, SECONDS = 4, 4_096, 60.0
#: Bytes of a socket's address that every system supports.
ADDRESS_BYTES = 100


class AdminSocket:
    """Listens for the operator's commands; the folder of its path is created if needed."""

    def __init__(self, path: Path, operator: Operator) -> None:
        self.path = path
        self._operator = operator
        self._server: asyncio.AbstractServer | None = None
        self._at_work = 0
        self._opened: os.stat_result | None = None  # the socket as it was opened

    async def open(self) -> None:
        """Start to listen.

        Raises:
            AdminError: the socket cannot be opened, or another server listens there.
        """
        listener = listen(self.path)
        self._server = await asyncio.start_unix_server(
            self._converse, sock=listener, limit=MOST_BYTES
        )
        self._opened = self.path.lstat()

    async def close(self) -> None:
        """Stop listening, and remove the socket unless another one has replaced it."""
        if self._server is None or self._opened is None:
            return
        self._server.close()
        with suppress(OSError):
            if os.path.samestat(self._opened, self.path.lstat()):
                self.path.unlink()

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
        request = await reader.readuntil()

        async def send(line: Line) -> None:
            writer.write(f"{json.dumps(line, separators=(',', ':'))}\n".encode())
            await writer.drain()

        try:
            command, values = read_command(request)
            async for line in self._operator.run(command, **values):
                await send({"line": line})
        except Refusal as refusal:
            await send({"error": refusal.code, **refusal.values})
        else:
            await send({"ok": True})


class AdminError(Exception):
    """The operator's socket cannot be opened; the message says why."""


def admin_path(args: ServeArgs) -> Path | None:
    """Return the path of the operator's socket; ``None`` if the system has no Unix sockets."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    return args.admin or usual_path(args.data, args.port)


def usual_path(data: Path | None, port: int) -> Path:
    """Return the default path of the socket: beside the games.

    Args:
        data: the file of the games; ``None`` if they are in a database.
        port: where the server listens.
    """
    if data is not None:
        file = Path(os.path.realpath(data))  # the server resolves links, too
        return file.with_name(f"{file.name}.admin") / "socket"
    return user_folder("runtime", "tic-tac-toe") / f"{port}.admin" / "socket"


def listen(path: Path) -> socket.socket:
    """Return a listening socket; one that a killed server has left is replaced.

    Raises:
        AdminError: it cannot be opened, others could reach it, or a server listens there.
    """
    try:
        with suppress(FileExistsError):
            path.parent.mkdir(FOLDER_MODE, parents=True)
        check_folder(path.parent)
        with usable_address(path) as address, _locked(path.parent):
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                _make_room(path, address)
                listener.bind(address)
                path.chmod(SOCKET_MODE)
                listener.listen(AT_ONCE)
                listener.setblocking(False)
            except BaseException:
                listener.close()
                raise
            return listener
    except OSError as error:
        raise AdminError(f"{path}: {error.strerror or error}") from error


def check_folder(folder: Path) -> None:
    """Raise an `AdminError` unless a folder belongs to this user, and nobody else can enter it."""
    there = folder.lstat()
    is_own = stat.S_ISDIR(there.st_mode) and there.st_uid == os.geteuid()
    if not is_own or there.st_mode & 0o077:
        raise AdminError(f"{folder}: others can enter this folder, or it is not a folder of yours")


def _make_room(path: Path, address: str) -> None:
    """Remove a socket on which no server listens."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise AdminError(f"{path}: there is something else already")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect(address)
        except ConnectionRefusedError:
            path.unlink()
        else:
            raise AdminError(f"{path}: another server listens there")


@contextmanager
def usable_address(path: Path) -> Iterator[str]:
    """Yield a name by which a socket can be bound or connected to, however long its path is."""
    if len(os.fsencode(path)) <= ADDRESS_BYTES:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def is_operator(writer: asyncio.StreamWriter) -> bool:
    """Whether the other side is this user, or root, as far as the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the folder's mode keeps others away
    size = struct.calcsize("3i")
    peer = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return struct.unpack("3i", peer)[1] in (0, os.geteuid())
