"""Evaluates attributes that a library makes of a class: ``rack = ForeignKey(Rack)``.

An object of the enclosing class has a value of the given class there, as with libraries that map
objects to tables, check them or make them up for tests. Nothing declares that. So only members that
the given class has are looked up, and if a text names the class, they are known by name only.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import TypeBinding
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Instance,
    Requested,
    Values,
    all_outside,
)
from explorer_core.index.symbols import SymbolId

_QUOTES = "'\""


class HeldClasses:
    """Finds the classes that such attributes are given."""

    def __init__(self, program: Program, model: Semantics) -> None:
        self._program = program
        self._model = model

    def values(self, table: FileTable, scope: int, binding: TypeBinding) -> Values:
        """The values of an attribute that is bound to a call with one argument. UNKNOWN if the
        callee is of the repository, or the argument is no class."""
        callee, _, arguments = binding.type.partition("(")
        line = binding.line
        if not all_outside(self._model.expressions.evaluate(table, scope, callee, line)):
            return UNKNOWN
        written = arguments.rpartition("=")[2].strip()
        if written.strip(_QUOTES) != written:
            class_id = self._class_named(table, scope, written.strip(_QUOTES))
            return (
                (Requested(type_id=class_id, fallback=OUTSIDE, witness="graph:name"),)
                if class_id
                else UNKNOWN
            )
        values = self._model.types.lookup(table, scope, written, line)
        classes = (value.id for value in values if isinstance(value, Instance))
        return tuple(
            Requested(type_id=type_id, fallback=OUTSIDE)
            for type_id in classes
            if self._program.kind(type_id) in CLASS_KINDS
        )

    def _class_named(self, table: FileTable, scope: int, text: str) -> SymbolId | None:
        """The class that a text names: the enclosing one, by the language's word for it; else the
        only one of that name, or the only one in a folder that the text names."""
        if text in table.spec.self_names:
            enclosing = table.enclosing_type(scope)
            return None if enclosing is None else table.id(enclosing)
        path, _, name = text.rpartition(".")
        if not name.isidentifier() or self._program.is_common(name):
            return None
        classes = list(self._classes_named(table, name))
        if len(classes) > 1:
            head = path.partition(".")[0]
            classes = [type_id for type_id in classes if head in type_id.path.split("/")]
        return classes[0] if len(classes) == 1 else None

    def _classes_named(self, table: FileTable, name: str) -> Iterator[SymbolId]:
        for other in self._program.defining(name, table.spec.family_name):
            for ordinal in other.by_name[name]:
                if other.definitions[ordinal].kind in CLASS_KINDS:
                    yield other.id(ordinal)
