"""Finds members that macros name by their signature: ``connect(a, SIGNAL(found(int)), b,
SLOT(onFound(int)))``.

To a grammar that is a call, or nothing at all. It is recognised by its form: two such macros are
arguments of one call, and at least one of them follows the object that has the member. A macro used
in this way counts as one of these in the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from explorer_core.index.extraction.expressions import LONG
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from explorer_core.index.languages.specification import LanguageSpec

_MAX_DISTANCE = 1000
"""How many characters before a macro the call around it may begin."""
_BRACKET = re.compile(r"[()\[\]{};]")
_OBJECT = re.compile(r"[A-Za-z_&*][\w.:<>()\s-]*")
_CALLEE = re.compile(r"[\w.:>-]+$")
_PATH_MARKS = re.compile(r"[.:>]")
_SPACE = re.compile(r"\s+")


class NamedMember(NamedTuple):
    """A macro that names a member: its span, and that of the name in it; where the call's arguments
    open; and the expression for the object, empty if it is unknown."""

    start: int
    end: int
    name: tuple[int, int]
    opening: int
    owner: str


def named_members(flat: str, spec: LanguageSpec) -> list[NamedMember]:
    """Returns the members that macros name in a text."""
    candidates = [*_candidates(flat, spec)] if spec.member_macro else []
    follows_object: dict[int, list[bool]] = {}
    for member, _, is_behind in candidates:
        follows_object.setdefault(member.opening, []).append(is_behind)
    pairs = {opening for opening, flags in follows_object.items() if len(flags) == 2 and any(flags)}
    macros = {macro for member, macro, _ in candidates if member.opening in pairs}
    return [member for member, macro, _ in candidates if macro in macros]


def _candidates(flat: str, spec: LanguageSpec) -> Iterator[tuple[NamedMember, str, bool]]:
    """Yields what has the form of such a macro, with the macro's name and whether it follows an
    object."""
    own_object, previous_end = next(iter(spec.self_names), ""), -1
    for match in compiled(spec.member_macro).finditer(flat):
        start, end = match.span()
        opening = _opening_parenthesis(flat, start)
        if opening < 0:
            continue
        text_before = flat[opening + 1 : start].rstrip()
        argument = _last_argument(text_before[:-1]) if text_before.endswith(",") else ""
        # Behind another macro, or without an object before it, it is the own object's member.
        is_own = not argument or previous_end == opening + 1 + len(text_before) - 1
        callee = _CALLEE.search(flat, max(0, opening - LONG), opening)
        is_bare = callee is not None and not _PATH_MARKS.search(callee.group())
        if is_own:
            owner = own_object if is_bare else ""
        else:
            owner = _SPACE.sub(" ", argument) if _OBJECT.fullmatch(argument) else ""
        previous_end = end
        member = NamedMember(start, end, match.span(2), opening, owner[:LONG])
        yield member, match[1], not is_own and bool(owner)


def _opening_parenthesis(flat: str, offset: int) -> int:
    """Returns the opening parenthesis of the call that has what is at an offset as an argument; -1
    if there is none. Searches backwards for the innermost bracket."""
    backwards = flat[max(0, offset - _MAX_DISTANCE) : offset][::-1]
    depth = 0
    for mark in _BRACKET.finditer(backwards):
        if mark.group() in ")]}":
            depth += 1
        elif mark.group() == ";":
            if not depth:
                return -1
        elif depth:
            depth -= 1
        else:
            return offset - mark.end() if mark.group() == "(" else -1
    return -1


def _last_argument(text: str) -> str:
    """Returns what follows the last comma outside of brackets."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        if text[index] in ")]}":
            depth += 1
        elif text[index] in "([{":
            depth -= 1
        elif text[index] == "," and not depth:
            return text[index + 1 :].strip()
    return text.strip()
