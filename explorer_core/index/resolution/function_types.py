"""Reads function types and parameter lists as they are written.

``(item: Item, at?: number) => void`` says that a function passed for that type is given an `Item`
and perhaps a number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from explorer_core.index.extraction.type_names import (
    ARROW,
    bracket_end,
    collection,
    find_top_level,
    split,
    unwrapped,
)

_NAME = re.compile(r"[\w$]+")
_MODIFIERS = re.compile(r"(?:@?[\w$]+\s+)*(?=[(<])")
_TYPE_BOUND = re.compile(r"[<>]:")
_BARE_PARAMETER = re.compile(r"([\w$.]+(?:\[[^\[\]]*\])?) => ")
_RECEIVER = re.compile(r"(?:@?[\w$]+\s+)*([\w$.]+(?:<[^()]*>)?\??)\.\s*(?=\()")


class Parameter(msgspec.Struct, frozen=True, gc=False):
    """A parameter's name and type as written; either may be empty. With ``rest`` it takes all
    arguments from there on."""

    name: str
    type: str
    rest: bool = False


@lru_cache(maxsize=20_000)
def declared_parameters(signature: str, name: str) -> tuple[Parameter, ...]:
    """The parameters in a function's signature, without one that is cut off. An empty ``name``
    means that the signature begins with them."""
    opening = find_top_level(signature, "(", next(_name_ends(signature, name), 0) if name else 0)
    return _parse_parameters(signature, opening)[0] if opening >= 0 else ()


class Arity(msgspec.Struct, frozen=True, gc=False):
    """How many arguments a function takes."""

    least: int
    most: float

    def __contains__(self, count: int) -> bool:
        return self.least <= count <= self.most


def written_parameters(signature: str, name: str) -> tuple[list[str], bool] | None:
    """A function's parameters as its signature has them, and whether they are complete; None where
    nothing stands in parentheses."""
    signature = _TYPE_BOUND.sub(" ", signature)
    opening = find_top_level(signature, "(", next(_name_ends(signature, name), 0))
    if opening < 0:
        return None
    end = bracket_end(signature, opening)
    written = [*split(signature[opening + 1 : end - 1 if end > 0 else None], ",")]
    return (written if end > 0 else written[:-1]), end > 0


def has_own_parameters(signature: str, name: str) -> bool:
    """Whether parameters follow a function's name, or its type parameters, directly. If not, those
    in the signature may be of its result (``def f: (Int) => Int``)."""
    signature = _TYPE_BOUND.sub(" ", signature)
    end = next(_name_ends(signature, name), 0)
    return signature[end : find_top_level(signature, "(", end)].strip()[:1] in ("", "<", "[")


def parameters_of(signature: str, name: str) -> list[str]:
    """A function's parameters, as far as its signature has them."""
    written = written_parameters(signature, name)
    return written[0] if written else []


@lru_cache(maxsize=20_000)
def arity(signature: str, name: str, rest: str, self_names: tuple[str, ...]) -> Arity:
    """How many arguments a function takes by its signature; if that is cut off, at least those
    shown. A parameter that the regex ``rest`` finds takes any number, one that begins with any of
    ``self_names`` none: it is the object the function is called on."""
    parameters = written_parameters(signature, name)
    if parameters is None:  # its result may be the function that takes them
        return Arity(0, math.inf)
    written, is_complete = parameters
    written = [] if written == ["void"] else written
    has_self = bool(written) and written[0].partition(" ")[0] in self_names
    optional = sum(
        find_top_level(parameter, "=", 0) >= 0 or _is_rest(parameter, rest) for parameter in written
    )
    unbounded = not is_complete or any(_is_rest(parameter, rest) for parameter in written)
    return Arity(len(written) - optional - has_self, math.inf if unbounded else len(written))


def _is_rest(parameter: str, rest: str) -> bool:
    return bool(rest) and re.search(rest, parameter) is not None


@lru_cache(maxsize=20_000)
def function_type(written: str) -> tuple[Parameter, ...] | None:
    """The parameters in a function type; None for other types."""
    text = unwrapped(written)
    modifiers = _MODIFIERS.match(text)
    opening = find_top_level(text, "(", modifiers.end()) if modifiers else -1
    if (
        modifiers is None
        or opening < 0
        or text[modifiers.end() : modifiers.end() + 1] not in ("(", "<")
    ):
        bare = _BARE_PARAMETER.match(text)
        return (Parameter("", bare[1]),) if bare else None
    parameters, end = _parse_parameters(text, opening)
    return parameters if end > 0 and ARROW.match(text, end) else None


@lru_cache(maxsize=20_000)
def receiver_function_type(written: str) -> tuple[str, str] | None:
    """The receiver's type in a function type that has one (``T.(A) -> B``), and the type without
    it; None for other types."""
    text = unwrapped(written)
    receiver = _RECEIVER.match(text)
    return (receiver[1], text[receiver.end() :]) if receiver else None


