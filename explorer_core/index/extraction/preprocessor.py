"""Text that goes through a preprocessor, made readable to a grammar that knows nothing of one.

A macro where the grammar expects none (``API_EXPORT class Foo``, ``BEGIN_NAMESPACE``), or branches
of a conditional that each open the same block, make a parser lose its way for the rest of the
declaration or file. So conditionals are blanked out, with all but the first of branches that do not
stand on their own, and so are misplaced macros; byte for byte, so that places stay the same. What
was blanked is still a use of what it names, and so is what the bodies of macros name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer_core.index.extraction.source import Source

Span = tuple[int, int]
_BODIES = 4000
"""Macro bodies and conditions of one file that are read; more are tables rather than code."""
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(define|if(?:n?def)?|el(?:if(?:n?def)?|se)|endif)\b((?:[^\n\\]|\\[\s\S])*)",
    re.MULTILINE,
)
_INLINE = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_NAMESPACE = re.compile(r"\bnamespace\s+([A-Za-z_][\w:]*)\s*\{")


@dataclass(slots=True)
class Readable:
    """What the grammar is given; where names of macros were taken out of it, and where conditions
    and arguments were."""

    raw: bytes
    uses: list[Span] = field(default_factory=list[Span])
    others: list[Span] = field(default_factory=list[Span])


def readable(source: Source, stray_macros: Iterable[str]) -> Readable:
    """The text without conditionals and without macros where the grammar expects none."""
    found = Readable(source.raw)
    found.raw = _blanked(source.raw, _conditionals(source.flat, found.others))
    flat = found.raw.decode("latin-1")
    hidden: list[Span] = []
    comments = [match.span() for match in _INLINE.finditer(flat)]
    for pattern in stray_macros:
        for match in _compiled(pattern).finditer(flat):
            word = _WORD.search(flat, *match.span(1))
            if word and _is_code(flat, word.start(), comments):
                hidden.append(match.span(1))
                found.uses.append(word.span())
                found.others.append((word.end(), match.end(1)))
    found.raw = _blanked(found.raw, hidden)
    return found


def unconditional(source: Source) -> Iterator[bytes]:
    """The text without conditionals: with all branches that open no block, then with only the first
    of each conditional. Nothing where it has none."""
    spans = list(_conditionals(source.flat, []))
    if spans:
        yield _blanked(source.raw, spans)
        yield _blanked(source.raw, _conditionals(source.flat, [], first_only=True))


def namespaces(source: Source, bodies: Iterable[Span]) -> Iterator[Span]:
    """The names of namespaces that macros open (``#define BEGIN namespace a {``)."""
    for start, end in bodies:
        for match in _NAMESPACE.finditer(source.flat, start, end):
            yield match.span(1)


def together(source: Source, bodies: Iterable[Span]) -> bytes:
    """Nothing but bodies and conditions, each at its own place and ended like a statement; empty
    when they name nothing."""
    naming = [span for span in bodies if _WORD.search(source.flat, *span)][:_BODIES]
    text = bytearray(b" " * (max((end for _, end in naming), default=-2) + 2))
    for start, end in sorted(naming):
        body = source.raw[start:end].replace(b"\\\n", b"  ").replace(b"defined", b"       ")
        text[start:end] = body
        text[end : end + 2] = b"\n;"
    return bytes(text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


def _conditionals(flat: str, conditions: list[Span], *, first_only: bool = False) -> Iterator[Span]:
    """The directives of conditionals, and the branches that are left out."""
    open_branches: list[list[int]] = []
    for match in _DIRECTIVE.finditer(flat):
        word = match.group(1)
        if word == "define":
            yield from (comment.span() for comment in _INLINE.finditer(flat, *match.span(2)))
            continue
        yield match.span()
        if word not in ("else", "endif"):
            conditions.append(match.span(2))
        if word.startswith("if"):
            open_branches.append([match.end()])
        elif open_branches:
            open_branches[-1] += [match.start(), match.end()]
            if word == "endif":
                bounds = open_branches.pop()[:-1]
                branches = list(zip(bounds[::2], bounds[1::2], strict=True))
                if first_only or any(_balance(flat, *branch) for branch in branches):
                    yield from branches[1:]


def _balance(flat: str, start: int, end: int) -> int:
    braces = flat.count("{", start, end) - flat.count("}", start, end)
    return braces or flat.count("(", start, end) - flat.count(")", start, end)


def _is_code(text: str, at: int, comments: list[Span]) -> bool:
    """Whether a place is in no directive, comment or quotation, as far as its line tells."""
    start = text.rfind("\n", 0, at) + 1
    before = text[start:at]
    if before.lstrip().startswith(("#", "*", "//")) or "//" in before or before.count('"') % 2:
        return False
    around = bisect_right(comments, (at, at)) - 1
    return (around < 0 or comments[around][1] <= at) and text[start - 2 : start - 1] != "\\"


def _blanked(raw: bytes, spans: Iterable[Span]) -> bytes:
    text = bytearray(raw)
    for start, end in spans:
        lines = raw[start:end].split(b"\n")
        text[start:end] = b"\n".join(b" " * len(line) for line in lines)
    return bytes(text)
