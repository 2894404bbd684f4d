"""What an operator reads and sets: log, figures, passwords, options, docs/how-to/server.md."""

from __future__ import annotations

import configparser
import io
import json
import logging
import math
import os
import re
import socket
import subprocess
import time
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from benchmarks.online.__main__ import main as measure
from benchmarks.online.attacks.catalogue import ATTACKS
from benchmarks.online.attacks.trial import SMALL
from benchmarks.online.attacks.trial import run as attack
from tests.frontends.programs import command, environment
from tests.machine import find, needs
from tests.online.world import opened
from tic_tac_toe.protocols.online.replies import REASONS
from tic_tac_toe.protocols.online.requests import TYPES
from tic_tac_toe_frontends.command.cli import main as tic_tac_toe
from tic_tac_toe_frontends.server import logs
from tic_tac_toe_frontends.server.admin.commands import COMMANDS
from tic_tac_toe_frontends.server.args import (
    BACKUP,
    RESTORE,
    UPGRADE,
    VERIFY,
    parse_args,
)
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.computers import close_pool, make_pool
from tic_tac_toe_frontends.server.creation import COMPUTER_WAITS, STRANGER_WAITS
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.housekeeping import READY, STOPPING, tell_manager
from tic_tac_toe_frontends.server.metrics import INVALID, OTHER, WELCOME, Metrics
from tic_tac_toe_frontends.server.nodes.options import DATABASE_VARIABLE, REDIS_VARIABLE, data_file
from tic_tac_toe_frontends.server.nodes.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.nodes.redis_nodes import RedisNodes
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import PLAYING, WAITING
from tic_tac_toe_frontends.server.storage.store import StorageError
from tic_tac_toe_frontends.server.wire.connection_limiter import RESERVE
from tools.server_page import page_with_tables

# -- the log ---------------------------------------------------------------------------------------


HOSTILE = 'Ann\n{"event": "forged"}\r\x1b[2J\u202e\x7f\x85\u2028"end'
OWN = {"time", "level", "event"}


def written(as_json: bool | None, **fields: str | int | None) -> str:
    stream = io.StringIO()
    logs.configure(stream, as_json=as_json)
    logs.log("joined", level=logging.INFO, error=None, **fields)
    return stream.getvalue()


def test_an_event_is_one_line_of_json_where_there_is_no_terminal() -> None:
    line = written(None, games=3, name=HOSTILE, ready=True)

    assert line.endswith("}\n")
    assert line.isascii()
    assert all(" " <= sign <= "~" for sign in line[:-1])
    values = json.loads(line)
    assert values.pop("time").endswith("Z")
    expected = {"level": "info", "event": "joined", "games": 3, "name": HOSTILE, "ready": True}
    assert values == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"event_": "x", "time": "never"}, {"event_": "x", "time_": "never"}),
        ({"game": None}, {}),
        ({"name": "a" * 10_000}, {"name": "a" * (logs.FIELD_LENGTH - 1) + "…"}),
    ],
)
def test_fields_are_bounded_known_and_in_no_place_of_the_events_own(
    fields: dict[str, str | None], expected: dict[str, str]
) -> None:
    values = json.loads(written(True, **fields))
    assert {name: values[name] for name in values if name not in OWN} == expected
    assert values["event"] == "joined"


def test_plain_text_stays_on_its_line_and_moves_no_cursor() -> None:
    line = written(False, name=HOSTILE, new=True)

    assert line.endswith("\n")
    assert line[:-1].isprintable()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d joined name=", line)


def test_the_traceback_of_an_error_is_part_of_its_line() -> None:
    stream = io.StringIO()
    logs.configure(stream, as_json=True)
    try:
        raise OSError("disk\nis full")
    except OSError as error:
        logs.log("storage failed", level=logging.ERROR, error=error)

    (line,) = stream.getvalue().splitlines()
    values = json.loads(line)
    assert values["level"] == "error"
    assert values["error"] == "OSError: disk\nis full"
    assert "Traceback" in values["traceback"]


@pytest.mark.parametrize("name", ["asyncio"])
def test_what_others_say_is_written_the_same_way(name: str) -> None:
    stream = io.StringIO()
    logs.configure(stream, as_json=True)
    logging.getLogger(name).warning("odd: %s", "a\nb")

    assert json.loads(stream.getvalue())["event"] == "odd: a\nb"


