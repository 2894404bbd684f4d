"""What a server offers to programs: its games, computer players and limits."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import (
    MNK,
    ORDER_AND_CHAOS,
    VARIANTS,
    find_rules,
    fitting_flags,
    with_flags,
)
from tic_tac_toe.logic.rules.traits import BOTH_LETTERS, traits_of
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE
from tic_tac_toe.protocols.online import messages

from ...table.served_values import PATH
from ..budgets import ClientLimits
from ..wire.web_socket import MOST_BYTES, MOST_MESSAGES, MOST_PARTS

#: The limits of the protocol, by their names in the offer.
LIMITS: dict[str, int | tuple[int, int]] = {
    **{
        name.lower(): value
        for name, value in vars(messages).items()
        if name.isupper() and isinstance(value, int | tuple)
    },
    "message_parts": MOST_PARTS,
    "unread_messages": MOST_MESSAGES,
    "unread_bytes": MOST_BYTES,
}
del LIMITS["protocol"]
#: The limits of clients in the offer; see `ClientLimits`.
RATES = ("messages", "address_messages", "connections", "games")


@lru_cache
def offer_of(socket: str, programs: tuple[str, ...], client_limits: ClientLimits) -> bytes:
    """Return what a server offers, as JSON; it never changes while the server runs."""
    offer = {
        "protocol": messages.PROTOCOL,
        "subprotocol": messages.SUBPROTOCOL,
        "socket": socket,
        "values": PATH,
        "variants": [{"name": name, **_described(rules)} for name, rules in VARIANTS.items()],
        "families": [_family(name) for name in (MNK, ORDER_AND_CHAOS)],
        "strategies": list(STRATEGIES),
        "programs": list(programs),
        "limits": LIMITS,
        "rates": {name: getattr(client_limits, name).number for name in RATES},
    }
    return json.dumps(offer).encode()


def _described(rules: Rules) -> dict[str, object]:
    return {
        "columns": rules.shape.columns,
        "rows": rules.shape.rows,
        "letters": traits_of(rules).choices == BOTH_LETTERS,
        "flags": _flags_of(rules),
    }


def _flags_of(rules: Rules) -> list[str]:
    possible = []
    for flag in fitting_flags(rules):
        with suppress(InvalidVariant):  # a torus has no floor to fall to
            with_flags(rules, [flag])
            possible.append(flag)
    return possible


def _family(name: str) -> dict[str, object]:
    sides = (1, MAXIMUM_SIDE)
    flags = _flags_of(find_rules(f"{name}:6,6,5"))
    return {"name": name, "columns": sides, "rows": sides, "length": sides, "flags": flags}
