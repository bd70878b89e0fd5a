"""The values that an expression can stand for, as far as syntax tells, and the parts of one.

``Cart`` stands for a definition, ``Cart()`` for an instance, and what a library returns for
something outside. No value at all (`UNKNOWN`) means that nothing is known.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from explorer_core.contracts import Witness
from explorer_core.index.extraction.brackets import closing_mark
from explorer_core.index.extraction.expressions import TEXT_LITERAL
from explorer_core.index.languages.collection_rules import CollectionResult
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.symbols import SymbolId


class Defined(msgspec.Struct, frozen=True, gc=False):
    """A definition itself: a class, a function, a variable. ``witness`` says what led to it.

    ``receiver_type`` is the type that a member was looked up in, if it inherits the member and this
    returns its own object, or is static and does not declare what it returns. ``collection`` is the
    one that a member was looked up in, if its elements determine what the member returns.
    """

    id: SymbolId
    witness: Witness
    receiver_type: SymbolId | None = None
    collection: Collection | None = None


class Instance(msgspec.Struct, frozen=True, gc=False):
    """Some value of a type."""

    id: SymbolId


class ObjectLiteral(msgspec.Struct, frozen=True, gc=False):
    """An object made in the function ``id``, with the members that are written there. With
    ``keys``, the object these lead to inside the one that is written for the variable ``id``."""

    id: SymbolId
    keys: tuple[str, ...] = ()


class Outside(msgspec.Struct, frozen=True, gc=False):
    """Something outside the repository, which must not be guessed at. ``type`` is the simple name
    of its type, where known."""

    type: str = ""


class WrittenType(msgspec.Struct, frozen=True, gc=False):
    """A type as written, and the place. ``substitution`` says what type parameters in it mean."""

    path: str
    scope: int
    line: int
    text: str
    substitution: tuple[tuple[str, WrittenType], ...] = ()


class Collection(Outside, frozen=True, kw_only=True, gc=False):
    """A value from outside that may hold values of the repository: they are of type ``element``,
    and under keys if it is ``keyed``. If it ``derefs`` to its element, it may have that
    one's members."""

    element: WrittenType
    keyed: bool
    derefs: bool = False


class Accessor(Outside, frozen=True, kw_only=True, gc=False):
    """A member of a collection that returns an element, all the values, or the same collection."""

    collection: Collection
    gives: CollectionResult


class Function(Outside, frozen=True, kw_only=True, gc=False):
    """A value of a function type. Calling it gives a value of type ``result``."""

    result: WrittenType


class Inherited(Outside, frozen=True, kw_only=True, gc=False):
    """A member that a type of the repository inherits from outside, or its result: often a value of
    that type, ``type_id``, or several (``Comment.find(1)``). ``called`` is false where it is named
    without a call; ``held`` says that a variable holds it."""

    type_id: SymbolId
    called: bool = True
    held: bool = False

    def is_other(self, *, bare_members: bool) -> bool:
        """Whether it is more likely an object of another type, as one that is named without a call
        is (``comment.story``). Where methods need no parentheses, that is so only of a member of a
        variable: ``Comment.all.first`` gives a value of the same type."""
        return not self.called and (self.held or not bare_members)


class UnrelatedObject(Outside, frozen=True, gc=False):
    """An object of another type, of the repository or not, that an inherited member leads to."""


class Requested(Outside, frozen=True, kw_only=True, gc=False):
    """The result of a call that is given a class, ``type_id``, where nothing else says what it
    returns (``injector.get(Till)``). It may be a value of the class, or else ``fallback``.
    ``witness`` says what led to the class."""

    type_id: SymbolId
    fallback: Values
    witness: Witness = "graph:type"


class Opaque(msgspec.Struct, frozen=True, gc=False):
    """A variable of this place, of which nothing more is known."""


Value = Defined | Instance | ObjectLiteral | Module | Outside | Opaque
Values = tuple[Value, ...]

OUTSIDE: Values = (Outside(),)
OPAQUE: Values = (Opaque(),)
UNKNOWN: Values = ()


