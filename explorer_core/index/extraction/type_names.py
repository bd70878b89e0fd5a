"""Types as they are written: their names, and what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_OPENING, _CLOSING = "([{<", ")]}>"
_ARGUMENTS = re.compile(r"<[^<>]*>")


def simple_type_name(written: str) -> str:
    """``pkg::Type<T>`` and ``*pkg.Type`` as ``Type``."""
    return type_path(written).rpartition(".")[2]


def type_path(written: str) -> str:
    """``pkg::Outer<T>::Type<T>`` and ``*pkg.Outer.Type`` as ``pkg.Outer.Type``."""
    while "<" in written and written != (shorter := _ARGUMENTS.sub("", written)):
        written = shorter
    for opening in "<[(":
        written = written.partition(opening)[0]
    return written.replace("::", ".").replace("\\", ".").strip(" *&?")


@lru_cache(maxsize=20_000)
def alternatives(written: str) -> tuple[str, ...]:
    """The types that one of several is."""
    return tuple(split(unwrapped(written), "|"))


@lru_cache(maxsize=20_000)
def constituents(written: str) -> tuple[str, ...]:
    """The types that a union or an intersection is made of."""
    return tuple(part for each in alternatives(written) for part in split(unwrapped(each), "&"))


def unwrapped(written: str) -> str:
    """A type without the parentheses around all of it, and what may stand behind them."""
    text = written.strip().rstrip("?!;").rstrip()
    while text.startswith("(") and past(text, 0) == len(text):
        text = text[1:-1].strip()
    return text


def split(text: str, mark: str) -> Iterator[str]:
    """The parts between marks outside of brackets, none of them empty."""
    start = 0
    while start <= len(text):
        at = outside(text, mark, start)
        part = text[start : at if at >= 0 else len(text)].strip()
        if part:
            yield part
        if at < 0:
            return
        start = at + 1


def outside(text: str, mark: str, start: int) -> int:
    """The index of a mark outside of brackets, which may be one that opens; -1 without one. An
    arrow is neither an equals sign nor a bracket."""
    depth = 0
    for at in range(start, len(text)):
        char = text[at]
        if char == mark and not depth and not (char == "=" and text[at + 1 : at + 2] == ">"):
            return at
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and not (char == ">" and text[at - 1] in "=-"):
            depth -= 1
            if depth < 0:
                return -1
    return -1


def past(text: str, opening: int) -> int:
    """The index behind what closes the bracket at an index; -1 where nothing does."""
    depth = 0
    for at in range(opening, len(text)):
        char = text[at]
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and not (char == ">" and text[at - 1] in "=-"):
            depth -= 1
            if not depth:
                return at + 1
    return -1
