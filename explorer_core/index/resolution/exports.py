"""What modules offer: what they define, and what they pass on of other modules."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import takewhile
from posixpath import dirname
from typing import cast

from explorer_core.index.extraction.facts import TOP, ImportBinding
from explorer_core.index.resolution.modules import Module, dotted
from explorer_core.index.resolution.packages import Packages, joined, package_of
from explorer_core.index.resolution.paths import nearest
from explorer_core.index.resolution.program import Program, spec_of
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import OUTSIDE, UNKNOWN, Defined, Outside, Value, Values

_DEFINING = 48
"""Files with a definition of a name that are read to learn which of them is a macro."""
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A name of a module, as seen from a file."""

    table: FileTable
    module: Module
    name: str

    @property
    def key(self) -> Key:
        """What the answer depends on."""
        origin = dirname(self.table.path) if self.module.package else str(self.is_below)
        return (self.table.facts.language, origin, self.module, self.name)

    @property
    def place(self) -> Key:
        """Where a search that comes by again goes round in a circle."""
        return (self.module, self.name)

    @property
    def is_below(self) -> bool:
        """Whether the file is part of the module, in a tree of them, and so sees all it has."""
        if spec_of(self.table).imports.style != "tree" or self.module.folder is None:
            return False
        path = self.table.path
        return path in self.module.files or path.startswith(self.module.folder + "/")


@dataclass(frozen=True, slots=True)
class _PassedOn:
    """A name that a definition (a module written inside a file) imports."""

    table: FileTable
    ordinal: int
    name: str

    @property
    def key(self) -> Key:
        """What the answer depends on."""
        return (self.table.path, self.ordinal, self.name)

    place = key


Search = Generator[_Asked | _PassedOn, Values, Values]
"""A search that asks for names of other modules on its way."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A search that has begun."""

    search: Search
    key: Key | None = None
    is_first: bool = False
    cuts: int = 0


