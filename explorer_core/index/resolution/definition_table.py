"""The definitions of one file: where they stand, what they are, and what they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from explorer_core.index.extraction.facts import TOP, Definition, FileFacts, Supertype
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.type_names import simple_type_name
from explorer_core.index.languages import spec
from explorer_core.index.resolution.function_types import aliased_type, declared_parameters
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, VARIABLES, SymbolId

NO_NAMES: dict[str, list[int]] = {}


class DefinitionTable:
    """One file's definitions, arranged for look-up. Each table is built when it is first needed, as
    many files are only glanced at."""

    def __init__(self, path: str, facts: FileFacts) -> None:
        self.path = path
        self.facts = facts
        self.definitions = facts.definitions
        self.spec = spec(facts.language)
        self._scopes: dict[int, tuple[int, ...]] = {}
        self._parameters: dict[int, tuple[str, ...]] = {}

    def id(self, ordinal: int) -> SymbolId:
        return SymbolId(self.path, ordinal)

    def definition(self, ordinal: int) -> Definition | None:
        return None if ordinal == TOP else self.definitions[ordinal]

    @cached_property
    def by_scope(self) -> dict[int, dict[str, list[int]]]:
        """Definitions by container and name, without those that belong only to a named owner."""
        return self._by_container(
            ordinal
            for ordinal, definition in enumerate(self.definitions)
            if not definition.owner or self.is_extension(ordinal)
        )

    @cached_property
    def lambda_locals(self) -> dict[tuple[int, str], list[int]]:
        """Definitions that are visible only inside an anonymous function, by container and name."""
        table: dict[tuple[int, str], list[int]] = {}
        for ordinal, definition in enumerate(self.definitions):
            if definition.visible_lines and not definition.owner:
                table.setdefault((definition.container, definition.name), []).append(ordinal)
        return table

    @cached_property
    def extensions_in(self) -> dict[int, dict[str, list[int]]]:
        """Extension functions by the type that they are written in, and by name."""
        ordinals = range(len(self.definitions))
        return self._by_container(
            o for o in ordinals if self.is_callable(o) and self.is_member_extension(o)
        )

    def _by_container(self, ordinals: Iterable[int]) -> dict[int, dict[str, list[int]]]:
        table: dict[int, dict[str, list[int]]] = {}
        for ordinal in ordinals:
            definition = self.definitions[ordinal]
            for container in (definition.container, *self.exposed_in(ordinal)):
                names = table.setdefault(container, {})
                names.setdefault(definition.name, []).append(ordinal)
        return table

    def exposed_in(self, ordinal: int) -> Iterator[int]:
        """The scopes beyond its container in which a definition is visible, the innermost first."""
        definition = self.definitions[ordinal]
        container = definition.container
        exposes = self.spec.gives_members or self.spec.gives_constants
        while exposes and self._is_exposed(container, definition):
            container = self.definitions[container].container
            yield container

    def _is_exposed(self, ordinal: int, definition: Definition) -> bool:
        """Whether a definition in a type is visible around that type as well, like the constants of
        a C ``enum`` and the members of a Kotlin ``companion object``."""
        is_constant = definition.kind == "constant"
        pattern = self.spec.gives_members or (is_constant and self.spec.gives_constants)
        if not pattern or not self.is_type(ordinal):
            return False
        return bool(re.search(pattern, self.definitions[ordinal].signature))

    @cached_property
    def members_by_owner(self) -> dict[str, dict[str, list[int]]]:
        """Members declared outside their type, by the owner's simple name and their own."""
        table: dict[str, dict[str, list[int]]] = {}
        for ordinal, definition in enumerate(self.definitions):
            if definition.owner:
                owner = simple_type_name(definition.owner)
                table.setdefault(owner, {}).setdefault(definition.name, []).append(ordinal)
        return table

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Ordinals by container, in the order of the file."""
        table: dict[int, list[int]] = {}
        for ordinal, definition in enumerate(self.definitions):
            table.setdefault(definition.container, []).append(ordinal)
        return table

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """All definitions by simple name, wherever they stand."""
        table: dict[str, list[int]] = {}
        for ordinal, definition in enumerate(self.definitions):
            table.setdefault(definition.name, []).append(ordinal)
        return table

    @cached_property
    def top_level(self) -> dict[str, list[int]]:
        """The names a file offers: its top-level definitions and the contents of its namespaces."""
        table: dict[str, list[int]] = {}
        queue = [TOP]
        for container in queue:
            for name, ordinals in self.by_scope.get(container, NO_NAMES).items():
                table.setdefault(name, []).extend(ordinals)
                queue.extend(o for o in ordinals if self.definitions[o].kind in NAMESPACES)
        return table

    @cached_property
    def supertypes(self) -> dict[int, list[Supertype]]:
        """Supertypes by the definition at which they are written."""
        table: dict[int, list[Supertype]] = {}
        for supertype in self.facts.supertypes:
            table.setdefault(supertype.definition, []).append(supertype)
        return table

    @cached_property
    def supertypes_by_owner(self) -> dict[str, list[Supertype]]:
        """Supertypes of a subtype that is only named (``impl T for S``), by its simple name."""
        table: dict[str, list[Supertype]] = {}
        for supertype in self.facts.supertypes:
            if supertype.owner:
                table.setdefault(simple_type_name(supertype.owner), []).append(supertype)
        return table

    @cached_property
    def supertypes_by_name(self) -> dict[str, list[int]]:
        """The indices of the file's supertypes, by their simple names as the file writes them."""
        table: dict[str, list[int]] = {}
        for index, supertype in enumerate(self.facts.supertypes):
            table.setdefault(last_part(supertype.name), []).append(index)
        return table

    def members(self, ordinal: int, name: str) -> list[int]:
        """Members of a type by name: those nested in it and those that name it as their owner."""
        nested = self.by_scope.get(ordinal, NO_NAMES).get(name, [])
        owned = self.members_by_owner.get(self.definitions[ordinal].name, NO_NAMES).get(name, [])
        return nested + owned

    def assigned_members(self, ordinal: int, name: str) -> list[int]:
        """The members called ``name`` that a function or variable has by assignment
        (``f.limit = 3``)."""
        if ordinal == TOP or not self.spec.assigned_members:
            return []
        return self.members_by_owner.get(self.definitions[ordinal].name, NO_NAMES).get(name, [])

    @cached_property
    def _export_paths(self) -> list[list[str]]:
        """The names of the export objects (``module.exports``), without their holders."""
        paths = [written.split(".") for written in self.spec.export_objects]
        holders = [path[:-1] for path in paths]
        return [path for path in paths if path not in holders]

    def export_prefix_length(self, names: list[str]) -> int:
        """How many of the first names of an expression stand for the file's exports."""
        paths = (path for path in self._export_paths if names[: len(path)] == path)
        return max(map(len, paths), default=0)

    def is_export(self, ordinal: int) -> bool:
        """Whether a definition is a member of the file's exports (``exports.run = ...``), rather
        than a name of its own."""
        signature = self.definitions[ordinal].signature
        return any(signature.startswith(f"{path}.") for path in self.spec.export_objects)

    def may_own(self, ordinal: int) -> bool:
        """Whether a member's owner may be this definition, and not just a constructor of it."""
        return self.spec.assigned_members or not self.is_callable(ordinal)

    def is_constructor_function(self, ordinal: int) -> bool:
        """Whether a definition is a function with members or a supertype by assignment, which the
        objects it makes have too (JavaScript)."""
        if ordinal == TOP or not self.spec.assigned_members or not self.is_callable(ordinal):
            return False
        name = self.definitions[ordinal].name
        return name in self.members_by_owner or name in self.supertypes_by_owner

    def scopes(self, ordinal: int) -> tuple[int, ...]:
        """``ordinal`` and its containers, innermost first, the file's top level last."""
        scopes = self._scopes.get(ordinal)
        if scopes is None:
            ordinals = [ordinal]
            while ordinals[-1] != TOP:
                ordinals.append(self.definitions[ordinals[-1]].container)
            scopes = self._scopes[ordinal] = tuple(ordinals)
        return scopes

    def enclosing_namespaces(self, ordinal: int) -> list[int]:
        """The namespaces among ``ordinal`` and its containers, innermost first."""
        scopes = (scope for scope in self.scopes(ordinal) if scope != TOP)
        return [scope for scope in scopes if self.definitions[scope].kind in NAMESPACES]

    def enclosing_type(self, ordinal: int) -> int | None:
        """The innermost type enclosing a scope, if any. A function that makes objects is one."""
        for scope in self.scopes(ordinal):
            if self.is_type(scope) or self.is_constructor_function(scope):
                return scope
        return None

    def enclosing_owned_member(self, ordinal: int) -> int | None:
        """The innermost definition enclosing a scope that is written for a named owner and has an
        object of that owner as its own."""
        for scope in self.scopes(ordinal):
            if scope != TOP and self._has_owner(self.definitions[scope]):
                return scope
        return None

    def _has_owner(self, definition: Definition) -> bool:
        """Whether a definition names an owner and has an object of it as its own (``self``)."""
        value_text = aliased_type(definition.signature) if self.spec.own_object else ""
        has_own_object = not value_text or bool(re.search(self.spec.own_object, value_text))
        return bool(definition.owner) and has_own_object

    def is_member(self, ordinal: int) -> bool:
        """Whether the definition belongs to a type."""
        definition = self.definitions[ordinal]
        if definition.owner:
            return True
        return self.is_type(definition.container)

    def enclosing_method_name(self, scope: int) -> str:
        """The name of the method enclosing a scope; empty if there is none."""
        for ordinal in self.scopes(scope):
            if ordinal != TOP and self.is_callable(ordinal) and self.is_member(ordinal):
                return self.definitions[ordinal].name
        return ""

    def is_static_context(self, scope: int) -> bool | None:
        """Whether code in a scope runs for the enclosing type (in a static method, or in the type's
        body) rather than for an object of it. None where that is unknown, or the language has no
        separate methods for both."""
        if not self.spec.statics_apart:
            return None
        for ordinal in self.scopes(scope):
            if ordinal == TOP:
                return None
            if self.is_type(ordinal):
                return True
            if self.is_member(ordinal):
                member = self.definitions[ordinal]
                return member.static if member.kind in ("method", "constructor") else None
        return None

    def enclosing_literal_member(self, scope: int) -> int | None:
        """The innermost definition enclosing a scope that is a method of an object literal with
        that object as its own; None where a type is nearer."""
        for ordinal in self.scopes(scope):
            if ordinal == TOP or self.is_type(ordinal):
                return None
            definition = self.definitions[ordinal]
            if self._has_owner(definition) or self.is_type(definition.container):
                return None
            is_member = definition.kind in self.spec.object_members and not definition.owner
            if is_member and not self._has_lexical_self(definition):
                return ordinal
        return None

    def _has_lexical_self(self, definition: Definition) -> bool:
        pattern = self.spec.lexical_self
        return bool(pattern) and bool(re.search(pattern, definition.signature))

    def is_extension(self, ordinal: int) -> bool:
        """Whether the definition is an extension that is also a member of the enclosing type."""
        definition = self.definitions[ordinal]
        is_nested = definition.container != TOP
        return self.spec.static_extensions and is_nested and bool(definition.owner)

    def is_member_extension(self, ordinal: int) -> bool:
        """Whether the definition is written inside one type for another."""
        definition = self.definitions[ordinal]
        return bool(definition.owner) and self.is_type(definition.container)

    def qualified_name(self, ordinal: int) -> str:
        """`FileFacts.qualified_name`, but an extension that can only be used through the enclosing
        type is qualified by that type and not by the one it extends."""
        name = self.facts.qualified_name(ordinal)
        by_type = self.spec.extension_members and not self.spec.static_extensions
        if ordinal == TOP or not by_type or not self.is_member_extension(ordinal):
            return name
        definition = self.definitions[ordinal]
        return f"{self.facts.qualified_name(definition.container)}.{definition.name}"

    def is_type(self, ordinal: int) -> bool:
        return ordinal != TOP and self.definitions[ordinal].kind in MEMBER_HOLDERS

    def is_interface(self, ordinal: int) -> bool:
        return self.definitions[ordinal].kind == "interface"

    def is_callable(self, ordinal: int) -> bool:
        return self.definitions[ordinal].kind in CALLABLES

    def parameters(self, ordinal: int) -> tuple[str, ...]:
        """The names of a function's parameters, as far as its signature has them. Where types stand
        before names, an entry is the whole text of a parameter."""
        names = self._parameters.get(ordinal)
        if names is None:
            definition, declared = self.definitions[ordinal], ()
            if self.is_callable(ordinal):
                declared = declared_parameters(definition.signature, definition.name)
            names = self._parameters[ordinal] = tuple(parameter.name for parameter in declared)
        return names

    def has_body(self, ordinal: int) -> bool:
        """Whether the definition is a function with a body, not a mere declaration."""
        return self.is_callable(ordinal) and not self.definitions[ordinal].bodiless

    def is_wrapped_function(self, ordinal: int) -> bool:
        """Whether the definition is a local constant made of a function
        (``const load = keep(() => { ... })``), which is called like one."""
        definition = self.definitions[ordinal]
        in_function = definition.container != TOP and self.is_callable(definition.container)
        return in_function and definition.kind == "constant" and not definition.bodiless

    def is_variable(self, ordinal: int) -> bool:
        return self.definitions[ordinal].kind in VARIABLES
