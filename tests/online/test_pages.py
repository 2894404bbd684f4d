"""The plain pages show games as they are, to everybody, and are safe whatever players write."""

import asyncio
import gzip
import itertools
import queue
import re
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser
from starlette.applications import Starlette

from tests.chromium import violations
from tests.machine import needs
from tests.online.logs import START, opened
from tests.online.world import Page, ask, ask_async, limited, until
from tests.protocols.games import happening
from tic_tac_toe.logic.record_json import records_from_json
from tic_tac_toe.logic.records import parse_records
from tic_tac_toe.protocols.online.events import DRAW, KEEP_CHAT, REMATCH, Event, GameSetup, Player
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe_frontends.program.page_files import Manifest, PageFiles
from tic_tac_toe_frontends.server.core import OVERHEAD, CachedPage, PageCache
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.run import Server
from tic_tac_toe_frontends.server.storage.game_rows import GameRow, Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError, Store
from tic_tac_toe_frontends.server.web import http
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.web.http import routes
from tic_tac_toe_frontends.server.web.pages import lobby_page, message_page
from tic_tac_toe_frontends.server.web.responses import preferred_language
from tic_tac_toe_frontends.words.translation import LANGUAGES
from tools.chromium import PATIENCE

GAME, OTHER, ABSENT = "A" * 22, "B" * 21 + "A", "C" * 21 + "A"
PATH = f"/games/{GAME}"
RECORDS = (f"{PATH}/record.txt", f"{PATH}/record.json")
HOSTILE = '</title><script>alert(1)</script><img src=x onerror="alert(2)">'
TURNED = "safe\u202eelif\x1b[2J"


