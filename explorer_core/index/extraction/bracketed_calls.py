"""Rewrites bracketed calls, whose receiver comes first, as chains of calls: ``[[Till alloc]
initWith:x]`` becomes ``Till.alloc().initWith()``. Arguments are left out."""

from __future__ import annotations

import re

from explorer_core.index.extraction.brackets import closing_mark

_MARKS = re.compile(r'@?"(?:[^"\\\n]|\\.)*"|[()\[\]{}]')
_OPENING = str.maketrans("({", "[[")
_CLOSING = str.maketrans(")}", "]]")
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::|$)")


def as_chain(text: str) -> str:
    """Returns an expression that may begin with such calls as a chain. Anything else, or a text
    that was cut, stays as it is."""
    if not text.startswith("["):
        return text
    squared = text.translate(_OPENING).translate(_CLOSING)
    end = _closing_end(squared, 0)
    receiver_end = _closing_end(squared, 1) if squared.startswith("[", 1) else _word_end(squared, 1)
    name = _NAME.match(text, receiver_end, end - 1) if 0 < receiver_end < end else None
    return f"{as_chain(text[1:receiver_end])}.{name[1]}(){text[end:]}" if name else text


def _closing_end(squared: str, opening: int) -> int:
    """Returns the end of what a bracket opens; 0 if it is not closed."""
    mark = closing_mark(_MARKS.finditer(squared, opening), "[", "]")
    return mark.end() if mark else 0


def _word_end(squared: str, offset: int) -> int:
    """Returns the end of an expression without brackets around it, at a blank; 0 if none
    follows."""
    while offset < len(squared) and not squared[offset].isspace():
        offset = (
            _closing_end(squared, offset) or len(squared) if squared[offset] == "[" else offset + 1
        )
    return offset if offset < len(squared) else 0