def named_function_type(written: str, results: Mapping[str, int]) -> tuple[Parameter, ...] | None:
    """The parameters in a generic function type (``Func<A, Result>``); None for other types.
    ``results`` says how many of the last arguments of each such type are no parameters."""
    arguments = type_arguments(written)
    head = _NAME.match(written)
    if head is None or head.group() not in results or not arguments:
        return None
    count = len(arguments) - results[head.group()]
    return tuple(Parameter("", argument) for argument in arguments[:count])


def read_types_first(
    parameters: tuple[Parameter, ...], self_names: tuple[str, ...]
) -> tuple[Parameter, ...]:
    """Reads parameters whose types stand before their names (``final Item item``), leaving out the
    words before the type. A parameter that begins with one of ``self_names`` is the function's own
    object and stays as it is."""
    reordered: list[Parameter] = []
    for parameter in parameters:
        words = [*split(parameter.type, " ")]
        is_self = bool(words) and words[0] in self_names
        reordered.append(
            Parameter(words[-1], words[-2]) if len(words) > 1 and not is_self else parameter
        )
    return tuple(reordered)


def result_type(signature: str) -> str:
    """The result type after the parameters that begin a signature; empty if none."""
    end = bracket_end(signature, 0) if signature.startswith("(") else -1
    rest = signature[end:].lstrip() if end > 0 else ""
    for mark in (":", "=>", "->"):
        if rest.startswith(mark):
            return rest[len(mark) :].strip()
    return ""


def element_type(written: str, number: int) -> str:
    """The type of element ``number`` of a list or tuple; empty for other types."""
    text = unwrapped(written).removeprefix("readonly ")
    if text.startswith("["):
        elements = tuple(split(text[1:-1], ","))
        return elements[number] if number < len(elements) else ""
    listed = collection(text, ("<",))
    return listed.element if listed and not listed.keyed else ""


def aliased_type(signature: str) -> str:
    """The aliased type in a signature: the text after its equals sign, if any."""
    at = find_top_level(signature, "=", 0)
    return signature[at + 1 :].rstrip("; ").lstrip() if at >= 0 else ""


def type_parameters(signature: str, name: str) -> tuple[str, ...]:
    """The names of a definition's type parameters."""
    end = next((at for at in _name_ends(signature, name) if signature[at:].lstrip()[:1] == "<"), -1)
    if end < 0:
        return ()
    matches = (_NAME.search(argument) for argument in type_arguments(signature[end - len(name) :]))
    return tuple(match.group() if match else "" for match in matches)


@lru_cache(maxsize=20_000)
def type_arguments(written: str) -> tuple[str, ...]:
    """The arguments between the angle brackets of a type."""
    opening = written.find("<")
    end = bracket_end(written, opening) if opening >= 0 else -1
    return tuple(split(written[opening + 1 : end - 1], ",")) if end > 0 else ()


def _name_ends(text: str, name: str) -> Iterator[int]:
    """The indices after each occurrence of a name as a whole word. Compiling a regular expression
    for each name would take longer than the search."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_is_name_character(text[at - 1 : at]) or _is_name_character(text[end : end + 1])):
            yield end
        at = text.find(name, at + 1)


def _is_name_character(char: str) -> bool:
    """Whether a character, if there is one, can be part of a name."""
    return char.isalnum() or char == "_" or char == "$"


def _parse_parameters(text: str, opening: int) -> tuple[tuple[Parameter, ...], int]:
    """The parameters in the parentheses that open at an index, and the index after these. That is
    -1 if they do not close; the last parameter may then be cut off, and is left out."""
    end = bracket_end(text, opening)
    inner = text[opening + 1 : end - 1] if end > 0 else text[opening + 1 :]
    parts = list(split(inner, ","))
    return tuple(map(_parse_parameter, parts if end > 0 else parts[:-1])), end


def _parse_parameter(written: str) -> Parameter:
    default = find_top_level(written, "=", 0)
    text = written[:default] if default >= 0 else written
    colon = find_top_level(text, ":", 0)
    if colon < 0:
        bare = text.strip()
        return Parameter(bare, bare)
    names = _NAME.findall(text[:colon]) if not text.startswith(("{", "[")) else []
    rest = text.startswith("...")
    return Parameter(names[-1] if names else "", text[colon + 1 :].strip(), rest)


def function_type_parameters(signature: str, name: str) -> list[str] | None:
    """The parameters of the function type in the signature of a field or type alias: after a
    pointer (``int (*draw)(struct vo *)``) or a keyword (``draw func(vo *Vo)``); None where there
    are none."""
    at = signature.find(name)
    opening = find_top_level(signature, "(", at + len(name)) if at >= 0 else -1
    closing = signature.find(")", at) if at > 0 and signature[at - 1] == "*" else -1
    if opening < 0 and closing >= 0:
        opening = signature.find("(", closing)
    end = bracket_end(signature, opening) if opening >= 0 else -1
    return [*split(signature[opening + 1 : end - 1], ",")] if end > 0 else None
