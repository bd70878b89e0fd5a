"""Names that lines of code give values, read without a parser: by the shapes of assignments that
languages have in common.

A line that gives what a later one takes is a source. It tells less of what a function does than
what the function comes to.
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
    """The names in an expression without comments, but none that are members of something."""
    return _NAME.findall(without_literals(code))


def bound_on(code: str) -> list[str]:
    """The names that a line without comments gives a value: the one before the sign, or before the
    colon and the type in between; of several all, in brackets or with nothing before them. Members
    of something do not count."""
    sign = _ASSIGNS.search(code)
    if sign is None:
        return []
    written = code[: sign.start()].rstrip()
    if written.count("(") != written.count(")"):
        return []  # names an argument
    if (listed := _LISTED.search(written)) is not None and "," in listed[1]:
        return _NAME.findall(listed[1])
    if _SEVERAL.fullmatch(written):
        return _NAME.findall(written)
    named = written.partition(":")[0].rstrip()
    names = list(_NAME.finditer(named))
    return [names[-1][0]] if names and names[-1].end() == len(named) else []


@functools.cache
def fills_of(language: str | None) -> re.Pattern[str]:
    """An argument that a language gives to be written into, its ``name`` in that group; nothing
    where none is known."""
    mark = (languages.spec(language).filled_mark if language else "") or "(?!)"
    return re.compile(rf"[(,]\s*(?:{mark})(?P<name>[^\W\d]\w*)\s*[,)]")


def filled_on(code: str, fills: re.Pattern[str]) -> list[str]:
    """The variables that a line without comments hands over to be given a value. ``fills`` tells
    them, as `fills_of` gives it."""
    return [match["name"] for match in fills.finditer(code)]


def value_on(code: str) -> str | None:
    """The value on a line without comments that does no more than give it to a name, or to a key of
    a table; None for any other line. To set a member is to do something."""
    bound = _BINDS.match(code)
    return None if bound is None else code[bound.end() :].strip(" \t,;")


def sources(code: Sequence[str], apart: Collection[int] = ()) -> set[int]:
    """The lines of a function, from 0 on, that give a name a value which a later line takes: it
    asks a member of the name, or hands it over. Lines `apart` from the others take nothing, and
    neither does the last: it may just return the value."""
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
    """The names that a line hands over, or asks a member of."""
    opened = code.find("(")
    for match in _TAKEN.finditer(code):
        among = 0 <= opened < match.start() or not code[: match.start()].strip()
        if among or match["member"]:
            yield match["name"]
