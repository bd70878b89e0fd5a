"""Looks up symbols by id, file, name or line, and what contains them."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, splitext

from explorer_core.contracts import LineRange
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol, SymbolId


class Definitions:
    """The symbols of a program. Not thread-safe."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._program = resolver.program
        self._symbols: dict[SymbolId, Symbol] = {}

    def symbol(self, symbol_id: SymbolId) -> Symbol:
        """The symbol with an id. Raises KeyError if its file or definition is gone."""
        symbol = self._symbols.get(symbol_id)
        if symbol is None:
            symbol = _symbol(self._program.table_of(symbol_id), symbol_id)
            self._symbols[symbol_id] = symbol
        return symbol

    def symbols_in(self, path: str) -> list[Symbol]:
        """The definitions of a file in text order; empty for an unknown file."""
        table = self._program.table(path)
        count = len(table.definitions) if table else 0
        return [self.symbol(SymbolId(path, ordinal)) for ordinal in range(count)]

    def runs(self, symbol_id: SymbolId) -> bool:
        """Whether a definition is code: a function, or a value that a call made from a function."""
        if symbol_id.is_file:
            return False
        table = self._program.table_of(symbol_id)
        return table.is_callable(symbol_id.ordinal) or table.is_wrapped_function(symbol_id.ordinal)

    def runs_once(self, symbol_id: SymbolId) -> bool:
        """Whether a type has a body that runs when the type is defined, not at each
        construction."""
        is_type = self.kind(symbol_id) in MEMBER_HOLDERS
        return is_type and self._program.table_of(symbol_id).spec.bodies_run_once

    def kind(self, symbol_id: SymbolId) -> str:
        """The kind of the symbol with an id. Raises KeyError if its file or definition is gone."""
        if symbol_id.is_file:
            return "module"
        return self._program.kind(symbol_id)

    def kinds_in(self, path: str) -> set[str]:
        """The kinds of the definitions in a file."""
        table = self._program.table(path)
        return {definition.kind for definition in table.definitions} if table else set()

    def find(self, name: str) -> list[Symbol]:
        """The definitions with a simple name, or with a qualified name that ends in the given
        dotted parts; case-sensitive. A function without a name is found by the call it is passed
        to, as reports write it."""
        if name.endswith(")") and (callbacks := list(self._named(name))):
            return callbacks
        name_parts = name.replace("::", ".").replace("#", ".").strip(".").split(".")
        symbols = [
            symbol
            for symbol in self._named(name_parts[-1])
            if any(_ends_with(name, name_parts) for name in self._full_names(symbol))
        ]
        return symbols or list(self._unnamed_exports(name_parts))

    def _named(self, name: str) -> Iterator[Symbol]:
        for table in self._program.defining(name):
            yield from (self.symbol(table.id(ordinal)) for ordinal in table.by_name[name])

    def _full_names(self, symbol: Symbol) -> Iterator[list[str]]:
        """The parts of each full name of a symbol: that of its qualified name, and that with the
        type it is declared for."""
        table = self._program.table_of(symbol.id)
        yield _full_name(table, symbol.qualified_name)
        if table.is_member_extension(symbol.id.ordinal):
            yield _full_name(table, table.facts.qualified_name(symbol.id.ordinal))

    def _unnamed_exports(self, parts: list[str]) -> Iterator[Symbol]:
        """The definitions that are exported without a name, and their members. They are found by
        the name of their file, as reports name them."""
        for length in range(1, len(parts) + 1):
            for path in self._program.paths.with_stem(".".join(parts[:length])):
                table = self._program.table(path)
                names = table.spec.nameless_exports if table else ()
                qualified_names = {".".join([name, *parts[length:]]) for name in names}
                if qualified_names:
                    yield from (
                        s for s in self.symbols_in(path) if s.qualified_name in qualified_names
                    )

    def enclosing(self, path: str, line: int) -> Symbol | None:
        """The innermost definition that spans a line; None if there is none."""
        table = self._program.table(path)
        if table is None:
            return None
        innermost: int | None = None
        for ordinal, definition in enumerate(table.definitions):
            if definition.start <= line <= definition.end and (
                innermost is None or definition.start >= table.definitions[innermost].start
            ):
                innermost = ordinal
        return None if innermost is None else self.symbol(table.id(innermost))

    def container(self, symbol_id: SymbolId) -> SymbolId | None:
        """The type, function or file that contains a definition; None for a file. A type that the
        definition names as its owner (``func (s *Server) Run()``) counts as its container."""
        if symbol_id.is_file:
            return None
        table = self._program.table_of(symbol_id)
        owner = self._resolver.model.owners.owner_of(table, symbol_id.ordinal)
        return owner or table.id(table.definitions[symbol_id.ordinal].container)

    def containers(self, symbol_id: SymbolId) -> Iterator[SymbolId]:
        """The enclosing definitions, innermost first, without the file."""
        container = self.container(symbol_id)
        while container is not None and not container.is_file:
            yield container
            container = self.container(container)

    def members(self, symbol_id: SymbolId) -> list[SymbolId]:
        """The definitions directly in a definition or file, and those of its file that name it as
        their owner."""
        table = self._program.table_of(symbol_id)
        nested = table.children.get(symbol_id.ordinal, [])
        if not symbol_id.is_file and table.may_own(symbol_id.ordinal):
            owned = table.members_by_owner.get(table.definitions[symbol_id.ordinal].name, {})
            nested = sorted({*nested, *(o for ordinals in owned.values() for o in ordinals)})
        return [table.id(ordinal) for ordinal in nested]

    def first_part(self, type_id: SymbolId) -> SymbolId:
        """The declaration that stands for a whole type, where several may declare parts of it."""
        return self._resolver.names.first_declaration(type_id)

    def namesakes(self, name: str) -> int:
        """How many files define a name: a cheap measure of how common it is."""
        return len(self._program.source.files_defining(name))


def _symbol(table: FileTable, symbol_id: SymbolId) -> Symbol:
    if symbol_id.is_file:
        name = splitext(basename(symbol_id.path))[0]
        file_range = LineRange.of_valid(start=1, end=max(1, table.facts.line_count))
        return Symbol(symbol_id, name, name, "module", file_range, 1, "", "")
    definition = table.definitions[symbol_id.ordinal]
    return Symbol(
        id=symbol_id,
        name=definition.name,
        qualified_name=table.qualified_name(symbol_id.ordinal),
        kind=definition.kind,
        range=LineRange.of_valid(start=definition.start, end=max(definition.start, definition.end)),
        line=definition.line,
        signature=definition.signature,
        doc=definition.doc,
        test=definition.test,
        exported=definition.exported,
    )


def _full_name(table: FileTable, name: str) -> list[str]:
    """The parts of a qualified name, preceded by those of its folders, file and package."""
    prefix = splitext(table.path)[0].replace("/", ".")
    package = table.package.replace("::", ".").replace("\\", ".")
    inner = name.replace("::", ".").replace("\\", ".")
    return f"{prefix}.{package}.{inner}".split(".") if package else f"{prefix}.{inner}".split(".")


def _ends_with(parts: list[str], suffix: list[str]) -> bool:
    return parts[-len(suffix) :] == suffix