def test_of_errors_that_are_the_same_few_are_written_and_the_rest_counted() -> None:
    """They come in the first second, but for the last two, which come a minute later."""
    count = 2_000
    now = 0.0
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines())
    handler.addFilter(logs.RateLimitFilter(lambda: now))
    for number in range(count):
        text = f"socket.accept() out of system resource {number}\nsocket: <{number} 0x{number:x}>"
        handler.handle(logging.makeLogRecord({"msg": text, "levelno": logging.ERROR}))
        handler.handle(logging.makeLogRecord({"msg": "joined", "levelno": logging.INFO}))
    now = 60.0
    for text in ("socket.accept() out of system resource 7", "another"):
        handler.handle(logging.makeLogRecord({"msg": text, "levelno": logging.ERROR}))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    errors = [line for line in lines if line["event"] != "joined"]

    assert len(lines) - len(errors) == count
    assert len(errors) == logs.AT_ONCE + 2
    assert errors[-2]["left_out"] == count - logs.AT_ONCE
    assert "left_out" not in errors[-1]


def log_a_remark() -> None:
    logging.getLogger("tic_tac_toe").warning("something of the library")


@pytest.mark.medium
def test_what_the_library_logs_in_a_process_of_the_server_is_written_as_the_server_writes(
    capfd: pytest.CaptureFixture[str],
) -> None:
    logs.configure(as_json=True)
    pool = make_pool(1)
    pool.schedule(log_a_remark).result()
    close_pool(pool)

    values = json.loads(capfd.readouterr().err)
    assert (values["level"], values["event"]) == ("warning", "something of the library")


# -- figures ---------------------------------------------------------------------------------------


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"tictactoe_{name}", labels)


def test_every_message_that_is_answered_leaves_none_unanswered() -> None:
    metrics = Metrics()
    metrics.submitted("move")
    metrics.submitted("hello")
    metrics.submitted(INVALID)
    assert value(metrics, "unanswered") == metrics.unanswered == 3

    metrics.answered("ok", seconds=0.004)
    metrics.answered(WELCOME)
    metrics.answered("illegal", "invalid")

    assert value(metrics, "unanswered") == metrics.unanswered == 0
    assert value(metrics, "submitted_total", type="move") == 1
    assert value(metrics, "answered_total", status="ok") == 1
    assert value(metrics, "rejections_total", reason="invalid") == 1
    assert value(metrics, "acknowledge_seconds_count") == 1


def test_an_unknown_label_counts_as_another() -> None:
    metrics = Metrics()
    before = len(generate_latest(metrics.registry).splitlines())
    for i in range(100):
        metrics.submitted(f"made up {i}")
        metrics.answered("illegal", f"made up {i}")

    assert value(metrics, "submitted_total", type=OTHER) == 100
    assert len(generate_latest(metrics.registry).splitlines()) == before


def test_every_type_and_reason_is_there_from_the_start() -> None:
    metrics = Metrics()

    assert all(value(metrics, "submitted_total", type=kind) == 0 for kind in TYPES)
    assert all(value(metrics, "rejections_total", reason=name) == 0 for name in REASONS)


def test_commits_connections_and_lag_are_shown() -> None:
    metrics = Metrics()
    metrics.committed(units=3, events=4, seconds=0.002)
    metrics.loop_lag.observe(0.1)
    metrics.cut_readers.inc()
    metrics.storage_errors.inc()
    metrics.add_gauge("games", "Games in memory.", lambda: 7)

    assert value(metrics, "commit_units_sum") == 3
    assert value(metrics, "events_total") == 4
    assert value(metrics, "loop_lag_seconds_sum") == 0.1
    assert value(metrics, "queue_drops_total") == 1
    assert value(metrics, "storage_errors_total") == 1
    assert value(metrics, "games") == 7


# -- passwords -------------------------------------------------------------------------------------


