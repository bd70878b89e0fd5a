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

_ASSIGNMENT_SIGN = re.compile(r"(?<![=!<>+\-*/|&^%~?:]):?=(?![=>~])")
_NAME = re.compile(r"(?<![.\w>])[$@]?[^\W\d]\w*")
_USED_NAME = re.compile(r"(?<![.\w])(?P<name>[$@]?[^\W\d]\w*)(?:\s*[,)]|(?P<member>\.|->|\?\.))")
_WORD = re.compile(r"\w")
_ASSIGNMENT_START = re.compile(r"\s*(?:[\w$@]+\s+){0,2}[\w$@]+\s*(?::=|=(?![=>~])|:(?!:)(?=\s*\S))")
_BRACKETED_NAMES = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]\s*$")
_COMMA_SEPARATED_NAMES = re.compile(r"\s*[$@*]?\w+(?:\s*,\s*[$@*]?\w+)+")
"""Several names with nothing before them, a type or a keyword, that only the last might belong
to."""


def names_in_expression(code: str) -> list[str]:
    """Returns the names in an expression, without members (the ``b`` of ``a.b``) and literals."""
    return _NAME.findall(without_literals(code))


def assigned_names(code: str) -> list[str]:
    """Returns the names that a line assigns to: the one before the sign or before its type; of
    several all, in brackets or with nothing before them. Members do not count. The line must have
    no comment."""
    sign = _ASSIGNMENT_SIGN.search(code)
    if sign is None:
        return []
    left_side = code[: sign.start()].rstrip()
    if left_side.count("(") != left_side.count(")"):
        return []  # a keyword argument
    if (bracketed := _BRACKETED_NAMES.search(left_side)) is not None and "," in bracketed[1]:
        return _NAME.findall(bracketed[1])
    if _COMMA_SEPARATED_NAMES.fullmatch(left_side):
        return _NAME.findall(left_side)
    name_part = left_side.partition(":")[0].rstrip()
    names = list(_NAME.finditer(name_part))
    return [names[-1][0]] if names and names[-1].end() == len(name_part) else []


@functools.cache
def output_argument_pattern(language: str | None) -> re.Pattern[str]:
    """Returns a pattern for an argument that the callee writes into, like ``&count``. The group
    ``name`` holds the variable. It matches nothing if the language's spec has no mark for this."""
    mark = (languages.spec(language).filled_mark if language else "") or "(?!)"
    return re.compile(rf"[(,]\s*(?:{mark})(?P<name>[^\W\d]\w*)\s*[,)]")


def output_arguments(code: str, fills: re.Pattern[str]) -> list[str]:
    """Returns the variables that a line passes to be written into. ``fills`` is the pattern from
    `output_argument_pattern`; the line must have no comment."""
    return [match["name"] for match in fills.finditer(code)]


def assigned_value(code: str) -> str | None:
    """Returns the value on a line that only assigns it to a name or to a key of a table, else None.
    A line that sets a member has an effect, so it does not count. The line must have no comment."""
    start = _ASSIGNMENT_START.match(code)
    return None if start is None else code[start.end() :].strip(" \t,;")


def source_offsets(code: Sequence[str], apart: Collection[int] = ()) -> set[int]:
    """Returns the sources of a function, as offsets into ``code``.

    These are the lines that assign a value which a later line passes on or takes a member of. Uses
    on the lines ``apart`` do not count. Nor do those on the last line, which may just return the
    value.
    """
    filled = [at for at, line in enumerate(code) if _WORD.search(line)]
    used_later: set[str] = set()
    found: set[int] = set()
    for at in reversed(filled):
        if not used_later.isdisjoint(assigned_names(code[at])):
            found.add(at)
        if at != filled[-1] and at not in apart:
            used_later.update(_used_names(code[at]))
    return found


def _used_names(code: str) -> Iterator[str]:
    """Yields the names that a line passes as arguments or takes a member of."""
    bracket = code.find("(")
    for match in _USED_NAME.finditer(code):
        is_argument = 0 <= bracket < match.start() or not code[: match.start()].strip()
        if is_argument or match["member"]:
            yield match["name"]