class Reader(HTMLParser):
    """Reads a page: what its elements are, and whether each is closed where it must be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.attributes: set[str] = set()
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag not in ("meta", "link", "br"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def a_game(
    address: str = GAME,
    cells: Sequence[int] = (4, 0, 2, 6, 3, 5, 1, 7, 8),
    *,
    names: tuple[str, str] = ("Ann", "Bob"),
    chat: str = "Good luck",
    variant: str = "tic-tac-toe",
    is_open: bool = True,
    resigns: str = "",
) -> list[Event]:
    """Return the events of a game in which a line is said and cells are played."""
    setup = GameSetup(variant, "X", (Player(names[0], "k" * 64), None), is_open)
    steps: list[tuple[str, str, Mapping[str, object]]] = [
        ("create", "", {"setup": setup}),
        ("join", "O", {"text": names[1], "key": "l" * 64}),
        ("chat", "O", {"text": chat}),
        *(("move", "XO"[ply % 2], {"cell": cell}) for ply, cell in enumerate(cells)),
        *([("resign", resigns, {})] if resigns else []),
    ]
    return [
        happening(address, version, kind, seat, START + version, f"m-{version}", **details)
        for version, (kind, seat, details) in enumerate(steps, 1)
    ]


def keep(store: Store, events: list[Event]) -> None:
    game = replay(events)
    assert game is not None
    assert store.commit([Transaction(tuple(events), (row_of(game),))]) == [True]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with opened(SqliteStore(tmp_path / "games.sqlite")) as store:
        yield store


@pytest.fixture
def server(store: SqliteStore) -> GameServer:
    return GameServer(store)


@pytest.fixture
def app(server: GameServer) -> Starlette:
    return Starlette(routes=routes(server, None))


def read(app: Starlette, path: str = PATH) -> Reader:
    """Return a page, read."""
    reply = ask(app, path)
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    return Reader(reply.text)


# -- games -----------------------------------------------------------------------------------------


def test_a_finished_game_shows_its_players_moves_and_end(app: Starlette, store: Store) -> None:
    keep(store, a_game())
    page = read(app)

    assert "Ann (X) against Bob (O)" in page.text
    assert "It is a draw." in page.text
    assert "X B2" in page.text
    assert page.tags.count("svg") == 1


def test_what_players_said_is_shown_if_both_agree(app: Starlette, store: Store) -> None:
    events = a_game(chat="See you at the station at nine")
    keep(store, events)
    for path in (PATH, "/games", *RECORDS):
        assert "station" not in ask(app, path).text

    agreed = [
        happening(GAME, version, kind, seat, START + version, f"m-{version}", text=text)
        for version, (kind, seat, text) in enumerate(
            (
                ("offer", "O", KEEP_CHAT),
                ("accept", "X", KEEP_CHAT),
                ("chat", "X", "My number is 555 0100"),
            ),
            len(events) + 1,
        )
    ]
    assert store.commit([Transaction(tuple(agreed))]) == [True]
    page = read(app)

    assert "Bob (O): See you at the station at nine" in page.text
    assert "555 0100" not in page.text
    for path in ("/games", *RECORDS):
        assert "station" not in ask(app, path).text


def test_the_replay_works_by_links_alone(app: Starlette, store: Store) -> None:
    keep(store, a_game(cells=(4, 0, 2)))
    path = f"{PATH}?ply=0"
    for shown in range(4):
        text = ask(app, path).text
        assert len(re.findall('class="ttt-[xo][ "]', text)) == shown
        onward = re.search(r'<a href="([^"]+)" aria-label="One move on"', text)
        assert (onward is None) == (shown == 3)
        path = onward[1].partition("#")[0] if onward else ""


def test_a_ply_that_there_is_not_shows_the_end(app: Starlette, store: Store) -> None:
    keep(store, a_game(cells=(4, 0, 2)))
    for ply in ("99", "-1", "x", "", "1" * 5000, "٣"):
        assert "Move 3 of 3." in read(app, f"{PATH}?ply={ply}").text


def test_a_game_that_waits_and_one_without_moves_have_pages(app: Starlette, store: Store) -> None:
    keep(store, a_game()[:1])
    keep(store, a_game(OTHER)[:2])

    assert "Waiting for somebody to join." in read(app).text
    assert "nobody yet (O)" in read(app).text
    assert "Nobody has moved yet." in read(app, f"/games/{OTHER}").text


def test_a_rematch_and_the_game_before_it_lead_to_each_other(app: Starlette, store: Store) -> None:
    offer = happening(GAME, 13, "offer", "X", START, "o-1", text=REMATCH)
    accepted = happening(GAME, 14, "accept", "O", START, "a-1", text=REMATCH, follower=OTHER)
    keep(store, [*a_game(), offer, accepted])
    setup = GameSetup("tic-tac-toe", "X", (Player("Bob"), Player("Ann")), previous=GAME)
    keep(store, [happening(OTHER, 1, "create", "", START, setup=setup)])

    assert f"/games/{OTHER}" in read(app).links
    assert PATH in read(app, f"/games/{OTHER}").links


@pytest.mark.parametrize("variant", ["gomoku", "connect-four", "ultimate", "misere-tic-tac-toe"])
def test_every_kind_of_board_has_a_picture(app: Starlette, store: Store, variant: str) -> None:
    cells = (35, 36) if variant == "connect-four" else (0, 1)
    keep(store, a_game(cells=cells, variant=variant))

    assert "svg" in read(app).tags


# -- records ---------------------------------------------------------------------------------------


def test_the_records_of_a_game_hold_its_moves(app: Starlette, store: Store) -> None:
    keep(store, a_game(cells=(4, 0, 2), resigns="O"))
    text, as_json = (ask(app, path) for path in RECORDS)

    (record,) = parse_records(text.text)
    assert record.moves == (4, 0, 2)
    assert record.result == "X"
    assert dict(record.tags)["X"] == "Ann"
    assert records_from_json(as_json.text) == (record,)
    name = f"tic-tac-toe-{GAME}"
    assert text.headers["content-disposition"] == f'attachment; filename="{name}.txt"'
    assert as_json.headers["content-disposition"] == f'attachment; filename="{name}.json"'
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert as_json.headers["content-type"] == "application/json"


# -- the lobby -------------------------------------------------------------------------------------


def test_the_lobby_shows_open_games_only(app: Starlette, server: GameServer, store: Store) -> None:
    keep(store, a_game()[:1])
    keep(store, a_game(OTHER))
    keep(store, a_game(ABSENT, is_open=False)[:1])
    asyncio.run(server.lobby.refresh())
    page = read(app, "/games")

    assert PATH in page.links
    assert f"/games/{OTHER}" in page.links
    assert f"/games/{ABSENT}" not in page.links
    assert "Ann (X) against Bob (O)" in page.text
    assert "It is a draw." in page.text


def test_without_a_built_page_the_front_says_how_to_build_it(app: Starlette) -> None:
    page = read(app, "/")

    assert "tic-tac-toe browser build" in page.text
    assert "tic-tac-toe online http://play.example:8765" in page.text


def test_a_built_page_is_the_front(server: GameServer, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    content = b"<!DOCTYPE html><title>Play</title>"
    (folder / "index.html").write_bytes(content)
    manifest = Manifest.of({"index.html": content}, "made here")
    app = Starlette(routes=routes(server, PageFiles(folder, manifest)))
    front = ask(app, "/")

    assert front.body == content
    assert "frame-ancestors 'none'" in front.headers["content-security-policy"]
    assert ask(app, "/", if_none_match=front.headers["etag"]).status == 304
    assert ask(app, "/secret.txt").status == 404
    assert ask(app, "/../test_pages.py").status == 404
    assert "tic-tac-toe browser build" not in ask(app, "/games").text
    keep(server.store, a_game(cells=(4, 0)))
    assert f'href="/#game={GAME}"' in ask(app, PATH).text


# -- what must not be ------------------------------------------------------------------------------


def test_names_are_never_markup(app: Starlette, server: GameServer, store: Store) -> None:
    keep(store, a_game(names=(HOSTILE[:40], HOSTILE[5:45])))
    keep(store, a_game(OTHER, names=(HOSTILE[8:48], ""))[:1])
    asyncio.run(server.lobby.refresh())
    for path in ("/games", PATH, f"{PATH}?ply=3", f"/games/{OTHER}"):
        page = read(app, path)
        assert "script" not in page.tags
        assert "img" not in page.tags
        assert not {name for name in page.attributes if name.startswith("on") or name == "style"}
        assert "alert(" in page.text


def test_signs_that_turn_or_hide_text_are_shown_as_escapes(app: Starlette, store: Store) -> None:
    keep(store, a_game(names=(TURNED, "Bob")))
    text = ask(app, PATH).text + ask(app, "/games").text

    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\\u202e" in text


def test_unknown_and_malformed_addresses_look_the_same(app: Starlette, store: Store) -> None:
    paths = [
        f"/games/{ABSENT}",
        "/games/short",
        f"/games/{'A' * 21}B",
        f"/games/{'A' * 5000}",
        "/games/%00",
        f"/games/{HOSTILE}",
        "/games/",
        f"/games/{ABSENT}/record.txt",
        f"/games/{ABSENT}/record.json",
        "/games/short/record.txt",
        "/nothing",
        "/ws",
    ]
    replies = [ask(app, path) for path in paths]
    looks = {(reply.status, str(reply.headers), reply.body) for reply in replies}

    assert len(looks) == 1
    assert replies[0].status == 404
    assert list(store.all_games()) == []


def test_nothing_can_be_done_but_read(app: Starlette) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        reply = ask(app, "/games", method=method)
        assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")


def test_every_answer_carries_the_security_headers(app: Starlette, store: Store) -> None:
    keep(store, a_game())
    paths = ["/", "/games", PATH, f"/games/{GAME}/record.txt", "/nothing", "/health"]
    paths += ["/ready", "/metrics", "/online.json", "/plain.css"]
    replies = [ask(app, path) for path in paths]
    replies.append(ask(app, "/games", method="POST"))
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script" not in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"


# -- languages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("", "en"),
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("en;q=0.5, ru;q=0.9", "ru"),
        ("zh-Hans-CN", "zh"),
        ("fr, de;q=0.5", "en"),
        ("es;q=0, zh;q=0.1", "zh"),
        ("es;q=nan, zh;q=0.1", "zh"),
        ("es;q=1e9, zh;q=0.1", "zh"),
        ("*;q=0.1," * 1000, "en"),
        (";;;,,,q==", "en"),
    ],
)
def test_the_reader_gets_the_language_that_is_liked_best(accepted: str, code: str) -> None:
    assert preferred_language(accepted) == code


def test_pages_say_what_language_they_are_in(app: Starlette, store: Store) -> None:
    keep(store, a_game())
    for code, path in itertools.product(LANGUAGES, ("/games", PATH, "/nothing")):
        reply = ask(app, path, accept_language=code)
        assert f'<html lang="{code}">' in reply.text
        assert reply.headers["content-language"] == code
        assert "Accept-Language" in reply.headers["vary"]


# -- how the server is doing -----------------------------------------------------------------------


def test_readiness_follows_the_server_unlike_health(app: Starlette, server: GameServer) -> None:
    for is_open, status in ((True, 200), (False, 503)):
        server.is_open = is_open
        assert ask(app, "/ready").status == status
        assert ask(app, "/health").status == 200


def test_programs_learn_where_online_play_is_and_the_servers_figures(app: Starlette) -> None:
    online, figures = ask(app, "/online.json"), ask(app, "/metrics")

    assert online.headers["content-type"].startswith("application/json")
    assert '"socket": "/ws", "values": "values"' in online.text
    assert figures.headers["content-type"].startswith("text/plain")
    assert "tictactoe_unanswered 0.0\n" in figures.text


class Broken(SqliteStore):
    """A store that cannot be read."""

    def events(self, game: str, after: int = 0) -> list[Event]:
        raise StorageError("the disk is gone")

    def finished_games(self, limit: int) -> list[GameRow]:
        raise RuntimeError("a fault of ours")


def test_a_store_that_fails_gives_an_error_and_no_traceback(tmp_path: Path) -> None:
    app = Starlette(routes=routes(GameServer(Broken(tmp_path / "games.sqlite")), None))
    failed, faulty = ask(app, PATH), ask(app, "/games")

    assert failed.status == 503
    assert failed.headers["retry-after"] == "5"
    assert "disk" not in failed.text
    assert faulty.status == 500
    assert "ours" not in faulty.text


class Slow(SqliteStore):
    """A store that answers when it is let."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_answer = threading.Event()
        self.asked = 0

    def heads(self, games: Collection[str]) -> dict[str, int]:
        return dict.fromkeys(games, 1)

    def events(self, game: str, after: int = 0) -> list[Event]:
        self.asked += 1
        assert self.may_answer.wait(60)
        return []


