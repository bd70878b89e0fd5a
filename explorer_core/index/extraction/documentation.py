"""Reads the first line of a declaration's documentation from the lines around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_DOCSTRING = re.compile(r"\s*[rRuUbBfF]{0,2}(\"\"\"|'''|\"|')\s*([^\n]*)")
_OTHER_CODE = re.compile(r"[,;({\[]")
"""What shows that a line begins with something else, which the comment above it is about."""
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_MARKS = "/*!#;-% \t"
_MAX_LINES_ABOVE = 200
"""How many lines above a definition its comment may begin."""
_DOC_LENGTH = 200
"""How many characters of a first line of documentation are kept."""


def documentation(source: Source, spec: LanguageSpec, start: int, head: int, body: int) -> str:
    """Returns the first line of the string that heads the body, or of the comment just above
    ``start``. In languages that document by attributes, returns that of an attribute before the
    ``head`` or at the start of the body."""
    if spec.doc_attribute:
        before_head = compiled(spec.doc_attribute).search(source.piece(start, head))
        body_text = source.piece(body, body + _DOC_LENGTH) if body >= 0 else ""
        in_body = compiled(spec.doc_attribute).search(body_text)
        if in_body and len(body_text[: in_body.start()].split()) > 1:
            in_body = None
        if match := before_head or in_body:
            return match[1].strip()
    if spec.docstrings:
        return _docstring(source, body) if body >= 0 else ""
    line = source.line(start)
    if _OTHER_CODE.search(source.flat, source.starts[line - 1], start):
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
    match = _DOCSTRING.match(source.flat, body, body + 2000)
    if not match:
        return ""
    text = source.piece(match.start(2), match.end(2)).split(match[1])[0]
    return text.strip()[:_DOC_LENGTH]


def _comment_above(source: Source, spec: LanguageSpec, line: int) -> str:
    """Returns the first line with words of the comment that ends on ``line``."""
    first_words = ""
    block = spec.block_comment
    is_inside = False
    for current in range(line, max(0, line - _MAX_LINES_ABOVE), -1):
        text = source.line_text(current).strip()
        if block and not is_inside and text.endswith(block[1]):
            is_inside = True
        if not is_inside and not (text and text.startswith(spec.line_comments)):
            break
        words = _words(text, spec)
        first_words = words or first_words
        if is_inside and block and block[0] in text:
            if not text.startswith(block[0]):
                return ""
            break
    return first_words


def _words(text: str, spec: LanguageSpec) -> str:
    if spec.block_comment:
        text = text.removesuffix(spec.block_comment[1])
    for mark in sorted(spec.line_comments, key=len, reverse=True)[:-1]:
        text = text.removeprefix(mark)
    return _TAG.sub("", text.strip(_MARKS)).strip()[:_DOC_LENGTH]
