"""``tic-tac-toe check``: verifies proof certificates."""

from __future__ import annotations

import io
import lzma
from collections.abc import Sequence
from gettext import NullTranslations
from typing import BinaryIO

from tic_tac_toe.certificate_check import Claim, InvalidCertificate, check
from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.rules.catalogue import find_rules

from ..program.files import opened, reading
from ..program.options import Parser
from ..program.process import DONE, REFUSED, Refused, print_error
from ..program.terminal import Terminal
from ..words.evaluation_text import outcome_word
from ..words.foreign import escaped, truncated
from ..words.rules_text import variant_title
from ..words.translation import N_, localise

#: The suffix of a compressed certificate.
COMPRESSED = ".xz"
#: What is claimed by certificates of one side's half of a draw.
HALVES = {"win or draw": N_("win or draw"), "draw or loss": N_("draw or loss")}
#: Limits of an uncompressed certificate and of the decompressor's memory, in bytes.
MOST_BYTES, MOST_MEMORY = 64_000_000, 128 << 20


def main(arguments: Sequence[str], prog: str) -> int:
    """Check certificates and return the exit status of the process."""
    about = N_(
        "Check proof certificates, as “tic-tac-toe solve --certificate” writes them, "
        "without trusting the search or the rules that they came from."
    )
    parser = Parser(prog, arguments, about)
    language = parser.language
    about_files = language.gettext("a certificate, may be compressed as .xz; - is standard input")
    parser.arguments.add_argument("files", metavar="FILE", nargs="+", help=about_files)
    parser.add_language()
    options = parser.read()
    terminal, status = Terminal.standard(), DONE
    for name in options.files:
        try:
            claim = _read_claim(name, language)
        except Refused as refusal:
            print_error(str(refusal))
            status = REFUSED
            continue
        terminal.show_entry(describe(escaped(truncated(name)), claim, language))
    return status


def _read_claim(name: str, language: NullTranslations) -> Claim:
    """Return the claim that a file proves.

    Raises:
        Refused: the file proves nothing, or cannot be read.
    """
    with reading(name, language), opened(name) as file:
        try:
            return check(_uncompressed(file, language) if name.endswith(COMPRESSED) else file)
        except InvalidCertificate as error:
            reason = localise(language, _reason(error))
    text = language.gettext("{file} proves nothing: {reason}")
    raise Refused(escaped(text.format(file=truncated(name), reason=reason)))


def _uncompressed(file: BinaryIO, language: NullTranslations) -> BinaryIO:
    """Return the contents of an xz file.

    Raises:
        Refused: the file is no xz file, is truncated, or has more than `MOST_BYTES`.
    """
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
    try:
        text = decompressor.decompress(file.read(MOST_BYTES), MOST_BYTES + 1)
    except lzma.LZMAError:
        text = b""
    if len(text) > MOST_BYTES:
        message = language.gettext("larger than {count} bytes")
        raise Refused(message.format(count=f"{MOST_BYTES:,}"))
    if not decompressor.eof:
        raise Refused(language.gettext("no xz file, or damaged"))
    return io.BytesIO(text)


def _reason(error: InvalidCertificate) -> Message:
    reason = Message(error.template, "certificate", tuple(error.params.items()))
    if not error.line:
        return reason
    return message("line {line}: {reason}", "certificate_line", line=error.line, reason=reason)


def describe(name: str, claim: Claim, language: NullTranslations) -> str:
    """Return a file's proved claim in one line."""
    half = HALVES.get(claim.outcome)
    return language.ngettext(
        "{file}: {variant}, {position}: {outcome}, proved by {count} theorem",
        "{file}: {variant}, {position}: {outcome}, proved by {count} theorems",
        claim.theorems,
    ).format(
        file=name,
        variant=variant_title(find_rules(f"mnk:{claim.game}"), language),
        position=claim.position,
        outcome=language.gettext(half) if half else outcome_word(claim.outcome, language),
        count=f"{claim.theorems:,}",
    )
