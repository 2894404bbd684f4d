"""What the docstrings of the protocol show does what they say."""

from __future__ import annotations

import pkgutil
import random
import textwrap
import time

from tic_tac_toe.protocols import online
from tic_tac_toe.protocols.online import client
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.link import OFFLINE
from tic_tac_toe.protocols.online.requests import Create


def test_the_program_at_the_head_of_the_client_runs() -> None:
    _, _, example = (client.__doc__ or "").partition("::\n")
    names: dict[str, object] = {"random": random, "time": time, "Client": Client}

    exec(textwrap.dedent(example), names)

    ours = names["client"]
    assert isinstance(ours, Client)
    assert ours.connection == OFFLINE
    assert [type(request) for request in ours.pending] == [Create]
    assert isinstance(names["seconds"], float)


def test_every_module_that_the_package_lists_is_there() -> None:
    listed = [line.split()[0] for line in (online.__doc__ or "").splitlines() if line[:4] == "    "]
    there = [module.name for module in pkgutil.iter_modules(online.__path__)]

    assert sorted(listed) == sorted(there)
