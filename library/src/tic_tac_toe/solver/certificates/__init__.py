"""Proof certificates: files that show an outcome to readers who do not trust the search.

`tic_tac_toe.certificate_check` reads them, says what each line means, and why it proves something.
"""

from tic_tac_toe.solver.certificates.journal import InvalidJournal, journal_beside
from tic_tac_toe.solver.certificates.writing import (
    Written,
    check_provable,
    write_certificate,
)

__all__ = ["InvalidJournal", "Written", "check_provable", "journal_beside", "write_certificate"]
