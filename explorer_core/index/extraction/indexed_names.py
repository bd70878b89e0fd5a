"""Computes the names by which a file is found: those it defines, mentions, imports under another
name, gives supertypes to, or calls on values of built-in types."""

from __future__ import annotations

import re
from collections.abc import Collection

from explorer_core.index.extraction.facts import DEFAULT, HOLE, FileFacts, ImportBinding
from explorer_core.index.extraction.type_names import simple_type_name
from explorer_core.index.languages import spec
from explorer_core.index.languages.specification import LanguageSpec

EVERYTHING = "*"
"""The name of an import that brings in everything of a module."""
_NO_NAMES = frozenset({"", EVERYTHING})
_ARGUMENTS = re.compile(r"[()\s]")
"""What cannot be in a name. A variable may stand for a call with all its arguments."""
_LITERAL = re.compile(
    r"""@?\w{0,2}(["'`])(?:(?!\1)[^\\]|\\.)*\1|\[(?:[^\s\[\]]|,\s)*\]|%\w\([^()]*\)|\d+"""
)
"""A receiver that is a string, a list or a number, and nothing after it. Brackets with a space in
them may be a message (Objective-C)."""


def defined_names(facts: FileFacts) -> Collection[str]:
    """Returns the names of a file's definitions."""
    return {definition.name for definition in facts.definitions} - _NO_NAMES


def mentioned_names(facts: FileFacts) -> Collection[str]:
    """Returns the names that a file refers to, imports (with the last part of the module's path),
    aliases, extends or extends something with; the components whose events it handles; and the
    topics and addresses of its calls."""
    names = facts.references.names()
    language = spec(facts.language)
    for binding in facts.imports:
        names.update((imported_name(binding, language), last_part(binding.module)))
    for supertype in facts.supertypes:
        names.update((last_part(supertype.name), last_part(supertype.owner)))
    aliases = (last_part(bound.type) for bound in facts.types if bound.source == "alias")
    names.update(alias for alias in aliases if not _ARGUMENTS.search(alias))
    names.update(listener.component for listener in facts.listeners)
    names.update(topic.name for topic in facts.topics)
    names.update(last_fixed(address.parts) for address in facts.addresses)
    return names - _NO_NAMES


def renamed_names(facts: FileFacts) -> Collection[str]:
    """Returns the original names of what a file imports under another one; `EVERYTHING` if it
    re-exports a whole module."""
    language = spec(facts.language)
    renaming = (
        binding
        for binding in facts.imports
        if binding.local != binding.name or binding.name == DEFAULT
    )
    names = {imported_name(binding, language) for binding in renaming} - _NO_NAMES
    reexports_everything = any(
        binding.exported and binding.name == EVERYTHING for binding in facts.imports
    )
    return names | {EVERYTHING} if reexports_everything else names


def extended_names(facts: FileFacts) -> Collection[str]:
    """Returns the names of the types that a file gives supertypes to without defining them."""
    owners = {simple_type_name(supertype.owner) for supertype in facts.supertypes}
    return owners - _NO_NAMES - {definition.name for definition in facts.definitions}


def names_called_on_literals(facts: FileFacts) -> Collection[str]:
    """Returns the members that a file calls on literals, or on variables and attributes that hold
    nothing but literals. They belong to built-in types."""
    references = facts.references
    literals = {text for text in references.texts() if _LITERAL.fullmatch(text)}
    variables = _literal_variables(facts)
    wanted = literals | {name for _, name in variables}
    return {
        name
        for receiver, name, scope in references.calls_on(wanted)
        if receiver in literals or not variables.isdisjoint({(scope, receiver), (None, receiver)})
    }


def _literal_variables(facts: FileFacts) -> set[tuple[int | None, str]]:
    """Returns the variables of each scope that are assigned nothing but literals. For attributes,
    written as the object itself does, this must hold in the whole file."""
    only_literals: dict[tuple[int | None, str], bool] = {}
    self_name = "".join(spec(facts.language).self_names[:1])
    for bound in facts.types:
        is_attribute = bound.name.startswith(".")
        key = (None, self_name + bound.name) if is_attribute else (bound.scope, bound.name)
        only_literals[key] = only_literals.get(key, True) and bound.source == "literal"
    return {key for key, is_literal in only_literals.items() if is_literal}


def imported_name(binding: ImportBinding, language: LanguageSpec) -> str:
    """Returns the name of what an import brings in, as it is indexed. Importing a whole module may
    mean its default export."""
    is_whole_module = binding.local and not binding.name and language.default_export
    return (
        default_of(binding.module) if is_whole_module or binding.name == DEFAULT else binding.name
    )


def default_of(module: str) -> str:
    """Returns the name under which a module's default export is indexed. All modules call it the
    same, so the last part of the module's path, up to a dot, is put before it. That part is empty
    if the path only says how many folders to go up."""
    return f"{module.rpartition('/')[2].partition('.')[0]}/{DEFAULT}"


def last_fixed(parts: str) -> str:
    """Returns the last part of an address that is not filled in at run time, after a slash; empty
    if all parts are."""
    while parts.endswith(f"/{HOLE}"):
        parts = parts[: -len(HOLE) - 1]
    return f"/{parts.rpartition('/')[2]}" if parts else ""


def last_part(dotted: str) -> str:
    """Returns the simple name at the end of a path with any separator (``a.B``, ``a::B``)."""
    for separator in (".", "::", "\\", "/", "->"):
        dotted = dotted.rpartition(separator)[2]
    return dotted
