"""The labels of arguments, and the parameters that they name.

In Swift labels are part of a function's name, and every call gives them (``move(to: here)``).
Elsewhere a call may name a parameter, and then does not mean a function without it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from explorer_core.index.extraction.reference_table import TRAILING, UNLABELLED
from explorer_core.index.extraction.type_names import find_top_level
from explorer_core.index.resolution.function_types import (
    declared_parameters,
    read_types_first,
    written_parameters,
)

if TYPE_CHECKING:
    from explorer_core.index.extraction.facts import Definition
    from explorer_core.index.languages.specification import LanguageSpec

_SELECTOR_PART = re.compile(r"(\w+)\s*:\s*\(")
"""Matches a part of a name before a parameter with its type (``count:(int)``)."""
SIGNATURE_LIMIT = 200
"""A signature of this many characters may be cut off."""
_ATTRIBUTE = re.compile(r"@[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?\s*")


class _LabelledParameter(msgspec.Struct, frozen=True, gc=False):
    """A parameter by the label of its argument. If it is ``optional`` there need be no argument;
    with ``rest``, others may follow without labels."""

    label: str
    optional: bool
    rest: bool


def has_parameters(labels: tuple[str, ...], definition: Definition, spec: LanguageSpec) -> bool:
    """Whether a function has a parameter for each label, if its signature shows them all."""
    signature, name = definition.signature, definition.name
    given_labels = {label for label in labels if label not in (UNLABELLED, TRAILING)}
    written = written_parameters(signature, name) if given_labels else None
    if written is None or not written[1]:
        return True
    parameters = declared_parameters(signature, name)
    if spec.types_first:
        parameters = read_types_first(parameters, spec.self_names)
    return given_labels.issubset(parameter.name for parameter in parameters)


@lru_cache(maxsize=20_000)
def accepts_labels(labels: tuple[str, ...], signature: str, name: str, rest: str) -> bool:
    """Whether a function may be called with arguments of these labels, in this order. A parameter
    that the regex ``rest`` finds takes any number of arguments without labels."""
    written = written_parameters(signature, name)
    if written is None:
        return True
    parameters = [_parse_labelled(parameter, rest) for parameter in written[0]]
    return _accepts(parameters, labels, is_complete=written[1])


@lru_cache(maxsize=20_000)
def matches_selector(labels: tuple[str, ...], signature: str) -> bool:
    """Whether a method's name has the parts that a call in brackets gives (``add:count:``), as far
    as its signature shows them. The first part is not compared."""
    (_, *parts), is_whole = selector_parts(signature) or [""], len(signature) < SIGNATURE_LIMIT
    return parts == [*labels[1 : None if is_whole else len(parts) + 1]]


def selector_parts(signature: str) -> list[str]:
    """The parts of a method's name that stand before its parameters, as far as its signature shows
    them: ``add``, ``count`` of ``- (void)add:(Item *)item count:(int)count``."""
    return _SELECTOR_PART.findall(signature)


def label_of(parameter: str, name: str, spec: LanguageSpec) -> str:
    """The label of a function's parameter. Those of operators have none, and that of a subscript
    only one that is written beside the parameter's name."""
    before = _before_type(parameter)
    is_bare = name == spec.collections.subscript_member and " " not in before
    return UNLABELLED if is_bare or not name.strip("`").isidentifier() else _first_word(before)


def _before_type(written: str) -> str:
    """The words before the type of a parameter: ``name``, ``for name``, ``_ at``."""
    return _ATTRIBUTE.sub("", written[: find_top_level(written, ":", 0)]).strip()


def _first_word(before: str) -> str:
    return before.partition(" ")[0].strip("`")


def _parse_labelled(written: str, rest: str) -> _LabelledParameter:
    """Parses a parameter: ``name: String``, ``for name: String = ""``, ``_ at: Int``."""
    is_rest = re.search(rest, written) is not None
    optional = is_rest or find_top_level(written, "=", 0) >= 0
    return _LabelledParameter(_first_word(_before_type(written)), optional, is_rest)


def _accepts(
    parameters: list[_LabelledParameter], labels: tuple[str, ...], *, is_complete: bool
) -> bool:
    """Whether labels match parameters in order, of which optional ones may be left out. A function
    after the parentheses may be for any parameter that is left."""
    position, in_rest = 0, False
    for number, label in enumerate(labels):
        if in_rest and label == UNLABELLED:
            continue
        if label == TRAILING:
            labels_left = labels[number + 1 :]
            return any(
                _accepts(parameters[index + 1 :], labels_left, is_complete=is_complete)
                for index in range(position, len(parameters))
                if all(skipped.optional for skipped in parameters[position:index])
            ) or (
                not is_complete and all(parameter.optional for parameter in parameters[position:])
            )
        while position < len(parameters) and parameters[position].label != label:
            if not parameters[position].optional:
                return False
            position += 1
        if position == len(parameters):
            return not is_complete
        in_rest = parameters[position].rest
        position += 1
    return all(parameter.optional for parameter in parameters[position:])
