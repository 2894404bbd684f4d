"""Shows this project's modules a Python without what belongs to Unix, as on Windows.

Each Python process runs it that has this folder on its path. Other packages, and the standard
library, still see this system; so do paths.
"""

from __future__ import annotations

import asyncio
import builtins
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

#: What a module lacks there, and what it says otherwise.
CHANGED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "asyncio": ("open_unix_connection start_unix_server", {}),
    "os": (
        "chown fchmod fchown fork geteuid getegid getgid getpgid getuid killpg mkfifo nice pread "
        "register_at_fork sched_getaffinity setpgid setsid sysconf uname waitid "
        "O_DIRECTORY O_NOFOLLOW O_NONBLOCK",
        {"name": "nt"},
    ),
    "select": ("epoll poll", {}),
    "signal": (
        "alarm pthread_kill pthread_sigmask setitimer SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL "
        "SIGPIPE SIGQUIT SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH",
        {},
    ),
    "socket": ("AF_UNIX SO_PEERCRED SO_REUSEPORT", {}),
    "sys": ("", {"platform": "win32"}),
}
MISSING = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}


class Changed(ModuleType):
    """A module without some of its names."""

    def __init__(self, module: ModuleType, lacking: str, different: Mapping[str, str]) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(_module=module, _lacking={*lacking.split()}, **different)

    def __getattr__(self, name: str) -> Any:
        if name in self._lacking:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self._module, name)


def import_as_on_windows(name: str, *arguments: Any, **named: Any) -> ModuleType:
    """Import a module for a module of this project, or for any other."""
    module = import_module(name, *arguments, **named)
    importer = arguments[0] if arguments else named.get("globals")
    if not (importer or {}).get("__name__", "").startswith("tic_tac_toe"):
        return module
    if name in MISSING:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    if name not in changed and name in CHANGED:
        changed[name] = Changed(module, *CHANGED[name])
    return changed.get(name, module)


def refuse(*_: object) -> None:
    """Refuse a handler of signals, as the event loop of Windows does."""
    raise NotImplementedError


changed: dict[str, ModuleType] = {}
import_module = builtins.__import__
builtins.__import__ = import_as_on_windows
if sys.platform != "win32":
    asyncio.SelectorEventLoop.add_signal_handler = refuse  # type: ignore[assignment]
