"""What an expression can stand for, as far as syntax tells."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from explorer_core.contracts import Witness
from explorer_core.index.modules import Module
from explorer_core.index.symbols import SymbolId


class Defined(msgspec.Struct, frozen=True, gc=False):
    """A definition itself: a class, a function, a variable; ``how`` says what led to it."""

    id: SymbolId
    how: Witness


class Instance(msgspec.Struct, frozen=True, gc=False):
    """Some value of a type."""

    id: SymbolId


class Table(msgspec.Struct, frozen=True, gc=False):
    """An object made in a function, with the members that are written there; by that function."""

    id: SymbolId


class Outside(msgspec.Struct, frozen=True, gc=False):
    """Something that is bound, but not to anything we can see: it must not be guessed at."""


class Opaque(msgspec.Struct, frozen=True, gc=False):
    """A variable of this very place, of which nothing more is known."""


Value = Defined | Instance | Table | Module | Outside | Opaque
Values = tuple[Value, ...]

OUTSIDE: Values = (Outside(),)
OPAQUE: Values = (Opaque(),)
UNKNOWN: Values = ()


class Part(msgspec.Struct, frozen=True, gc=False):
    """One name of a chain such as ``a.b().c``."""

    name: str
    called: bool = False


_NAME = re.compile(r"[@$#]?[^\W\d][\w$]*[!?]?")
_SEPARATOR = re.compile(r"\s*(?:\?\.|!+\.|!!\.|\.|->|::|\\)\s*")
_PREFIX = re.compile(r"^(?:await\s+|new\s+|\*|&|\(\s*)+")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


@lru_cache(maxsize=50_000)
def chain(expression: str) -> tuple[Part, ...] | None:
    """The parts of a dotted expression; None when it is anything else, such as arithmetic."""
    text = expression.strip()
    opened = _PREFIX.match(text)
    if opened:
        text = _without_prefix(text, opened.group())
    parts: list[Part] = []
    at = 1 if text.startswith("\\") else 0
    while True:
        name = _NAME.match(text, at)
        if name is None:
            return None
        at, called = _past_arguments(text, name.end())
        if at < 0:
            return None
        parts.append(Part(name.group(), called))
        if at >= len(text):
            return tuple(parts)
        separator = _SEPARATOR.match(text, at)
        if separator is None:
            return None
        at = separator.end()


def _without_prefix(text: str, prefix: str) -> str:
    text = text[len(prefix) :]
    for _ in range(prefix.count("(")):
        text = text.replace(")", "", 1) if "(" not in text else text.rstrip(")")
    return text


def _past_arguments(text: str, at: int) -> tuple[int, bool]:
    """Where the arguments after a name end, and whether there were any; -1 for a subscript."""
    if text.startswith("::<", at):
        at += 2
    if at < len(text) and text[at] == "<":
        at = _matching(text, at)
    if 0 <= at < len(text) and text[at] == "(":
        end = _matching(text, at)
        if end < 0 or (end < len(text) and text[end] in "(["):
            return -1, True
        return end, True
    if 0 <= at < len(text) and text[at] == "[":
        return -1, False
    return at, False


def _matching(text: str, at: int) -> int:
    """The index after the bracket that closes the one at ``at``; -1 when nothing does."""
    opening, closing = text[at], _CLOSING[text[at]]
    depth = 0
    for index in range(at, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if not depth:
                return index + 1
    return -1