class Exports:
    """Looks names up in modules; memoised."""

    def __init__(self, program: Program, packages: Packages) -> None:
        self._program = program
        self._packages = packages
        self._members: dict[Key, Values] = {}
        self._spelled: dict[tuple[str, str, int], tuple[str, ...]] = {}
        self._cuts = 0
        """How often a cycle of re-exports has cut an answer short."""

    def member(self, table: FileTable, module: Module, name: str) -> Values:
        """What ``name`` is in ``module``, as seen from a file."""
        asked = _Asked(table, module, name)
        known = self._members.get(asked.key)
        return self._run(_only(asked)) if known is None else known

    def imported(self, table: FileTable, binding: ImportBinding) -> Values:
        """What an import binds."""
        return self._run(self._import(table, binding))

    def from_wildcards(self, table: FileTable, name: str) -> Values:
        """What ``name`` is in the first module that offers it of those a file imports whole."""
        return self._run(self._from_wildcards(table, name))

    def macros(self, table: FileTable, name: str) -> Values:
        """The macro of a name in a file's own package: where modules form a tree, a macro needs no
        path to be meant, only to be declared before. Of several the nearest."""
        rules = spec_of(table).imports
        files = self._program.source.files_defining(name) if rules.style == "tree" else ()
        if not 0 < len(files) <= _DEFINING:
            return UNKNOWN
        folder = self._program.modules.package_folder(table.path, rules)
        found = {
            other.path: tuple(Defined(other.id(o), "graph:import") for o in ordinals)
            for other in self._program.defining(name, spec_of(table).family_name)
            if (ordinals := [o for o in other.by_name[name] if _is_macro(other, o)])
            and self._program.modules.package_folder(other.path, rules) == folder
        }
        close = nearest(found, table.path)
        return found[close[0]] if len(close) == 1 else UNKNOWN

    def _run(self, search: Search) -> Values:
        """The result of a search. Those it waits for are stacked here and not on the interpreter's
        stack, which files that include each other would fill: their chains are as long as they are
        many."""
        seen: set[Key] = set()
        waiting = [_Waiting(search)]
        answer: Values | None = None
        while waiting:
            try:
                asked = waiting[-1].search.send(cast("Values", answer))
            except StopIteration as stop:
                answer = cast("Values", stop.value)
                self._keep(waiting.pop(), answer)
                continue
            answer = self._members.get(asked.key)
            if answer is None and asked.place in seen:
                self._cuts += 1
                answer = UNKNOWN
            elif answer is None:
                is_module = isinstance(asked, _Asked)
                found = self._find_member(asked) if is_module else self._find_passed_on(asked)
                waiting.append(_Waiting(found, asked.key, not seen, self._cuts))
                seen.add(asked.place)
        return answer or UNKNOWN

    def _keep(self, done: _Waiting, answer: Values) -> None:
        if done.key is not None and (done.is_first or done.cuts == self._cuts):
            self._members[done.key] = answer

    def _find_member(self, asked: _Asked) -> Search:
        table, module, name = asked.table, asked.module, asked.name
        if module.package:
            return self._packages.visible(table, module.package, name, "graph:import")
        offering = [t for t in map(self._program.table, module.files) if t]
        found: list[Value] = []
        for other in offering:
            found += yield from self._offered(other, name, private=asked.is_below)
        if not found:
            for other in offering:
                found += yield from self._from_wildcards(other, name, offered=True)
        if not found:
            inner = self._program.modules.submodule(module, name, spec_of(table).imports)
            found += (inner,) if inner else ()
        if not found and offering:
            found += self.macros(offering[0], name)
        return tuple(dict.fromkeys(found))

    def _offered(self, other: FileTable, name: str, *, private: bool) -> Search:
        """What a file itself defines or imports under a name."""
        reexports = spec_of(other).imports.reexports or private
        bindings = [
            binding
            for binding in other.imports.get((TOP, name), ())
            if (reexports or binding.exported) and not self._of_itself(other, binding)
        ]
        ordinals = other.top.get(name, ())
        found: Values = tuple(Defined(other.id(o), "graph:import") for o in ordinals)
        if not bindings or not all(other.is_variable(o) for o in ordinals):
            return found
        through: list[Value] = []
        for binding in bindings:
            through += yield from self._import(other, binding)
        known = [value for value in through if not isinstance(value, Outside)]
        return tuple(known) or found or tuple(through)

    def _of_itself(self, table: FileTable, binding: ImportBinding) -> bool:
        """Whether an import names a module that the file stands for: what it binds is inside that
        module, and not what the file itself offers (``from . import a`` in a package)."""
        if not binding.module or binding.local != binding.name:
            return False
        module = self._program.modules.find(table.path, binding.module, spec_of(table).imports)
        return module is not None and table.path in module.files

    def _from_wildcards(self, table: FileTable, name: str, *, offered: bool = False) -> Search:
        rules = spec_of(table).imports
        by_path = rules.style == "namespace"
        holding = self._packages.holding(table, name) if by_path else frozenset[str]()
        last_counts = rules.style == "dotted"
        wildcards = self._packages.wildcards(table)
        for binding in reversed(wildcards) if last_counts else wildcards:
            if offered and not (rules.reexports or binding.exported or rules.wildcard_default):
                continue
            for written in self._spellings(table, binding):
                if by_path and dotted(written) not in holding:
                    continue
                module = self._program.modules.find(table.path, written, rules)
                if module is None:
                    continue
                found = yield _Asked(table, module, name)
                if found:
                    return (*found, *self._alternatives(table, module, name, found))
                found = yield from self._inside(table, written, name)
                if found:
                    return found
        return self._packages.passed_on(table, name) if rules.target_folders else UNKNOWN

    def _alternatives(
        self, table: FileTable, module: Module, name: str, found: Values
    ) -> Iterator[Defined]:
        """Where an included file has the body of what is meant, those of the other files that are
        included in its place, as conditions have it: only one of them can be meant at a time."""
        own = [value.id for value in found if isinstance(value, Defined)]
        holders = [(self._program.holder(id_), id_.ordinal) for id_ in own]
        if not spec_of(table).preprocessor or not any(t.has_body(o) for t, o in holders):
            return
        packages = {package_of(*holder) for holder in holders}
        for binding in table.wildcards:
            other = self._program.modules.find(table.path, binding.module, spec_of(table).imports)
            if other is None or other == module:
                continue
            for included in filter(None, map(self._program.table, other.files)):
                for ordinal in included.top.get(name, ()):
                    if included.has_body(ordinal) and package_of(included, ordinal) in packages:
                        yield Defined(included.id(ordinal), "graph:import")

    def _spellings(self, table: FileTable, binding: ImportBinding) -> tuple[str, ...]:
        """The modules that a wildcard import may mean, as the top of the file would write them."""
        written = _from_file(table, binding)
        if not spec_of(table).imports.relative:
            return (written,)
        key = (table.path, written, binding.scope)
        if key not in self._spelled:
            nearby = tuple(_nearby(table, dotted(written), binding.scope))
            through = (f"{dotted(b.module)}.{dotted(written)}" for b in table.wildcards)
            types = (each for each in (*nearby, *through) if self._is_definition(table, each))
            first = next(types, None)
            self._spelled[key] = (written, *((first,) if first else nearby))
        return self._spelled[key]

    def _is_definition(self, table: FileTable, path: str) -> bool:
        package, _, name = path.rpartition(".")
        return bool(self._packages.visible(table, package, name, "graph:import"))

    def _import(self, table: FileTable, binding: ImportBinding) -> Search:
        rules = spec_of(table).imports
        find = self._program.modules.find
        written = _from_file(table, binding)
        if not binding.name:
            if rules.style == "dotted" and binding.local == written:
                written = written.partition(".")[0]
            module = find(table.path, written, rules)
            if module and rules.style in {"namespace", "tree"}:
                return (yield from self._named_by_path(table, written)) or (module,)
            if module:
                return (module,)
            return (yield from self._named_by_path(table, written)) or OUTSIDE
        if not written:
            return (yield from self._renamed(table, binding))
        module = find(table.path, written, rules)
        found = (yield _Asked(table, module, binding.name)) if module else UNKNOWN
        if not found and rules.style == "include":
            found = yield from self._from_namespace(table, binding)
        if module and not found and binding.name == "default" and spec_of(table).default_export:
            return (module,)
        found = found or (yield from self._inside(table, written, binding.name))
        for nearby in () if found else _nearby(table, dotted(written), binding.scope):
            found = found or (yield _Asked(table, Module(package=nearby), binding.name))
            found = found or (yield from self._inside(table, nearby, binding.name))
        if not found and module and module.package:
            found = (Module(package=f"{module.package}.{binding.name}"),)
        if binding.name == "default":
            found = (*found, *self._wrapped(found, binding.local))
        return found or OUTSIDE

    def _from_namespace(self, table: FileTable, binding: ImportBinding) -> Search:
        """What is taken out of a namespace that included text declares (``using a::b::c``), which
        may be named from any of those around; of several that which the file includes. Where a
        macro opens the namespace, what the file includes under the name."""
        included = yield from self._from_wildcards(table, binding.name)
        written = dotted(binding.module)
        around: str | None = ""
        if binding.scope != TOP:
            around = joined(package_of(table, binding.scope), table.definitions[binding.scope].name)
        while around is not None:
            package = joined(around, written)
            found = self._packages.visible(table, package, binding.name, "graph:import")
            if found:
                return tuple(value for value in found if value in included) or found
            around = around.rpartition(".")[0] if around else None
        is_known = self._program.source.files_defining(written.rpartition(".")[2])
        return included if is_known else UNKNOWN

    def _wrapped(self, values: Values, name: str) -> Iterator[Value]:
        """The function or type of that very name which a default export hands to a call, such as
        ``export default memo(Button)`` imported as ``Button``."""
        for value in values:
            if not isinstance(value, Defined):
                continue
            table = self._program.holder(value.id)
            for index in table.facts.references.in_scope(value.id.ordinal):
                handed = table.facts.references[index]
                if handed.kind == "argument" and handed.name == name and not handed.receiver:
                    for ordinal in table.top.get(name, ()):
                        if not table.is_variable(ordinal):
                            yield Defined(table.id(ordinal), "graph:import")

    def _renamed(self, table: FileTable, binding: ImportBinding) -> Search:
        """A name of the file itself that is offered under another one, or several in turn."""
        found: list[Value] = []
        renames = [binding]
        for each in renames:
            ordinals = table.named.get(TOP, {}).get(each.name, ())
            found += (Defined(table.id(o), "graph:import") for o in ordinals)
            others = () if ordinals else table.imports.get((TOP, each.name), ())
            for other in others:
                if other.module or not other.name:
                    found += yield from self._import(table, other)
                elif other not in renames:
                    renames.append(other)
        return tuple(found)

    def _named_by_path(self, table: FileTable, written: str) -> Search:
        """An import whose path ends in a definition rather than a module."""
        style = spec_of(table).imports.style
        head, _, last = dotted(written).rpartition(".")
        if style == "tree" and not head:
            ordinals = table.named.get(TOP, {}).get(last, ())
            return tuple(Defined(table.id(o), "graph:import") for o in ordinals)
        if style == "namespace" and not head:
            return self._packages.visible(table, "", last, "graph:import")
        if style not in {"namespace", "tree"}:
            return UNKNOWN
        module = self._program.modules.find(table.path, head, spec_of(table).imports)
        if module is None:
            return (yield from self._inside(table, head, last)) if style == "tree" else UNKNOWN
        return (yield _Asked(table, module, last))

    def _inside(self, table: FileTable, written: str, name: str) -> Search:
        """A member of a definition that the path of an import ends in (a static import, an inner
        module)."""
        found: list[Value] = []
        for value in (yield from self._named_by_path(table, written)):
            if isinstance(value, Defined):
                holder, ordinal = self._program.holder(value.id), value.id.ordinal
                members = [o for o in holder.members(ordinal, name) if not holder.is_extension(o)]
                found += (Defined(holder.id(o), "graph:import") for o in members)
                if (ordinal, name) in holder.imports:
                    found += yield _PassedOn(holder, ordinal, name)
        return tuple(found)

    def _find_passed_on(self, asked: _PassedOn) -> Search:
        found: list[Value] = []
        for binding in asked.table.imports[asked.ordinal, asked.name]:
            found += yield from self._import(asked.table, binding)
        return tuple(found)


