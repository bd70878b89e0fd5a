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
    plain = text.translate(_OPENING).translate(_CLOSING)
    end = _closed(plain, 0)
    asked = _closed(plain, 1) if plain.startswith("[", 1) else _word_end(plain, 1)
    name = _NAME.match(text, asked, end - 1) if 0 < asked < end else None
    return f"{as_chain(text[1:asked])}.{name[1]}(){text[end:]}" if name else text


def _closed(plain: str, opening: int) -> int:
    """Returns the end of what a bracket opens; 0 if it is not closed."""
    mark = closing_mark(_MARKS.finditer(plain, opening), "[", "]")
    return mark.end() if mark else 0


def _word_end(plain: str, at: int) -> int:
    """Returns the end of an expression without brackets around it, at a blank; 0 if none
    follows."""
    while at < len(plain) and not plain[at].isspace():
        at = _closed(plain, at) or len(plain) if plain[at] == "[" else at + 1
    return at if at < len(plain) else 0
