"""Finds assignments by their shape, without a parser, in any language.

``total = sum(rows)`` binds ``total``. A line whose value a later line uses is called a source. It
says less about a function than the line where the value ends up.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Sequence

from explorer_core.channels.question.templates import without_literals
from explorer_core.index import languages

_ASSIGNS = re.compile(r"(?<![=!<>+\-*/|&^%~?:]):?=(?![=>~])")
_NAME = re.compile(r"(?<![.\w>])[$@]?[^\W\d]\w*")
_TAKEN = re.compile(r"(?<![.\w])(?P<name>[$@]?[^\W\d]\w*)(?:\s*[,)]|(?P<member>\.|->|\?\.))")
_WORD = re.compile(r"\w")
_BINDS = re.compile(r"\s*(?:[\w$@]+\s+){0,2}[\w$@]+\s*(?::=|=(?![=>~])|:(?!:)(?=\s*\S))")
_LISTED = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]\s*$")
_SEVERAL = re.compile(r"\s*[$@*]?\w+(?:\s*,\s*[$@*]?\w+)+")
"""Several names with nothing before them, a type or a keyword, that only the last might belong
to."""


def names_on(code: str) -> list[str]:
    """Returns the names in an expression, without members (the ``b`` of ``a.b``) and literals."""
    return _NAME.findall(without_literals(code))


def bound_on(code: str) -> list[str]:
    """Returns the names that a line assigns to: the one before the sign or before its type; of
    several all, in brackets or with nothing before them. Members do not count. The line must have
    no comment."""
    sign = _ASSIGNS.search(code)
    if sign is None:
        return []
    written = code[: sign.start()].rstrip()
    if written.count("(") != written.count(")"):
        return []  # a keyword argument
    if (listed := _LISTED.search(written)) is not None and "," in listed[1]:
        return _NAME.findall(listed[1])
    if _SEVERAL.fullmatch(written):
        return _NAME.findall(written)
    named = written.partition(":")[0].rstrip()
    names = list(_NAME.finditer(named))
    return [names[-1][0]] if names and names[-1].end() == len(named) else []


@functools.cache
def fills_of(language: str | None) -> re.Pattern[str]:
    """Returns a pattern for an argument that the callee writes into, like ``&count``. The group
    ``name`` holds the variable. It matches nothing if the language's spec has no mark for this."""
    mark = (languages.spec(language).filled_mark if language else "") or "(?!)"
    return re.compile(rf"[(,]\s*(?:{mark})(?P<name>[^\W\d]\w*)\s*[,)]")


def filled_on(code: str, fills: re.Pattern[str]) -> list[str]:
    """Returns the variables that a line passes to be written into. ``fills`` is the pattern from
    `fills_of`; the line must have no comment."""
    return [match["name"] for match in fills.finditer(code)]


def value_on(code: str) -> str | None:
    """Returns the value on a line that only assigns it to a name or to a key of a table, else None.
    A line that sets a member has an effect, so it does not count. The line must have no comment."""
    bound = _BINDS.match(code)
    return None if bound is None else code[bound.end() :].strip(" \t,;")


def sources(code: Sequence[str], apart: Collection[int] = ()) -> set[int]:
    """Returns the sources of a function, as offsets into ``code``.

    These are the lines that assign a value which a later line passes on or takes a member of. Uses
    on the lines ``apart`` do not count. Nor do those on the last line, which may just return the
    value.
    """
    written = [at for at, line in enumerate(code) if _WORD.search(line)]
    taken: set[str] = set()
    found: set[int] = set()
    for at in reversed(written):
        if not taken.isdisjoint(bound_on(code[at])):
            found.add(at)
        if at != written[-1] and at not in apart:
            taken.update(_taken_on(code[at]))
    return found


def _taken_on(code: str) -> Iterator[str]:
    """Yields the names that a line passes as arguments or takes a member of."""
    opened = code.find("(")
    for match in _TAKEN.finditer(code):
        among = 0 <= opened < match.start() or not code[: match.start()].strip()
        if among or match["member"]:
            yield match["name"]
