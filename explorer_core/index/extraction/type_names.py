"""Reads types as written: their names, arguments and parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from explorer_core.index.languages.specification import LanguageSpec

OF = "[*]"
"""In a reduced type, stands between a collection and its elements (``List[*]Item``)."""
BY_KEY = "[:]"
"""The same for values under keys (``Map[:]Item``)."""
BORROWED = "[&]"
"""The same for what is only borrowed, for a lifetime (``Guard[&]Item``)."""
RETURNS = "[()]"
"""The same for the result of a function (``Func[()]Item``). Nothing follows if the result is
unknown."""
CLASS = "[=]"
"""In a reduced type, stands before a type that is meant itself, rather than its values
(``[=]Item``)."""
WRITTEN_OUT = "[.]"
"""In a reduced type, stands before a list of expressions, one of which the value is (``[.]first,
second``)."""
_OPENING, _CLOSING = "([{<", ")]}>"
_ARGUMENTS = re.compile(r"<[^<>]*>")
_PADDING = re.compile(r"(?<=\()\s+|\s*,?\s*(?=\)$)")
_NAME = re.compile(r"[\w$.:\\*& ]*")
_ARRAY_OF = re.compile(r"[*&\w\[]")
_REDUCED_COLLECTION = re.compile(r"([\w$.:\\]*)(\[[*:&]\])(.+)")
_REDUCED_FUNCTION = re.compile(r"([\w$.:\\]*)\[\(\)\](.*)")
_FUNCTION_HEAD = re.compile(r"[@\w$.\s<>',?]*")
"""What may stand before the parameters in the type of a function."""
ARROW = re.compile(r"\s*(?:[a-z]+\s+)*(?:=>|->)")
"""What stands between the parameters and the result in the type of a function."""


class CollectionType(NamedTuple):
    """A type whose values hold others: its name as written, which is empty if there is none
    (``Item[]``), the type of the elements, and whether these are found under keys, or borrowed."""

    name: str
    element: str
    keyed: bool
    borrowed: bool = False


def simple_type_name(type_text: str) -> str:
    """``pkg::Type<T>`` and ``*pkg.Type`` as ``Type``."""
    return type_path(type_text).rpartition(".")[2]


def type_path(type_text: str) -> str:
    """``pkg::Outer<T>::Type<T>`` and ``*pkg.Outer.Type`` as ``pkg.Outer.Type``."""
    while "<" in type_text and type_text != (shorter := _ARGUMENTS.sub("", type_text)):
        type_text = shorter
    for opening in "<[(":
        type_text = type_text.partition(opening)[0]
    return type_text.replace("::", ".").replace("\\", ".").strip(" *&?")


def bare_type(text: str, spec: LanguageSpec) -> str:
    """Returns a type's name as written, without arguments and marks (``*Foo[T]`` gives ``Foo``)."""
    text = unmarked_type(text, spec)
    for opening in spec.type_arguments:
        if (cut := text.find(opening)) > 0:
            text = text[:cut]
    return text.partition(" + ")[0].strip(" *&?!:")


def owner_type(text: str, spec: LanguageSpec) -> str:
    """Returns the `bare_type` of what members belong to. A tuple keeps all its types, each without
    arguments."""
    if not text.startswith("(") or "<" not in spec.type_arguments:
        return bare_type(text, spec)
    without = _ARGUMENTS.sub("", text)
    while without != text:
        text, without = without, _ARGUMENTS.sub("", without)
    return _PADDING.sub("", text)


def unmarked_type(text: str, spec: LanguageSpec) -> str:
    """Returns a type without the marks and modifiers around it that only say how it is held."""
    text = text.strip(" *&?!\t")
    while (words := text.partition(" "))[2] and _is_modifier(words[0], spec):
        text = words[2].lstrip(" *&")
    return text


