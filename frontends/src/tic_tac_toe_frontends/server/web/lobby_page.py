"""The server's plain page of open and finished games.

Names come from other people: `online_text` shortens them and removes hidden characters, and
`element` escapes everything that is not markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations

from markupsafe import Markup

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.replies import OpenGame

from ...words.game_text import describe_end
from ...words.online_text import open_game_cells, open_game_headings, safe_line
from ...words.rules_text import side_title, variant_title
from ..storage.game_rows import GameRow
from .pages import card, element, link_to, moment, page


def lobby_page(
    open_games: Sequence[OpenGame],
    finished_games: Sequence[GameRow],
    language: NullTranslations,
    *,
    url: str,
    has_page: bool,
) -> str:
    """Return the page of open games that wait for a player, and of finished games.

    Args:
        url: of this server, as the visitor calls it.
        has_page: whether games can be played in the browser.
    """
    _ = language.gettext
    waiting, played = _waiting(open_games, language), _played(finished_games, language)
    main = [
        element("h1", _("Games on this server")),
        *([] if has_page else _without_page(language)),
        _with_code(_("From a terminal, {command} plays here."), f"tic-tac-toe online {url}"),
        card(element("h2", _("Waiting for a player")), waiting),
        card(element("h2", _("Finished games")), played),
    ]
    return page(_("Games on this server"), main, language, has_page=has_page)


def _without_page(language: NullTranslations) -> list[Markup]:
    _ = language.gettext
    return [
        element("p", _("Games cannot be played here: the page to play in has not been built.")),
        _with_code(
            _("Whoever runs this server can build it with {command}."), "tic-tac-toe browser build"
        ),
    ]


def _with_code(sentence: str, command: str) -> Markup:
    before, _, after = sentence.partition("{command}")
    return element("p", before, element("code", command), after)


def _waiting(games: Sequence[OpenGame], language: NullTranslations) -> Markup:
    if not games:
        return element("p", language.gettext("No open game waits."))
    rows = []
    for game in games:
        title, *others = open_game_cells(game, language)
        rows.append([link_to(game.game, title), *(element("bdi", text) for text in others)])
    return _table(open_game_headings(language), rows)


def _played(games: Sequence[GameRow], language: NullTranslations) -> Markup:
    _ = language.gettext
    if not games:
        return element("p", _("No open game has ended yet."))
    headings = _("Game"), _("Players"), _("Result"), _("Ended")
    return _table(headings, [_finished(row, language) for row in games])


def _finished(row: GameRow, language: NullTranslations) -> list[Markup]:
    rules = find_rules(row.variant)
    sides = (side_title(rules, Mark(seat), language) for seat in SEATS)
    crosses, naughts = (
        f"{safe_line(name)} ({side})" if name else side
        for side, name in zip(sides, (row.crosses, row.naughts), strict=True)
    )
    players = language.gettext("{crosses} against {naughts}")
    winner = Mark(row.result) if row.result in SEATS else None
    return [
        link_to(row.game, variant_title(rules, language)),
        element("bdi", players.format(crosses=crosses, naughts=naughts)),
        element("span", describe_end(winner, rules, language, cheer=False)),
        moment(row.time),
    ]


def _table(headings: Sequence[str], rows: Sequence[Sequence[Markup]]) -> Markup:
    """Return a table whose rows begin with the name of a game; phones show it as cards.

    The roles are explicit, because the style of the cards takes them from the elements.
    """
    row, cell = {"role": "row"}, {"role": "cell"}
    titles = [element("th", heading, scope="col", role="columnheader") for heading in headings]
    body = []
    for first, *others in rows:
        cells = [
            element("td", content, data_heading=heading, **cell)
            for heading, content in zip(headings[1:], others, strict=True)
        ]
        name = element("th", first, scope="row", role="rowheader")
        body.append(element("tr", name, *cells, **row))
    return element(
        "table",
        element("thead", element("tr", *titles, **row), role="rowgroup"),
        element("tbody", *body, role="rowgroup"),
        role="table",
    )
