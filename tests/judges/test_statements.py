"""The sentences that edges are put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest
from tests.judges.test_offline import answer_to

PRINTER = """
//- src/Printer.java
class Printer {
    /** Prints the pages of a ledger. */
    void printLedger(String[] pages) { printLedger(pages, 0); }
    /** Prints the pages of a ledger from one on. */
    void printLedger(String[] pages, int at) {
        if (at < pages.length) {
            show(pages[at]);
            unwind(pages, at);
        }
    }
    /** Unwinds a spool. */
    void unwind(String[] spool, int turn) { if (turn > 0) unwind(spool, turn - 1); }
    void show(String page) { System.out.println(page); }
}
"""


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("printLedger: prints the pages of a ledger", "another `Printer.printLedger`"),
        ("unwind: unwinds a spool", "`Printer.unwind` calls itself."),
    ],
)
async def test_nothing_is_said_to_call_what_is_called_the_same(
    tmp_path: Path, question: str, fact: str
):
    """Two overloads, and one that calls itself, are told apart in words."""
    report = await answer_to(ExploreRequest(query=question, intent="explain"), tmp_path, PRINTER)
    facts = [link.fact for link in report.links]
    assert any(fact in each for each in facts), facts
