"""What a bare name stands for: scopes, imports, re-exports, and what a module offers."""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.contracts import Witness
from explorer_core.index.facts import TOP, ImportBinding
from explorer_core.index.modules import Module, dotted
from explorer_core.index.program import Program, spec_of
from explorer_core.index.symbols import MEMBER_HOLDERS, NAMESPACES, VARIABLES, SymbolId
from explorer_core.index.tables import FileTable
from explorer_core.index.values import OUTSIDE, UNKNOWN, Defined, Outside, Value, Values


class Names:
    """Looks names up in files and modules; memoised."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._members: dict[tuple[str, Module, str], Values] = {}
        self._cuts = 0
        """How often a cycle of re-exports has cut an answer short."""
        self._opened: dict[str, bool] = {}
        self._ambient: dict[tuple[str, str], Values] = {}
        self._in_scope: dict[tuple[str, int, str], Values] = {}

    def in_scope(self, table: FileTable, scope: int, name: str) -> Values:
        """What one scope, and none around it, binds a name to: definitions, then imports."""
        key = (table.path, scope, name)
        found = self._in_scope.get(key)
        if found is None:
            found = self._in_scope[key] = self._find_in_scope(table, scope, name)
        return found

    def _find_in_scope(self, table: FileTable, scope: int, name: str) -> Values:
        ordinals = table.named.get(scope, {}).get(name, ())
        bindings = table.imports.get((scope, name), ())
        redefined = spec_of(table).imports.reexports and not all(
            _is_variable(table, o) for o in ordinals
        )
        if ordinals and bindings and not redefined:
            imported = self._bound(table, bindings)
            if any(isinstance(value, Defined | Module) for value in imported):
                return imported
        if ordinals:
            return tuple(Defined(table.id(o), "graph:scope") for o in ordinals)
        return self._bound(table, bindings) if bindings else UNKNOWN

    def ambient(self, table: FileTable, name: str) -> Values:
        """What a file sees with no binding of its own: wildcard imports and its own package."""
        key = (table.path, name)
        if key not in self._ambient:
            self._ambient[key] = self._from_wildcards(table, name, set()) or self._from_package(
                table, name
            )
        return self._ambient[key]

    def imported(self, table: FileTable, binding: ImportBinding) -> Values:
        """What an import binds."""
        return self._import(table, binding, set())

    def member(self, table: FileTable, module: Module, name: str) -> Values:
        """What ``name`` is in ``module``, as seen from a file."""
        return self._member(table, module, name, set())

    def from_here(self, table: FileTable, scope: int, name: str) -> Values:
        """The module that a path begins at which is relative to this one (``crate``, ``super``)."""
        spec = spec_of(table)
        rules = spec.imports
        if rules.style != "tree" or name not in (*rules.root_names, rules.climb, *spec.self_names):
            return UNKNOWN
        inline = [o for o in table.scopes(scope) if _is_namespace(table, o)]
        if name not in rules.root_names and inline:
            inner = inline if name != rules.climb else inline[1:]
            if inner:
                return (Defined(table.id(inner[0]), "graph:import"),)
            return (Module((table.path,)),)
        if name in spec.self_names:
            return (Module((table.path,)),)
        module = self._program.modules.find(table.path, name, rules)
        return (module,) if module else UNKNOWN

    def package(self, table: FileTable, name: str) -> Values:
        """The package that a path begins at with a name that nothing binds, where that is enough
        to use it."""
        rules = spec_of(table).imports
        module = rules.style == "tree" and self._program.modules.package(table.path, name, rules)
        return (module,) if module else UNKNOWN

    def in_package(self, table: FileTable, package: list[str], name: str) -> Values:
        """A definition by its package and name, the package as seen from that of the file."""
        style = spec_of(table).imports.style
        if style != "namespace":
            return UNKNOWN
        around = dotted(table.facts.package)
        while True:
            inner = ".".join([around, *package] if around else package)
            found = tuple(self._in_package(table, inner, name, "graph:scope"))
            if found or not around:
                return found
            around = around.rpartition(".")[0]

    def in_namespace(self, holder: FileTable, ordinal: int, name: str) -> Values:
        """A definition of a namespace by its name, wherever the namespace is opened again. One that
        a macro opens holds what the files that use the macro have at their top."""
        if not spec_of(holder).imports.wildcard_default:
            return UNKNOWN
        around = holder.definitions[ordinal]
        qualified = _joined(package_of(holder, ordinal), around.name)
        found = tuple(self._in_package(holder, qualified, name, "graph:import"))
        if found or not self._is_opened_by_macro(holder, around.name):
            return found
        return tuple(self._in_package(holder, "", name, "graph:import"))

    def _is_opened_by_macro(self, holder: FileTable, name: str) -> bool:
        """Whether a namespace is opened somewhere where its members cannot be told from others."""
        if name not in self._opened:
            self._opened[name] = any(
                _is_namespace(other, ordinal) and not other.children.get(ordinal)
                for other in self._program.defining(name, spec_of(holder).family_name)
                for ordinal in other.by_name[name]
            )
        return self._opened[name]

    def in_type(self, table: FileTable, ordinal: int, name: str) -> Iterator[Value]:
        """The members of a name in any declaration of a type."""
        qualified = _joined(package_of(table, ordinal), table.definitions[ordinal].name)
        return self._in_package(table, qualified, name, "graph:type")

    def parts(self, table: FileTable, ordinal: int) -> Iterator[SymbolId]:
        """The other declarations of a type."""
        package, name = package_of(table, ordinal), table.definitions[ordinal].name
        if package is None:
            return
        for value in self._in_package(table, package, name, "graph:type"):
            if isinstance(value, Defined) and value.id != table.id(ordinal):
                holder = self._program.holder(value.id)
                if holder.definitions[value.id.ordinal].kind in MEMBER_HOLDERS:
                    yield value.id

    def whole(self, table: FileTable, module: Module) -> Values:
        """What a module offers as itself, where the language has that: its default export."""
        return self.member(table, module, "default") if spec_of(table).default_export else UNKNOWN

    def _bound(self, table: FileTable, bindings: list[ImportBinding] | tuple[()]) -> Values:
        values = [v for binding in bindings for v in self._import(table, binding, set())]
        known = [value for value in values if not isinstance(value, Outside)]
        return tuple(dict.fromkeys(known)) or OUTSIDE

    def _import(self, table: FileTable, binding: ImportBinding, seen: set[object]) -> Values:
        rules = spec_of(table).imports
        find = self._program.modules.find
        written = binding.module
        if not binding.name:
            if rules.style == "dotted" and binding.local == written:
                written = written.partition(".")[0]
            module = find(table.path, written, rules)
            if module and rules.style in {"namespace", "tree"}:
                return self._named_by_path(table, written, seen) or (module,)
            if module:
                return (module,)
            return self._named_by_path(table, written, seen) or OUTSIDE
        if not written:
            return self._renamed(table, binding, seen)
        module = find(table.path, written, rules)
        found = self._member(table, module, binding.name, seen) if module else UNKNOWN
        if module and not found and binding.name == "default" and spec_of(table).default_export:
            return (module,)
        found = found or self._inside(table, written, binding.name, seen)
        if not found and module and module.package:
            found = (Module(package=f"{module.package}.{binding.name}"),)
        if binding.name == "default":
            found = (*found, *self._wrapped(found, binding.local))
        return found or OUTSIDE

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
                        if not _is_variable(table, ordinal):
                            yield Defined(table.id(ordinal), "graph:import")

    def _renamed(self, table: FileTable, binding: ImportBinding, seen: set[object]) -> Values:
        """A name of the file itself that is offered under another one."""
        key = (table.path, binding)
        if key in seen:
            self._cuts += 1
            return UNKNOWN
        seen.add(key)
        ordinals = table.named.get(TOP, {}).get(binding.name, ())
        if ordinals:
            return tuple(Defined(table.id(o), "graph:import") for o in ordinals)
        bound = table.imports.get((TOP, binding.name), ())
        return tuple(v for b in bound if b is not binding for v in self._import(table, b, seen))

    def _named_by_path(self, table: FileTable, written: str, seen: set[object]) -> Values:
        """An import whose path ends in a definition rather than a module."""
        head, _, last = dotted(written).rpartition(".")
        if not head or spec_of(table).imports.style not in {"namespace", "tree"}:
            return UNKNOWN
        module = self._program.modules.find(table.path, head, spec_of(table).imports)
        return self._member(table, module, last, seen) if module else UNKNOWN

    def _inside(self, table: FileTable, written: str, name: str, seen: set[object]) -> Values:
        """A member of a definition that the path of an import ends in (a static import, an inner
        module)."""
        found: list[Value] = []
        for value in self._named_by_path(table, written, seen):
            if isinstance(value, Defined):
                holder = self._program.holder(value.id)
                found += (
                    Defined(holder.id(o), "graph:import")
                    for o in holder.members(value.id.ordinal, name)
                )
        return tuple(found)

    def _member(self, table: FileTable, module: Module, name: str, seen: set[object]) -> Values:
        key = (table.facts.language, module, name)
        if key in self._members:
            return self._members[key]
        if (module, name) in seen:
            self._cuts += 1
            return UNKNOWN
        top, cuts = not seen, self._cuts
        seen.add((module, name))
        found = self._find_member(table, module, name, seen)
        if top or self._cuts == cuts:
            self._members[key] = found
        return found

    def _find_member(
        self, table: FileTable, module: Module, name: str, seen: set[object]
    ) -> Values:
        if module.package:
            return tuple(self._in_package(table, module.package, name, "graph:import"))
        offering = [t for t in map(self._program.table, module.files) if t]
        found: list[Value] = []
        for other in offering:
            found += self._offered(other, name, seen)
        if not found:
            for other in offering:
                found += self._from_wildcards(other, name, seen, offered=True)
        if not found:
            inner = self._program.modules.submodule(module, name, spec_of(table).imports)
            found += (inner,) if inner else ()
        return tuple(dict.fromkeys(found))

    def _offered(self, other: FileTable, name: str, seen: set[object]) -> list[Value]:
        """What a file itself defines or imports under a name."""
        reexports = spec_of(other).imports.reexports
        bindings = [b for b in other.imports.get((TOP, name), ()) if reexports or b.exported]
        ordinals = other.top.get(name, ())
        found: list[Value] = [Defined(other.id(o), "graph:import") for o in ordinals]
        if bindings and all(_is_variable(other, o) for o in ordinals):
            through = [v for b in bindings for v in self._import(other, b, seen)]
            known: list[Value] = [v for v in through if not isinstance(v, Outside)]
            return known or found or through
        return found

    def _from_wildcards(
        self, table: FileTable, name: str, seen: set[object], *, offered: bool = False
    ) -> Values:
        rules = spec_of(table).imports
        for binding in table.wildcards:
            if offered and not (rules.reexports or binding.exported or rules.wildcard_default):
                continue
            module = self._program.modules.find(table.path, binding.module, rules)
            if module is None:
                continue
            found = self._member(table, module, name, seen)
            if found:
                return found
            found = self._inside(table, binding.module, name, seen)
            if found:
                return found
        return UNKNOWN

    def _from_package(self, table: FileTable, name: str) -> Values:
        rules = spec_of(table).imports
        if not rules.same_package_visible:
            return UNKNOWN
        if rules.style == "folder":
            return tuple(self._in_folder(table, name))
        package = dotted(table.facts.package)
        while True:
            found = tuple(self._in_package(table, package, name, "graph:scope"))
            if found or not package:
                return found
            package = package.rpartition(".")[0]

    def _in_folder(self, table: FileTable, name: str) -> Iterator[Value]:
        folder = table.path.rpartition("/")[0]
        for other in self._program.defining(name, spec_of(table).family_name):
            if other.path.rpartition("/")[0] == folder and _same_package(other, table):
                for ordinal in other.named.get(TOP, {}).get(name, ()):
                    yield Defined(other.id(ordinal), "graph:scope")

    def _in_package(
        self, table: FileTable, package: str, name: str, how: Witness
    ) -> Iterator[Value]:
        """Definitions of a name at the top of a declared package, in any of its files."""
        for other in self._program.defining(name, spec_of(table).family_name):
            for ordinal in other.by_name[name]:
                if not other.definitions[ordinal].owner and (package_of(other, ordinal) == package):
                    yield Defined(other.id(ordinal), how)


def package_of(table: FileTable, ordinal: int) -> str | None:
    """The package a top-level definition is in, with the namespaces around it; None for a member
    or a local."""
    parts: list[str] = []
    container = table.definitions[ordinal].container
    while container != TOP:
        around = table.definitions[container]
        if around.kind not in NAMESPACES and around.kind not in MEMBER_HOLDERS:
            return None
        parts.append(dotted(around.name))
        container = around.container
    if table.facts.package:
        parts.append(dotted(table.facts.package))
    return ".".join(reversed(parts))


def _is_namespace(table: FileTable, ordinal: int) -> bool:
    return ordinal != TOP and table.definitions[ordinal].kind in NAMESPACES


def _joined(package: str | None, name: str) -> str:
    return f"{package}.{dotted(name)}" if package else dotted(name)


def _same_package(one: FileTable, other: FileTable) -> bool:
    return one.facts.package == other.facts.package


def _is_variable(table: FileTable, ordinal: int) -> bool:
    return table.definitions[ordinal].kind in VARIABLES
