"""The passwords of databases stand in no list of processes, error, log or list of settings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.frontends.programs import command, environment, run
from tests.machine import needs
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.redis_hints import RedisHints
from tic_tac_toe_frontends.server.storage.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage.store import StorageError
from tic_tac_toe_frontends.server.storage_args import DATABASE_VARIABLE, REDIS_VARIABLE

PROG = "tic-tac-toe serve"
#: The parts of the password; signs stand between them that mean something in an address.
PARTS = ("sEcReT", "wOrD")
GOOD = f"postgresql://user:{PARTS[0]}{PARTS[1]}@127.0.0.1:1/games"
GOOD_REDIS = f"redis://user:{PARTS[0]}{PARTS[1]}@127.0.0.1:1/0"
#: Addresses with something wrong in them.
MISTYPED = [
    "postgresql://user:sEcReT%zzwOrD@127.0.0.1:1/games",
    "postgresql://user:sEcReTwOrD%@127.0.0.1:1/games",
    "postgers://user:sEcReTwOrD@127.0.0.1/games",
    "http://user:sEcReTwOrD@127.0.0.1/games",
    "postgresql:/user:sEcReTwOrD@127.0.0.1/games",
    "user:sEcReTwOrD@127.0.0.1/games",
    "host=127.0.0.1 password=sEcReT wOrD dbname=games",
    "postgresql://user:sEcReTwOrD@127.0.0.1:port/games",
    "postgresql://user:sEcReTwOrD@127.0.0.1:12345678/games",
    "postgresql://user:sEcReT@wOrD@127.0.0.1/games",
    "postgresql://user:sEcReT/wOrD@127.0.0.1/games",
    "postgresql://user:sEcReT:wOrD@127.0.0.1/games",
    "postgresql://user:sEcReT?wOrD@127.0.0.1/games",
    "postgresql://user:sEcReT#wOrD@127.0.0.1/games",
    "postgresql://user:sEcReT wOrD@127.0.0.1/games",
    "postgresql://user:sEcReT[wOrD@127.0.0.1/games",
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
    check_secret(repr(RedisHints(GOOD_REDIS, "here")))


def test_a_server_without_its_database_ends_and_tells_no_password() -> None:
    env = environment(**{DATABASE_VARIABLE: GOOD, REDIS_VARIABLE: GOOD_REDIS})
    for log in ("json", "plain"):
        ended = run("serve", "--port", "0", "--log", log, "--lang", "en", env=env)
        assert ended.returncode == 1
        assert "cannot open the PostgreSQL database" in ended.stderr
        check_secret(ended.stdout + ended.stderr)


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