def with_witness(values: Values, witness: Witness) -> Values:
    """The same values, with another witness for the definitions."""
    replace = msgspec.structs.replace
    return tuple(replace(v, witness=witness) if isinstance(v, Defined) else v for v in values)


def as_held(values: Values, *, bare_members: bool) -> Values:
    """The same values, as a variable holds them."""
    return tuple(
        Inherited(type_id=v.type_id, called=not v.is_other(bare_members=bare_members), held=True)
        if isinstance(v, Inherited)
        else v
        for v in values
    )


def all_outside(values: Values) -> bool:
    """Whether no value is of the repository: there are none, or all are from outside."""
    return not values or all(isinstance(value, Outside) for value in values)


class Part(msgspec.Struct, frozen=True, gc=False):
    """One name of a chain such as ``a.b().c[0]``. For a cast, ``name`` is the type, whatever stands
    before it; for a text it is empty.

    ``text_argument`` is the text that is a call's only argument, ``subscripts`` the contents of
    each of the brackets that follow. It is ``rooted`` if the mark of the root stands before it
    (``\\name``, ``::name``), and ``is_qualifier`` if a path goes on after it (``name::``).
    ``call_text`` is a call with its arguments, unless a ``new`` stands before it.
    """

    name: str
    called: bool = False
    cast: bool = False
    subscripts: tuple[str, ...] = ()
    rooted: bool = False
    is_qualifier: bool = False
    text_argument: str = ""
    call_text: str = ""


_NAME = re.compile(r"[@$#]?[^\W\d][\w$]*(?:[!?](?![!?]*\s*[.\-:\[]))?")
_SEPARATOR = re.compile(r"\s*(?:[?&]\.|!+\.|\.|\??->|::|\\|:(?=[^\W\d]))\s*")
_ROOT = re.compile(r"\\|::")
_BLOCK = re.compile(r" ?\{")
_SUBSCRIPT_START = re.compile(r"[!?]*\.?(?=\[)")
_PREFIX = re.compile(r"(?:await\s+|new\s+|try[?!]?\s+|\*|&(?:\s*mut\b)?)\s*|\(")
_TEXT = re.compile(r"""(["'])(?:(?!\1)[^\\\n]|\\.)*\1""")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BRACKETS = {
    opens: re.compile(rf"{TEXT_LITERAL}|[{re.escape(opens + closes)}]")
    for opens, closes in _CLOSING.items()
}
_AS_CAST = re.compile(r"\bas[?!]?\s+")
_WORD = re.compile(r"[\w$@\"']")
_OPERAND = re.compile(r"[\w$@\"'*&]")


@lru_cache(maxsize=50_000)
def split_chain(expression: str, casts: tuple[str, ...] = ()) -> tuple[Part, ...] | None:
    """The parts of a dotted expression; None for anything else, such as arithmetic. ``casts`` are
    the names of the language's casts that look like calls (``static_cast``)."""
    text = expression.strip()
    part, at = _parse_cast(text)
    is_new = False
    while part is None and (prefix := _PREFIX.match(text)):
        text = text[prefix.end() :]
        is_new = is_new or prefix.group().startswith("new")
        if prefix.group() == "(":
            end = _closing_index("(" + text, 0) - 1
            inner, after = (text[: end - 1].strip(), text[end:]) if end > 0 else ("", "")
            if _WORD.match(after.lstrip()):
                return (Part(inner, cast=True),)
            text = inner + after
            part, at = _parse_cast(text)
    if part is None:
        root = _ROOT.match(text)
        part, at = _parse_part(text, root.end() if root else 0, casts)
        part = msgspec.structs.replace(part, rooted=True) if part and root else part
        part = msgspec.structs.replace(part, call_text="") if part and is_new else part
    parts: list[Part] = []
    while part is not None:
        parts.append(part)
        if at >= len(text):
            return tuple(parts)
        separator = _SEPARATOR.match(text, at)
        if separator is None:
            return None
        if separator.group() == "::":
            parts[-1] = msgspec.structs.replace(part, is_qualifier=True)
            if separator.end() == len(text):
                return tuple(parts)
        part, at = _parse_part(text, separator.end())
    return None