def test_few_pages_are_made_at_once_and_the_rest_wait_or_are_put_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "WAITING", 3)
    store = Slow(tmp_path / "games.sqlite")
    app = Starlette(routes=routes(GameServer(store), None))

    async def crowd() -> list[Page]:
        tasks = [asyncio.create_task(ask_async(app, PATH)) for _ in range(10)]
        await until(lambda: sum(task.done() for task in tasks) == 5, "five are put off")
        assert store.asked <= http.AT_ONCE
        store.may_answer.set()
        return await asyncio.gather(*tasks)

    statuses = sorted(reply.status for reply in asyncio.run(crowd()))

    assert statuses == [404] * 5 + [503] * 5


def long_game(count: int) -> list[Event]:
    """Return ``count`` events of a game in which much is offered and little is done."""
    offers = [
        happening(
            GAME, 4 + at, ("offer", "decline")[at % 2], "XO"[at % 2], START, f"c-{at}", text=DRAW
        )
        for at in range(count - 3)
    ]
    return a_game(cells=()) + offers


def test_of_a_long_chronicle_the_end_is_shown(app: Starlette, store: Store) -> None:
    keep(store, long_game(303))
    text = read(app).text

    assert text.count("declines the draw.") == text.count("offers a draw.") == 100
    assert "joins: the game begins" not in text


