"""Packages beside the standard library that parts of this project need, and how to install them.

The command names each package by its own name on the package index, because an extra of this
project, such as ``[fast]``, can be installed only from a checkout.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

from tic_tac_toe.logic.exceptions import Message, message

#: What pip calls a package that is imported by another name, or needed with an extra of its own.
_INDEX_NAMES = {"prometheus_client": "prometheus-client", "psycopg": "'psycopg[binary]'"}


def missing_packages(packages: Iterable[str]) -> tuple[str, ...]:
    """Return those packages that are not installed, in the same order; nothing is imported.

    Args:
        packages: the names that they are imported by.
    """
    return tuple(name for name in packages if find_spec(name) is None)


def install_command(packages: Iterable[str]) -> str:
    """Return the command that installs packages, which are given by the names of their imports."""
    return " ".join(["pip install", *(_INDEX_NAMES.get(name, name) for name in packages)])


def missing(what: Message | str, packages: Iterable[str]) -> Message:
    """Return the message that says what cannot be used, and the command that mends it.

    Args:
        what: the part of the project, such as ``the fast solver``.
        packages: those that are missing, by the names of their imports.
    """
    return message(
        "{what} needs packages that are not installed: {command}",
        "packages_missing",
        what=what,
        command=install_command(packages),
    )


def missing_sentence(what: str, packages: Iterable[str]) -> str:
    """Return the message of `missing` in English."""
    return str(missing(what, packages))