def _parse_part(text: str, at: int, casts: tuple[str, ...] = ()) -> tuple[Part | None, int]:
    """The part that begins at an index, and the index after it."""
    name = _NAME.match(text, at)
    if name is None:
        end = _closing_index(text, at) if text.startswith("(", at) else -1
        return (Part(text[at + 1 : end - 1], cast=True), end) if end > 0 else (None, at)
    if name.group() in casts and text.startswith("(", name.end()):
        end = _closing_index(text, name.end())
        return (Part(text[name.end() + 1 : end - 1], cast=True), end) if end > 0 else (None, at)
    if name.group() in casts and text.startswith("<", name.end()):
        closing = _closing_index(text, name.end())
        end, called = _past_arguments(text, closing) if closing > 0 else (-1, False)
        written = text[name.end() + 1 : closing - 1]
        return (Part(written, cast=True), end) if called and end > 0 else (None, at)
    end, called = _past_arguments(text, name.end())
    if end < 0:
        return None, at
    text_match = _TEXT.fullmatch(text, name.end() + 1, end - 1) if called else None
    call_end, (subscripts, end) = end, _parse_subscripts(text, end)
    literal = text_match.group()[1:-1] if text_match else ""
    written = text[at:call_end] if called else ""
    part = Part(
        name.group(), called, subscripts=subscripts, text_argument=literal, call_text=written
    )
    return part, end


def _parse_cast(text: str) -> tuple[Part | None, int]:
    """The cast that an expression begins with (``((T) a)``, ``(a as T)``, ``(<T>a)``, or
    ``<T as U>`` in a path), and the index after it. A text is cast to a nameless type."""
    if written := _TEXT.match(text):
        return Part("", cast=True), written.end()
    end = _closing_index(text, 0) if text[:1] in ("(", "<") else -1
    if end < 0:
        return None, 0
    inner = text[1 : end - 1].strip()
    if text[0] == "<":
        return Part(_AS_CAST.split(inner)[0].strip(), cast=True), end
    *before, last = _AS_CAST.split(inner)
    if before and _closing_index(f"({last})", 0) == len(last) + 2:
        return Part(last, cast=True), end
    closing = _closing_index(inner, 0) if inner[:1] in ("(", "<") else -1
    is_cast = closing > 0 and _OPERAND.match(inner[closing:].lstrip())
    return (Part(inner[1 : closing - 1], cast=True), end) if is_cast else (None, 0)


def _past_arguments(text: str, at: int) -> tuple[int, bool]:
    """The index after the arguments that follow a name, and whether there are any; -1 for two lists
    of them. A block in braces counts as such (``find(1) { it.go() }``, ``Job { id }``)."""
    if text.startswith("::<", at):
        at += 2
    if at < len(text) and text[at] == "<":
        at = _closing_index(text, at)
    if 0 <= at < len(text) and text[at] == "(":
        end = _closing_index(text, at)
        if end < 0 or text.startswith("(", end):
            return -1, True
        block = _BLOCK.match(text, end)
        return (_closing_index(text, block.end() - 1) if block else end), True
    block = _BLOCK.match(text, at) if at >= 0 else None
    return (_closing_index(text, block.end() - 1), True) if block else (at, False)


def _parse_subscripts(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The contents of each of the brackets at an index, and the index after them."""
    subscripts: list[str] = []
    while (bracket := _SUBSCRIPT_START.match(text, at)) and (
        end := _closing_index(text, bracket.end())
    ) > 0:
        subscripts.append(text[bracket.end() + 1 : end - 1].strip())
        at = end
    return tuple(subscripts), at


def _closing_index(text: str, at: int) -> int:
    """The index after the bracket that closes the one at ``at``; -1 when none does."""
    opening = text[at]
    mark = closing_mark(_BRACKETS[opening].finditer(text, at), opening, _CLOSING[opening])
    return mark.end() if mark else -1