# -- the templates ---------------------------------------------------------------------------------


def test_what_templates_are_given_is_text_and_never_markup() -> None:
    page = message_page('<b>&"', NullTranslations())
    assert "<h1>&lt;b&gt;&amp;&#34;</h1>" in page
    assert "<title>&lt;b&gt;&amp;&#34;</title>" in page

    hostile = NullTranslations()
    hostile.gettext = lambda message: f'"><script>{message}'  # type: ignore[method-assign]
    page = lobby_page([], [], hostile, url=HOSTILE, has_page=True)
    assert "<script" not in page
    assert page.count("&#34;&gt;&lt;script&gt;Games on this server") == 4


# -- what is made once -----------------------------------------------------------------------------


class Counting(SqliteStore):
    """A store that counts how often it is asked for a game."""

    read = 0

    def events(self, game: str, after: int = 0) -> list[Event]:
        self.read += 1
        return super().events(game, after)


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[Counting]:
    with opened(Counting(tmp_path / "counted.sqlite")) as store:
        yield store


PATHS = (PATH, f"{PATH}?ply=3", f"{PATH}/record.txt")


def test_a_page_is_made_once_until_something_happens(counting: Counting) -> None:
    app = Starlette(routes=routes(GameServer(counting), None))
    keep(counting, a_game(cells=(4, 0, 2, 6)))
    first = [ask(app, path).body for path in PATHS]
    assert counting.read == 3
    assert [ask(app, path).body for path in PATHS] == first
    assert ask(app, f"{PATH}?ply=99").text == ask(app, f"{PATH}?ply=98").text
    assert counting.read == 3

    event = happening(GAME, 8, "move", "X", START + 8, "m-8", cell=3)
    assert counting.commit([Transaction((event,))]) == [True]
    assert "X C2" not in first[0].decode()
    assert "Move 5 of 5." in ask(app, PATHS[0]).text
    assert counting.read == 4


