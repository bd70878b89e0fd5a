"""Reduces written types to what they say of a value: the name or names of its type, and what a
collection holds or a function returns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import ALTERNATIVE
from explorer_core.index.extraction.type_names import (
    BY_KEY,
    CLASS,
    GIVES,
    LENT,
    OF,
    alternatives,
    bare_type,
    collection,
    constituents,
    function_result,
    is_lifetime,
    outside,
    past,
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


def annotated(written: str, spec: LanguageSpec) -> str:
    """Reduces a written type. Quotes, null alternatives and wrapping generic types go
    (``Optional[Foo]``, ``Foo | None`` give ``Foo``). Of several (``Foo | Bar``), all that have
    names stay. A collection keeps its name and its elements' type (``list[Foo]`` gives
    ``list[*]Foo``), a function its result (``() => Foo`` gives ``[()]Foo``), and a class stays one
    (``type[Foo]`` gives ``[=]Foo``)."""
    text = written.strip().strip("'\"` :")
    is_single = "|" not in text and " & " not in text
    if is_single or function_result(text, spec) is not None:
        return _reduced(text, spec)
    found = (_reduced(part, spec) for part in constituents(text))
    names = [each for whole in found for each in alternatives(whole) if each]
    several = [name for name in names if _TYPE_PATH.fullmatch(name)]
    return ALTERNATIVE.join(dict.fromkeys(several or names[:1]))


def _reduced(written: str, spec: LanguageSpec) -> str:
    """Reduces a type that is no union; empty if it says nothing."""
    part = written.strip().strip("'\"")
    if part in spec.null_types or part == spec.inferred_type:
        return ""
    if reduced_collection(part) or reduced_function(part) or part.startswith(CLASS):
        return part
    if (given := function_result(part, spec)) is not None:
        return GIVES + _together(annotated(given, spec))
    if part.startswith("(") and past(part, 0) >= len(part.rstrip("?!")):
        inner = unwrapped(part)  # one type, perhaps nullable
        return annotated(inner, spec) if outside(inner, ",", 0) < 0 else bare_type(part, spec)
    bare = bare_type(part, spec)
    is_name = bare == part and not part.startswith(("[", "...")) and not part.endswith("[]")
    word, _, behind = part.partition(" ")
    if word.strip("<-") in spec.collection_words and (element := annotated(behind, spec)):
        return word.strip("<-") + OF + element
    if is_name or spec.subscripts:
        return bare
    if (last := _last_name(bare)) in spec.transparent_types:
        return annotated(_first_argument(part, bare), spec) or bare
    if last in spec.union_types:
        each = (annotated(one, spec) for one in _arguments(part, bare))
        return ALTERNATIVE.join(dict.fromkeys(filter(None, each)))
    if last in spec.class_types and (given := annotated(_first_argument(part, bare), spec)):
        return CLASS + _together(given)
    text = unmarked_type(part, spec).partition(" + ")[0]
    gives = spec.function_types.get(last)
    found = collection(text, spec.type_arguments, None if gives else spec)
    element = annotated(found.element, spec) if found else ""
    queried = spec.type_query and element.startswith(spec.type_query + " ")
    if found is None or not element or queried:
        return bare
    mark = GIVES if gives else BY_KEY if found.keyed else LENT if found.lent else OF
    return bare_type(found.name, spec) + mark + _together(element)


def _last_name(path: str) -> str:
    return path.rpartition(".")[2].rpartition("::")[2]


def _together(reduced: str) -> str:
    """Puts a reduced type in parentheses if it is a union, to be part of another."""
    return f"({reduced})" if ALTERNATIVE in reduced else reduced


def _first_argument(written: str, bare: str) -> str:
    """Returns the first argument of a generic type that is not a lifetime."""
    return next((each for each in _arguments(written, bare) if not is_lifetime(each)), "")


def _arguments(written: str, bare: str) -> Iterator[str]:
    """Yields the arguments of a generic type."""
    opening = written.find(bare) + len(bare)
    end = past(written, opening)
    return split(written[opening + 1 : end - 1 if end > 0 else len(written)], ",")
