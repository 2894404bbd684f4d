"""For writers of games and of programs that learn: public names about rules.

`Rules` is the interface of a game; ``docs/how-to/own-game.md`` shows a whole one. `actions`,
`symmetries` and `planes` are what environments and data sets need::

    >>> from tic_tac_toe.rules import actions, lines_of, symmetries
    >>> len(actions("connect-four")), len(symmetries("ultimate")), lines_of("tic-tac-toe")[-1]
    (7, 8, (2, 4, 6))
"""

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.learning import (
    Actions,
    GameSymmetry,
    actions,
    completing_cells,
    lines_of,
    planes,
    symmetries,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Outcome, Rules, Symmetric
from tic_tac_toe.logic.rules.alternation import check_alternation
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, register, variant_name
from tic_tac_toe.logic.rules.letters import OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS, Layers, Lines, lines
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.rules.statuses import Status, status_of
from tic_tac_toe.logic.rules.traits import (
    Digits,
    Placement,
    Traits,
    count_moves,
    move_to,
    placement,
    traits_of,
)
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wrappers import Misere, Pie
from tic_tac_toe.logic.shapes import Layout, Shape, layout

__all__ = [
    "PLANE",
    "TORUS",
    "VARIANTS",
    "Actions",
    "Digits",
    "Foretelling",
    "GameSymmetry",
    "InvalidGameState",
    "InvalidMove",
    "InvalidVariant",
    "Layers",
    "Layout",
    "LineRules",
    "Lines",
    "Misere",
    "Notakto",
    "OrderAndChaos",
    "Outcome",
    "Pie",
    "Placement",
    "Position",
    "Renju",
    "Rules",
    "Shape",
    "Status",
    "Symmetric",
    "Traits",
    "Ultimate",
    "Vanishing",
    "Wild",
    "actions",
    "check_alternation",
    "completing_cells",
    "count_moves",
    "find_rules",
    "layout",
    "lines",
    "lines_of",
    "move_to",
    "placement",
    "planes",
    "register",
    "status_of",
    "symmetries",
    "traits_of",
    "variant_name",
]
