"""Optional packages, and the sentence about missing ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from gettext import NullTranslations

from tic_tac_toe.extras import FAST, install_command, missing, missing_packages
from tic_tac_toe.logic.exceptions import Message

from ..words.translation import N_, localise
from .process import Refused
from .terminal import unbroken

#: The oldest Python that the packages of online play support.
ONLINE_PYTHON = (3, 11)
ONLINE_PLAY = N_("online play")
#: The extras of the front ends.
SOLVE, TUI, ONLINE, NODES = "solve", "tui", "online", "nodes"
FAST_SOLVER, CLUSTER_SOLVER = N_("the fast solver"), N_("the cluster solver")


def missing_text(language: NullTranslations, what: str, extra: str) -> str:
    """Return the sentence about the missing packages of a part of the project.

    Args:
        what: the part in English, to be translated.
        extra: the extra that it needs, such as ``tui``.
    """
    parts = (FAST if extra == SOLVE else "library", f"frontends[{extra}]")
    sentence, command = missing(Message(what, "part"), *parts), install_command(*parts)
    return localise(language, sentence).replace(command, unbroken(command))


def about_solver(language: NullTranslations) -> str:
    """Return what pages lack on a server without the compiled solver; empty if it is installed."""
    from tic_tac_toe.solver import PACKAGES

    if not missing_packages(PACKAGES):
        return ""
    message = language.gettext(
        "Without the fast solver few positions are solved for the page; to install it: {command}"
    )
    return message.format(command=unbroken(install_command(FAST)))


def require_online(
    language: NullTranslations, packages: Iterable[str], extra: str = ONLINE
) -> None:
    """Refuse online play if Python is too old or a package of the extra is missing."""
    if sys.version_info < ONLINE_PYTHON:
        message = language.gettext(
            "online play needs Python {needed} or newer, and this is {found}"
        )
        raise Refused(
            message.format(
                needed=".".join(map(str, ONLINE_PYTHON)),
                found=".".join(map(str, sys.version_info[:2])),
            )
        )
    if missing_packages(packages):
        raise Refused(missing_text(language, ONLINE_PLAY, extra))