def test_a_game_that_is_rewritten_is_forgotten(counting: Counting) -> None:
    server = GameServer(counting)
    app = Starlette(routes=routes(server, None))
    keep(counting, a_game())
    for path in PATHS:
        ask(app, path)
    assert len(server.pages) == 3

    server.pages.forget(GAME)
    assert (len(server.pages), server.pages.size) == (0, 0)
    ask(app, PATHS[0])
    assert counting.read == 4


def test_what_was_begun_before_a_game_is_forgotten_is_not_kept() -> None:
    cache, made = PageCache(), CachedPage(b"old", {}, "")
    era = cache.era
    cache.forget(GAME)
    cache.add(GAME, 1, made, era)
    assert cache.find(GAME, 1) is None

    cache.add(GAME, 1, made, cache.era)
    cache.forget(OTHER)
    assert cache.find(GAME, 1) is made


def test_the_pages_that_were_asked_for_last_are_kept_up_to_a_number_of_bytes() -> None:
    cache = PageCache(10 * (OVERHEAD + 500))
    for number in range(10):
        cache.add(GAME, number, CachedPage(bytes(500), {}, ""), 0)
    assert cache.find(GAME, 0) is not None
    for number in range(10, 19):
        cache.add(GAME, number, CachedPage(bytes(500), {}, ""), 0)
        cache.add(GAME, number, CachedPage(bytes(500), {}, ""), 0)
    assert [number for number in range(19) if cache.find(GAME, number)] == [0, *range(10, 19)]
    assert cache.size == 10 * (OVERHEAD + 500)

    cache.add(GAME, "huge", CachedPage(bytes(20_000), {}, ""), 0)
    assert (len(cache), cache.size) == (0, 0)