PROG = "tic-tac-toe serve"
#: The parts of the password; signs stand between them that mean something in an address.
PARTS = ("sEcReT", "wOrD")
GOOD = f"postgresql://user:{PARTS[0]}{PARTS[1]}@127.0.0.1:1/games"
GOOD_REDIS = f"redis://user:{PARTS[0]}{PARTS[1]}@127.0.0.1:1/0"
#: Addresses with something wrong in them.
MISTYPED = [
    "postgresql://user:sEcReT%zzwOrD@127.0.0.1:1/games",
    "postgresql://user:sEcReTwOrD%@127.0.0.1:1/games",
    *(f"{kind}user:sEcReTwOrD@127.0.0.1/games" for kind in ("postgers://", "http://", "")),
    "postgresql:/user:sEcReTwOrD@127.0.0.1/games",
    "host=127.0.0.1 password=sEcReT wOrD dbname=games",
    *(f"postgresql://user:sEcReTwOrD@127.0.0.1:{port}/games" for port in ("port", "12345678")),
    *(f"postgresql://user:sEcReT{sign}wOrD@127.0.0.1/games" for sign in "@/:?# ["),
    "postgresql://user@127.0.0.1:sEcReTwOrD/games",
    "postgresql://user:sEcReTwOrD",
]
MISTYPED_REDIS = [
    "reddis://:sEcReTwOrD@127.0.0.1/0",
    "redis://:sEcReTwOrD@127.0.0.1:port/0",
    "redis://:sEcReT@wOrD@127.0.0.1/0",
    "redis://:sEcReT/wOrD@127.0.0.1/0",
    "redis://:sEcReTwOrD@127.0.0.1/sEcReT",
    "redis://:sEcReTwOrD",
]