def _is_modifier(word: str, spec: LanguageSpec) -> bool:
    """Whether a word before a type is a modifier or a lifetime (``'a``)."""
    return word in spec.type_modifiers or word[0] == "'"


@lru_cache(maxsize=20_000)
def alternatives(type_text: str) -> tuple[str, ...]:
    """Returns the alternatives of a union."""
    return tuple(split(unwrapped(type_text), "|"))


@lru_cache(maxsize=20_000)
def constituents(type_text: str) -> tuple[str, ...]:
    """Returns the types that a union or an intersection consists of."""
    return tuple(
        part
        for alternative in alternatives(type_text)
        for part in split(unwrapped(alternative), "&")
    )


def collection(
    type_text: str, brackets: tuple[str, ...], spec: LanguageSpec | None = None
) -> CollectionType | None:
    """Returns what a written type is a collection of, if it has that form: the last argument in
    ``brackets``, or the elements of an array or of bare brackets. With ``spec``, the last argument
    that says anything in that language."""
    text = unwrapped(type_text).removeprefix("readonly ")
    if text.endswith("[]"):
        return CollectionType("", text[:-2], keyed=False)
    if text.startswith("..."):
        return CollectionType("", text[3:], keyed=False)
    openings = [index for bracket in brackets if (index := text.find(bracket)) >= 0]
    opening = 0 if text.startswith("[") else min(openings, default=-1)
    end = bracket_end(text, opening) if opening >= 0 else -1
    if end < 0:
        return None
    name, inner, rest = text[:opening], text[opening + 1 : end - 1], text[end:].strip()
    if not _NAME.fullmatch(name):
        return None
    if rest:
        is_array = text[opening] == "[" and _ARRAY_OF.match(rest)
        return CollectionType("", rest, keyed=bool(name)) if is_array else None
    return (
        _bracketed_collection(inner)
        if not name
        else _generic_collection(name, inner, spec)
        if opening
        else None
    )


def _bracketed_collection(inner: str) -> CollectionType | None:
    """Reads bare brackets: ``[Item]``, ``[Item; 4]``, ``[A, B]``, ``[Key: Item]``."""
    colon = find_top_level(inner, ":", 0)
    if colon >= 0 and not inner.startswith("::", colon):
        return CollectionType("", inner[colon + 1 :].strip(), keyed=True)
    parts = [*split(inner.partition(";")[0], ",")]
    return CollectionType("", " | ".join(parts), keyed=False) if parts else None


def _generic_collection(name: str, inner: str, spec: LanguageSpec | None) -> CollectionType | None:
    """Reads a generic type with its arguments. One may have a name (``Item = T``); lifetimes
    (``'a``) and an ellipsis do not count."""
    arguments = [*split(inner, ",")]
    informative = [
        argument for argument in arguments if argument != "..." and not is_lifetime(argument)
    ]
    if not informative:
        return None
    is_borrowed = len(informative) == 1 and is_lifetime(arguments[0])
    while spec and len(informative) > 1 and _is_last_uninformative(informative, spec):
        informative.pop()
    last = informative[-1][find_top_level(informative[-1], "=", 0) + 1 :].strip()
    return CollectionType(name, last, keyed=len(informative) > 1, borrowed=is_borrowed)


def _is_last_uninformative(arguments: list[str], spec: LanguageSpec) -> bool:
    """Whether the last argument says nothing: it stands for nothing (``Generator[Item, None,
    None]``), or for anything after two others (``Generator<Item, void, unknown>``, but not
    ``Map<Key, unknown>``)."""
    last = arguments[-1]
    return last in spec.empty_types or (len(arguments) > 2 and last in spec.any_types)


def is_lifetime(type_text: str) -> bool:
    """Whether a type argument is a lifetime (``'a``), rather than a quoted type."""
    return type_text.startswith("'") and not type_text.endswith("'")


