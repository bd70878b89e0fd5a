"""The symbol graph: who calls, uses, imports, extends or contains whom.

No edge is stored. Edges are resolved on demand, from the facts of the files that can affect them,
and memoised until a file changes. The cost of a query depends on the files it touches, not on the
size of the repository.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from posixpath import basename, dirname, splitext

from explorer_core.index.extraction.facts import TEXT, TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feeds import Feeds
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.stated import StatedEdges
from explorer_core.index.resolution.users import Users
from explorer_core.index.symbols import VARIABLES, Edge, FactsSource, SymbolId, ordered
from explorer_core.index.type_hierarchy import TypeHierarchy
from explorer_core.memoised import memoised


class SymbolGraph(TypeHierarchy):
    """Symbols and edges over a `FactsSource`. Not thread-safe: use it from one thread, or lock."""

    def __init__(self, source: FactsSource, program: Program | None = None) -> None:
        super().__init__(Resolver(program or Program(source)))
        self._source = source
        self._stated = StatedEdges(self._resolver)
        self._mentions = self._resolver.mentions
        self._users = Users(self._resolver, self._stated)
        self._feeds = Feeds(self._resolver, self._users)

    def after(self, changed: Collection[str]) -> SymbolGraph:
        """A new graph that reflects files which were changed, added or deleted. The source must
        already reflect them. This graph stays as it is for callers in the middle of a query."""
        return SymbolGraph(self._source, self._program.after(changed))

    @memoised
    def outgoing(self, symbol_id: SymbolId) -> list[Edge]:
        """Every edge that starts at the definition, by line."""
        return ordered([*self.leaving(symbol_id), *self.contained(symbol_id)])

    def leaving(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The outgoing edges except ``contains``, unordered."""
        yield from self.uses(symbol_id)
        yield from self.supertypes(symbol_id)
        yield from self.overrides(symbol_id)
        table = self._program.table_of(symbol_id)
        yield from self._stated.imports_in(table, symbol_id.ordinal)

    @memoised
    def uses(self, symbol_id: SymbolId) -> list[Edge]:
        """The outgoing ``calls`` and ``references``, and the edges of `fed_by`."""
        table = self._program.table_of(symbol_id)
        stated = self._stated.uses_in(table, symbol_id.ordinal)
        return ordered([*stated, *self.fed_by(symbol_id)])

    @memoised
    def fed_by(self, symbol_id: SymbolId) -> list[Edge]:
        """The outgoing edges to receivers of something that the definition hands over: a message,
        an event, a request to an address."""
        return [*self._feeds.edges_from(symbol_id)]

    def goes_by_address(self, edge: Edge) -> bool:
        """Whether an edge rests on an address: the source sends requests there, the target
        handles them."""
        by_name = edge.relation == "references" and edge.is_by_name
        return by_name and edge in self.fed_by(edge.source)

    def passed_on(self, edge: Edge) -> str:
        """What the source of a ``feeds`` edge passes on that has the target as a method: "object"
        or "type". Empty if it sends something to the target instead."""
        return self._feeds.passed_on(edge)

    @memoised
    def feeding(self, symbol_id: SymbolId) -> list[Edge]:
        """The incoming edges from definitions that hand something over to this one."""
        return [*self._feeds.edges_to(symbol_id)]

    def may_handle(self, edge: Edge, line: int) -> bool:
        """Whether a line of an edge's target may handle what the edge hands over: any line, unless
        the lines that do are known."""
        handled = self._feeds.handled_lines(edge)
        return not handled or any(line in lines for lines in handled)

    def uses_named(self, symbol_id: SymbolId, names: Collection[str]) -> list[Edge]:
        """The `uses` whose target has one of ``names`` (see `names_of`), and possibly more."""
        table = self._program.table_of(symbol_id)
        local_names = self._mentions.local_names(table, names)
        stated = self._stated.uses_in(table, symbol_id.ordinal, local_names)
        return ordered([*stated, *self.fed_by(symbol_id)])

    def names_of(self, symbol_id: SymbolId) -> list[str]:
        """The names under which files refer to a definition."""
        return self._mentions.names_of(symbol_id)

    def incoming(self, symbol_id: SymbolId, *, files: int | None = None) -> list[Edge]:
        """Every edge that ends at the definition, by file and line. ``files`` limits how many of
        the files that mention its name are examined, nearest first; if that leaves some out, only
        uses and feeds are returned."""
        if files is not None:  # even if `_incoming` is memoised: the answer must not depend on it
            mentioning = self._mentions.paths_of(symbol_id)
            if len(mentioning) > files:
                return self._incoming_near(symbol_id, files)
        return self._incoming(symbol_id)

    def uses_of(self, symbol_id: SymbolId, *, files: int, calls: bool = False) -> Iterator[Edge]:
        """The incoming edges from references and imports, in the order they are found; with
        ``calls`` from call references only. ``files`` as for `incoming`."""
        if not symbol_id.is_file:
            mentioning = self._mentions.paths_of(symbol_id)
            max_files = files if len(mentioning) > files else None
            yield from self._users.uses(symbol_id, mentioning, max_files, calls=calls)

    def handing_over(self, symbol_id: SymbolId, *, files: int) -> list[Edge]:
        """The incoming edges from places that pass the definition as a value: as an argument or in
        a table. Empty if more than ``files`` files mention it (for a member: both it and its type),
        since the mentions that really mean it could not be told from the others."""
        if symbol_id.is_file:
            return []
        paths = self._mentions.paths_of(symbol_id)
        holder, _ = self._holder_and_name(symbol_id)
        if holder is not None:
            type_paths = {*self._mentions.paths_of(holder), symbol_id.path}
            paths = [path for path in paths if path in type_paths]
        if len(paths) > files:
            return []
        return ordered(self._users.handing_over(symbol_id, paths))

    def uses_through(self, symbol_id: SymbolId, *, files: int | None = None) -> Iterator[Edge]:
        """Uses of the members this one overrides, directly or transitively, that may dispatch to it
        at run time. Each edge ends at the overridden member. ``files`` as for `incoming`."""
        overridden = [edge.target for edge in self.overrides(symbol_id)]
        for member in overridden:
            further = (edge.target for edge in self.overrides(member))
            overridden += (target for target in further if target not in overridden)
            for edge in self.incoming(member, files=files):
                is_use = edge.relation in ("calls", "references") and edge.source != symbol_id
                if is_use and not self.is_of_super(edge):
                    yield edge

    def is_of_super(self, edge: Edge) -> bool:
        """Whether a use of a member bypasses dynamic dispatch and never means an override: by
        ``super``, or by naming the type (``Base.run(self)``)."""
        super_names = self._program.table_of(edge.source).spec.super_names
        if any((r.receiver or r.name) in super_names for r in self._on_line(edge)):
            return True
        holder, name = self._holder_and_name(edge.target)
        if holder is None or self._program.definition(edge.target).static:
            return False
        owner = self._program.definition(holder).name
        if not any((r.name, last_part(r.receiver)) == (name, owner) for r in self._on_line(edge)):
            return False
        # An object may be called like its type (``a.Notifier.Notify()``).
        on_line = (r.target for r in self.uses(edge.source) if r.line == edge.line)
        return not any(self.kind(t) in VARIABLES and self.symbol(t).name == owner for t in on_line)

    def is_for_member(self, edge: Edge) -> bool:
        """Whether an edge leads to a mere receiver, while another edge leads to its member."""
        to_object = edge.relation == "references" and self.kind(edge.target) in VARIABLES
        return to_object and not edge.is_by_name and self._stated.is_for_member(edge)

    def is_in_text(self, edge: Edge) -> bool:
        """Whether an edge's target is named in a string literal, by its path."""
        references = self._on_line(edge)
        name = self.symbol(edge.target).name
        return any(r.name == name and r.receiver.startswith(TEXT) for r in references)

    def _on_line(self, edge: Edge) -> Iterator[Reference]:
        """The references in the edge's source that are on the edge's line."""
        references = self._program.table_of(edge.source).facts.references.within(
            edge.source.ordinal
        )
        return (r for r in references if r.line == edge.line)

    def edges_at(self, path: str, index: int) -> list[Edge]:
        """The edges of one reference, given by its index among the file's references."""
        table = self._program.table(path)
        return list(self._stated.of_reference(table, index)) if table else []

    def alternatives(self, edge: Edge) -> list[SymbolId]:
        """The alternatives to an edge's target: the other targets of its reference, or the other
        receivers of what it feeds. Empty if a reference on that line has only this target."""
        if edge.relation == "feeds":
            return self._feeds.alternative_receivers(edge)
        table = self._program.table_of(edge.source)
        references = table.facts.references
        others_by_reference: list[list[SymbolId]] = []
        for index in references.in_scope(edge.source.ordinal):
            if references[index].line == edge.line:
                targets = [e.target for e in self._stated.as_written(table, index)]
                if edge.target in targets:
                    others_by_reference.append([t for t in targets if t != edge.target])
        return min(others_by_reference, key=len) if others_by_reference else []

    def between(self, a: SymbolId, b: SymbolId) -> list[Edge]:
        """The direct edges from ``a`` to ``b`` and from ``b`` to ``a``."""
        return [edge for edge in self.outgoing(a) if edge.target == b] + [
            edge for edge in self.outgoing(b) if edge.target == a
        ]

    def contained(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """``contains`` edges to the members, and to bodies in other files of constructors that are
        only declared here."""
        for member in self.members(symbol_id):
            bodies = self._resolver.declarations.bodies(member) if self._constructs(member) else ()
            for body in dict.fromkeys((member, *bodies)):
                line = self.symbol(body).line
                yield Edge("contains", symbol_id, body, body.path, line, "graph:scope")

    def _constructs(self, member: SymbolId) -> bool:
        return self._program.kind(member) == "constructor"

    def imports(self, path: str) -> list[Edge]:
        """The import edges of a file. Their targets are definitions or whole files."""
        table = self._program.table(path)
        if table is None:
            return []
        scopes = {binding.scope for binding in table.facts.imports}
        return ordered(e for scope in scopes for e in self._stated.imports_in(table, scope))

    def importers(self, path: str) -> list[Edge]:
        """Import edges to a file or to anything defined at its top level."""
        table = self._program.table(path)
        if table is None:
            return []
        names = {splitext(basename(path))[0], basename(dirname(path))}
        for symbol in self.symbols_in(path):
            if table.definitions[symbol.id.ordinal].container == TOP:
                names.update(self._mentions.names_of(symbol.id))
        return [
            edge
            for user in self._mentions.tables(self._mentions.paths(names, path))
            if user.path != path
            for edge in self.imports(user.path)
            if edge.target.path == path
        ]

    # how they are found

    def _uses_and_imports(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The uses and imports of a symbol."""
        if symbol_id.is_file:
            yield from (e for e in self.importers(symbol_id.path) if e.target == symbol_id)
            return
        yield from self._users.uses(symbol_id, self._mentions.paths_of(symbol_id), None)
        yield from self.feeding(symbol_id)

    @memoised
    def _incoming(self, symbol_id: SymbolId) -> list[Edge]:
        edges = [
            *self._uses_and_imports(symbol_id),
            *self.subtypes(symbol_id),
            *self.overridden_by(symbol_id),
        ]
        container = self.container(symbol_id)
        if container is not None:
            path, line = symbol_id.path, self.symbol(symbol_id).line
            edges.append(Edge("contains", container, symbol_id, path, line, "graph:scope"))
        return ordered(edges)

    @memoised
    def _incoming_near(self, symbol_id: SymbolId, files: int) -> list[Edge]:
        uses = self._users.uses(symbol_id, self._mentions.paths_of(symbol_id), files)
        return ordered([*uses, *self.feeding(symbol_id)])
