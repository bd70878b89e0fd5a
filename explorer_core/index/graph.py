"""The symbol graph: who calls, uses, imports, extends or contains whom.

Nothing is stored: edges are resolved when they are asked for, from the facts of the files that can
have a say, and kept in memory until a file changes. A question costs what it touches, not what the
repository holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter
from posixpath import basename, dirname, splitext

from explorer_core.held import memoised
from explorer_core.index.definitions import Definitions
from explorer_core.index.extraction.facts import TEXT, TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feeds import Feeds
from explorer_core.index.resolution.function_fields import FunctionFields
from explorer_core.index.resolution.hierarchy.hierarchy import Base
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.stated import StatedEdges
from explorer_core.index.resolution.users import Users
from explorer_core.index.symbols import (
    CALLABLES,
    MEMBER_HOLDERS,
    VARIABLES,
    Edge,
    FactsSource,
    SymbolId,
)

_PLACE = attrgetter("path", "line", "relation", "source", "target")


class SymbolGraph(Definitions):
    """Symbols and edges over a `FactsSource`. Not thread-safe: one thread asks, or a lock does."""

    def __init__(self, source: FactsSource, program: Program | None = None) -> None:
        super().__init__(program or Program(source))
        self._source = source
        self._resolver = Resolver(self._program)
        self._stated = StatedEdges(self._resolver)
        self._mentions = self._resolver.mentions
        self._subtypes = self._resolver.subtypes
        self._users = Users(self._resolver, self._stated)
        self._function_fields = FunctionFields(self._resolver)
        self._feeds = Feeds(self._resolver, self._users)

    def after(self, changed: Collection[str]) -> SymbolGraph:
        """The graph now that these files have changed, come or gone; the source must already show
        it. This graph is left as it is, to whoever is in the middle of asking it."""
        return SymbolGraph(self._source, self._program.after(changed))

    def container(self, symbol_id: SymbolId) -> SymbolId | None:
        """What a definition stands in: a type (also one it names as its owner), a function, or the
        file; None for a file."""
        if symbol_id.is_file:
            return None
        table = self._program.holder(symbol_id)
        owner = self._resolver.model.owners.owner_of(table, symbol_id.ordinal)
        return owner or table.id(table.definitions[symbol_id.ordinal].container)

    def containers(self, symbol_id: SymbolId) -> Iterator[SymbolId]:
        """The definitions that one is in, the innermost first, and no file."""
        at = self.container(symbol_id)
        while at is not None and not at.is_file:
            yield at
            at = self.container(at)

    def members(self, symbol_id: SymbolId) -> list[SymbolId]:
        """The definitions directly in a definition or file, those that name it as owner included
        when they stand in the same file."""
        table = self._program.holder(symbol_id)
        nested = table.children.get(symbol_id.ordinal, [])
        if not symbol_id.is_file and table.may_own(symbol_id.ordinal):
            owned = table.owned.get(table.definitions[symbol_id.ordinal].name, {})
            nested = sorted({*nested, *(o for ordinals in owned.values() for o in ordinals)})
        return [table.id(ordinal) for ordinal in nested]

    # edges

    @memoised
    def outgoing(self, symbol_id: SymbolId) -> list[Edge]:
        """Every edge that starts in the definition itself, by line."""
        return _ordered([*self.leaving(symbol_id), *self.contained(symbol_id)])

    def leaving(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """Of the outgoing edges those to what the definition does not contain, in no order."""
        yield from self.uses(symbol_id)
        yield from self.supertypes(symbol_id)
        yield from self.overrides(symbol_id)
        table = self._program.holder(symbol_id)
        yield from self._stated.imports_in(table, symbol_id.ordinal)

    @memoised
    def uses(self, symbol_id: SymbolId) -> list[Edge]:
        """Of the outgoing edges those that references make, which are the ``calls`` and the
        ``references``, and what the definition ``feeds``."""
        table = self._program.holder(symbol_id)
        stated = self._stated.uses_in(table, symbol_id.ordinal)
        return _ordered([*stated, *self.fed_by(symbol_id)])

    @memoised
    def fed_by(self, symbol_id: SymbolId) -> list[Edge]:
        """Of the outgoing edges those to what takes what the definition hands over."""
        return [*self._feeds.out_of(symbol_id)]

    def goes_by_address(self, edge: Edge) -> bool:
        """Whether an edge is known by an address that is asked at on the one side, and answered at
        on the other."""
        by_name = edge.relation == "references" and edge.is_by_name
        return by_name and edge in self.fed_by(edge.source)

    @memoised
    def feeding(self, symbol_id: SymbolId) -> list[Edge]:
        """Of the incoming edges those from what hands something over to the definition."""
        return [*self._feeds.into(symbol_id)]

    def may_take(self, edge: Edge, line: int) -> bool:
        """Whether a line of what an edge leads to may be for what it is handed there."""
        taken = self._feeds.taken(edge)
        return not taken or any(line in lines for lines in taken)

    def uses_named(self, symbol_id: SymbolId, names: Collection[str]) -> list[Edge]:
        """Of the uses those of what goes by one of some names (`names_of`), and perhaps others."""
        table = self._program.holder(symbol_id)
        known = self._mentions.local_names(table, names)
        stated = self._stated.uses_in(table, symbol_id.ordinal, known)
        return _ordered([*stated, *self.fed_by(symbol_id)])

    def names_of(self, symbol_id: SymbolId) -> list[str]:
        """The names under which files use a definition."""
        return self._mentions.names_of(symbol_id)

    def incoming(self, symbol_id: SymbolId, *, files: int | None = None) -> list[Edge]:
        """Every edge that ends at the definition, by file and line. With ``files`` only what that
        many of the files that mention its name say, those nearest to it first."""
        if files is not None:  # also where all are known: an answer depends on no earlier question
            mentioning = self._mentions.of(symbol_id)
            if len(mentioning) > files:
                return self._incoming_near(symbol_id, files)
        return self._incoming(symbol_id)

    def uses_of(self, symbol_id: SymbolId, *, files: int, calls: bool = False) -> Iterator[Edge]:
        """Of the incoming edges those that references and imports make, as they are found, or of
        these the calls alone; ``files`` as for `incoming`."""
        if not symbol_id.is_file:
            mentioning = self._mentions.of(symbol_id)
            most = files if len(mentioning) > files else None
            yield from self._users.of(symbol_id, mentioning, most, calls=calls)

    def handing_over(self, symbol_id: SymbolId, *, files: int) -> list[Edge]:
        """Of the incoming edges those where the definition is handed over as it is: as an argument
        or in a table. Empty where more than ``files`` mention it (and its type, if it is a member):
        it could not be said which of them mean it."""
        if symbol_id.is_file:
            return []
        paths = self._mentions.of(symbol_id)
        holder, _ = self._holder_and_name(symbol_id)
        if holder is not None:
            of_type = {*self._mentions.of(holder), symbol_id.path}
            paths = [path for path in paths if path in of_type]
        if len(paths) > files:
            return []
        return _ordered(self._users.handing_over(symbol_id, paths))

    def uses_through(self, symbol_id: SymbolId, *, files: int | None = None) -> Iterator[Edge]:
        """Uses of the members that this one overrides, directly or not, that may mean this one at
        run time; each edge ends at the overridden member. ``files`` as for `incoming`."""
        overridden = [edge.target for edge in self.overrides(symbol_id)]
        for member in overridden:
            further = (edge.target for edge in self.overrides(member))
            overridden += (each for each in further if each not in overridden)
            for edge in self.incoming(member, files=files):
                used = edge.relation in ("calls", "references") and edge.source != symbol_id
                if used and not self.is_of_super(edge):
                    yield edge

    def is_of_super(self, edge: Edge) -> bool:
        """Whether what uses a member asks for that of its supertype, or for that of the type it
        names, which is then the one that is meant, whatever overrides it."""
        words = self._program.holder(edge.source).spec.super_names
        if any((each.receiver or each.name) in words for each in self._on_line(edge)):
            return True
        holder, name = self._holder_and_name(edge.target)
        if holder is None or self._program.definition(edge.target).static:
            return False
        of = self._program.definition(holder).name
        if not any((r.name, last_part(r.receiver)) == (name, of) for r in self._on_line(edge)):
            return False
        # An object may be called like its type (``a.Notifier.Notify()``).
        on_line = (each.target for each in self.uses(edge.source) if each.line == edge.line)
        return not any(self.kind(it) in VARIABLES and self.symbol(it).name == of for it in on_line)

    def is_for_member(self, edge: Edge) -> bool:
        """Whether an edge leads to an object that is named there only for the sake of a member, to
        which another edge leads."""
        to_object = edge.relation == "references" and self.kind(edge.target) in VARIABLES
        return to_object and not edge.is_by_name and self._stated.is_for_member(edge)

    def is_in_text(self, edge: Edge) -> bool:
        """Whether a text names what an edge leads to, by a path to it."""
        used = self._on_line(edge)
        name = self.symbol(edge.target).name
        return any(each.name == name and each.receiver.startswith(TEXT) for each in used)

    def _on_line(self, edge: Edge) -> Iterator[Reference]:
        """The references of the source of an edge that stand on its line."""
        rows = self._program.holder(edge.source).facts.references.within(edge.source.ordinal)
        return (each for each in rows if each.line == edge.line)

    def edges_at(self, path: str, index: int) -> list[Edge]:
        """The edges of one reference: that at ``index`` of its file's references."""
        table = self._program.table(path)
        return list(self._stated.of_reference(table, index)) if table else []

    def beside(self, edge: Edge) -> list[SymbolId]:
        """What else may be meant where an edge stands: the other targets of its reference. None
        where a reference on that line means the one target alone."""
        if edge.relation == "feeds":
            return self._feeds.beside(edge)
        table = self._program.holder(edge.source)
        references = table.facts.references
        at_once: list[list[SymbolId]] = []
        for index in references.in_scope(edge.source.ordinal):
            if references[index].line == edge.line:
                targets = [each.target for each in self._stated.as_written(table, index)]
                if edge.target in targets:
                    at_once.append([each for each in targets if each != edge.target])
        return min(at_once, key=len) if at_once else []

    def between(self, a: SymbolId, b: SymbolId) -> list[Edge]:
        """The direct edges from ``a`` to ``b`` and from ``b`` to ``a``."""
        return [edge for edge in self.outgoing(a) if edge.target == b] + [
            edge for edge in self.outgoing(b) if edge.target == a
        ]

    def contained(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """``contains`` edges to the members; where a constructor is only declared, to its bodies in
        other files too."""
        for member in self.members(symbol_id):
            bodies = self._resolver.declarations.bodies(member) if self._makes(member) else ()
            for each in dict.fromkeys((member, *bodies)):
                line = self.symbol(each).line
                yield Edge("contains", symbol_id, each, each.path, line, "graph:scope")

    def _makes(self, member: SymbolId) -> bool:
        return self._program.kind(member) == "constructor"

    def supertypes(self, symbol_id: SymbolId) -> list[Edge]:
        """``extends`` and ``implements`` edges to the direct supertypes in the repository."""
        if symbol_id.is_file or self.symbol(symbol_id).kind not in MEMBER_HOLDERS:
            return []
        bases = self._resolver.model.hierarchy.supertypes(symbol_id)
        stated = [_derivation(symbol_id, base) for base in bases]
        known = {edge.target for edge in stated}
        unstated = (
            *self._resolver.structural.supertypes(symbol_id),
            *self._resolver.model.inheritance.protocols.supertypes(symbol_id),
        )
        others = (each for each in unstated if each not in known)
        return [*stated, *(self._unstated(symbol_id, each) for each in others)]

    def _unstated(self, symbol_id: SymbolId, interface: SymbolId) -> Edge:
        """The edge from a type to an interface that it implements without saying so."""
        line = self.symbol(symbol_id).line
        return Edge("implements", symbol_id, interface, symbol_id.path, line, "graph:type")

    def subtypes(self, symbol_id: SymbolId) -> list[Edge]:
        """``extends`` and ``implements`` edges from the direct subtypes."""
        if symbol_id.is_file or self.symbol(symbol_id).kind not in MEMBER_HOLDERS:
            return []
        stated = [_derivation(sub, base) for sub, base in self._subtypes.direct(symbol_id)]
        known = {edge.source for edge in stated}
        unstated = (
            *self._resolver.structural.subtypes(symbol_id),
            *self._resolver.model.inheritance.protocols.subtypes(symbol_id),
        )
        others = (each for each in unstated if each not in known)
        return _ordered([*stated, *(self._unstated(each, symbol_id) for each in others)])

    @memoised
    def overrides(self, symbol_id: SymbolId) -> list[Edge]:
        """Edges from a member to the members of supertypes that it overrides or implements; from
        one of an object to those of the types that are expected where the object stands."""
        holder, _ = self._holder_and_name(symbol_id)
        model = self._resolver.model
        table = self._program.holder(symbol_id)
        found = dict.fromkeys(
            (
                *(model.overriding.overridden(holder, symbol_id) if holder else ()),
                *model.lambdas.implemented(table, symbol_id.ordinal),
                *self._function_fields.fields(symbol_id),
            )
        )
        line = self.symbol(symbol_id).line
        return [
            Edge("overrides", symbol_id, target, symbol_id.path, line, "graph:type")
            for target in found
            if target != symbol_id
        ]

    def holds_functions(self, symbol_id: SymbolId) -> bool:
        """Whether a symbol is a field that functions are written for the value of."""
        return self._function_fields.holds(symbol_id)

    @memoised
    def overridden_by(self, symbol_id: SymbolId) -> list[Edge]:
        """Edges from the members of subtypes that override this one."""
        return _ordered(self._find_overriding(symbol_id))

    def imports(self, path: str) -> list[Edge]:
        """The import edges of a file, to definitions or to whole files."""
        table = self._program.table(path)
        if table is None:
            return []
        scopes = {binding.scope for binding in table.facts.imports}
        return _ordered(e for scope in scopes for e in self._stated.imports_in(table, scope))

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

    def _using(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The uses and imports of a symbol."""
        if symbol_id.is_file:
            yield from (e for e in self.importers(symbol_id.path) if e.target == symbol_id)
            return
        yield from self._users.of(symbol_id, self._mentions.of(symbol_id), None)
        yield from self.feeding(symbol_id)

    @memoised
    def _incoming(self, symbol_id: SymbolId) -> list[Edge]:
        edges = [
            *self._using(symbol_id),
            *self.subtypes(symbol_id),
            *self.overridden_by(symbol_id),
        ]
        container = self.container(symbol_id)
        if container is not None:
            path, line = symbol_id.path, self.symbol(symbol_id).line
            edges.append(Edge("contains", container, symbol_id, path, line, "graph:scope"))
        return _ordered(edges)

    @memoised
    def _incoming_near(self, symbol_id: SymbolId, files: int) -> list[Edge]:
        uses = self._users.of(symbol_id, self._mentions.of(symbol_id), files)
        return _ordered([*uses, *self.feeding(symbol_id)])

    def _find_overriding(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """An overriding member has the same name, so its definitions are the places to look; what
        is written for the value of a field may have any."""
        for function in self._function_fields.functions(symbol_id):
            yield from (edge for edge in self.overrides(function) if edge.target == symbol_id)
        holder, name = self._holder_and_name(symbol_id)
        if holder is None:
            return
        family = self._program.holder(symbol_id).spec.family_name
        for table in self._program.defining(name, family):
            for ordinal in table.by_name[name]:
                if table.is_member(ordinal) or ordinal in table.of_objects:
                    overriding = self.overrides(table.id(ordinal))
                    yield from (edge for edge in overriding if edge.target == symbol_id)

    def _holder_and_name(self, symbol_id: SymbolId) -> tuple[SymbolId | None, str]:
        if symbol_id.is_file:
            return None, ""
        container = self.container(symbol_id)
        kind = self.symbol(symbol_id).kind
        if container is None or container.is_file or kind == "constructor":
            return None, ""
        if kind not in CALLABLES and kind not in ("property", "field"):
            return None, ""
        is_type = self.symbol(container).kind in MEMBER_HOLDERS
        return (container if is_type else None), self.symbol(symbol_id).name


def _derivation(subtype: SymbolId, base: Base) -> Edge:
    """The edge from a type to one that it is written to extend or implement."""
    how = "graph:scope" if base.id.path == base.path else "graph:import"
    relation = "implements" if base.written.relation == "implements" else "extends"
    return Edge(relation, subtype, base.id, base.path, base.written.line, how)


def _ordered(edges: Iterable[Edge]) -> list[Edge]:
    return sorted(dict.fromkeys(edges), key=_PLACE)