def check_secret(text: str) -> None:
    """Check that a text has no part of the password."""
    for part in PARTS:
        assert part not in text


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is said about a command line that is refused."""
    with pytest.raises(SystemExit) as end:
        parse_args([*arguments, "--lang", "en"], PROG)
    assert end.value.code == 2
    said = "".join(capsys.readouterr())
    check_secret(said)
    return said


@pytest.mark.parametrize("address", MISTYPED)
def test_a_mistyped_address_is_refused_without_being_told(
    address: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = "an address such as postgresql://"
    assert wanted in refused(["--database", address], capsys)
    (tmp_path / "address").write_text(address)
    assert wanted in refused(["--database", f"@{tmp_path / 'address'}"], capsys)
    monkeypatch.setenv(DATABASE_VARIABLE, address)
    assert DATABASE_VARIABLE in refused([], capsys)
    assert main(["upgrade", "--lang", "en"], PROG) == 2
    check_secret("".join(capsys.readouterr()))


@pytest.mark.parametrize("address", MISTYPED_REDIS)
def test_a_mistyped_address_of_redis_is_refused_without_being_told(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(["--database", GOOD, "--redis", address], capsys)
    monkeypatch.setenv(REDIS_VARIABLE, address)
    assert REDIS_VARIABLE in refused(["--database", GOOD], capsys)


@pytest.mark.parametrize("option", ["--databse", "--datbase", "--data-base"])
def test_a_mistyped_option_is_told_without_the_address(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert option in refused([f"{option}={GOOD}"], capsys)
    assert option in refused([option, GOOD], capsys)


def test_an_address_is_read_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "database").write_text(f"{GOOD}\n")
    (tmp_path / "redis").write_text(f"{GOOD_REDIS}\n")
    files = ["--database", f"@{tmp_path / 'database'}", "--redis", f"@{tmp_path / 'redis'}"]
    (tmp_path / "database").chmod(0o644)
    (tmp_path / "redis").chmod(0o600)
    args = parse_args([*files, "--lang", "en"], PROG)
    assert (args.database, args.redis) == (GOOD, GOOD_REDIS)
    warned = f"tic-tac-toe: everybody on this machine can read {tmp_path / 'database'}\n"
    assert capsys.readouterr().err == warned
    monkeypatch.setenv(DATABASE_VARIABLE, GOOD)
    monkeypatch.setenv(REDIS_VARIABLE, f"@{tmp_path / 'redis'}")
    args = parse_args([], PROG)
    assert (args.database, args.redis, args.data) == (GOOD, GOOD_REDIS, None)
    check_secret(f"{args!r} {args}")
    args = parse_args(["--data", "games.sqlite"], PROG)
    assert (args.database, args.redis, args.data) == ("", "", Path("games.sqlite"))


def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(["--database", f"@{tmp_path / 'none'}"], capsys)
    assert f"cannot read {tmp_path / 'none'}: No such file" in said


@pytest.mark.parametrize(
    "address",
    [
        GOOD,
        f"{GOOD}?nonsense=sEcReT",
        "postgresql://user:sEcReT%zzwOrD@127.0.0.1:1/games",
        "postgresql://user:sEcReTwOrD@127.0.0.1:99999/games",
        "postgresql://user:sEcReTwOrD@nowhere.invalid/games",
    ],
)
def test_a_database_that_cannot_be_reached_is_told_without_its_password(address: str) -> None:
    store = PostgresStore(address)
    for doing in (store.open, store.upgrade):
        with pytest.raises(StorageError) as caught:
            doing()
        check_secret(f"{caught.value!r} {caught.value} {store!r}")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("postgresql://u:sEcReTwOrD@db.internal:5433/games", "postgresql://db.internal:5433/games"),
        ("postgresql://u@h/g?password=sEcReTwOrD", "postgresql://h/g"),
        ("postgresql://u:sEcReTwOrD%", "postgresql:"),
    ],
)
def test_the_place_of_a_database_is_told_without_the_password(url: str, place: str) -> None:
    assert PostgresStore(url).place == place


def test_hints_do_not_tell_the_password() -> None:
    check_secret(repr(RedisNodes(GOOD_REDIS, "here")))


def test_a_server_without_its_database_ends_and_tells_no_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, GOOD)
    monkeypatch.setenv(REDIS_VARIABLE, GOOD_REDIS)
    for log in ("json", "plain"):
        assert tic_tac_toe(["serve", "--port", "0", "--log", log, "--lang", "en"]) == 1
        out, err = capsys.readouterr()
        assert "cannot open the PostgreSQL database" in err
        check_secret(out + err)


@needs("postgres")
def test_no_password_stands_in_the_list_of_processes(postgres_url: str, tmp_path: Path) -> None:
    secret = postgres_url.replace("tests@", "tests:sEcReTwOrD@")
    file = tmp_path / "address"
    file.write_text(secret)
    arguments = command("serve", "--port", "0", "--thinkers", "1", "--database", f"@{file}")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment()) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            assert any(b"Serving games" in line for line in server.stdout)
            for process in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    check_secret(process.read_text(errors="replace"))
                except OSError:  # it has ended
                    continue
        finally:
            server.terminate()
            check_secret(server.communicate(timeout=60)[0].decode())


# -- docs/how-to/server.md -------------------------------------------------------------------------


CHECKOUT = Path(__file__).parents[2]
UNIT = CHECKOUT / "docs" / "examples" / "tic-tac-toe.service"
PAGE = (CHECKOUT / "docs" / "how-to" / "server.md").read_text(encoding="utf-8")
#: The commands beside the server.
BESIDE = (BACKUP, RESTORE, VERIFY, UPGRADE)
#: Options of programs that the page names, beside this one.
FOREIGN = {"--webroot", "--deploy-hook", "--now"}


@cache
def help_of(*words: str) -> str:
    """Return the help of a subcommand."""
    said = io.StringIO()
    with redirect_stdout(said):
        tic_tac_toe([*words, "--help"])
    return said.getvalue()


def options_of(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def test_the_page_names_no_option_that_does_not_exist() -> None:
    known = options_of(help_of("serve"))
    beside = [*(("admin", name) for name in COMMANDS), *((name,) for name in BESIDE)]
    others = options_of("".join(help_of("serve", *words) for words in beside))
    assert options_of(PAGE) <= known | options_of(help_of("online")) | others | FOREIGN


def test_the_alerts_and_the_dashboard_are_about_figures_of_the_server(tmp_path: Path) -> None:
    server = GameServer(SqliteStore(tmp_path / "games.sqlite"))
    samples = {each.name for metric in server.registry.collect() for each in metric.samples}
    figures = samples | {metric.name for metric in server.registry.collect()}
    for name in ("prometheus-alerts.yml", "grafana-dashboard.json"):
        text = (UNIT.parent / name).read_text(encoding="utf-8")
        used = set(re.findall(r"\btictactoe_[a-z_]+", text))

        assert used
        assert {each for each in used if each not in figures} <= {
            f"{figure}_bucket" for figure in figures
        }
    json.loads(text)


@pytest.mark.anyio
async def test_the_age_of_the_last_backup_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for name, age in (("old.sqlite", 9_000), ("new.sqlite", 3_000), ("other.txt", 0)):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age, time.time() - age))
    async with opened(tmp_path / "games.sqlite", backups=folder) as server:
        assert math.isnan(server.backup_age)
        await server.retention.tidy()
        assert 3_000 <= server.backup_age < 4_000


def test_the_service_manager_is_told_where_it_listens(tmp_path: Path) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        tell_manager(READY, {"NOTIFY_SOCKET": str(path)})
        assert manager.recv(100) == b"READY=1"
    tell_manager(STOPPING, {"NOTIFY_SOCKET": str(path)})  # nobody is there any more
    tell_manager(STOPPING, {})


def test_the_numbers_on_the_page_are_those_of_the_server(tmp_path: Path) -> None:
    server = GameServer(SqliteStore(tmp_path / "games.sqlite"))
    text = " ".join(PAGE.split())
    for told in (
        f"after {server.housekeeper.forget_after[WAITING] / 3600:g} hours",
        f"after {server.housekeeper.forget_after[PLAYING] / 86_400:g} days",
        f"less {RESERVE} that",
    ):
        assert told in text
    assert (STRANGER_WAITS, COMPUTER_WAITS) == (10 * 60, 60 * 60)


def test_the_tables_of_the_page_are_those_of_the_server() -> None:
    assert page_with_tables(PAGE) == PAGE, "make public writes them"


def test_every_test_that_shows_a_promise_is_there() -> None:
    page = (CHECKOUT / "docs" / "explanation" / "promises.md").read_text(encoding="utf-8")
    named = set(re.findall(r"tests/[\w/]+\.py", page))

    assert named
    assert {name for name in named if not (CHECKOUT / name).is_file()} == set()


def test_every_link_of_the_page_leads_to_a_file() -> None:
    links = set(re.findall(r"\]\(([\w./-]+\.\w+)", PAGE))
    assert {link for link in links if not (CHECKOUT / "docs" / "how-to" / link).is_file()} == set()


def test_the_service_starts_the_server_with_options_that_it_has() -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[method-assign,assignment]
    parser.read(UNIT, encoding="utf-8")
    start = parser["Service"]["ExecStart"]

    assert " serve " in start
    assert options_of(start) <= options_of(help_of("serve"))
    assert data_file().name in start


@needs("systemd-analyze")
def test_systemd_rates_the_service_as_well_protected() -> None:
    analyze = find("systemd-analyze")
    assert analyze is not None
    # Exit status 1 means that it is rated above the threshold, which is in tenths.
    rated = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=29", "--no-pager", UNIT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout[-2000:] + rated.stderr
    (line,) = [each for each in rated.stdout.splitlines() if "Overall exposure level" in each]
    (rating,) = re.findall(r"of step 3 above at ([0-9.]+),", PAGE)
    assert f": {rating} " in line


# -- what is beside the server ---------------------------------------------------------------------


@pytest.mark.slow
def test_every_group_measures_something(capsys: pytest.CaptureFixture[str]) -> None:
    measure(["--small", "idle", "moves", "watchers", "return"])
    table = capsys.readouterr().out
    figures = "idle sockets,durable moves,a bare loop,watchers of one game,60 with the same"
    assert all(figure in table for figure in figures.split(","))


#: Attacks of each kind; the rest is run at night.
EVERY_TIME = {
    *("class", "creates", "half-requests", "handshakes", "invalid-100"),
    *("long-pages", "pings", "resigning", "slow-readers", "watchers-lines"),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=[
                pytest.mark.slow if name in EVERY_TIME else pytest.mark.nightly,
                *([needs("postgres")] if name == "watchers-lines" else []),
            ],
        )
        for name in ATTACKS
    ],
)
def test_an_attack_reaches_the_server_and_takes_nothing_from_the_others(name: str) -> None:
    outcome = attack(name, SMALL)
    assert sum(outcome.counts.values()) > 0
    assert outcome.during.delays
    assert (outcome.lost, outcome.during.unanswered, outcome.during.refused) == (0, 0, [])


def test_writing_half_of_the_table_is_refused() -> None:
    with pytest.raises(SystemExit):
        measure(["idle", "--write"])
