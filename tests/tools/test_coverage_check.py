"""Lines and branches are each held to the floor: neither makes up for the other."""

import pytest

from tools.coverage_check import shortfalls

pytestmark = pytest.mark.tooling


def totals(statements: float, branches: float) -> dict[str, float]:
    return {"percent_statements_covered": statements, "percent_branches_covered": branches}


def test_the_floor_itself_is_enough() -> None:
    assert shortfalls(totals(95.0, 95.0)) == []


def test_full_statement_coverage_does_not_make_up_for_branches() -> None:
    assert shortfalls(totals(100.0, 94.99)) == [
        "Coverage of branches is 94.99 %, and 95 % is required."
    ]


def test_full_branch_coverage_does_not_make_up_for_statements() -> None:
    assert shortfalls(totals(94.0, 100.0)) == [
        "Coverage of statements is 94.00 %, and 95 % is required."
    ]
