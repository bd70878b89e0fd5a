"""Collects imports and exports in all the forms that languages have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from explorer_core.index.extraction.brackets import closing_mark
from explorer_core.index.extraction.facts import DEFAULT, TOP, ImportBinding
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_QUOTES = "'\"`<>"
_ALIAS = re.compile(r"\s+as\s+|\s*=>\s*")
_VERSION = re.compile(r"v\d+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_SPACE = re.compile(r"\s+")
_TREE_LENGTH = 4000


class Imports:
    """Gathers import and export statements. Their scopes are known once definitions are settled."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.exports: dict[str, str] = {}
        self.name_starts: set[int] = set()
        self._imports: list[tuple[int, str, str, str, bool]] = []
        self._renamed_exports: list[tuple[int, str, str]] = []
        self._declarations: list[tuple[int, str]] = []

    def add(self, node: Node, captures: dict[str, list[Node]]) -> None:
        """Adds one match of ``@import``: ``@module`` with ``@imported``, ``@alias``, ``@default``
        or ``@wildcard``; or ``@tree``, a whole path with groups and aliases in it."""
        exported = "reexport" in captures
        if tree := captures.get("tree"):
            self._add_tree(node, tree[0], captures, exported)
            return
        for capture in ("alias", "imported"):
            if nodes := captures.get(capture):
                self.name_starts.add(nodes[0].start_byte)
        local, module, name = self._binding(captures)
        offset = captures.get("imported", [node])[0].start_byte
        self._imports.append((offset, local, module, name, exported))

    def _add_tree(
        self, node: Node, tree: Node, captures: dict[str, list[Node]], exported: bool
    ) -> None:
        start = tree.start_byte
        text = self.source.flat[start : min(tree.end_byte, start + _TREE_LENGTH)]
        everything = self.spec.imports.separator + "*"
        if self.source.flat.startswith(everything, tree.end_byte):
            text += everything
        if "/" in text:
            text = _COMMENT.sub(lambda comment: " " * len(comment.group()), text)
        if tree == node:
            keyword, _, text = text.partition(" ")
            start += len(keyword) + 1
            text = text.rstrip(" ;")
        base, alias = self._text(captures, "module"), self._text(captures, "alias")
        for part_start, part in _split_at_commas(text):
            for offset, local, module, name in self._expand(part, start + part_start, base):
                self._imports.append((offset, alias or local, module, name, exported))

    def _binding(self, captures: dict[str, list[Node]]) -> tuple[str, str, str]:
        """Returns local name, module and name of an import with captures for each."""
        module = self._text(captures, "module").strip(_QUOTES)
        alias = self._text(captures, "alias").strip(_QUOTES)
        name = self._text(captures, "imported").strip(_QUOTES)
        if "relative" in captures and not module.startswith("."):
            module = "./" + module.lstrip("/")
        if "default" in captures:
            return self._text(captures, "default"), module, DEFAULT
        if "whole" in captures:
            return DEFAULT, module, ""
        rules = self.spec.imports
        if "submodule" in captures and rules.here:
            return module, rules.here + rules.separator + module, ""
        everything = not name and not alias and rules.wildcard_default
        if everything or "wildcard" in captures or "include" in captures:
            return "*", module, "*"
        local = "" if "blank" in captures else alias or name or self._implied_local_name(module)
        return local, module, name

    def declare(self, node: Node) -> None:
        """Notes a type that is only declared here, and defined elsewhere in its namespace."""
        self._declarations.append((node.start_byte, self.source.text(node)))

    def export(self, captures: dict[str, list[Node]]) -> None:
        """Adds one match of ``@export``: ``@exported`` is visible from outside, as ``@alias``. With
        ``@inside``, the name is offered by a module declared inside the file."""
        name = self._text(captures, "exported")
        alias = self._text(captures, "alias").strip(_QUOTES) or name
        if "default" in captures:
            alias = DEFAULT
        if "inside" not in captures:
            self.exports[name] = alias
        if alias != name:
            self._renamed_exports.append((captures["exported"][0].start_byte, alias, name))

    def settle(self, definitions: Definitions) -> tuple[ImportBinding, ...]:
        """Returns the bindings in text order, each once."""
        everywhere = self.spec.imports.reexports
        module_paths = (
            self._own_module_paths(definitions) if self.spec.imports.style == "tree" else {}
        )
        bindings: dict[ImportBinding, None] = {}
        for position, local, module, name, exported in sorted(self._imports):
            scope = definitions.frames.at(position).ordinal
            if scope != TOP and definitions.rows[scope].kind in ("variable", "constant"):
                scope = definitions.rows[scope].container
            visible = exported or local in self.exports or (everywhere and scope == TOP)
            line = self.source.line(position)
            head, separator, rest = module.partition(self.spec.imports.separator)
            if local != head and (path := module_paths.get((scope, head))):
                module = path + separator + rest
            unexported = ImportBinding(local, module, name, line, scope)
            if visible:
                bindings.pop(unexported, None)
                bindings[msgspec.structs.replace(unexported, exported=True)] = None
            elif msgspec.structs.replace(unexported, exported=True) not in bindings:
                bindings[unexported] = None
        for position, alias, name in sorted(self._renamed_exports):
            line = self.source.line(position)
            scope = definitions.frames.at(position).ordinal
            if scope != TOP and definitions.rows[scope].kind != "namespace":
                scope = TOP
            bindings[ImportBinding(alias, "", name, line, scope, exported=True)] = None
        declared: dict[tuple[str, int], ImportBinding] = {}
        for position, name in sorted(self._declarations):
            scope = definitions.frames.at(position).ordinal
            while scope != TOP and definitions.rows[scope].kind != "namespace":
                scope = definitions.rows[scope].container
            declaration = ImportBinding(name, "", name, self.source.line(position), scope)
            declared.setdefault((name, scope), declaration)
        return tuple(sorted((*bindings, *declared.values()), key=lambda binding: binding.line))

    def _own_module_paths(self, definitions: Definitions) -> dict[tuple[int, str], str]:
        """The paths of modules that scopes import from their own package, by scope and local name.
        Other paths may begin with these (``use crate::shop; use shop::till``). Modules that the
        file itself declares are left out: they are found without this."""
        rules, is_type = self.spec.imports, compiled(self.spec.type_name or "$").match
        own_roots = {*rules.root_names, rules.here, rules.climb}
        paths: dict[tuple[int, str], str] = {}
        for position, local, module, name, _ in self._imports:
            path = module + rules.separator + name if name else module
            begins_at_own_root = module.partition(rules.separator)[0] in own_roots and not is_type(
                local
            )
            if begins_at_own_root and path != rules.here + rules.separator + local:
                paths[definitions.frames.at(position).ordinal, local] = path
        return paths

    def _text(self, captures: dict[str, list[Node]], name: str) -> str:
        """Returns the text of a capture, from its first node to its last."""
        nodes = captures.get(name)
        return self.source.one_line(nodes[0].start_byte, nodes[-1].end_byte, 300) if nodes else ""

    def _implied_local_name(self, module: str) -> str:
        """Returns the name that a module gets if it is imported without one."""
        rules = self.spec.imports
        if rules.style != "folder":
            return "" if rules.style == "path" else module
        parts = module.split(rules.separator)
        return parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]

    def _expand(self, text: str, offset: int, base: str) -> Iterator[tuple[int, str, str, str]]:
        """Yields ``a::{b, c as d, e::*}`` as (place, local, module, name); ``offset`` is where it
        stands."""
        opening = text.find("{")
        if opening < 0:
            if text.strip():
                yield offset + len(text) - len(text.lstrip()), *self._tree_leaf(text, base)
            return
        separator = self.spec.imports.separator
        head = self._path(text[:opening]).removesuffix(separator)
        inner = _join(base, head, separator)
        for part_start, part in _split_at_commas(text[opening + 1 : _closing_brace(text, opening)]):
            yield from self._expand(part, offset + opening + 1 + part_start, inner)

    def _tree_leaf(self, text: str, base: str) -> tuple[str, str, str]:
        separator = self.spec.imports.separator
        path, *alias_parts = _ALIAS.split(text.strip(), maxsplit=1)
        module, _, name = _join(base, self._path(path), separator).rpartition(separator)
        alias = self._path(alias_parts[0]) if alias_parts else ""
        if name in self.spec.imports.wildcards:
            return "*", module, "*"
        if name in self.spec.self_names and module:
            return alias or module.rpartition(separator)[2], module, ""
        if not module:
            return alias or name, name, ""
        return alias or name, module, name

    def _path(self, text: str) -> str:
        """Returns a path without the white space in it."""
        path = self.source.unmarked(_SPACE.sub("", text))
        return path if path.isascii() else path.encode("latin-1").decode("utf-8", "replace")


def _join(base: str, path: str, separator: str) -> str:
    return f"{base}{separator}{path}" if base and path else base or path


def _closing_brace(text: str, opening: int) -> int:
    mark = closing_mark(_BRACE.finditer(text, opening), "{", "}")
    return mark.start() if mark else len(text)


def _split_at_commas(text: str) -> list[tuple[int, str]]:
    """Splits at the commas outside of braces; returns each part after its start."""
    parts: list[tuple[int, str]] = []
    depth = start = 0
    for position, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append((start, text[start:position]))
            start = position + 1
    return [*parts, (start, text[start:])]