@lru_cache(maxsize=20_000)
def reduced_collection(reduced: str) -> CollectionType | None:
    """Returns what a reduced type is a collection of; None for other types."""
    match = _REDUCED_COLLECTION.fullmatch(reduced)
    if match is None:
        return None
    name, mark, element = match.groups()
    return CollectionType(name, element, keyed=mark == BY_KEY, borrowed=mark == BORROWED)


@lru_cache(maxsize=20_000)
def reduced_function(reduced: str) -> tuple[str, str] | None:
    """Returns the name and the result of a reduced function type; None for other types."""
    match = _REDUCED_FUNCTION.fullmatch(reduced)
    return (match[1], match[2]) if match else None


def function_result(type_text: str, spec: LanguageSpec) -> str | None:
    """Returns the written result of a function type; None for other types."""
    if "(" not in type_text:  # as nearly all are
        return None
    text = unwrapped(unmarked_type(type_text, spec))
    opening = find_top_level(text, "(", 0)
    end = bracket_end(text, opening) if opening >= 0 else -1
    if end < 0 or not _FUNCTION_HEAD.fullmatch(text, 0, opening):
        return None
    if arrow := ARROW.match(text, end):
        return text[arrow.end() :].strip()
    is_word = bool(spec.function_word) and text[:opening] == spec.function_word
    return first_result(text[end:].strip(), spec) if is_word else None


def first_result(type_text: str, spec: LanguageSpec) -> str:
    """Returns the first of several results that are written together."""
    if not spec.multiple_results or not type_text.startswith("("):
        return type_text
    first = type_text[1:-1].partition(",")[0].strip()
    return first.rpartition(" ")[2]


def unwrapped(type_text: str) -> str:
    """Returns a type without the parentheses around it and the marks behind it."""
    text = type_text.strip().rstrip("?!;").rstrip()
    while text.startswith("(") and bracket_end(text, 0) == len(text):
        text = text[1:-1].strip()
    return text


def split(text: str, mark: str) -> Iterator[str]:
    """Yields the non-empty parts between marks outside of brackets."""
    start = 0
    while start <= len(text):
        end = find_top_level(text, mark, start)
        part = text[start : end if end >= 0 else len(text)].strip()
        if part:
            yield part
        if end < 0:
            return
        start = end + 1


def find_top_level(text: str, mark: str, start: int) -> int:
    """Returns the index of a mark outside of brackets, which may itself be an opening bracket; -1
    if there is none. An arrow is neither an equals sign nor a bracket."""
    open_brackets: list[str] = []
    for index in range(start, len(text)):
        char = text[index]
        if (
            char == mark
            and not open_brackets
            and not (char == "=" and text[index + 1 : index + 2] == ">")
        ):
            return index
        if char in _OPENING:
            open_brackets.append(char)
        elif (
            char in _CLOSING
            and not _is_comparison(text, index, open_brackets)
            and not _close(open_brackets, char)
        ):
            return -1
    return -1


def bracket_end(text: str, opening: int) -> int:
    """Returns the index after the bracket that closes the one at ``opening``; -1 if nothing
    does."""
    open_brackets: list[str] = []
    for index in range(opening, len(text)):
        char = text[index]
        if char in _OPENING:
            open_brackets.append(char)
        elif char in _CLOSING and not _is_comparison(text, index, open_brackets):
            closes = _close(open_brackets, char)
            if not open_brackets:
                return index + 1 if closes else -1
    return -1


def _is_comparison(text: str, index: int, open_brackets: list[str]) -> bool:
    """Whether a ``>`` belongs to an arrow or compares two values."""
    return text[index] == ">" and (text[index - 1] in "=-" or open_brackets[-1:] != ["<"])


def _close(open_brackets: list[str], char: str) -> bool:
    """Closes the innermost bracket, and with it any ``<`` that only compared values. Returns
    whether one was open."""
    while char != ">" and open_brackets[-1:] == ["<"]:
        open_brackets.pop()
    if not open_brackets:
        return False
    open_brackets.pop()
    return True
