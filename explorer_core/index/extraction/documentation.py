"""Reads the first line of a declaration's documentation from the lines around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_DOCSTRING = re.compile(r"\s*[rRuUbBfF]{0,2}(\"\"\"|'''|\"|')\s*([^\n]*)")
_ANOTHER = re.compile(r"[,;({\[]")
"""What shows that a line begins with something else, which the comment above it is about."""
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_MARKS = "/*!#;-% \t"
_FARTHEST = 200
"""How many lines above a definition its comment may begin."""
_DOC = 200
"""How many characters of a first line of documentation are kept."""


def documentation(source: Source, spec: LanguageSpec, start: int, head: int, body: int) -> str:
    """Returns the first line of the string that heads the body, or of the comment just above
    ``start``. In languages that document by attributes, returns that of an attribute before the
    ``head`` or at the start of the body."""
    if spec.doc_attribute:
        before = compiled(spec.doc_attribute).search(source.piece(start, head))
        inside = source.piece(body, body + _DOC) if body >= 0 else ""
        heads = compiled(spec.doc_attribute).search(inside)
        if heads and len(inside[: heads.start()].split()) > 1:
            heads = None
        if found := before or heads:
            return found[1].strip()
    if spec.docstrings:
        return _docstring(source, body) if body >= 0 else ""
    line = source.line(start)
    if _ANOTHER.search(source.flat, source.starts[line - 1], start):
        return ""
    return _comment_above(source, spec, line - 1)


def end_of_code(source: Source, spec: LanguageSpec, start: int, end: int) -> int:
    """Returns the end of a stretch of text without the blank lines and comments at its end. These
    belong to what comes next: grammars of indented languages end a block where the next statement
    begins."""
    block = spec.block_comment
    while True:
        end = start + len(source.flat[start:end].rstrip())
        line = max(start, source.flat.rfind("\n", start, end) + 1)
        if spec.line_comments and source.flat[line:end].lstrip().startswith(spec.line_comments):
            end = line
        elif block and source.flat.endswith(block[1], start, end):
            opening = source.flat.rfind(block[0], start, end)
            if opening < 0:
                return end
            end = opening
        else:
            return end


def _docstring(source: Source, body: int) -> str:
    found = _DOCSTRING.match(source.flat, body, body + 2000)
    if not found:
        return ""
    text = source.piece(found.start(2), found.end(2)).split(found[1])[0]
    return text.strip()[:_DOC]


def _comment_above(source: Source, spec: LanguageSpec, line: int) -> str:
    """Returns the first line with words of the comment that ends on ``line``."""
    best = ""
    block = spec.block_comment
    inside = False
    for current in range(line, max(0, line - _FARTHEST), -1):
        text = source.line_text(current).strip()
        if block and not inside and text.endswith(block[1]):
            inside = True
        if not inside and not (text and text.startswith(spec.line_comments)):
            break
        words = _words(text, spec)
        best = words or best
        if inside and block and block[0] in text:
            if not text.startswith(block[0]):
                return ""
            break
    return best


def _words(text: str, spec: LanguageSpec) -> str:
    if spec.block_comment:
        text = text.removesuffix(spec.block_comment[1])
    for mark in sorted(spec.line_comments, key=len, reverse=True)[:-1]:
        text = text.removeprefix(mark)
    return _TAG.sub("", text.strip(_MARKS)).strip()[:_DOC]
