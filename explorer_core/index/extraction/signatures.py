"""Reads the signature of a declaration: its text before the body, on one line."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from explorer_core.index.extraction.drafts import Draft
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_SIGNATURE_LENGTH = 200
_TRAILING = " {:=(\t\n"
_STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"


def signature(source: Source, spec: LanguageSpec, draft: Draft) -> str:
    """Returns the text of a definition up to its body, cut off, without decorations and
    comments."""
    end = draft.body if draft.body > draft.name_start else draft.end
    if draft.kind in VALUE_KINDS or draft.kind == "section":
        line_end = source.flat.find("\n", draft.name_end)
        end = draft.end if line_end < 0 else min(draft.end, line_end)
    start = draft.head
    if spec.decoration:
        match = compiled(spec.decoration).match(source.flat, start, draft.name_start)
        start = match.end() if match else start
    text = source.one_line(start, end, _SIGNATURE_LENGTH)
    if draft.kind in CODE_KINDS or draft.kind in TYPE_KINDS:
        text = _uncommented(text, source, spec, (start, end))
    return text.rstrip(_TRAILING).removesuffix("=>").rstrip() if end != draft.end else text


def _uncommented(written: str, source: Source, spec: LanguageSpec, span: tuple[int, int]) -> str:
    """Returns a signature without the comments inside it."""
    marks = (*spec.line_comments, *(spec.block_comment or ())[:1])
    if not any(mark in written for mark in marks):
        return written
    start, end = span
    text = source.piece(start, min(end, start + 4 * _SIGNATURE_LENGTH))
    return " ".join(_without_comments(text, spec).split())[:_SIGNATURE_LENGTH].rstrip()


def _without_comments(text: str, spec: LanguageSpec) -> str:
    """Removes the comments in code, except inside of what looks like a string."""
    return _comments(spec.line_comments, spec.block_comment).sub(r"\g<string>", text)


@functools.cache
def _comments(line: tuple[str, ...], block: tuple[str, str] | None) -> re.Pattern[str]:
    """Returns a pattern for comments, and for strings in the group ``string``. An attribute
    (``#[...]``) is no comment."""
    parts = [rf"{re.escape(mark)}(?!\[)[^\n]*" for mark in line]
    if block:
        parts.append(rf"{re.escape(block[0])}.*?{re.escape(block[1])}")
    return re.compile(rf"(?P<string>{_STRING})|{'|'.join(parts)}", re.DOTALL)