def test_pages_of_long_games_cost_more_and_those_that_are_kept_do_not(counting: Counting) -> None:
    limits = limited(pages=(60, 1e-9))
    app = Starlette(routes=routes(GameServer(counting, limits=limits), None))
    keep(counting, long_game(1_000))
    paths = [f"{PATH}?ply={ply}" for ply in (0, 1, 2, 3, 4, 0, 1, 2, 5, 6)]
    statuses = [ask(app, path).status for path in paths]

    assert statuses == [200] * 8 + [429] * 2  # 1 + 1000 / 100 of 60 each, and 1 if it is kept


def test_a_visitor_who_has_a_page_is_told_that_it_is_the_same(app: Starlette, store: Store) -> None:
    keep(store, a_game(cells=(4, 0)))
    for path in (PATHS[0], PATHS[2]):
        page = ask(app, path)
        same = ask(app, path, if_none_match=page.headers["etag"])
        assert (same.status, same.body) == (304, b"")
        assert same.headers["etag"] == page.headers["etag"]
        assert same.headers["cache-control"] == page.headers["cache-control"] == "no-cache"
        assert ask(app, path, if_none_match='"another"').status == 200
    spanish = ask(app, PATHS[0], accept_language="es")
    assert spanish.headers["etag"] != ask(app, PATHS[0]).headers["etag"]


def test_pages_are_compressed_if_accepted(app: Starlette, store: Store) -> None:
    keep(store, a_game())
    for path in ("/games", *PATHS):
        plain, compressed = ask(app, path), ask(app, path, accept_encoding="br, gzip")
        refused = ask(app, path, accept_encoding="br, gzip;q=0")

        assert "content-encoding" not in refused.headers
        assert compressed.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in plain.headers["vary"]
        assert gzip.decompress(compressed.body) == plain.body


# -- in a browser ----------------------------------------------------------------------------------

SHOWN = ["/", f"{PATH}?ply=5", f"/games/{OTHER}", "/nothing"]
IN_CHROMIUM = needs("chromium", "node", "npm")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Return where the pages of two games are."""
    store = SqliteStore(tmp_path / "games.sqlite")
    store.open()
    keep(store, a_game())
    cells = (35, 36, 28, 37, 21, 38, 14)
    keep(store, a_game(OTHER, cells, names=("Ann", HOSTILE[:40]), variant="connect-four"))
    store.close()
    listener = socket.create_server(("127.0.0.1", 0))
    running: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()

    async def run() -> None:
        server, loop = Server(App(GameServer(store)), lambda _: None), asyncio.get_running_loop()
        running.put(partial(loop.call_soon_threadsafe, server.ask_to_end))
        await server.serve([listener])

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    end = running.get(timeout=60)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    end()
    thread.join()


@IN_CHROMIUM
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_from_reading_the_pages_on_a_phone(
    address: str, chromium: Browser, scheme: Literal["light", "dark"]
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    for path in SHOWN:
        page.goto(address + path, timeout=PATIENCE)

        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.evaluate("document.documentElement.removeAttribute('lang')")
    assert [each.partition(":")[0] for each in violations(page)] == ["html-has-lang"]


@IN_CHROMIUM
@pytest.mark.xdist_group("browser")
def test_the_policy_lets_the_browser_show_pages_whole(address: str, chromium: Browser) -> None:
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path in SHOWN[:-1]:
        page.goto(address + path, timeout=PATIENCE)
        paper = "getComputedStyle(document.body).maxWidth"
        assert page.evaluate(paper) != "none"

    assert complaints == []
