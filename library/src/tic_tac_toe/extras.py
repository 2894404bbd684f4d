"""Packages beside the standard library that parts of this project need, and how to install them.

The command installs the extra that has them, in the versions that this project is tested with. The
project is on no package index, so the command works in the folder of a checkout.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

from tic_tac_toe.logic.exceptions import Message, message

#: The part of this project that has the fast solver, and the one that has it on many machines.
FAST, CLUSTER = "library[fast]", "library[cluster]"


def missing_packages(packages: Iterable[str]) -> tuple[str, ...]:
    """Return those packages that are not installed, in the same order; nothing is imported.

    Args:
        packages: the names that they are imported by.
    """
    return tuple(name for name in packages if find_spec(name) is None)


def install_command(*parts: str) -> str:
    """Return the command that installs parts of this project, such as `FAST`, in a checkout."""
    return " ".join(["pip install", *(f'"./{part}"' for part in parts)])


def missing(what: Message | str, *parts: str) -> Message:
    """Return the message that says what cannot be used, and the command that mends it.

    Args:
        what: the part of the project, such as ``the fast solver``.
        parts: what is to be installed, as in `install_command`.
    """
    return message(
        "{what} needs packages that are not installed; in a checkout: {command}",
        "packages_missing",
        what=what,
        command=install_command(*parts),
    )


def missing_sentence(what: str, *parts: str) -> str:
    """Return the message of `missing` in English."""
    return str(missing(what, *parts))
