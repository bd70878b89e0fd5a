"""Calls in brackets, in which what they are asked of stands first (``[[Till alloc] initWith:x]``),
as chains of calls: ``Till.alloc().initWith()``. What they give is left out."""

from __future__ import annotations

import re

from explorer_core.index.extraction.brackets import closing_mark

_MARKS = re.compile(r'@?"(?:[^"\\\n]|\\.)*"|[()\[\]{}]')
_OPENING = str.maketrans("({", "[[")
_CLOSING = str.maketrans(")}", "]]")
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::|$)")


def as_chain(text: str) -> str:
    """An expression that may begin with such calls, as a chain; as it is where it is anything else,
    or was cut."""
    if not text.startswith("["):
        return text
    plain = text.translate(_OPENING).translate(_CLOSING)
    end = _closed(plain, 0)
    asked = _closed(plain, 1) if plain.startswith("[", 1) else _word_end(plain, 1)
    name = _NAME.match(text, asked, end - 1) if 0 < asked < end else None
    return f"{as_chain(text[1:asked])}.{name[1]}(){text[end:]}" if name else text


def _closed(plain: str, opening: int) -> int:
    """Where what a bracket opens ends; 0 where it does not."""
    mark = closing_mark(_MARKS.finditer(plain, opening), "[", "]")
    return mark.end() if mark else 0


def _word_end(plain: str, at: int) -> int:
    """Where an expression without brackets around it ends, at a blank; 0 where none follows."""
    while at < len(plain) and not plain[at].isspace():
        at = _closed(plain, at) or len(plain) if plain[at] == "[" else at + 1
    return at if at < len(plain) else 0
