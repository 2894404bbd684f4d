"""What tests need of the machine besides requirements/test.txt; nothing else looks for programs."""

from __future__ import annotations

import functools
import importlib
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools import chromium, firefox

#: The optional programs, and the Debian package that brings each.
PROGRAMS = {
    "chromium": "chromium",
    "dot": "graphviz",
    "firefox": "firefox-esr",
    "nginx": "nginx-light",
    "node": "nodejs",
    "npm": "npm",
    "openssl": "openssl",
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "systemd-analyze": "systemd",
    "xdotool": "xdotool",
    "Xvfb": "xvfb",
}
#: The optional packages of Python, and the command that brings each.
MODULES = {"jupyterlab": "pip install jupyterlab", "tkinter": "apt-get install python3-tk"}
#: Programs that make a test slow: browsers, servers, and what builds the page.
HEAVY = {"chromium", "firefox", "jupyterlab", "nginx", "node", "npm", "postgres", "redis-server"}
#: What Playwright says once the process behind a page is gone: such a test is run again.
CRASH = "Target crashed"
#: By what other names programs are called.
NAMES_OF = {"chromium": chromium.NAMES, "firefox": firefox.NAMES}
#: Where Debian puts programs that are not on everybody's PATH.
FOLDERS = {"nginx": "/usr/sbin", "postgres": "/usr/lib/postgresql/*/bin"}
#: Set where every test has to run: then nothing is skipped, and what is missing makes tests fail.
#: Each test then finds only the programs that it has named.
COMPLETE = "TICTACTOE_COMPLETE"
#: Names of programs and packages, with spaces between, that count as missing; or `all` of them.
WITHOUT = "TICTACTOE_WITHOUT"
_REASON = "this machine lacks "


def is_complete() -> bool:
    """Return whether every test has to run."""
    return bool(os.environ.get(COMPLETE))


def find(program: str) -> str | None:
    """Return the path of a program; None where it is missing or counts as missing."""
    if program in os.environ.get(WITHOUT, "").split():
        return None
    places = [os.environ.get("PATH", os.defpath), *_folders(program)]
    names = NAMES_OF.get(program, (program,))
    return next(filter(None, (shutil.which(n, path=os.pathsep.join(places)) for n in names)), None)


def hide_programs(folder: Path) -> None:
    """Hide from this process and its children what `WITHOUT` names, as on a machine without it.

    Args:
        folder: see `path_without`.
    """
    everything = [*PROGRAMS, *MODULES]
    hidden = os.environ.get(WITHOUT, "").split()
    hidden = everything if hidden == ["all"] else hidden
    if not hidden:
        return
    os.environ[WITHOUT] = " ".join(hidden)
    os.environ["PATH"] = path_without(tuple(hidden), folder)
    if "tkinter" in hidden:  # as where Python was built without Tk
        module = folder / "modules" / "_tkinter.py"
        module.parent.mkdir(parents=True)
        module.write_text('raise ImportError("hidden")\n', encoding="utf-8")
        sys.path.insert(0, str(module.parent))
        os.environ["PYTHONPATH"] = str(module.parent)


def needs(*names: str) -> pytest.MarkDecorator:
    """Return the mark of a test that needs programs or packages: it is skipped without them."""
    assert {*PROGRAMS, *MODULES}.issuperset(names), names
    return pytest.mark.needs(*names)


def needs_of(item: pytest.Item) -> set[str]:
    """Return the programs and packages that the marks of a test name."""
    return {name for mark in item.iter_markers("needs") for name in mark.args}


def reason_to_skip(names: Iterable[str]) -> str:
    """Return why a test that needs these is skipped; an empty text where it has to run."""
    missing = [] if is_complete() else sorted(name for name in names if not _has(name))
    return _REASON + " ".join(missing) if missing else ""


def tell_skips(reasons: Iterable[str]) -> str:
    """Return one line about all skipped tests: how many for which reason, and what to install."""
    counts = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    lacking: Counter[str] = Counter()
    others: list[str] = []
    for reason, count in sorted(counts.items()):
        if reason.startswith(_REASON):
            for name in reason.removeprefix(_REASON).split():
                lacking[name] += count
        else:
            others.append(f"{count} because {reason}")
    parts = []
    if lacking:
        number = sum(count for reason, count in counts.items() if reason.startswith(_REASON))
        each = ", ".join(f"{name}: {count}" for name, count in lacking.most_common())
        packages = " ".join(sorted(PROGRAMS[name] for name in lacking if name in PROGRAMS))
        commands = [f"apt-get install {packages}"] if packages else []
        commands += [command for name, command in MODULES.items() if name in lacking]
        parts = [f"{number} for want of programs ({each}; {'; '.join(commands)})"]
    return "skipped tests: " + "; ".join(parts + others)


@functools.cache
def path_without(programs: tuple[str, ...], folder: Path) -> str:
    """Return a PATH that lacks some programs; it is made once.

    Args:
        programs: the programs that are not to be found.
        folder: a folder of the caller's. Each folder of the PATH that holds one of the programs is
            replaced by a folder in it, with links to everything else.
    """
    folder = folder / "-".join(programs)
    hidden = {name for program in programs for name in NAMES_OF.get(program, (program,))}
    places: list[str] = []
    for place in dict.fromkeys(os.environ.get("PATH", os.defpath).split(os.pathsep)):
        try:
            entries = list(Path(place).absolute().iterdir())
        except OSError:
            continue
        if not hidden.isdisjoint(path.name for path in entries):
            links = folder / str(len(places))
            links.mkdir(parents=True)
            for path in entries:
                if path.name not in hidden:
                    (links / path.name).symlink_to(path)
            place = str(links)
        places.append(place)
    return os.pathsep.join(places)


def _folders(program: str) -> list[str]:
    """Return where else a program may be, the newest version first."""
    pattern = FOLDERS.get(program, "").lstrip("/")
    found = Path("/").glob(pattern) if pattern else []
    return [str(path) for path in sorted(found, key=_version, reverse=True)]


def _version(folder: Path) -> list[int]:
    return [int(part) for part in folder.parts if part.isdigit()]


def _has(name: str) -> bool:
    if name in PROGRAMS:
        return find(name) is not None
    if name in os.environ.get(WITHOUT, "").split():
        return False
    if name != "tkinter":
        return find_spec(name) is not None
    try:  # it may be there without the library that it wraps
        importlib.import_module(name)
    except ImportError:
        return False
    return True
