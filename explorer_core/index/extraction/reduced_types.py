"""Reduces written types to what they say of a value: the name or names of its type, and what a
collection holds or a function returns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import ALTERNATIVE
from explorer_core.index.extraction.type_names import (
    BORROWED,
    BY_KEY,
    CLASS,
    OF,
    RETURNS,
    alternatives,
    bare_type,
    bracket_end,
    collection,
    constituents,
    find_top_level,
    function_result,
    is_lifetime,
    reduced_collection,
    reduced_function,
    split,
    unmarked_type,
    unwrapped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from explorer_core.index.languages.specification import LanguageSpec

_TYPE_PATH = re.compile(r"(?!$)[\w$.:\\]*(?:\[(?:[*:=&]|\(\))\].*)?")


def reduced_type(type_text: str, spec: LanguageSpec) -> str:
    """Reduces a written type. Quotes, null alternatives and wrapping generic types go
    (``Optional[Foo]``, ``Foo | None`` give ``Foo``). Of several (``Foo | Bar``), all that have
    names stay. A collection keeps its name and its elements' type (``list[Foo]`` gives
    ``list[*]Foo``), a function its result (``() => Foo`` gives ``[()]Foo``), and a class stays one
    (``type[Foo]`` gives ``[=]Foo``)."""
    text = type_text.strip().strip("'\"` :")
    is_single = "|" not in text and " & " not in text
    if is_single or function_result(text, spec) is not None:
        return _reduced_single(text, spec)
    reduced_parts = (_reduced_single(part, spec) for part in constituents(text))
    names = [name for reduced in reduced_parts for name in alternatives(reduced) if name]
    type_paths = [name for name in names if _TYPE_PATH.fullmatch(name)]
    return ALTERNATIVE.join(dict.fromkeys(type_paths or names[:1]))


def _reduced_single(type_text: str, spec: LanguageSpec) -> str:
    """Reduces a type that is no union; empty if it says nothing."""
    part = type_text.strip().strip("'\"")
    if part in spec.null_types or part == spec.inferred_type:
        return ""
    if reduced_collection(part) or reduced_function(part) or part.startswith(CLASS):
        return part
    if (result := function_result(part, spec)) is not None:
        return RETURNS + _parenthesised_union(reduced_type(result, spec))
    if part.startswith("(") and bracket_end(part, 0) >= len(part.rstrip("?!")):
        inner = unwrapped(part)  # one type, perhaps nullable
        return (
            reduced_type(inner, spec)
            if find_top_level(inner, ",", 0) < 0
            else bare_type(part, spec)
        )
    bare = bare_type(part, spec)
    is_name = bare == part and not part.startswith(("[", "...")) and not part.endswith("[]")
    word, _, rest = part.partition(" ")
    if word.strip("<-") in spec.collection_words and (element := reduced_type(rest, spec)):
        return word.strip("<-") + OF + element
    if is_name or spec.subscripts:
        return bare
    if (last_name := _last_name(bare)) in spec.transparent_types:
        return reduced_type(_first_argument(part, bare), spec) or bare
    if last_name in spec.union_types:
        union_members = (reduced_type(argument, spec) for argument in _arguments(part, bare))
        return ALTERNATIVE.join(dict.fromkeys(filter(None, union_members)))
    if last_name in spec.class_types and (
        argument := reduced_type(_first_argument(part, bare), spec)
    ):
        return CLASS + _parenthesised_union(argument)
    text = unmarked_type(part, spec).partition(" + ")[0]
    is_function = spec.function_types.get(last_name)
    collection_type = collection(text, spec.type_arguments, None if is_function else spec)
    element = reduced_type(collection_type.element, spec) if collection_type else ""
    queried = spec.type_query and element.startswith(spec.type_query + " ")
    if collection_type is None or not element or queried:
        return bare
    mark = (
        RETURNS
        if is_function
        else BY_KEY
        if collection_type.keyed
        else BORROWED
        if collection_type.borrowed
        else OF
    )
    return bare_type(collection_type.name, spec) + mark + _parenthesised_union(element)


def _last_name(path: str) -> str:
    return path.rpartition(".")[2].rpartition("::")[2]


def _parenthesised_union(reduced: str) -> str:
    """Puts a reduced type in parentheses if it is a union, to be part of another."""
    return f"({reduced})" if ALTERNATIVE in reduced else reduced


def _first_argument(type_text: str, bare: str) -> str:
    """Returns the first argument of a generic type that is not a lifetime."""
    return next(
        (argument for argument in _arguments(type_text, bare) if not is_lifetime(argument)), ""
    )


def _arguments(type_text: str, bare: str) -> Iterator[str]:
    """Yields the arguments of a generic type."""
    opening = type_text.find(bare) + len(bare)
    end = bracket_end(type_text, opening)
    return split(type_text[opening + 1 : end - 1 if end > 0 else len(type_text)], ",")
