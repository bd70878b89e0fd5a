"""What calls resolve to in each language: packages, imports, scopes and receivers.

``calls/<language>.txt`` holds a language's cases, ``calls/several.txt`` those of several languages.
A case is a line ``==== title`` followed by files under ``//- path`` headers. A line that ends in
``//= target witness`` (``#=`` or ``--=`` in languages with that comment) must have calls to exactly
these targets, each ``path:Qualified.name``. To distinguish overloads, all names are followed by
``@line``. A line that ends in ``//= nothing`` must have no calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import SymbolId
from tests.index.workspace import facts_of, label

FOLDER = Path(__file__).parent / "calls"
_TITLE = re.compile(r"^==== (.+)\n", re.MULTILINE)
_EXPECTED = re.compile(r"(?://|#|--)= (.+)$")


def cases() -> Iterator[tuple[str, str]]:
    """The title and the fixture of every case."""
    for file in sorted(FOLDER.glob("*.txt")):
        _, *parts = _TITLE.split(file.read_text(encoding="utf-8"))
        for title, source in zip(parts[::2], parts[1::2], strict=True):
            yield f"{file.stem}: {title}", source


CASES = dict(cases())


@pytest.mark.parametrize("case", CASES)
def test_calls(case: str, caplog: pytest.LogCaptureFixture) -> None:
    memory, fixture = facts_of(CASES[case])
    graph = SymbolGraph(memory)
    wanted: dict[str, str] = {}
    found: dict[str, str] = {}
    for path, text in fixture.files.items():
        for number, line in enumerate(text.splitlines(), 1):
            expected = _EXPECTED.search(line)
            if expected:
                place = f"{path}:{number}: {line.split('=')[0].strip(' /#')}"
                wanted[place] = ", ".join(sorted(expected.group(1).split(", ")))
                found[place] = _calls_at(graph, path, number, with_lines="@" in wanted[place])
    assert wanted
    assert found == wanted
    assert not caplog.records  # for example, that a reference depends on itself


def _calls_at(graph: SymbolGraph, path: str, line: int, *, with_lines: bool) -> str:
    """The targets of the calls on a line."""
    callers = [SymbolId(path, TOP), *(s.id for s in graph.symbols_in(path))]
    edges = {e for caller in callers for e in graph.outgoing(caller) if e.relation == "calls"}
    targets = {
        label(graph, edge.target)
        + (f"@{graph.symbol(edge.target).line}" if with_lines else "")
        + f" {edge.witness.removeprefix('graph:')}"
        for edge in edges
        if edge.line == line
    }
    return ", ".join(sorted(targets)) or "nothing"
