"""Packages that some commands need, and the one sentence that says which are missing."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from gettext import NullTranslations

from tic_tac_toe.extras import install_command, missing, missing_packages
from tic_tac_toe.logic.exceptions import Message

from ..words.messages import localise
from ..words.translation import N_
from .process import Refused

#: The oldest Python for which the packages of online play exist.
ONLINE_PYTHON = (3, 11)
ONLINE_PLAY = N_("online play")
FAST_SOLVER, CLUSTER_SOLVER = N_("the fast solver"), N_("the cluster solver")


def missing_text(language: NullTranslations, what: str, packages: Iterable[str]) -> str:
    """Return the sentence that says which packages a part of the project lacks.

    Args:
        what: a part of the project in English, which has a translation.
        packages: those that it needs, by the names of their imports; one of them is missing.
    """
    needed = tuple(packages)
    return localise(language, missing(Message(what, "part"), missing_packages(needed) or needed))


def about_solver(language: NullTranslations) -> str:
    """Return what pages miss on a server without the compiled solver; empty where it is there."""
    from tic_tac_toe.solver import PACKAGES

    if not (packages := missing_packages(PACKAGES)):
        return ""
    message = language.gettext(
        "Without the fast solver few positions are solved for the page; to install it: {command}"
    )
    return message.format(command=install_command(packages))


def require_online(language: NullTranslations, packages: Iterable[str]) -> None:
    """Refuse online play if Python is too old or a package is missing."""
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
    if missing := missing_packages(packages):
        raise Refused(missing_text(language, ONLINE_PLAY, missing))
