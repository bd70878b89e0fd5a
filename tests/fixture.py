"""Multi-file workspaces in one string.

    //- src/app.py
    def main():
        <|>run()
    //- src/run.py
    def run(): ...

``//- path`` starts a file. ``<|>`` marks a cursor; ``<<name:`` ... ``>>`` marks a range called
``name``. All marks are removed from the text. Lines inside a file end in ``\\n``.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

_MARK = re.compile(r"<\|>|<<(?P<name>[\w.]+):|(?P<close>>>)(?=\s|$|[),;\]}])", re.MULTILINE)


_PROSE = "How it is with the one of these that has to be in here, and what it does when it is on."
ELSEWHERE = "//- elsewhere/others.py\n" + "".join(
    f"def other_{at}():\n    # {_PROSE}\n    return {at}\n"
    if at % 5 == 0
    else f"def other_{at}(): ...\n"
    for at in range(600)
)
"""A file that makes a workspace large: enough units for its own word statistics to count alone
(`TermStatistics` fills up smaller ones)."""


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """A marked range; lines are 1-based and inclusive."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fixture:
    """Files by path, with the marks found in them."""

    files: dict[str, str]
    cursors: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    ranges: dict[str, MarkedRange] = field(default_factory=dict[str, MarkedRange])

    def write(self, folder: Path) -> Path:
        """Write every file below ``folder`` and return it."""
        for path, text in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        return folder


def parse(source: str) -> Fixture:
    """Read a fixture string; raises ValueError for text before the first header."""
    head, *parts = re.split(
        r"^//- (.+)\n", textwrap.dedent(source).lstrip("\n"), flags=re.MULTILINE
    )
    if head.strip():
        raise ValueError("a fixture starts with a //- path header")
    fixture = Fixture({})
    for path, marked in zip(parts[::2], parts[1::2], strict=True):
        fixture.files[path.strip()] = _strip_marks(path.strip(), marked, fixture)
    return fixture


def _strip_marks(path: str, marked: str, fixture: Fixture) -> str:
    text = ""
    position = 0
    open_marks: list[tuple[str, int]] = []
    for mark in _MARK.finditer(marked):
        if mark["close"] and not open_marks:
            continue
        text += marked[position : mark.start()]
        position = mark.end()
        if mark["name"]:
            open_marks.append((mark["name"], len(text)))
        elif mark["close"]:
            name, start = open_marks.pop()
            first, last = text.count("\n", 0, start) + 1, text.count("\n") + 1
            fixture.ranges[name] = MarkedRange(path, first, last, text[start:])
        else:
            line_start = text.rfind("\n") + 1
            fixture.cursors.append((path, text.count("\n") + 1, len(text) - line_start))
    return text + marked[position:]
