"""Protocol classes, and the classes that have all of their members without declaring it.

``class Parser(Protocol)`` is such a class by the name of its base, which is of the language's own
library. Another class implements it if it has each of its members, the methods with as many
parameters. A single method is not specific enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined
from explorer_core.index.symbols import CALLABLES, SymbolId
from explorer_core.memoised import memoised

_FEW = 2
"""A class with this many methods is specific enough."""
_MOST = 120
"""If more classes have a protocol's rarest member, none of them is examined."""
_FILES = 400
"""If more files mention the name of the base, none of them is examined."""
_WORD = re.compile(r"\w+")


class ProtocolClasses:
    """Finds protocol classes, and the classes that implement them; memoised."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self._program = program
        self._hierarchy = hierarchy

    def supertypes(self, type_id: SymbolId) -> list[SymbolId]:
        """The protocol classes whose members a class has."""
        table = self._program.holder(type_id)
        if not table.spec.protocol_bases:
            return []
        names = (table.definitions[each].name for each in table.children.get(type_id.ordinal, ()))
        found = (each for name in names for each in self._with_member(name, table))
        return [each for each in dict.fromkeys(found) if self._meets(type_id, each)]

    def subtypes(self, type_id: SymbolId) -> list[SymbolId]:
        """The classes that have all members of a protocol class; none where too many may."""
        asked = self._asked_for(type_id)
        if not asked:
            return []
        family = self._program.holder(type_id).spec.family_name
        holders = [self._holders(self._program.definition(each).name, family) for each in asked]
        found = min(holders, key=len)
        return [each for each in found if self._meets(each, type_id)] if len(found) <= _MOST else []

    def members(self, type_id: SymbolId, name: str) -> Iterator[SymbolId]:
        """The members called ``name`` in the protocol classes that a class implements."""
        table = self._program.holder(type_id)
        for each in self._with_member(name, table) if table.spec.protocol_bases else ():
            if self._meets(type_id, each):
                yield from self._hierarchy.own_members(each, name)

    def _with_member(self, name: str, table: FileTable) -> list[SymbolId]:
        """The protocol classes with a member called ``name``."""
        spec = table.spec
        return self._by_member(spec.family_name, spec.protocol_bases).get(name, [])

    @memoised
    def _by_member(self, family: str, bases: tuple[str, ...]) -> dict[str, list[SymbolId]]:
        """The protocol classes of a language family, by the names of their members. They are
        recognised by the names of their bases."""
        mentioning = self._program.source.files_mentioning
        paths = sorted({path for base in bases for path in mentioning(base)})
        few = paths if len(paths) <= _FILES else ()
        tables = (other for path in few if (other := self._program.table(path)) is not None)
        found: dict[str, list[SymbolId]] = {}
        for other in tables:
            if other.spec.family_name == family:
                for ordinal in other.supertypes:
                    for each in self._asked_for(other.id(ordinal)):
                        name = self._program.definition(each).name
                        found.setdefault(name, []).append(other.id(ordinal))
        return found

    def _holders(self, name: str, family: str) -> list[SymbolId]:
        """The classes that define a member called ``name``."""
        found = (
            table.id(holder)
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
            if (holder := table.definitions[ordinal].container) != TOP and table.is_type(holder)
        )
        return list(dict.fromkeys(found))

    @memoised
    def _asked_for(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The members that a protocol class requires; none if a class is not one, has a base in the
        repository, or requires too little."""
        table = self._program.holder(type_id)
        children = table.children.get(type_id.ordinal, ())
        methods = sum(table.is_callable(each) for each in children)
        is_one = methods >= _FEW and self._says_so(table, type_id.ordinal)
        is_one = is_one and not self._hierarchy.supertypes(type_id)
        return tuple(map(table.id, children)) if is_one else ()

    def _says_so(self, table: FileTable, ordinal: int) -> bool:
        written = table.supertypes.get(ordinal, ())
        return any(last_part(each.name) in table.spec.protocol_bases for each in written)

    @memoised
    def _meets(self, type_id: SymbolId, asking: SymbolId) -> bool:
        table = self._program.holder(type_id)
        return not self._says_so(table, type_id.ordinal) and all(
            self._has(type_id, each) for each in self._asked_for(asking)
        )

    def _has(self, type_id: SymbolId, asked: SymbolId) -> bool:
        definition = self._program.definition(asked)
        members = self._hierarchy.member(type_id, definition.name)
        own = [each.id for each in members if isinstance(each, Defined)]
        if definition.kind not in CALLABLES:
            return bool(members) and (bool(own) or definition.kind == "field")
        return any(self._is_alike(each, asked) for each in own)

    def _is_alike(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether a method has as many parameters as another one, or more that have defaults."""
        mine, theirs = self._parameters(one), self._parameters(other)
        more = mine[len(theirs) :]
        is_enough = len(mine) >= len(theirs) and all("=" in each for each in more)
        return is_enough and self._program.kind(one) in CALLABLES

    def _parameters(self, method: SymbolId) -> list[str]:
        definition = self._program.definition(method)
        written = parameters_of(definition.signature, definition.name)
        return [each for each in written if _WORD.search(each)]
