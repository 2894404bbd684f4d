"""What some commands need beside the standard library, and the one sentence where it is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from gettext import NullTranslations
from importlib.util import find_spec

from .process import Refused

#: Online play needs this Python or a newer one, because its packages do.
ONLINE_PYTHON = (3, 11)


def require_online(
    language: NullTranslations, packages: Iterable[str], extra: str = "online"
) -> None:
    """Refuse to begin online play where Python is too old for it or a package is missing.

    Args:
        packages: the names that are imported.
        extra: which extra of the distribution brings them.
    """
    _ = language.gettext
    if sys.version_info < ONLINE_PYTHON:
        message = _("online play needs Python {needed} or newer, and this is {found}")
        raise Refused(
            message.format(
                needed=".".join(map(str, ONLINE_PYTHON)),
                found=".".join(map(str, sys.version_info[:2])),
            )
        )
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        message = _('online play needs {packages}: pip install "tictactoe-frontends[{extra}]"')
        raise Refused(message.format(packages=", ".join(missing), extra=extra))
