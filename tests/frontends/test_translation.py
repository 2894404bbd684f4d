"""How messages are translated, and how sentences stand beside each other in each language."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.console.cli import parse_args
from tic_tac_toe_frontends.console.commands import (
    AFTERWARDS,
    COMMANDS,
    IN_GAME,
    IN_LOBBY,
    SHORT,
    parse_command,
    translated_words,
)
from tic_tac_toe_frontends.words.rules_text import variant_title
from tic_tac_toe_frontends.words.translation import (
    DOMAIN,
    LANGUAGES,
    as_sentence,
    find_language,
    join_clauses,
    join_names,
    join_sentences,
    labelled,
    load,
    negotiate,
)
from tools.message_catalogues import (
    KEYWORDS,
    LIBRARY_KEYWORDS,
    LOCALE,
    METHODS,
    SOURCES,
    TEMPLATE,
    library_keywords,
)

TRANSLATED = [code for code in LANGUAGES if code != "en"]

EVERY_LANGUAGE = pytest.mark.parametrize("code", TRANSLATED)

#: Messages that a language says in the same letters.
SAME_EVERYWHERE = {
    "Gomoku",
    "Notakto",
    "Qubic",
    "Renju",
    "Score Four",
    "misère",
    "{first} {last}",
    "{first}, {last}",
    "{mark} {move}",
    "{outcome}: {moves}",
    "{outcome} ({source})",
    "null",
    "no",
    "variant: {reason}",
    "{path}: {reason}",
    "{seconds} s",
    "{time} + {count} s",
    "{count} min",
    "{hours} h {minutes} min",
    "{days} d {hours} h",
    "{limit}; {known}",
    "position: {reason}",
    "moves[{ply}]: {reason}",
    "{reason}; {known}",
    "{reason}.",
    "{quoted}: {reason}",
    "{ply} ({side} {move})",
    "{player}: {text}",
    "{variant}: {description}",
    "Chat",
}

#: What a language calls otherwise everywhere: one word for one thing, and signs of its own.
AVOIDED = {
    "es": ["tablas", "Charla", "dígito", "“", " …"],
    "zh": ["您", "棋局", "变体", "生成页面"],
    "ru": ["мизер", "Игра окончена", "поле слишком", "цифрового блока", "“", " …"],
}

CHINESE = "[\u3400-\u9fff]"

#: Half-width punctuation beside a Chinese character, or behind what is filled in.
HALF_WIDTH = re.compile(rf"{CHINESE}[,.:;?!()\"']|[,:;?!()\"']{CHINESE}|\}}[,.:;?!](?: |$)")


def catalogue(code: str | None) -> Catalog:
    """Return the catalogue of a language, or the template."""
    path = LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po" if code else TEMPLATE
    with path.open("rb") as file:
        return read_po(file, locale=code)


def messages(code: str | None) -> dict[tuple[str | None, Any], Any]:
    """Return the messages of a catalogue by context and text."""
    return {(entry.context, entry.id): entry for entry in catalogue(code) if entry.id}


def said(entries: Catalog) -> dict[tuple[str | None, ...], list[str]]:
    """Return what a catalogue says for each context and text."""
    return {(entry.context, *texts(entry.id)): texts(entry.string) for entry in entries if entry.id}


def texts(value: Any) -> list[str]:
    return list(value) if isinstance(value, tuple | list) else [value]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.medium
def test_the_template_and_each_catalogue_have_just_the_messages_of_the_source() -> None:
    """A message is its context and its text."""
    extracted = {
        (context, text)
        for folder in SOURCES
        for _, _, text, _, context in extract_from_dir(
            folder, method_map=METHODS, keywords=KEYWORDS
        )
    }

    assert len(extracted) > 600
    for code in (None, *TRANSLATED):
        assert messages(code).keys() == extracted, code


def test_the_messages_of_errors_and_of_their_parts_are_collected(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("class Own(InvalidMove, ValueError):\n", encoding="utf-8")
    assert library_keywords(tmp_path) == ["message", "InvalidCertificate", "GameError"]
    (tmp_path / "base.py").write_text("class InvalidMove(GameError):\n", encoding="utf-8")

    assert library_keywords(tmp_path) == [
        "message",
        "InvalidCertificate",
        "GameError",
        "InvalidMove",
        "Own",
    ]
    assert {"InvalidMove", "InvalidNotation", "SearchLimitReached"} <= set(LIBRARY_KEYWORDS)


@EVERY_LANGUAGE
def test_no_translation_is_missing_or_doubtful(code: str) -> None:
    forms = catalogue(code).num_plurals
    for entry in messages(code).values():
        assert not entry.fuzzy, entry.id
        assert all(texts(entry.string)), entry.id
        assert len(texts(entry.string)) == (forms if entry.pluralizable else 1), entry.id


@EVERY_LANGUAGE
def test_translations_fill_in_what_their_messages_do(code: str) -> None:
    for entry in messages(code).values():
        wanted = set().union(*map(placeholders, texts(entry.id)))
        *special, general = texts(entry.string)  # "one" may be said without a number
        assert placeholders(general) == wanted, (entry.id, general)
        assert all(placeholders(translation) <= wanted for translation in special), entry.id


@EVERY_LANGUAGE
def test_translations_keep_the_spaces_around_their_messages(code: str) -> None:
    wide = {"：", "。", "？", "）"}  # wide punctuation brings its own space
    for entry in messages(code).values():
        for message, translation in zip(texts(entry.id), texts(entry.string)):
            if translation[-1] not in wide:
                assert message.endswith(" ") <= translation.endswith(" "), translation


@EVERY_LANGUAGE
def test_translations_say_something_else_than_english(code: str) -> None:
    same = {entry.id for entry in messages(code).values() if entry.string == entry.id}

    assert same <= SAME_EVERYWHERE


def test_chinese_has_wide_punctuation() -> None:
    for entry in messages("zh").values():
        for translation in texts(entry.string):
            plain = re.sub(r"mnk:\S+", "", translation)  # what is to be typed
            assert not HALF_WIDTH.search(plain), translation
            assert plain.count("…") % 2 == 0 or "“…”" in plain, translation


@pytest.mark.parametrize(("code", "quoted"), [("zh", "“{word}”"), ("ru", "«{word}»")])
def test_words_to_type_stand_in_quotes(code: str, quoted: str) -> None:
    for entry in messages(code).values():
        for translation in texts(entry.string):
            assert "{word}" not in translation.replace(quoted, ""), translation


def test_chinese_help_has_wide_punctuation(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_args(["--help", "--lang", "zh"])
    told = capsys.readouterr().out

    assert "选项：" in told
    assert not HALF_WIDTH.search(re.sub(r"mnk:\S+", "", told))


@EVERY_LANGUAGE
def test_a_language_has_one_word_for_one_thing(code: str) -> None:
    for entry in messages(code).values():
        for translation in texts(entry.string):
            assert not [word for word in AVOIDED[code] if word in translation], translation


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_game_with_a_name_in_words_has_a_title(code: str) -> None:
    language = load(code, {})
    named = [name for name in VARIANTS if not name[0].isdigit()]
    titles = [variant_title(VARIANTS[name], language) for name in named]

    assert not set(titles) & set(named)
    assert len(set(titles)) == len(named)


@EVERY_LANGUAGE
def test_the_compiled_catalogue_says_what_its_source_says(code: str) -> None:
    with (LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        compiled = read_mo(file)  # not byte by byte: Babel writes its own version into the header

    assert said(compiled) == said(catalogue(code))
    assert compiled.plural_forms == catalogue(code).plural_forms


def test_there_is_a_catalogue_for_each_language_and_no_package_among_them() -> None:
    assert {path.name for path in LOCALE.iterdir() if path.is_dir()} == set(TRANSLATED)
    assert not list(LOCALE.rglob("*.py"))


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 ход "), (2, "2 хода"), (5, "5 ходов"), (11, "11 ходов")]
)
def test_russian_numbers_take_their_own_forms(count: int, words: str) -> None:
    message = load("ru", {}).ngettext(
        "Looking {count} move ahead, this looks best: {moves}.",
        "Looking {count} moves ahead, this looks best: {moves}.",
        count,
    )

    assert words in message.format(count=count, moves="B2")


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "es_MX.UTF-8"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "ru_RU.UTF-8", "LANG": "es_ES.UTF-8"}, "ru"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "es_ES.UTF-8"}, "zh"),
        ({"LC_ALL": "", "LANG": "es"}, "es"),
        ({"LANGUAGE": "fr:es:ru", "LANG": "ru_RU.UTF-8"}, "es"),
        ({"LANGUAGE": "en:es", "LANG": "es_ES.UTF-8"}, "en"),
        ({"LANGUAGE": "es", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "es", "LANG": "C.UTF-8"}, "es"),
        ({"LANGUAGE": "es"}, "es"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_environment_tells_the_language(environ: dict[str, str], code: str) -> None:
    assert negotiate(environ) == code
    assert load(None, environ).info().get("language", "en") == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("es", "es"),
        ("ES-mx", "es"),
        ("zh-Hans", "zh"),
        ("zh_Hans_CN.GB18030", "zh"),
        ("ru_RU@petr1708", "ru"),
        ("en_GB", "en"),
        ("estonian", None),
        ("", None),
        ("C", None),
    ],
)
def test_regions_and_scripts_of_a_language_have_its_messages(name: str, code: str | None) -> None:
    assert find_language(name) == code


def test_a_language_that_is_named_and_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from en, es, zh, ru"):
        load("tlh", {"LANG": "es"})


def test_english_is_spoken_where_a_catalogue_is_lost(tmp_path: Path) -> None:
    shutil.copytree(LOCALE / "ru", tmp_path / "ru")

    assert load("ru", {}, tmp_path).gettext("Or type help.") == "Или введите «помощь»."
    assert load("es", {}, tmp_path).gettext("Or type help.") == "Or type help."


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("among", [COMMANDS, AFTERWARDS, IN_LOBBY, IN_GAME])
def test_commands_are_understood_in_the_language_and_always_in_english(
    code: str, among: dict[str, str]
) -> None:
    language = load(code, {})
    words = translated_words(language, among)

    assert len(set(words.values())) == len(words) == len(among)
    for english, theirs in words.items():
        for word in (english, english.upper(), theirs, theirs.title(), f"  {theirs} "):
            command = parse_command(word, language, among)
            assert command is not None
            assert command.word == english
    others = {theirs for english, theirs in words.items() if theirs != english}
    assert not others & ({*among} | set(SHORT))


# -- sentences -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "One. Two."), ("ru", "One. Two."), ("zh", "One。Two。")]
)
def test_sentences_end_and_follow_each_other_as_the_language_writes_them(
    code: str, expected: str
) -> None:
    language = load(code, {})
    sentences = [as_sentence(text, language) for text in ("One", "Two")]

    assert join_sentences([sentences[0], "", sentences[1]], language) == expected


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "A: it is. So? So!"), ("zh", "A：it is。So?So!")]
)
def test_a_sentence_gets_a_capital_letter_and_one_end(code: str, expected: str) -> None:
    language = load(code, {})
    sentences = [labelled("a", "it is", language), "so?", "So!"]

    assert join_sentences((as_sentence(text, language) for text in sentences), language) == expected


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "A1, B1; C1"), ("ru", "A1, B1; C1"), ("zh", "A1、B1；C1")]
)
def test_parts_of_a_sentence_are_parted_by_the_signs_of_the_language(
    code: str, expected: str
) -> None:
    language = load(code, {})

    assert join_clauses([join_names(["A1", "B1"], language), "C1"], language) == expected
