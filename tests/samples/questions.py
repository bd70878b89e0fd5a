"""The questions in ``samples/questions/*.toml``, and the locations of their answers in the files.

Definitions are found by reading the text, without the code under test. To find the end of a
definition, samples only have to be indented consistently.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "samples"

_INTRODUCER = (
    r"(?:def|class|func|function|fn|interface|type|struct|trait|enum|const|let|var|record)\s+"
)
_MODIFIER = r"(?:(?:public|private|protected|static|final|async|readonly)\s+)"
_RECEIVER = r"(?:\(\s*\w+\s+\*?(?P<receiver>\w+)\s*\)\s*)?"


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition ``path::Qualified.name`` and its lines, without decorators."""

    path: str
    name: str
    start: int
    end: int

    def overlaps(self, path: str, start: int, end: int) -> bool:
        return path == self.path and start <= self.end and self.start <= end


@dataclass(frozen=True, slots=True)
class Question:
    """A question. ``files``, ``definitions`` and ``order`` are what a correct answer must contain.

    ``hard``: most of the question's words do not occur at the answer.
    """

    sample: str
    query: str
    intent: str
    files: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    order: tuple[tuple[str, str], ...] = ()
    hard: bool = False

    @property
    def workspace(self) -> Path:
        return SAMPLES / self.sample

    def __str__(self) -> str:
        return f"{self.sample}: {self.query}"


def load(kind: str) -> list[Question]:
    """All questions of a ``kind``: ``question`` (answerable) or ``absent``."""
    return [
        Question(
            sample=file.stem,
            query=entry["query"],
            intent=entry["intent"],
            files=tuple(entry.get("files", ())),
            definitions=tuple(entry.get("definitions", ())),
            order=tuple((first, then) for first, then in entry.get("order", ())),
            hard=entry.get("hard", False),
        )
        for file in sorted((SAMPLES / "questions").glob("*.toml"))
        for entry in tomllib.loads(file.read_text("utf-8"))[kind]
    ]


def lines_of(workspace: Path, path: str) -> list[str]:
    return (workspace / path).read_text("utf-8").split("\n")


def locate(workspace: Path, reference: str) -> Definition:
    """Find ``path::Container.name`` in the text. Raises LookupError if it is missing."""
    path, _, qualified = reference.partition("::")
    lines = lines_of(workspace, path)
    container, _, name = qualified.rpartition(".")
    found = _member(lines, container, name) if container else _declared(lines, name)
    if found is None:
        raise LookupError(f"{path}: no {qualified}")
    return Definition(path, qualified, found + 1, _end(lines, found))


def _declared(lines: list[str], name: str, receiver: str | None = None) -> int | None:
    pattern = re.compile(rf"^\s*(?:\w+\s+)*?{_INTRODUCER}{_RECEIVER}{re.escape(name)}\b")
    for number, line in enumerate(lines):
        found = pattern.match(line)
        if found and found["receiver"] == receiver:
            return number
    return None


def _member(lines: list[str], container: str, name: str) -> int | None:
    """Find a method in its class, by its receiver, or in an ``impl`` block outside its type."""
    on_receiver = _declared(lines, name, receiver=container)
    if on_receiver is not None:
        return on_receiver
    word = re.escape(name)
    member = re.compile(
        rf"^\s+(?:{_MODIFIER}*(?:[\w<>\[\],]+\s+)?{word}(?:<[^>]*>)?\s*(?:[(:]|=\s*\()"
        rf"|(?:\w+\s+)*{_INTRODUCER}{word}\b)"
    )
    class_line = _declared(lines, container)
    blocks = [n for n, line in enumerate(lines) if re.match(rf"^impl\b.*\b{container}\b", line)]
    for block in [class_line, *blocks]:
        for number in range(block + 1, _end(lines, block)) if block is not None else ():
            if member.match(lines[number]) and _opens(lines[number]):
                return number
    return None


def _opens(line: str) -> bool:
    return line.rstrip().endswith(("{", ":", "(", "=>", ","))


def _end(lines: list[str], start: int) -> int:
    """The last line (1-based) of the definition at index ``start``: before the next line that is
    not indented deeper, or that line if it only closes brackets or a parameter list."""
    indent = _indent(lines[start])
    end = start
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.strip() and _indent(line) <= indent:
            if not re.match(r"^\s*[)\]}]", line):
                break
            end = number
            if not _opens(line):
                break
        elif line.strip():
            end = number
    return end + 1


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())