def _from_file(table: FileTable, binding: ImportBinding) -> str:
    """The module of an import as the top of the file would write it: one that stands in a module
    written inside the file may be relative to that."""
    rules = spec_of(table).imports
    if rules.style != "tree" or binding.scope == TOP:
        return binding.module
    parts = binding.module.split(rules.separator)
    here = next(iter(spec_of(table).self_names), "")
    inline = [table.definitions[o].name for o in table.namespaces(binding.scope)]
    if not inline or parts[0] not in (here, rules.climb):
        return binding.module
    steps = len(list(takewhile(lambda part: part == rules.climb, parts)))
    up = [rules.climb] * (steps - len(inline)) or [here]
    return rules.separator.join([*up, *reversed(inline[steps:]), *parts[steps or 1 :]])


def _nearby(table: FileTable, written: str, scope: int) -> Iterator[str]:
    """What an import means as seen from the types and packages around it, the innermost first."""
    if not spec_of(table).imports.relative:
        return
    inner = next((o for o in table.scopes(scope) if o == TOP or table.is_type(o)), TOP)
    around = dotted(table.package)
    if inner != TOP:
        around = joined(package_of(table, inner), table.definitions[inner].name)
    while around:
        yield f"{around}.{written}"
        around = around.rpartition(".")[0]


def _is_macro(table: FileTable, ordinal: int) -> bool:
    return table.definitions[ordinal].kind == "macro"


def _only(asked: _Asked) -> Search:
    return (yield asked)
